"""Tasks: a recorded web, a topic, where to start, and which pages are to be found. Every task has a name.

`webkb/cornell/course`, `wikispeedia/Science.Biology`, `uci-ics/vision.ics.uci.edu`, `sample-2000/bees` (a sample web of
so many pages), `crawl:FOLDER` (a former crawl).
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path

from honeyguide.errors import SettingsError
from honeyguide.lab.results import REPORTING, TUNING
from honeyguide.lab.tasks.labels import read_links, shuffled

CORPORA_VARIABLE = "HONEYGUIDE_CORPORA"
OWN_MAKERS = ("webkb", "wikispeedia", "uci-ics")
POSITIVES, NEGATIVES_PER_POSITIVE = 75, 2
LEARNED_SHARE = 4  # one page in so many of a topic is learned from, not looked for
_WALKS_PER_SEED = 20


@dataclass(frozen=True)
class Task:
    """What a crawler has to do, and the truth it is measured by."""

    name: str
    corpus: str  # name of its folder
    topic: str
    words: str  # what a user would type
    seeds: tuple[str, ...]
    targets: frozenset[str]  # neither seeds nor examples are among them
    relevant: frozenset[str]  # all that the judge calls relevant: targets, seeds and examples
    positives: tuple[str, ...]  # pages to learn from
    negatives: tuple[str, ...]
    budget: int
    within: str = ""  # only pages with this label are in the web
    without: str = ""  # no page with this label is

    @property
    def split(self) -> str:
        """Every third topic, by a hash of its name, is for trying settings out; the others are for reports."""
        digest = sha256(self.topic.encode()).digest()
        return TUNING if digest[0] % 3 == 0 else REPORTING


@dataclass(frozen=True)
class Shape:
    """How tasks are cut from a corpus; the parameters of the SMP framework."""

    topic_level: int = 2  # of the tree of subjects
    max_depth: int = 9  # levels below the topic that still belong to it
    seeds: int = 5
    distance: int | None = None  # links from a seed to a target; unset: the corpus' own, 0: seeds are targets
    draw: int = 1  # which of several disjoint sets of seeds; of all home pages: which order
    halves: bool = False  # of the home pages, where a web is crawled from these: draws 1 and 2 have one each

    def topic_of(self, path: Sequence[str]) -> tuple[str, ...]:
        """The subject at the topics' level that a path belongs to; nothing if it ends above or too far below."""
        is_within = self.topic_level <= len(path) <= self.topic_level + self.max_depth
        return tuple(path[: self.topic_level]) if is_within else ()


Maker = Callable[[Path, Shape], Iterable[Task]]


@dataclass(frozen=True)
class Split:
    """The pages of a topic, divided: to learn from, to start from, to be found."""

    positives: tuple[str, ...]
    negatives: tuple[str, ...]
    seeds: tuple[str, ...]
    targets: frozenset[str]


