"""`honeyguide topic explain`: what a topic says of one page, and what made it say so."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.cli.topic.given import is_url
from honeyguide.cli.topic.options import TopicFile
from honeyguide.errors import SettingsError

EXAMPLES = """Examples:
  honeyguide topic explain bees.topic hives.html
  honeyguide topic explain bees.topic --text "the beekeeper opens the hive" """.rstrip()

MOST_PARTS = 20


def explain(
    file: TopicFile,
    page: Annotated[str | None, typer.Argument(metavar="PAGE", help="A page: an HTML or text file.")] = None,
    text: Annotated[str | None, typer.Option(metavar="TEXT", help="Some words instead of a page.")] = None,
) -> None:
    """Tell the relevance of a page or text, and which words or topics decided."""
    from honeyguide.topics.topic_file import read_topic

    topic = read_topic(file)
    read = _text_of(page, text)
    judgment, explanation = topic.classify([read]), topic.explain(read)
    relevance = float(judgment.relevance[0])
    verdict = "relevant" if relevance >= topic.relevant_above else "not relevant"
    follow = "follow" if judgment.accepted[0] else "do not follow"
    terminal.say(f"relevance {relevance:.3f}: {verdict}; the threshold is {topic.relevant_above:g}", "bold")
    terminal.say(f"strategies that keep to pages on the topic {follow} its links")
    if judgment.classes:
        terminal.say(f"class: {judgment.classes[0]}")
    terminal.say(explanation.summary)
    if not explanation.parts:
        return
    terminal.say("")
    table = terminal.table("share", "what", right=("share",), fold=("what",))
    for part in explanation.parts[:MOST_PARTS]:
        table.add_row(f"{part.number:.3f}", terminal.clean(part.label))
    terminal.print_table(table)
    if len(explanation.parts) > MOST_PARTS:
        terminal.say(f"and {len(explanation.parts) - MOST_PARTS:,} more")


def _text_of(page: str | None, text: str | None) -> str:
    from honeyguide.examples import read_example

    if (page is None) == (text is None):
        raise SettingsError("give one of PAGE and --text")
    if text is not None:
        return text
    if page is not None and is_url(page):
        raise SettingsError(
            f"{page} is a url; save the page to a file, or see `honeyguide explain` for a page of a crawl"
        )
    return read_example(Path(page or "")).readable
