"""What people said about the pages of a corpus, and what in a corpus would give that away to a crawler."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from honeyguide.errors import ImportFailed
from honeyguide.fetch.replay import open_recording
from honeyguide.urls import DEFAULT_POLICY

Labels = Mapping[str, frozenset[str]]
"""The labels of each page, by canonical url."""

LINKS_NAMES = ("links.tsv.gz", "links.tsv")  # the first there is
ARTICLE, INDEX = "kind:article", "kind:index"
UNIVERSITIES = ("cornell", "texas", "washington", "wisconsin")
CATEGORIES = ("course", "faculty", "project", "student")
SUBJECT = "subject."

# The line of a Wikispeedia article that names its subjects.
_GIVEAWAYS: Mapping[str, re.Pattern[bytes]] = {
    "wikispeedia": re.compile(rb'<h3 id="siteSub">.*?</h3>', re.DOTALL)
}


@lru_cache(maxsize=4)
def read_labels(folder: Path) -> Labels:
    """Labels of every page of a recorded web, in recorded order."""
    recording = open_recording(folder)
    try:
        return {url: frozenset(recording.labels(url)) for url in recording.urls()}
    finally:
        recording.close()


def without_giveaways(corpus: str, body: bytes) -> bytes:
    """A page of a corpus without what names its labels."""
    giveaway = _GIVEAWAYS.get(corpus)
    return giveaway.sub(b"", body) if giveaway else body


def labeled(labels: Labels, *wanted: str) -> list[str]:
    """Urls of the pages that have all of these labels."""
    return [url for url, own in labels.items() if own.issuperset(wanted)]


def subject_paths(own: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Where in the tree of subjects a page stands.

    >>> list(subject_paths(["kind:article", "subject.Science.Biology.Birds"]))
    [('Science', 'Biology', 'Birds')]
    """
    return (tuple(label.split(".")[1:]) for label in own if label.startswith(SUBJECT))


def shuffled(names: Iterable[str], purpose: str) -> list[str]:
    """Names in an order that nobody chose and that never changes; each purpose has its own.

    >>> shuffled("abcd", "doctest") == shuffled("dbca", "doctest")
    True
    """
    return sorted(names, key=lambda name: sha256(f"{purpose}\n{name}".encode()).digest())


@lru_cache(maxsize=2)
def read_links(folder: Path) -> Mapping[str, Sequence[str]]:
    """Pages that link to each page of a corpus folder, from its links.tsv."""
    path = next((folder / name for name in LINKS_NAMES if (folder / name).is_file()), None)
    if path is None:
        raise ImportFailed(f"{folder}: there is no links.tsv(.gz), from which seeds at a distance are found")
    inlinks: dict[str, list[str]] = {}
    canonical: dict[str, str | None] = {}
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open() as lines:
        for line in lines:
            source, target, *_ = line.rstrip("\n").split("\t")
            for url in (source, target):
                if url not in canonical:
                    canonical[url] = DEFAULT_POLICY.canonical(url)
            if (end := canonical[target]) and (start := canonical[source]):
                inlinks.setdefault(end, []).append(start)
    return inlinks