def divide(topic: str, on_topic: Sequence[str], others: Iterable[str], shape: Shape) -> Split:
    """Divide a topic's pages by a shuffle that never changes; draws differ in the seeds alone."""
    order = shuffled(on_topic, f"examples of {topic}")
    learned = min(POSITIVES, len(order) // LEARNED_SHARE)
    positives, rest = tuple(order[:learned]), order[learned:]
    negatives = shuffled(others, f"other than {topic}")[: NEGATIVES_PER_POSITIVE * learned]
    start = (shape.draw - 1) * shape.seeds
    seeds = tuple(rest[start : start + shape.seeds])
    return Split(positives, tuple(negatives), seeds, frozenset(rest) - frozenset(seeds))


def seeds_at_distance(
    task_name: str, folder: Path, targets: Iterable[str], web: Container[str], shape: Shape
) -> tuple[str, ...]:
    """Pages that backward walks of so many links from targets lead to, none of them a target.

    A walk stays in the web that the task is crawled on: a crawler could not come back by a page that is not in it.
    """
    inlinks, hidden = read_links(folder), frozenset(targets)
    found: dict[str, None] = {}
    starts = shuffled(hidden, f"walks to {task_name}")
    for walk in range(_WALKS_PER_SEED * shape.seeds * shape.draw):
        purpose = f"{task_name} {walk}"
        end = _walk_back(starts[walk % len(starts)], inlinks, hidden, web, shape.distance or 1, purpose)
        if end:
            found[end] = None
    return tuple(list(found)[(shape.draw - 1) * shape.seeds :][: shape.seeds])


def _walk_back(
    start: str,
    inlinks: Mapping[str, Sequence[str]],
    targets: frozenset[str],
    web: Container[str],
    steps: int,
    purpose: str,
) -> str | None:
    at = start
    for step in range(steps):
        sources = [url for url in inlinks.get(at, ()) if url not in targets and url in web]
        if not sources:
            return None
        at = shuffled(sources, f"{purpose} {step}")[0]
    return at


def corpora_folder(given: Path | None = None) -> Path:
    """Where the corpora are: as given, or as the environment says."""
    name = given or os.environ.get(CORPORA_VARIABLE)
    if not name:
        raise SettingsError(f"where are the corpora? give --corpora FOLDER or set {CORPORA_VARIABLE}")
    if not Path(name).is_dir():
        origin = "--corpora" if given else CORPORA_VARIABLE
        raise SettingsError(f"{origin}: there is no folder {name}; name the one that holds the corpora")
    return Path(name)


def find_tasks(
    patterns: Sequence[str], corpora: Path | None = None, shape: Shape | None = None
) -> list[Task]:
    """Tasks whose names match a pattern such as `webkb/*/course`, in the order of the patterns."""
    found: dict[str, Task] = {}
    for pattern in patterns:
        matching = {task.name: task for task in _made(pattern, corpora, shape or Shape())}
        if not matching:
            raise SettingsError(f"no task is called {pattern!r}; `honeyguide lab list` lists them")
        found.update(matching)
    return list(found.values())


def _made(pattern: str, corpora: Path | None, shape: Shape) -> Iterator[Task]:
    from honeyguide.lab.tasks import crawl, labelled, sample, uci, webkb, wikispeedia

    if pattern.startswith(crawl.PREFIX):
        yield from crawl.make_tasks(Path(pattern.removeprefix(crawl.PREFIX)), shape)
        return
    corpus = pattern.partition("/")[0]
    makers: Mapping[str, Maker] = {
        "webkb": webkb.make_tasks,
        "wikispeedia": wikispeedia.make_tasks,
        "uci-ics": uci.make_tasks,
    }  # whose labels need more than rules
    if corpus.startswith(sample.PREFIX):
        tasks = iter(sample.make_tasks(corpus, shape))
    else:
        folder = corpora_folder(corpora) / corpus
        if corpus not in makers and not folder.is_dir():
            there = ", ".join([*labelled_corpora(folder.parent), f"{sample.PREFIX}PAGES"])
            raise SettingsError(
                f"{pattern}: no tasks are known of {corpus!r}, there is no such folder; there are {there} and "
                f"{crawl.PREFIX}FOLDER"
            )
        tasks = iter(makers.get(corpus, labelled.make_tasks)(folder, shape))
    yield from (task for task in tasks if fnmatch.fnmatchcase(task.name, pattern))


def labelled_corpora(folder: Path) -> list[str]:
    """The corpora in a folder that tasks can be made of."""
    from honeyguide.lab.tasks.rules import rules_of

    names = sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    return [name for name in names if name in OWN_MAKERS or rules_of(folder / name)]


def corpus_folder(task: Task, corpora: Path | None = None) -> Path:
    """The folder of a task's web; a sample web is written there when first asked for."""
    from honeyguide.lab.tasks import sample

    if task.corpus.startswith(sample.PREFIX):
        return sample.recorded(task.corpus)
    path = Path(task.corpus)
    return path if path.is_absolute() else corpora_folder(corpora) / task.corpus


def spread(tasks: Sequence[Task], most: int) -> list[Task]:
    """So many of the tasks, from as many different parents as there are, chosen by a hash of their names."""
    groups: dict[str, list[Task]] = {}
    by_name = {task.name: task for task in tasks}
    for name in shuffled(by_name, "spread"):
        groups.setdefault(name.rpartition(".")[0] or by_name[name].corpus, []).append(by_name[name])
    chosen = [task for row in zip_longest(*groups.values()) for task in row if task]
    return sorted(chosen[:most] if most else chosen, key=lambda task: task.name)
