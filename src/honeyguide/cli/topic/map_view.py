"""How an ontology shows what is inside it: topics to choose from, and the weights around those in focus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.cli import terminal

if TYPE_CHECKING:
    from honeyguide.topics.ontology import OntologyTopic, TopicMap

MOST_CANDIDATES = 30
MOST_BELOW = 5
MOST_NAMES = 15


def print_candidates(file: Path, source: Path, language: str) -> None:
    """Print the topics of a map that have most around them, for the user to choose a focus from."""
    from honeyguide.topics.ontology import read_topic_map
    from honeyguide.topics.ontology.hierarchy import Hierarchy

    topic_map = read_topic_map(source)
    around = _around(topic_map)
    below: dict[int, list[int]] = {}
    for lower, upper in Hierarchy(topic_map).pairs():
        below.setdefault(upper, []).append(lower)
    named = [number for number, topic in enumerate(topic_map.topics) if topic.names]
    named.sort(key=lambda number: (-around.get(number, 0), number))
    table = terminal.table("focus", "around it", "classes below it", right=("around it",))
    for number in named[:MOST_CANDIDATES]:
        under = below.get(number, [])
        names = ", ".join(_name(topic_map, one, language) for one in under[:MOST_BELOW])
        more = ", ..." if len(under) > MOST_BELOW else ""
        table.add_row(_name(topic_map, number, language), f"{around.get(number, 0):,}", names + more)
    terminal.print_table(table)
    hidden = len(named) - MOST_CANDIDATES
    terminal.say(
        f"and {hidden:,} more; any name in the map will do" if hidden > 0 else f"{len(named):,} topics"
    )
    command = terminal.command("topic", "new", file, "--ontology", source, "--focus", "NAME")
    terminal.note(f"nothing was written; choose what you want of the map:  {command}")


def _around(topic_map: TopicMap) -> dict[int, int]:
    """How many topics are joined to each."""
    joined: dict[int, set[int]] = {}
    for association in topic_map.associations:
        players = {role.player for role in association.roles if topic_map.topics[role.player].names}
        for player in players:
            joined.setdefault(player, set()).update(players - {player})
    return {number: len(others) for number, others in joined.items()}


def _name(topic_map: TopicMap, number: int, language: str) -> str:
    """A topic's name in a language: the one asked for, English, any."""
    names = {own: name for name, own in reversed(list(topic_map.named(number)))}
    found = (names[own] for own in (language, "en", "") if own in names)
    return terminal.clean(next(found, topic_map.topics[number].label))


def print_weights(topic: OntologyTopic) -> None:
    """Print which topics of a map count how much."""
    from honeyguide.topics.ontology.weights import neighbors

    hierarchy, other = neighbors(topic.map, topic.focus, topic.hierarchy)
    named = {number for number, one in enumerate(topic.map.topics) if one.names}
    table = terminal.table("weight", "class", "topics", right=("weight",))
    for label, members in (
        ("in focus", topic.focus),
        ("class above or below", sorted(hierarchy & named)),
        ("joined otherwise", sorted((other - hierarchy) & named)),
        ("all others", sorted(named - hierarchy - other - set(topic.focus))),
    ):
        weight = f"{topic.weights[members[0]]:.2g}" if members else "-"
        table.add_row(weight, label, _names(topic, members))
    terminal.print_table(table)
    terminal.say(
        f"language: {topic.language}; relevant from {topic.relevant_above:.4g} on; idf: {topic.settings.idf}"
    )


def _names(topic: OntologyTopic, members: Sequence[int]) -> str:
    shown = ", ".join(_name(topic.map, number, topic.language) for number in members[:MOST_NAMES])
    hidden = len(members) - MOST_NAMES
    return f"{shown} and {hidden:,} more" if hidden > 0 else shown or "-"
