"""The page on everything that was measured, put together from what reproductions and reports wrote.

Whatever depends on a number is in the results; only what numbers are and how to read them is written here.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from honeyguide.lab.report.document import FIGURES_NAME, MARKDOWN_NAME, Table, markdown_table, plain
from honeyguide.lab.reproduce import freshness, recall
from honeyguide.lab.reproduce.base import FINDINGS_NAME, ON_PAPERS, Verdict
from honeyguide.lab.reproduce.default import DEFAULT
from honeyguide.lab.reproduce.guide import GUIDE
from honeyguide.store.disk import write_atomically

PAGE_NAME, TIMINGS_NAME, CLASSIFIERS_NAME = "evaluation.md", "timings.json", "classifiers.md"
EXPERIMENT = "experiment-"
"""What folders with reports on experiments begin with."""

INTRODUCTION = """# Evaluation

<!-- Written by `honeyguide lab reproduce all`; do not edit. -->

Does honeyguide bring good pages first, and do the findings of the papers it is built on hold? Everything on this
page was measured with the code users run, on recorded webs that nobody here made (and, where it says so, on a
generated one), and can be measured again: all of it by `honeyguide lab reproduce all --corpora CORPORA`, each part by
the command given there. Whatever came out is here.

- What is said of our own default has the web as its unit, and within it the topic: tasks on one web are not
  independent. Leads are given with 95 % intervals, with the error from resampling webs and topics; tests are corrected
  by Holm's method over the comparisons of ours with each other strategy, and the smallest difference that would have
  been found is told.
- What is said of a paper is about the web it was tried on. There the unit of every mean and test is the task, and ± is
  one standard error. Tests are paired and one-tailed, by t-test and by Wilcoxon's signed ranks, corrected by Holm's
  method over all pairs and directions unless it says otherwise; significant is what both call so.
- All strategies of a task have the same guide, seeds and number of pages. The judge is never the guide: it is people's
  labels, and at UCI-ICS, which has none, whose pages are whose; where a paper measured by its guide, that is shown
  beside, and said. A page that has not been fetched is scored by what links to it, never by its own text.
- *Confirmed* and *refuted* mean: significantly so, here. *Neither* means that the difference may be chance. These webs
  are small and recorded; what was true on the live Web of its time may still be refuted here, and the other way round.
"""

CLASSIFIER_PART = """## Topic classifiers

`honeyguide lab classifiers --corpora FOLDER` measures how well each classifier tells pages it was not trained on: 75
positive and 150 negative pages are learned from; WebKB leaves one university out, on Wikispeedia all other articles
are tested. A page is called relevant from 0.5 on. Training has one positive page in three, the test far fewer, hence
the low precision. Weighting, penalties and tempering were chosen on these same two corpora, so the absolute numbers
are somewhat too good, and so is the distance to "tf undamped", the published weighting, which nobody tuned here.

