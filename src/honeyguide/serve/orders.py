"""From what is asked over the API to a crawl order. Files are named by their place in the workspace, or refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from honeyguide.arguments import with_language
from honeyguide.assembly import lay_out
from honeyguide.crawls import Crawl
from honeyguide.errors import HoneyguideError, SettingsError, StoreError
from honeyguide.fetch.identity import check_contact
from honeyguide.fetch.replay import check_recording
from honeyguide.making import check_new_topic, make_strategy, make_topic, read_order_seeds
from honeyguide.seeds import SeedList
from honeyguide.serve.problems import message_of
from honeyguide.serve.serving import Serving
from honeyguide.serve.workspace import NAME
from honeyguide.settings import CrawlOrder
from honeyguide.settings.sections import PluginSection, TopicSettings
from honeyguide.strategies.base import Strategy
from honeyguide.topics.base import TopicModel
from honeyguide.urls import host_of

MOST_SEEDS = 10_000
MOST_SETTINGS = 200
_PLAIN = re.compile(r"[A-Za-z0-9_.-]{0,100}")
_BY_NAME = {
    "output.folder": "the name of the crawl is its folder",
    "output.archive_at": "whoever may write there gives it to `honeyguide crawl`",
    "topic.file": "give `topic_name`, a topic of the workspace",
    "seeds.file": "give `seeds`",
    "web.recording": "give `recording`, a path within the workspace",
    "web.fetcher": "a fetcher is given by programs alone",
}
"""Settings that name files, or a program's own parts, and what to give instead."""


class NewCrawl(BaseModel):
    """A crawl to be made."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "name": "bees",
                    "topic": "beekeeping and honey",
                    "seeds": ["http://hub-1.example/"],
                    "settings": {"web.sample_pages": 500},
                }
            ]
        },
    )

    name: Annotated[str, Field(pattern=f"^{NAME}$", max_length=100, description="What it is to be called.")]
    like: Annotated[
        str,
        Field(
            max_length=100,
            description="A crawl whose topic, seeds and settings it has, but for those that are given.",
            examples=[""],
        ),
    ] = ""
    topic: Annotated[str, Field(max_length=20_000, description="The topic in words.")] = ""
    topic_name: Annotated[str, Field(max_length=100, description="Or a topic of the workspace.")] = ""
    seeds: Annotated[
        list[Annotated[str, Field(max_length=10_000)]],
        Field(max_length=MOST_SEEDS, description="Urls to start from."),
    ] = []
    recording: Annotated[
        str,
        Field(
            max_length=1_000,
            description="A recorded web, by its path within the workspace, such as crawls/former.",
        ),
    ] = ""
    settings: Annotated[
        dict[Annotated[str, Field(max_length=100)], Any],
        Field(
            max_length=MOST_SETTINGS,
            description="Any other settings by their keys; `GET settings` lists them.",
        ),
    ] = {}
    run: Annotated[bool, Field(description="Start it at once.")] = False


def order_for(here: Serving, wanted: NewCrawl) -> CrawlOrder:
    """The whole order; SettingsError tells what is wrong with it."""
    given = {
        **check_settings(here, wanted.settings),
        "output.folder": str(here.workspace.crawl_folder(wanted.name)),
    }
    former = _former(here, wanted.like) if wanted.like else CrawlOrder()
    if wanted.topic or wanted.topic_name:
        # Its language, model and threshold are the former topic's own, and say nothing of another one.
        former = former.model_copy(update={"topic": TopicSettings()})
        file = wanted.topic_name and str(here.workspace.topic_file(wanted.topic_name))
        given |= {"topic.text": wanted.topic, "topic.file": file}
    if wanted.seeds:
        given |= {"seeds.urls": wanted.seeds, "seeds.file": ""}
    if wanted.recording:
        given["web.recording"] = str(here.workspace.inside(wanted.recording))
    order = former.with_overrides(given, "crawl order")
    order.check_complete()
    return order


def _former(here: Serving, name: str) -> CrawlOrder:
    """The order of a crawl for another one, whose pages are kept in its own folder."""
    order = here.workspace.crawl(name).order
    if order.web.fetcher:
        raise SettingsError(
            f"like: the web of the crawl {name!r} was given by a program, as an object of the class"
            f" {order.web.fetcher}, which no server can make; have that program start the new crawl, or give topic,"
            " seeds and settings without `like`"
        )
    check_settings(here, {"fetch.allow_networks": [*order.fetch.allow_networks]})
    return order.model_copy(update={"output": order.output.model_copy(update={"archive_at": ""})})


def check_settings(here: Serving, settings: dict[str, Any]) -> dict[str, Any]:
    """The same settings, unless one reaches out of the workspace or into a network that is nobody's business here."""
    for key, value in settings.items():
        if "." not in key:
            raise SettingsError(f"{key[:100]}: give settings by their keys, as in scope.max_depth")
        if key in _BY_NAME:
            raise SettingsError(f"{key} cannot be set over the API; {_BY_NAME[key]}")
        _check_plain(key, value)
    networks = settings.get("fetch.allow_networks", ())
    allowed = here.options.allow_networks
    if not isinstance(networks, list | tuple) or not set(map(str, networks)) <= set(allowed):
        raise SettingsError(
            f"fetch.allow_networks: the server was started with {', '.join(allowed) or 'none'};"
            " `honeyguide serve --allow-network` lets crawls ask others"
        )
    return settings


def _check_plain(key: str, value: Any) -> None:
    """What a plug-in is given must not be a path: some of them read files."""
    section, _, name = key.partition(".")
    kind = CrawlOrder.model_fields[section].annotation if section in CrawlOrder.model_fields else None
    if not (isinstance(kind, type) and issubclass(kind, PluginSection)) or name in kind.model_fields:
        return
    texts = [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]
    if not all(_PLAIN.fullmatch(text) for text in texts):
        raise SettingsError(
            f"{key}: over the API a setting of a plug-in is a number, a yes or no, or a plain name"
        )


def begin(here: Serving, wanted: NewCrawl) -> tuple[Crawl, list[str]]:
    """Make the crawl, and tell what is wrong with some of its seeds.

    A recording is indexed by the crawl's own process: that may take longer than anybody waits for an answer.
    """
    order = with_language(order_for(here, wanted))
    topic, strategy, seeds = _checked(order, wanted.name)
    if not seeds.urls:
        raise SettingsError("; ".join(map(str, seeds.problems[:5])) or "none of the seeds is a url")
    lay_out(order, topic, strategy)
    return here.workspace.crawl(wanted.name), [str(problem) for problem in seeds.problems[:100]]


def problems_of(here: Serving, wanted: NewCrawl) -> list[str]:
    """What is wrong with a crawl that is not made yet."""
    try:
        _, _, seeds = _checked(order_for(here, wanted), wanted.name)
        return [str(problem) for problem in seeds.problems[:100]]
    except HoneyguideError as error:
        return message_of(error, here.workspace).splitlines()


def _checked(order: CrawlOrder, name: str) -> tuple[TopicModel, Strategy, SeedList]:
    """Whatever can be wrong with a new crawl is told here, and not in a log."""
    if order.folder.exists():
        raise StoreError(f"there is a crawl {name!r} already; choose another name, or go on with it")
    check_new_topic(order)
    topic, strategy, seeds = make_topic(order), make_strategy(order), read_order_seeds(order)
    strategy.check(topic)
    if order.web.recording:
        check_recording(Path(order.web.recording))
    elif not order.web.sample_pages:
        check_contact(order.politeness.contact, map(host_of, seeds.urls))
    return topic, strategy, seeds
