"""`honeyguide lab reproduce` and `blind`: the papers again, our own default, and a test on a web nobody tuned on."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson, Quiet
from honeyguide.cli.progress import bar, long_bar
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.lab.reproduce.base import Finding, Workshop

EXAMPLES = {
    "reproduce": """Examples:
  honeyguide lab reproduce all --corpora corpora --page docs/evaluation.md
  honeyguide lab reproduce otie --corpora corpora
  honeyguide lab reproduce hcla --corpora corpora --tasks 4 --pages 200
  honeyguide lab reproduce default --corpora corpora
  honeyguide lab reproduce recall --corpora corpora
  honeyguide lab reproduce freshness""",
    "trace": """Examples:
  honeyguide lab trace ~/src/manual --under docs --out manual.json
  honeyguide lab trace /usr/share/doc --until 2023-01-15 --out packages.json""",
    "blind": """Examples:
  honeyguide lab blind --corpus corpora/mine --rules mine.toml
  honeyguide lab blind --corpus corpora/mine --rules mine.toml --tasks 4 --pages 200 --results results/quick""",
}
EVERYTHING = "all"
PART_FAILED = 1

Processes = Annotated[int, typer.Option(metavar="N", min=0, help="Processes; 0: one for each core.")]


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER",
            help="otie, hcla, cc-bfs, focused-1999, ontology; or default, guide, recall, freshness, sites; or all.",
        ),
    ],
    corpora: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the corpora are [default: $HONEYGUIDE_CORPORA]."),
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Where results go [default: results/reproduce/PAPER; all: without PAPER]."
        ),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(metavar="FILE.md", help="Of all: where the page goes [default: RESULTS/evaluation.md]."),
    ] = None,
    tasks: Annotated[int, typer.Option(metavar="N", min=0, help="Tasks at most; 0: as planned.")] = 0,
    pages: Annotated[int, typer.Option(metavar="N", min=0, help="Pages of each crawl; 0: as planned.")] = 0,
    processes: Processes = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run a paper's experiment on our corpora, and tell which of its claims are confirmed.

    One that was stopped goes on where it was: give the same command again. `default` measures our own default
    strategy against all others and its goals, `recall` how wrong the estimates of `honeyguide lab recall` are,
    `freshness` how much of what a crawl has is stale. `all`
    does everything there is, some hours long, and writes one page on it; a part that fails is told in the end.
    """
    from honeyguide.lab.reproduce import REPRODUCTIONS, freshness
    from honeyguide.lab.reproduce import recall as recall_errors
    from honeyguide.lab.reproduce.base import Workshop

    known = {one.name: one for one in REPRODUCTIONS}
    others = (recall_errors.NAME, freshness.NAME, EVERYTHING)
    if paper not in (*known, *others):
        there = ", ".join([*known, *others])
        raise SettingsError(f"there is no paper {paper!r}; there are {there}")
    place = Path("results") / "reproduce"
    workshop = Workshop(
        results or (place if paper == EVERYTHING else place / paper),
        corpora,
        processes or os.cpu_count() or 1,
        tasks,
        pages,
    )
    if paper == EVERYTHING:
        _reproduce_all(workshop, page, as_json, quiet)
        return
    if page is not None:
        raise SettingsError(f"--page: one page is written on all there is, not on {paper} alone")
    findings: Sequence[Finding] = ()
    columns: tuple[str, ...] = ()
    with bar(f"reproducing {paper}", quiet) as show:
        workshop = replace(workshop, on_progress=show)
        if paper == recall_errors.NAME:
            written = recall_errors.run(workshop)
        elif paper == freshness.NAME:
            (written, findings), columns = freshness.run(workshop), freshness.COLUMNS
        else:
            written, findings = known[paper].run(workshop)
            columns = known[paper].columns
    for problem in workshop.problems:
        terminal.warn(problem)
    _print_findings(findings, columns, written, as_json)


