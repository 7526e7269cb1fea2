"""How wrong the recall estimates are; no paper's experiment, but done and published in the same way."""

from __future__ import annotations

from pathlib import Path

from honeyguide.lab.recall.validation import Case, error_table, pieces_of, summary_table, validate
from honeyguide.lab.report.document import Block, Code, Document, Paragraph, write_document
from honeyguide.lab.reproduce.base import Counted, Workshop

NAME, CASES_NAME = "recall", "cases"
TITLE = "recall: how wrong estimates of recall are"
PATTERNS = ("webkb/*", "wikispeedia/*", "sample-2000/*")
MOST_TASKS = 12  # of each corpus
TEXT = (
    "Estimates of recall were made as honeyguide lab recall makes them, where the truth is known: after a tenth, "
    "three tenths and all of a task's pages. An audit has 200 looks. The list is drawn from the relevant pages with "
    "chances in proportion to the links that lead to them, as a search engine might know them. True recall is of the "
    "pages that can be reached from the seeds; for capture-recapture it is of what both crawls found together."
)


def count(workshop: Workshop) -> Counted:
    """How many estimates there are, and how many are to be made."""
    most = workshop.most_tasks or MOST_TASKS
    names = [one.name for pattern in PATTERNS for one in pieces_of([pattern], workshop.corpora, most)]
    return Counted(sum((workshop.folder / CASES_NAME / name).exists() for name in names), len(names))


def run(workshop: Workshop) -> Path:
    """Estimate, compare with the truth, and write the report; gives the page."""
    cases: list[Case] = []
    for pattern in PATTERNS:
        cases += validate(
            [pattern],
            workshop.folder / CASES_NAME,
            workshop.corpora,
            workshop.most_tasks or MOST_TASKS,
            workshop.processes,
            workshop.on_progress,
        )
    blocks: list[Block] = [
        Paragraph(TEXT),
        Code("honeyguide lab reproduce recall --corpora CORPORA"),
        summary_table(cases),
        error_table(cases),
    ]
    return write_document(Document(TITLE, blocks), workshop.folder)
