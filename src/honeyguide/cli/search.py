"""`honeyguide search`: find pages of a crawl by their words."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide import wording
from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson, Folder
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from honeyguide.search.results import Hit, Results

EXAMPLES = """Examples:
  honeyguide search crawls/beekeeping "queen rearing"
  honeyguide search crawls/beekeeping '"royal jelly" -cosmetics title:honey' --relevant
  honeyguide search crawls/beekeeping -- '-wasps hive'
  honeyguide search crawls/beekeeping varroa --since 2026-01-31 --explain
  honeyguide search crawls/beekeeping --like https://example.org/queens --json"""


def search(
    folder: Folder,
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help='Words, "phrases", title:word, site:name, -word.')
    ] = "",
    site: Annotated[str, typer.Option(metavar="NAME", help="Only pages of this site.")] = "",
    language: Annotated[str, typer.Option(metavar="XX", help="Only pages in this language.")] = "",
    since: Annotated[str, typer.Option(metavar="DATE", help="Only pages fetched since this day.")] = "",
    relevant: Annotated[bool, typer.Option("--relevant", help="Only relevant pages.")] = False,
    like: Annotated[str, typer.Option(metavar="URL", help="Pages like this one.")] = "",
    most: Annotated[int, typer.Option(metavar="N", min=1, max=100, help="So many pages.")] = 10,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what each score is the product of.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Find pages by their words, the best first: those whose text fits, that are relevant and well known.

    A few new pages are indexed before; many are left to `honeyguide index`. Needs: pip install 'honeyguide[search]'
    """
    from honeyguide.crawls import Crawl

    crawl = Crawl.open(folder)
    found = crawl.search(
        query,
        site=site,
        language=language,
        since=_seconds(since) if since else None,
        relevant=relevant,
        like=like,
        most=most,
    )
    if found.waiting:
        terminal.note(
            f"{wording.count(found.waiting, 'page')} not in the index yet; `honeyguide index {folder}` takes them in"
        )
    if as_json:
        typer.echo(json.dumps(asdict(found), indent=2))
        return
    for said in found.ignored:
        terminal.note(f"ignored: {said}")
    _show(found, explain)


def _show(found: Results, explain: bool) -> None:
    if found.suggestion:
        terminal.say(f"Did you mean: {found.suggestion}")
    terminal.say(f"{wording.count(found.total, 'page')} in {found.seconds:.2f} s")
    for place, hit in enumerate(found.hits, start=1):
        terminal.say("")
        _show_hit(place, hit, explain)


def _show_hit(place: int, hit: Hit, explain: bool) -> None:
    more = f" ({hit.copies:,} more like it)" if hit.copies else ""
    terminal.say(f"{place}. {hit.title or 'without a title'}{more}", style="bold")
    terminal.say(f"   {hit.url}")
    if hit.snippet:
        terminal.say("   " + "".join(text for text, _ in hit.snippet))
    if explain:
        parts = " x ".join(f"{name} {number:.3g}" for name, number in hit.parts.items())
        terminal.say(
            f"   score {hit.score:.4g} = {parts}; relevance {hit.relevance:.3f}, authority {hit.authority:.3f}"
        )


def _seconds(day: str) -> float:
    try:
        moment = datetime.fromisoformat(day)
    except ValueError:
        raise SettingsError(f"--since {day!r} is no date; write it as 2026-01-31") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
