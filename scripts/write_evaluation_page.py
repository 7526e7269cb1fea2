"""Writes docs/evaluation.md from the results of `honeyguide lab reproduce` and `honeyguide lab report`.

Usage: python scripts/write_evaluation_page.py RESULTS [EXPERIMENT ...]; RESULTS is what reproductions were written to
(and `honeyguide lab classifiers > RESULTS/classifiers.md`), each EXPERIMENT the folder of a report that is to be put
in as well.
"""

import json
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

from honeyguide.lab.report.document import FIGURES_NAME, MARKDOWN_NAME, plain
from honeyguide.lab.reproduce import REPRODUCTIONS
from honeyguide.lab.reproduce import recall as recall_errors
from honeyguide.lab.reproduce.base import FINDINGS_NAME, ON_PAPERS
from honeyguide.lab.reproduce.default import DEFAULT

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "evaluation.md"
PICTURES = DOCS / "evaluation"

INTRODUCTION = """# Evaluation

<!-- Written by scripts/write_evaluation_page.py; do not edit. -->

Does honeyguide bring good pages first, and do the findings of the papers it is built on hold? Everything on this
page was measured with the code users run, on recorded webs that nobody here made (and, where it says so, on a
generated one), and can be measured again with the commands given. Whatever came out is here.

- Unit of every mean and test is the task. ± is one standard error. Tests are paired and one-tailed, by t-test and by
  Wilcoxon's signed ranks, corrected by Holm's method over all pairs and directions unless it says otherwise;
  significant is what both call so.
- All strategies of a task have the same guide, seeds and number of pages. The judge is never the guide: it is people's
  labels; where a paper measured by its guide, that is shown beside, and said. A page that has not been fetched is
  scored by what links to it, never by its own text.
- *Confirmed* and *refuted* mean: significantly so, here. *Neither* means that the difference may be chance. These webs
  are small and recorded; what was true on the live Web of its time may still be refuted here, and the other way round.
"""

CLASSIFIERS = "classifiers.md"
CLASSIFIER_PART = """## Topic classifiers

`honeyguide lab classifiers --corpora FOLDER` measures how well each classifier tells pages it was not trained on: 75
positive and 150 negative pages are learned from; WebKB leaves one university out, on Wikispeedia all other articles
are tested. A page is called relevant from 0.5 on. Training has one positive page in three, the test far fewer, hence
the low precision. Weighting, penalties and tempering were chosen on these same two corpora, so the absolute numbers
are somewhat too good, and so is the distance to "tf undamped", the published weighting, which nobody tuned here.

"""

_HEADING = re.compile(r"^(#+ )", re.MULTILINE)
_IMAGE = re.compile(rf"\]\({FIGURES_NAME}/")


def page(results: Path, experiments: list[Path]) -> str:
    """Write the whole page, and copy the figures beside it."""
    names = [one.name for one in REPRODUCTIONS]
    done = [name for name in names if (results / name / FINDINGS_NAME).exists()]
    parts = [INTRODUCTION]
    if DEFAULT.name in done:  # first: what most readers want to know
        parts.append(_part(results / DEFAULT.name, DEFAULT.name))
        done.remove(DEFAULT.name)
    parts.append(_summary(results, done))
    parts += [_part(folder, f"experiment-{folder.name}") for folder in experiments]
    if (results / CLASSIFIERS).exists():
        parts.append(CLASSIFIER_PART + (results / CLASSIFIERS).read_text(encoding="utf-8"))
    parts += [_part(results / name, name) for name in done]
    if (results / recall_errors.NAME / MARKDOWN_NAME).exists():
        parts.append(_part(results / recall_errors.NAME, recall_errors.NAME))
    return "\n".join(parts)


def _summary(results: Path, names: list[str]) -> str:
    rows = []
    for name in names:
        stored = json.loads((results / name / FINDINGS_NAME).read_text(encoding="utf-8"))
        counts = Counter(finding["verdict"] for finding in stored["findings"])
        cells = [
            f"[{name}](#{name})",
            plain(stored["paper"]),
            *(str(counts[verdict]) for verdict in ON_PAPERS),
        ]
        rows.append(f"| {' | '.join(cells)} |\n")
    head = ["reproduction", "paper", *(verdict.value for verdict in ON_PAPERS)]
    return (
        f"## Claims of the papers\n\n| {' | '.join(head)} |\n|---|---|---:|---:|---:|---:|\n{''.join(rows)}"
    )


def _part(folder: Path, name: str) -> str:
    """One report, its headings a level lower and its figures copied."""
    shutil.rmtree(PICTURES / name, ignore_errors=True)
    for picture in sorted((folder / FIGURES_NAME).glob("*.svg")):
        (PICTURES / name).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, PICTURES / name / picture.name)
    text = (folder / MARKDOWN_NAME).read_text(encoding="utf-8")
    text = _IMAGE.sub(f"](evaluation/{name}/", text)
    return f'<a id="{name}"></a>\n\n' + _HEADING.sub(r"#\1", text)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PAGE.write_text(page(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]]), encoding="utf-8")
