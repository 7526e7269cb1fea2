"""`honeyguide steer`: raise, lower or exclude urls of a crawl's queue, also while it runs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson, Folder
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from honeyguide.crawls import Crawl
    from honeyguide.patterns import Action

EXAMPLES = """Examples:
  honeyguide steer crawls/beekeeping --preview '*/calendar/*'
  honeyguide steer crawls/beekeeping --exclude shop.example.org
  honeyguide steer crawls/beekeeping --raise 'https://example.org/bees/*'
  honeyguide steer crawls/beekeeping --list
  honeyguide steer crawls/beekeeping --undo 3"""


def steer(
    folder: Folder,
    to_raise: Annotated[
        str, typer.Option("--raise", metavar="PATTERN", help="Fetch these before all others.")
    ] = "",
    to_lower: Annotated[
        str, typer.Option("--lower", metavar="PATTERN", help="Fetch these after all others.")
    ] = "",
    to_exclude: Annotated[str, typer.Option("--exclude", metavar="PATTERN", help="Do not fetch these.")] = "",
    preview: Annotated[
        str, typer.Option(metavar="PATTERN", help="Show what a pattern hits now; change nothing.")
    ] = "",
    undo: Annotated[int, typer.Option(metavar="N", min=0, help="Take back the rule with this number.")] = 0,
    show_list: Annotated[
        bool, typer.Option("--list", help="Show the rules. Also without any option.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Raise, lower or exclude what a pattern hits: urls that wait now, and those found later. Works while it crawls.

    A PATTERN is a host, as in example.org, which stands for the hosts below it, too; or a url; or a url with *, which
    stands for any characters, as in 'https://example.org/shop/*' or '*/calendar/*'. Of rules that hit a url, the newest
    decides. Among what is raised, or lowered, the strategy's order stays.
    """
    from honeyguide.crawls import Crawl

    given: dict[Action, str] = {"raise": to_raise, "lower": to_lower, "exclude": to_exclude}
    wanted = [(action, pattern) for action, pattern in given.items() if pattern]
    if len(wanted) + bool(preview) + bool(undo) + show_list > 1:
        raise SettingsError("give one of --raise, --lower, --exclude, --preview, --undo and --list")
    crawl = Crawl.open(folder)
    if preview:
        _preview(crawl, preview, as_json)
    elif wanted:
        _tell(crawl, crawl.steer(*wanted[0]), "it becomes a rule")
    elif undo:
        _tell(crawl, crawl.unsteer(undo), "the rule is taken back")
    else:
        _list(crawl, as_json)


def _tell(crawl: Crawl, number: int, later: str) -> None:
    answer = crawl.answer(number) if crawl.process is not None else None
    if answer is None:
        terminal.say(f"{later} when the crawl runs again: {terminal.command('resume', crawl.folder)}")
        return
    refused = answer.removeprefix("refused: ")
    if refused != answer:
        raise SettingsError(refused)
    terminal.say(terminal.clean(answer))


def _preview(crawl: Crawl, pattern: str, as_json: bool) -> None:
    found = crawl.preview_steer(pattern)
    if as_json:
        typer.echo(json.dumps(asdict(found), indent=2))
        return
    terminal.say(f"{found.urls:,} waiting urls of {found.hosts:,} hosts fit {terminal.clean(found.pattern)}")
    for url in found.examples:
        terminal.say(f"  {terminal.clean(url)}")
    if not found.is_complete:
        terminal.say("there was not enough time to search the whole queue: there may be more")


def _list(crawl: Crawl, as_json: bool) -> None:
    rules = crawl.rules()
    if as_json:
        typer.echo(json.dumps([*map(asdict, rules)], indent=2))
        return
    if not rules:
        terminal.say("no rule steers this crawl")
        return
    table = terminal.table("rule", "action", "pattern", "", right=("rule",), fold=("pattern",))
    for rule in rules:
        waits = "begins when the crawl runs again" if rule.is_waiting else ""
        table.add_row(str(rule.number), rule.action, terminal.clean(rule.pattern), waits)
    terminal.print_table(table)
