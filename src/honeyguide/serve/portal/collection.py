"""The collections of a workspace, as the portal names them."""

from __future__ import annotations

from dataclasses import dataclass

from honeyguide.crawls import Crawl
from honeyguide.errors import HoneyguideError
from honeyguide.serve.portal.shown import day, plain
from honeyguide.serve.portal.views import collection_path
from honeyguide.serve.workspace import Workspace
from honeyguide.wording import count

MOST_SHOWN = 300


@dataclass(frozen=True, slots=True)
class CollectionView:
    """A collection by what it is about."""

    name: str
    path: str
    topic: str
    numbers: str = ""


def collection_view(name: str, crawl: Crawl, root: str) -> CollectionView:
    """What is told of a collection on each of its pages."""
    wanted = crawl.order.topic
    topic = plain(wanted.text, 300) or "Pages like those that the crawler was shown."
    return CollectionView(name, collection_path(root, name), topic)


def all_collections(workspace: Workspace, root: str) -> tuple[list[CollectionView], str]:
    """The collections with their sizes, and a word on those that are not listed."""
    names = workspace.crawl_names()
    views = [view for name in names[:MOST_SHOWN] if (view := _counted(name, workspace, root))]
    more = f"and {len(names) - MOST_SHOWN:,} more" if len(names) > MOST_SHOWN else ""
    return views, more


def _counted(name: str, workspace: Workspace, root: str) -> CollectionView | None:
    """None if the crawl cannot be read: one damaged crawl must not close the portal."""
    try:
        crawl = workspace.crawl(name)
        view = collection_view(name, crawl, root)
        with crawl.reader() as reader:
            pages, latest = reader.last_number(), reader.latest(1)
    except HoneyguideError:
        return None
    when = f", the last of {day(latest[0].time)}" if latest else ""
    return CollectionView(name, view.path, view.topic, f"{count(pages, 'page')}{when}")
