"""`honeyguide lab report` and `recall`: pages on experiments and crawls, and estimates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide import wording
from honeyguide.cli import running, terminal
from honeyguide.cli.options import AsJson, Folder, Quiet
from honeyguide.cli.progress import bar
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from honeyguide.lab.recall.estimate import RecallEstimate

EXAMPLES = {
    "report": """Examples:
  honeyguide lab report results/webkb
  honeyguide lab report crawls/beekeeping --out beekeeping-report""",
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
