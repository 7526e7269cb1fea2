"""`honeyguide topic footprint`: the part of an ontology that a page touches, and how alike two pages are by it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide import wording
from honeyguide.cli import terminal
from honeyguide.cli.topic.options import TopicFile
from honeyguide.errors import TopicError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from honeyguide.topics.ontology import Footprint, OntologyTopic

EXAMPLES = """Examples:
  honeyguide topic footprint cars.topic corolla.html
  honeyguide topic footprint cars.topic corolla.html avensis.html"""

MOST_ROWS = 40
MOST_NAMES = 10


def footprint(
    file: TopicFile,
    page: Annotated[Path, typer.Argument(metavar="PAGE", help="A page: an HTML or text file.")],
    other: Annotated[
        Path | None, typer.Argument(metavar="OTHER", help="Another page to compare it with.")
    ] = None,
) -> None:
    """Show the part of an ontology that a page touches: topics it mentions, then the classes above them.

    With two pages, tells how alike they are: by the topics mentioned themselves (level 0), then with the classes one
    step above taken in, two steps, and so on. Pages on different cars share nothing at level 0, and "car" at level 1.
    """
    from honeyguide.examples import read_example
    from honeyguide.topics.ontology import OntologyTopic
    from honeyguide.topics.topic_file import read_topic

    topic = read_topic(file)
    if not isinstance(topic, OntologyTopic):
        raise TopicError(
            f"{file} is a {topic.name} topic and has no map; make one with `honeyguide topic new --ontology`"
        )
    made = [topic.footprint(read_example(path).readable) for path in (page, other) if path]
    if other is None:
        _print_footprint(topic, made[0])
    else:
        _print_comparison(topic, *made)


def _print_footprint(topic: OntologyTopic, found: Footprint) -> None:
    numbers = ("level", "tf-idf")
    table = terminal.table("level", "topic", "tf-idf", right=numbers)
    order = sorted(found.levels, key=lambda number: (found.levels[number], -found.touched.get(number, 0.0)))
    for number in order[:MOST_ROWS]:
        tfidf = f"{found.touched[number]:.3f}" if number in found.touched else ""
        table.add_row(str(found.levels[number]), terminal.clean(topic.map.topics[number].label), tfidf)
    terminal.print_table(table)
    if len(order) > MOST_ROWS:
        terminal.say(f"and {len(order) - MOST_ROWS:,} more")
    above = len(order) - len(found.touched)
    terminal.say(
        f"{wording.count(len(found.touched), 'topic')} mentioned, {above:,} above them, "
        f"{wording.count(len(found.associations), 'association')} between them"
    )


def _print_comparison(topic: OntologyTopic, one: Footprint, other: Footprint) -> None:
    from honeyguide.topics.ontology import compare

    found = compare(one, other)
    numbers = ("level", "similarity")
    table = terminal.table("level", "similarity", "topics shared", right=numbers)
    for level, similarity in enumerate(found.similarity):
        shared = one.up_to(level) & other.up_to(level)
        table.add_row(str(level), f"{similarity:.3f}", _names(topic, shared))
    terminal.print_table(table)
    if found.level is None:
        terminal.say("the pages share nothing of the map, not even a class above what they mention")


def _names(topic: OntologyTopic, members: Iterable[int]) -> str:
    names = sorted(terminal.clean(topic.map.topics[number].label) for number in members)
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more
