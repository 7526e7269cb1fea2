"""UCI-ICS: the pages of one research group, course or person of a faculty with 70 hosts, found from elsewhere in it.

Nobody said what these pages are about: they belong together because they are kept together. That is told by their
urls, so a strategy that reads urls has an advantage here that it would not have on the Web.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from honeyguide.lab.tasks.labels import Labels, read_labels
from honeyguide.lab.tasks.tasks import Shape, Task, divide, seeds_at_distance

PAGES = 2_200  # a tenth of the web
FEWEST_PAGES, MOST_PAGES = 60, 1_000
DISTANCE = 2
NOT_ONE_GROUP = ("www.ics.uci.edu", "www.cs.uci.edu", "www.informatics.uci.edu", "ngs.ics.uci.edu")
"""Hosts that many share; of these only what is kept below one person's or group's ~name is a topic."""

WORDS: Mapping[str, str] = {
    "archive.ics.uci.edu": "machine learning data sets",
    "cbcl.ics.uci.edu": "computational biology, motifs in DNA",
    "cml.ics.uci.edu": "center for machine learning and intelligent systems",
    "computableplant.ics.uci.edu": "computational models of plant development",
    "grape.ics.uci.edu": "asterix big data management system",
    "hana.ics.uci.edu": "collaboration of people at a distance",
    "mondego.ics.uci.edu": "code clone detection and source code data sets",
    "sdcl.ics.uci.edu": "software design and collaboration research",
    "vision.ics.uci.edu": "computer vision research",
    "www.ics.uci.edu/~aburtsev": "operating systems course",
    "www.ics.uci.edu/~alspaugh": "software requirements, scenarios and logic formulas",
    "www.ics.uci.edu/~amrm": "adaptive memory reconfiguration, compilers and hardware",
    "www.ics.uci.edu/~arcadia": "software engineering environments, papers of the arcadia project",
    "www.ics.uci.edu/~dechter": "constraint processing and graphical models in artificial intelligence",
    "www.ics.uci.edu/~dsm": "distributed systems middleware",
    "www.ics.uci.edu/~emilyo": "simulation games for teaching software engineering",
    "www.ics.uci.edu/~goodrich": "algorithm design and data structures courses",
    "www.ics.uci.edu/~ics1c": "web pages and internet literacy course for beginners",
    "www.ics.uci.edu/~irani": "discrete mathematics course, boolean logic and number theory",
    "www.ics.uci.edu/~jacobson": "java programming course, lab assignments and grades",
    "www.ics.uci.edu/~kay": "introduction to programming course and computer law seminar",
    "www.ics.uci.edu/~kobsa": "user interface design course, privacy laws",
    "www.ics.uci.edu/~magda": "computer networking lab course",
    "www.ics.uci.edu/~pattis": "programming in java and python, lectures and assignments",
    "www.ics.uci.edu/~pazzani": "machine learning lectures, bayesian classifiers and rule learning",
    "www.ics.uci.edu/~peymano": "dynamic software architectures",
    "www.ics.uci.edu/~raccoon": "peer-based data integration and sharing",
    "www.ics.uci.edu/~redmiles": "human computer interaction and software engineering courses",
    "www.ics.uci.edu/~taylor": "software engineering course project deliverables",
    "www.ics.uci.edu/~theory": "theory of algorithms seminar",
    "www.ics.uci.edu/~thornton": "programming course lab manual, python, java and c++",
    "www.ics.uci.edu/~ziv": "object-oriented analysis and design lectures",
    "www.stat.uci.edu": "department of statistics, news and seminars",
}
"""What a person would type who looks for the pages of a group, by its home page and titles."""


def make_tasks(folder: Path, shape: Shape) -> Iterator[Task]:
    """A task for each host or personal site that is neither very small nor very large."""
    labels = read_labels(folder)
    by_group: dict[str, list[str]] = {}
    for url, own in labels.items():
        for group in _groups(own):
            by_group.setdefault(group, []).append(url)
    if shape.distance is None:
        shape = replace(shape, distance=DISTANCE)
    for group in sorted(by_group):
        if FEWEST_PAGES <= len(by_group[group]) <= MOST_PAGES:
            task = _task(folder, group, by_group[group], labels, shape)
            if task.seeds:  # else nothing outside the group links to it
                yield task


def _groups(own: frozenset[str]) -> Iterator[str]:
    for label in own:
        kind, _, name = label.partition(":")
        if kind == "host" and name not in NOT_ONE_GROUP:
            yield name
        if kind == "site" and name.startswith(NOT_ONE_GROUP) and "/~" in name:
            yield name


def _task(folder: Path, group: str, on_topic: list[str], labels: Labels, shape: Shape) -> Task:
    own = set(on_topic)
    parts = divide(group, on_topic, (url for url in labels if url not in own), shape)
    name, targets, seeds = f"uci-ics/{group}", parts.targets, parts.seeds
    if shape.distance:
        targets = frozenset(own.difference(parts.positives))
        seeds = seeds_at_distance(name, folder, own, labels, shape)
    return Task(
        name=name,
        corpus="uci-ics",
        topic=group,
        words=WORDS.get(group, group),
        seeds=seeds,
        targets=targets,
        relevant=frozenset(own),
        positives=parts.positives,
        negatives=parts.negatives,
        budget=PAGES,
    )