def trace(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="A git repository, or a folder of Debian changelogs.")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE.json", help="Where the trace goes.")],
    under: Annotated[str, typer.Option(metavar="PATH", help="Of a repository: only pages under here.")] = "",
    years: Annotated[float, typer.Option(metavar="N", min=0.0, help="The last so many years.")] = 3.0,
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only what was before, as 2023-01-15.")
    ] = None,
) -> None:
    """Make a trace of when pages changed, times only, for `lab reproduce freshness`.

    Every commit to a page of a repository is a change of it, and every release of a package.
    """
    import math
    import time

    from honeyguide.changing import moment
    from honeyguide.lab.freshness.traces import Window, trace_of

    window = Window(years, moment(until, time.time()) if until else math.inf)
    made = trace_of(folder, out.stem, window, under)
    made.write(out)
    terminal.say(
        f"{out}: {len(made):,} pages, {made.yearly:.1f} changes a page and year, {made.days:,.0f} days"
    )


def _reproduce_all(workshop: Workshop, page: Path | None, as_json: bool, quiet: bool) -> None:
    import json

    from honeyguide.lab.reproduce import REPRODUCTIONS
    from honeyguide.lab.reproduce.everything import reproduce_all
    from honeyguide.lab.reproduce.page import PAGE_NAME

    written = page or workshop.folder / PAGE_NAME
    with long_bar("counting what is to be done", quiet) as show:
        problems = reproduce_all(REPRODUCTIONS, workshop, written, show)
    for part, own in problems.items():
        for problem in own:
            terminal.warn(f"{part}: {problem}")
    if as_json:
        typer.echo(json.dumps({"page": str(written), "problems": problems}, indent=1))
    else:
        terminal.say(f"{written}")
    if problems:
        raise typer.Exit(PART_FAILED)


def blind(
    corpus: Annotated[
        Path,
        typer.Option(
            metavar="DIR", help="A labelled web: pages.jsonl(.gz), and links.tsv(.gz) if there is one."
        ),
    ],
    rules: Annotated[Path, typer.Option(metavar="FILE.toml", help="How tasks are made of its labels.")],
    results: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where results go [default: results/blind/CORPUS].")
    ] = None,
    tasks: Annotated[int, typer.Option(metavar="N", min=0, help="Tasks at most; 0: all.")] = 0,
    pages: Annotated[
        int, typer.Option(metavar="N", min=0, help="Pages of each crawl; 0: as the rules say.")
    ] = 0,
    processes: Processes = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Test the default strategy against all others on a labelled web that nobody tuned on.

    All topics are tested unless --tasks is given, all strategies have their defaults. What web, labels, rules, code
    and tasks were is written down before the first run. One that was stopped goes on where it was; webs that settings
    were chosen on are refused.
    """
    import json

    from honeyguide.lab.reproduce.blind import BlindTest, run_blind

    for option, path in (("--corpus", corpus), ("--rules", rules)):
        if not path.exists():
            raise SettingsError(f"{option}: there is no {path}")
    folder = results or Path("results") / "blind" / corpus.resolve().name
    test = BlindTest(corpus, rules, folder, tasks, pages)
    with bar(f"testing on {corpus.name}", quiet) as show:
        page, sentence, failures = run_blind(test, processes or os.cpu_count() or 1, show)
    for failure in failures:
        terminal.warn(failure)
    if as_json:
        typer.echo(json.dumps({"page": str(page), "sentence": sentence, "failed": failures}, indent=1))
    else:
        terminal.say(sentence)
        terminal.say(f"{page}")
    if failures:
        raise typer.Exit(PART_FAILED)


def _print_findings(findings: Sequence[Finding], columns: tuple[str, ...], page: Path, as_json: bool) -> None:
    import json
    from dataclasses import asdict

    if as_json:
        typer.echo(json.dumps({"page": str(page), "findings": [asdict(one) for one in findings]}, indent=1))
        return
    table = terminal.table(*columns, fold=columns)
    for one in findings:
        table.add_row(*(terminal.clean(text) for text in (one.claim, one.theirs, one.ours, one.sentence)))
    if findings:
        terminal.print_table(table)
    terminal.say(f"{page}")