"""

_HEADING = re.compile(r"^(#+ )", re.MULTILINE)
_IMAGE = re.compile(rf"\]\({FIGURES_NAME}/")


@dataclass(frozen=True)
class Timing:
    """What a part took, over all the times it was gone on with."""

    seconds: float
    runs: int
    processes: int
    cores: int


def read_timings(results: Path) -> dict[str, Timing]:
    """What each part took."""
    path = results / TIMINGS_NAME
    stored = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {name: Timing(**own) for name, own in stored.items()}


def write_timings(results: Path, timings: Mapping[str, Timing]) -> None:
    """Note them."""
    written = {name: asdict(own) for name, own in timings.items()}
    write_atomically(results / TIMINGS_NAME, json.dumps(written, indent=1))


def write_page(results: Path, papers: Sequence[str], page: Path) -> None:
    """Write the page, and copy the figures into a folder beside it; `papers` are names of reproductions, in order."""
    pictures = page.parent / page.stem
    page.parent.mkdir(parents=True, exist_ok=True)
    stored = {name: _stored(results / name) for name in papers if (results / name / FINDINGS_NAME).exists()}
    parts = [INTRODUCTION]
    # First what most readers want to know: goals of our own, which are no claims of papers.
    parts += [_part(results / own.name, pictures) for own in (DEFAULT, GUIDE) if stored.pop(own.name, None)]
    parts += [_summary(stored), _unproven(stored)]
    parts += [
        _part(report.parent, pictures) for report in sorted(results.glob(f"{EXPERIMENT}*/{MARKDOWN_NAME}"))
    ]
    if (results / CLASSIFIERS_NAME).exists():
        parts.append(CLASSIFIER_PART + (results / CLASSIFIERS_NAME).read_text(encoding="utf-8"))
    parts += [_part(results / name, pictures) for name in stored]
    for own in (recall.NAME, freshness.NAME):
        if (results / own / MARKDOWN_NAME).exists():
            parts.append(_part(results / own, pictures))
    if timings := read_timings(results):
        parts.append(_took(timings))
    write_atomically(page, "\n".join(parts))


def _stored(folder: Path) -> dict[str, Any]:
    stored: dict[str, Any] = json.loads((folder / FINDINGS_NAME).read_text(encoding="utf-8"))
    return stored


def _summary(stored: Mapping[str, Mapping[str, Any]]) -> str:
    rows = []
    for name, own in stored.items():
        counts = Counter(finding["verdict"] for finding in own["findings"])
        cells = [f"[{name}](#{name})", plain(own["paper"]), *(str(counts[verdict]) for verdict in ON_PAPERS)]
        rows.append(f"| {' | '.join(cells)} |\n")
    head = ["reproduction", "paper", *(verdict.value for verdict in ON_PAPERS)]
    line = f"|---|---|{'---:|' * len(ON_PAPERS)}"
    return f"## Claims of the papers\n\n| {' | '.join(head)} |\n{line}\n{''.join(rows)}"


def _unproven(stored: Mapping[str, Mapping[str, Any]]) -> str:
    rows = [
        [finding["claim"], name, finding["verdict"], finding["why"] or "-"]
        for verdict in (Verdict.NOT_TESTABLE, Verdict.OPEN)
        for name, own in stored.items()
        for finding in own["findings"]
        if finding["verdict"] == verdict
    ]
    caption = (
        "Claims of the papers that are neither confirmed nor refuted here, and why; where that is known, what it would "
        "take."
    )
    table = Table(caption, ["claim", "reproduction", "verdict", "why"], rows, is_text=True)
    return f"## Still unproven\n\n{markdown_table(table)}\n"


def _took(timings: Mapping[str, Timing]) -> str:
    rows = [
        [name, f"{own.seconds / 60:.1f}", f"{own.runs:,}", str(own.processes), str(own.cores)]
        for name, own in timings.items()
    ]
    minutes = sum(own.seconds for own in timings.values()) / 60
    runs = sum(own.runs for own in timings.values())
    rows.append(["all", f"{minutes:.1f}", f"{runs:,}", "", ""])
    caption = "Minutes of each part by the clock, with whatever else the machine was doing."
    table = Table(caption, ["part", "minutes", "runs", "processes", "cores"], rows)
    return f"## What it took\n\n{markdown_table(table)}\n"


def _part(folder: Path, pictures: Path) -> str:
    """One report, its headings a level lower and its figures copied."""
    own = pictures / folder.name
    shutil.rmtree(own, ignore_errors=True)
    for picture in sorted((folder / FIGURES_NAME).glob("*.svg")):
        own.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, own / picture.name)
    text = (folder / MARKDOWN_NAME).read_text(encoding="utf-8")
    text = _IMAGE.sub(f"]({pictures.name}/{folder.name}/", text)
    return f'<a id="{folder.name}"></a>\n\n' + _HEADING.sub(r"#\1", text)
