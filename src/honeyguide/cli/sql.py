"""`honeyguide sql`: ask a crawl something in SQL."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide import wording
from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson, Folder
from honeyguide.errors import SettingsError
from honeyguide.store.sql_question import MEMORY_MB, MOST_ROWS, SECONDS

if TYPE_CHECKING:
    from honeyguide.store.sql_question import SqlAnswer

EXAMPLES = """Examples:
  honeyguide sql crawls/beekeeping
  honeyguide sql crawls/beekeeping "select host, pages, relevant from hosts"
  honeyguide sql crawls/beekeeping "select url from pages where relevant" --csv
  honeyguide sql crawls/beekeeping "select * from failures" --rows 10 --json"""


def sql(
    folder: Folder,
    question: Annotated[
        str, typer.Argument(metavar="[QUESTION]", help="A SELECT; without one, what can be asked is listed.")
    ] = "",
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, for spreadsheets.")] = False,
    rows: Annotated[int, typer.Option(metavar="N", help="At most so many rows.")] = MOST_ROWS,
    seconds: Annotated[float, typer.Option(metavar="S", help="It may take so long.")] = SECONDS,
    memory: Annotated[int, typer.Option(metavar="MB", help="It may need so much memory.")] = MEMORY_MB,
) -> None:
    """Ask a crawl something in SQL, as SQLite understands it.

    There are views of pages, visits, links, urls, hosts, failures, labels and classes: docs/sql.md has them all, with
    questions to begin with. Nothing can be changed. Works while the crawl runs.
    """
    from honeyguide.crawls import Crawl

    if as_json and as_csv:
        raise SettingsError("--json and --csv are two forms of the answer; give one of them")
    crawl = Crawl.open(folder)
    if not question.strip():
        _print_views()
        return
    answer = crawl.sql(question, rows, seconds, memory)
    if as_json:
        typer.echo(json.dumps(asdict(answer), indent=2))
    elif as_csv:
        _print_csv(answer)
    else:
        _print(answer)
    if answer.truncated:
        terminal.note(f"only the first {wording.count(len(answer.rows), 'row')}; --rows N gives more")


def _print_views() -> None:
    from honeyguide.store.sql_views import VIEWS

    table = terminal.table("view", "columns", fold=("columns",))
    for name, view in VIEWS.items():
        table.add_row(name, ", ".join(view.columns))
    terminal.print_table(table)


def _print_csv(answer: SqlAnswer) -> None:
    from honeyguide.store.export import STDOUT, Table, write_table

    columns = dict.fromkeys(answer.columns, str)
    write_table(Table(columns, answer.rows, len(answer.rows)), STDOUT, "csv")


def _print(answer: SqlAnswer) -> None:
    names = [terminal.clean(name) for name in answer.columns]
    numbers = tuple(
        name
        for place, name in enumerate(names)
        if any(isinstance(row[place], int | float) for row in answer.rows)
    )
    table = terminal.table(*names, right=numbers, fold=tuple(names))
    for row in answer.rows:
        table.add_row(*map(_cell, row))
    terminal.print_table(table)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 1e6 else f"{value:.10g}"
    return "" if value is None else terminal.clean(str(value))
