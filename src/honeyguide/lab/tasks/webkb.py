"""WebKB: the pages of a category at one of four universities, found from its department's home page.

The guide learns from the other three universities; the queries are those of the HCLA paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from honeyguide.lab.tasks.labels import CATEGORIES, UNIVERSITIES, Labels, labeled, read_labels, shuffled
from honeyguide.lab.tasks.tasks import NEGATIVES_PER_POSITIVE, POSITIVES, Shape, Task

PAGES = 600
QUERIES: Mapping[str, str] = {
    "course": "course university homework lesson assignment lecture tutorial book schedule notes grading handout"
    " teaching solutions exam",
    "faculty": "faculty university professor publications papers research office",
    "project": "project university demonstration objective overview research laboratory",
    "student": "student university interests favourite activities graduate home",
}


def make_tasks(folder: Path, shape: Shape) -> Iterator[Task]:
    """A task for each university and category. The department has one home page, so every draw is the same."""
    labels = read_labels(folder)
    for university in UNIVERSITIES:
        for category in CATEGORIES:
            yield _task(labels, university, category)


def _task(labels: Labels, university: str, category: str) -> Task:
    within = f"university:{university}"
    others = {f"university:{other}" for other in UNIVERSITIES if other != university}
    elsewhere = [url for url, own in labels.items() if own & others and within not in own]
    on_topic = [url for url in elsewhere if category in labels[url]]
    off_topic = [url for url in elsewhere if category not in labels[url]]
    targets = frozenset(labeled(labels, category, within))
    return Task(
        name=f"webkb/{university}/{category}",
        corpus="webkb",
        topic=category,
        words=QUERIES[category],
        seeds=tuple(labeled(labels, "department", within)),
        targets=targets,
        relevant=targets,
        positives=tuple(shuffled(on_topic, f"examples of {category}")[:POSITIVES]),
        negatives=tuple(shuffled(off_topic, f"other than {category}")[: NEGATIVES_PER_POSITIVE * POSITIVES]),
        budget=PAGES,
        within=within,
    )
