"""`honeyguide revise`: has a crawl's topic learn from its labels, lists its revisions, and goes back to one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson, Folder, Quiet
from honeyguide.cli.progress import bar
from honeyguide.errors import SettingsError
from honeyguide.wording import count, moment

if TYPE_CHECKING:
    from honeyguide.crawls import Crawl
    from honeyguide.revisions import RevisionRow
    from honeyguide.teaching import Revision

EXAMPLES = """Examples:
  honeyguide revise crawls/beekeeping
  honeyguide revise crawls/beekeeping --list
  honeyguide revise crawls/beekeeping --use 0
  honeyguide revise crawls/beekeeping --strike candle --strike sugar"""


def revise(
    folder: Folder,
    use: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Go back to a revision; 0 is the first topic.")
    ] = None,
    strike: Annotated[
        list[str] | None,
        typer.Option(metavar="WORD", help="Leave out a word it has learned, for good. Repeatable."),
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the revisions that are kept.")] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Learn a new revision of a crawl's topic from all labels, and judge what was fetched again.

    Also while the crawl runs. A revision is used once a page is labelled as on the topic, or if the topic has kept
    examples of it, and if it is no worse on labels that were held out from it. All are kept.
    """
    from honeyguide.crawls import Crawl

    if sum((listing, use is not None, bool(strike))) > 1:
        raise SettingsError("give one of --list, --use and --strike")
    crawl = Crawl.open(folder)
    if listing:
        _list(crawl, as_json)
        return
    if strike:
        with bar("judging pages again", quiet) as progress:
            number = crawl.strike(strike, progress)
        if as_json:
            typer.echo(json.dumps({"number": number}))
            return
        terminal.note(f"revision {number} guides the crawl, without {', '.join(strike)}")
        return
    if use is None:
        learn_and_tell(crawl, quiet, as_json)
        return
    with bar("judging pages again", quiet) as progress:
        crawl.use_revision(use, progress)
    terminal.note(f"revision {use} guides the crawl")


def _list(crawl: Crawl, as_json: bool) -> None:
    from honeyguide.revisions import revision_rows

    rows = [*revision_rows(crawl)]
    if as_json:
        typer.echo(json.dumps([*map(asdict, rows)], indent=2))
        return
    for row in rows:
        terminal.say(f"{row.number}  {', '.join(_listed(row))}")


def _listed(row: RevisionRow) -> Iterator[str]:
    yield f"learned {moment(row.learned_at)}" if row.number else "the topic it began with"
    if (row.relevant, row.irrelevant) == (0, 0):
        yield "by itself, from the pages it was surest of"
    elif row.relevant is not None and row.irrelevant is not None:
        yield f"from {count(row.relevant, 'page')} on it and {row.irrelevant:,} off it"
    if row.is_in_use:
        yield "in use"
    elif row.number and row.used_at is None:
        yield f"never used: {row.objection}" if row.objection else "never used"


def learn_and_tell(crawl: Crawl, quiet: bool, as_json: bool = False) -> None:
    """Learn from the labels of a crawl, and say what came of it."""
    from honeyguide.lessons import read_lessons

    with bar("judging pages again", quiet) as progress:
        revision = crawl.learn(progress)
    if as_json:
        typer.echo(json.dumps(asdict(revision), indent=2))
        return
    with crawl.reader() as reader:
        lost = [*read_lessons(reader).lost()]
    for line in [*lost, *_told(revision, crawl)]:
        terminal.note(line)


def _told(revision: Revision, crawl: Crawl) -> list[str]:
    report = revision.report
    learned = (
        f"revision {revision.number} of the topic learned from {count(report.relevant, 'page')} on it and"
        f" {report.irrelevant:,} off it"
    )
    checked = (
        "the labels are all alike, so it could not be checked on any that were held out"
        if report.auc_before is None or report.auc_after is None
        else f"of pairs of labels held out it orders {report.auc_after:.0%} right, before {report.auc_before:.0%}"
    )
    words = ", ".join(f"{stem} {weight:+.1f}" for stem, weight in report.telling)
    lines = [f"{learned}; {checked}", f"words that tell: {words}"]
    if not revision.is_used:
        use = terminal.command("revise", crawl.folder, "--use", revision.number)
        return [*lines, f"it is not used: {report.objection}; `{use}` uses it all the same"]
    lines.append(
        f"it guides the crawl; it changed the verdict on {revision.changed:.0%} of the fetched pages"
    )
    if revision.is_settled:
        lines.append("little is left to learn from more labels of this kind")
    return lines
