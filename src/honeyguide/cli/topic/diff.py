"""`honeyguide topic diff`: two topics, or two revisions of a crawl's topic, side by side."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson
from honeyguide.cli.topic.options import CrawlFolder
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from rich.table import Table

    from honeyguide.compared import TopicDifference
    from honeyguide.topics.base import TopicModel

EXAMPLES = """Examples:
  honeyguide topic diff crawls/beekeeping:0 crawls/beekeeping:2
  honeyguide topic diff bees.topic hives.topic --crawl crawls/beekeeping
  honeyguide topic diff bees.topic crawls/beekeeping:1 --json | jq '.words[].word'"""

_REVISION = re.compile(r"(?P<folder>.+):(?P<number>\d{1,9})")

Side = Annotated[
    str, typer.Argument(metavar="TOPIC", help="A topic file, or CRAWL:N for a revision of a crawl's topic.")
]


def diff(
    one: Side,
    other: Side,
    crawl: CrawlFolder = None,
    most: Annotated[int, typer.Option(metavar="N", min=1, help="So many words and pages.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Show what is different between two topics: words, thresholds, labels, and the pages they disagree on most.

    CRAWL:0 is the topic a crawl began with, CRAWL:1 its first revision. Pages are those of the crawl.
    """
    sides = [_Given(one), _Given(other)]
    folders = dict.fromkeys(side.folder for side in sides if side.folder)
    if crawl is None and len(folders) > 1:
        raise SettingsError("the topics are of two crawls; name the one whose pages to look at with --crawl")
    found = _compared(sides, crawl or next(iter(folders), None), most)
    if as_json:
        typer.echo(json.dumps(asdict(found), indent=2))
    else:
        _print(found)


class _Given:
    """A topic as it was named."""

    def __init__(self, name: str) -> None:
        revision = None if Path(name).is_file() else _REVISION.fullmatch(name)
        self.file = None if revision else Path(name)
        self.folder = Path(revision["folder"]) if revision else None
        self.number = int(revision["number"]) if revision else 0

    def of(self, crawl: Path | None) -> int | TopicModel:
        """A revision of the crawl by its number; any other topic as it is."""
        from honeyguide.crawls import Crawl
        from honeyguide.topics.topic_file import read_topic

        if self.folder is None:
            assert self.file
            return read_topic(self.file)
        return self.number if self.folder == crawl else Crawl.open(self.folder).of_revision(self.number)


def _compared(sides: list[_Given], crawl: Path | None, most: int) -> TopicDifference:
    from honeyguide.compared import Guide, compare_guides
    from honeyguide.crawls import Crawl

    one, other = (side.of(crawl) for side in sides)
    if crawl:
        return Crawl.open(crawl).compare(one, other, most)
    assert not isinstance(one, int)
    assert not isinstance(other, int)
    return compare_guides(Guide.of(one), Guide.of(other), None, (), most)


def _print(found: TopicDifference) -> None:
    kinds, thresholds = found.kinds, found.thresholds
    terminal.say(
        f"{kinds[0]}, relevant from {thresholds[0]:g} on -> {kinds[1]}, relevant from {thresholds[1]:g} on"
    )
    _print_words(found)
    if found.labels:
        table = _section("labels given between them", "by", "asked", "on the topic", "off it", "unsure")
        for source in found.labels:
            numbers = (source.relevant, source.irrelevant, source.unsure)
            table.add_row(
                terminal.clean(source.by or "-"), terminal.clean(source.asked or "-"), *map(str, numbers)
            )
        terminal.print_table(table)
    if not found.sampled:
        terminal.note("no page was compared; --crawl FOLDER names a crawl whose pages are")
        return
    head = f"pages they disagree on most; {found.gained + found.lost:,} of {found.sampled:,} are called otherwise"
    table = _section(head, "before", "after", "otherwise", "title", "url")
    for page in found.pages:
        is_otherwise = "yes" if page.is_otherwise else ""
        table.add_row(
            f"{page.before:.3f}",
            f"{page.after:.3f}",
            is_otherwise,
            *map(terminal.clean, (page.title, page.url)),
        )
    terminal.print_table(table)


def _print_words(found: TopicDifference) -> None:
    if not found.unit:
        terminal.note(
            "topics of these kinds give no weight to a word by itself; compare them on the pages of a crawl"
        )
        return
    if not found.words:
        terminal.say("every word counts the same in both")
        return
    table = _section(f"words that gained or lost weight ({found.unit})", "change", "before", "after", "word")
    for word in found.words:
        table.add_row(
            f"{word.change:+.3f}", f"{word.before:.3f}", f"{word.after:.3f}", terminal.clean(word.word)
        )
    terminal.print_table(table)


def _section(head: str, *columns: str) -> Table:
    terminal.say("")
    terminal.say(head, style="bold")
    texts = ("word", "by", "asked", "title", "url", "otherwise")
    return terminal.table(*columns, right=tuple(name for name in columns if name not in texts), fold=("url",))
