"""`honeyguide lab report`, `reproduce` and `recall`: pages on experiments and crawls, the papers again, estimates."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide import wording
from honeyguide.cli import running, terminal
from honeyguide.cli.options import AsJson, Folder, Quiet
from honeyguide.cli.progress import bar
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.lab.recall.estimate import RecallEstimate
    from honeyguide.lab.reproduce.base import Finding

EXAMPLES = {
    "report": """Examples:
  honeyguide lab report results/webkb
  honeyguide lab report crawls/beekeeping --out beekeeping-report""",
    "reproduce": """Examples:
  honeyguide lab reproduce otie --corpora corpora
  honeyguide lab reproduce hcla --corpora corpora --tasks 4 --pages 200
  honeyguide lab reproduce default --corpora corpora
  honeyguide lab reproduce recall --corpora corpora""",
    "recall": """Examples:
  honeyguide lab recall crawls/beekeeping
  honeyguide lab recall crawls/beekeeping --list relevant-pages.txt
  honeyguide lab recall crawls/beekeeping --other crawls/beekeeping-from-other-seeds""",
}
MOST_LOOKS = 10_000


def report(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The results of an experiment, or a crawl.")
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the report goes [default: FOLDER-report].")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write a report: report.html, which needs nothing else, report.md, and every figure as SVG and PNG.

    On an experiment: means, shares of the oracle, tests, curves, histograms, overlaps, costs. On a crawl: harvest
    rate over time, what was found and where, and the estimates of recall that were made.
    """
    import json

    from honeyguide.lab.results import EXPERIMENT_NAME

    place = out or folder.with_name(f"{folder.name}-report")
    with bar("writing the report", quiet) as show:
        show(0, 1)
        page = (
            _experiment_page(folder, place)
            if (folder / EXPERIMENT_NAME).exists()
            else _crawl_page(folder, place)
        )
        show(1, 1)
    if as_json:
        typer.echo(json.dumps({"page": str(page)}))
    else:
        terminal.say(f"{page}")


def _experiment_page(folder: Path, out: Path) -> Path:
    from honeyguide.lab.report.report import write_report
    from honeyguide.lab.results import load

    return write_report(load(folder), out)


def _crawl_page(folder: Path, out: Path) -> Path:
    from honeyguide.lab.recall.audit import made_before
    from honeyguide.lab.report.crawl import write_crawl_report

    return write_crawl_report(folder, out, made_before(folder))


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER", help="otie, hcla, cc-bfs, focused-1999, ontology; or default, or recall."
        ),
    ],
    corpora: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the corpora are [default: $HONEYGUIDE_CORPORA]."),
    ] = None,
    results: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where results go [default: results/reproduce/PAPER].")
    ] = None,
    tasks: Annotated[int, typer.Option(metavar="N", min=0, help="Tasks at most; 0: as planned.")] = 0,
    pages: Annotated[int, typer.Option(metavar="N", min=0, help="Pages of each crawl; 0: as planned.")] = 0,
    processes: Annotated[int, typer.Option(metavar="N", min=0, help="Processes; 0: one for each core.")] = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run a paper's experiment on our corpora, and tell which of its claims are confirmed.

    One that was stopped goes on where it was: give the same command again. `default` measures our own default
    strategy against all others and its goals, `recall` how wrong the estimates of `honeyguide lab recall` are.
    """
    from honeyguide.lab.reproduce import REPRODUCTIONS, Workshop
    from honeyguide.lab.reproduce import recall as recall_errors

    known = {one.name: one for one in REPRODUCTIONS}
    if paper not in known and paper != recall_errors.NAME:
        raise SettingsError(
            f"there is no paper {paper!r}; there are {', '.join([*known, recall_errors.NAME])}"
        )
    folder = results or Path("results") / "reproduce" / paper
    with bar(f"reproducing {paper}", quiet) as show:
        workshop = Workshop(folder, corpora, processes or os.cpu_count() or 1, tasks, pages, show)
        findings: Sequence[Finding] = ()
        columns: tuple[str, ...] = ()
        if paper == recall_errors.NAME:
            page = recall_errors.run(workshop)
        else:
            page, findings = known[paper].run(workshop)
            columns = known[paper].columns
    for problem in workshop.problems:
        terminal.warn(problem)
    _print_findings(findings, columns, page, as_json)


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


def recall(
    folder: Folder,
    other: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="A crawl on the same topic from other seeds, to compare with."),
    ] = None,
    listed: Annotated[
        Path | None,
        typer.Option("--list", metavar="FILE", help="Urls of relevant pages that somebody else found."),
    ] = None,
    looks: Annotated[
        int, typer.Option(metavar="N", min=8, max=MOST_LOOKS, help="Pages an audit fetches.")
    ] = 200,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """ESTIMATE which share of all relevant pages a crawl has found. Nobody knows; this is no measurement.

    By default an audit: a sample of the urls that the crawl knows and has not fetched is fetched and judged, and a
    sample of what those pages link to, in small crawls of their own in FOLDER-audit. The same audit is not made
    twice; one with other looks, or of a crawl that went on, is kept beside it. --list compares with relevant pages
    that somebody else found, --other with a second crawl. What is wrong with each is told beside it;
    docs/evaluation.md has their measured errors.
    """
    from honeyguide.lab.recall import audit as recall_audit
    from honeyguide.lab.recall import crawls as recall_crawls

    if other is not None and listed is not None:
        raise SettingsError("--other and --list are two different estimates; give one of them")
    if other is not None:
        estimate = recall_crawls.recapture(folder, other)
    elif listed is not None:
        estimate = recall_crawls.against_list(folder, listed)
    else:
        estimate = recall_audit.audit(folder, looks, lambda crawler: running.run(crawler, quiet))
    _print_estimate(estimate, as_json)


def _print_estimate(estimate: RecallEstimate, as_json: bool) -> None:
    import json
    from dataclasses import asdict
    from math import isfinite

    shares = {name: getattr(estimate, name) for name in ("recall", "recall_low", "recall_high", "caution")}
    if as_json:
        facts = {"is_estimate": True, **asdict(estimate), **shares}
        plain = {name: None if value == float("inf") else value for name, value in facts.items()}
        typer.echo(json.dumps(plain, indent=1))
        return
    best, low, high = (terminal.percent(shares[name]) for name in ("recall", "recall_low", "recall_high"))
    is_bound = estimate.is_upper_bound
    recall, limits = (f"{best} or less", f"at most {high}") if is_bound else (best, f"{low} to {high}")
    terminal.say(f"ESTIMATE by {estimate.method}: recall {recall}, with 95 % confidence {limits}")
    total = f"{estimate.total:,.0f}" if isfinite(estimate.total) else "any number of them"
    terminal.say(f"found {estimate.found:,} relevant pages; there may be {total}")
    if estimate.unanswered:
        count = wording.count(estimate.unanswered, "page")
        terminal.say(
            f"{count} of the sample gave no answer; the {estimate.looked_at:,} others stand for them"
        )
    terminal.say(f"beware: {estimate.caution}")
