"""How wrong the recall estimates are, measured on webs where the truth is known. Used by `lab reproduce recall`."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import numpy as np

from honeyguide.errors import HoneyguideError
from honeyguide.lab.oracle import reachable, seed_numbers
from honeyguide.lab.processes import in_processes
from honeyguide.lab.recall.audit import BEYOND_SHARE, promises, waiting
from honeyguide.lab.recall.estimate import (
    Looked,
    RecallEstimate,
    chances,
    draw_audit,
    estimate_by_audit,
    estimate_by_list,
    estimate_by_recapture,
)
from honeyguide.lab.report.document import Table
from honeyguide.lab.tasks.closed_web import Guide
from honeyguide.lab.tasks.tasks import Shape, Task, corpus_folder, find_tasks, spread
from honeyguide.lab.trial import GuideChoice, crawl_order, crawl_with, make_guide
from honeyguide.plugins import find_plugin
from honeyguide.settings.order import slug
from honeyguide.store import open_reader
from honeyguide.store.disk import write_atomically
from honeyguide.store.reader import LinkRow
from honeyguide.strategies import STRATEGIES

STRATEGIES_TRIED = ("breadth-first", "link-context", "soft-focus")
SHARES = (0.1, 0.3, 1.0)  # of a task's budget
LOOKS = 200
LISTED = 50  # or a quarter of the relevant pages, if that is less
BATCH = 8
BOUNDS = (0.0, 0.3, 0.6, 0.9, 1.0)
ERRORS = ("true", "estimated", "error", "mean |error|", "covered")


@dataclass(frozen=True)
class Piece:
    """Crawls of one task from two disjoint sets of seeds, where there are two."""

    tasks: tuple[Task, ...]
    folder: Path
    strategy: str
    pages: int

    @property
    def name(self) -> str:
        """Of its file."""
        asked = f"{self.tasks[0].name} {self.strategy} {self.pages} {[task.seeds for task in self.tasks]}"
        return f"{slug(self.tasks[0].name)}--{self.strategy}--{sha256(asked.encode()).hexdigest()[:12]}.json"


@dataclass(frozen=True)
class Case:
    """One estimate beside the truth."""

    task: str
    corpus: str
    strategy: str
    pages: int
    method: str
    true: float
    estimated: float
    low: float
    high: float


@dataclass(frozen=True)
class Crawled:
    """What a crawl fetched, and what it knew in the end; urls both."""

    fetched: frozenset[str]
    waiting: Sequence[str]  # those that promise most in front
    known: frozenset[str]  # all urls that it knew of


def validate(
    patterns: Sequence[str],
    results: Path,
    corpora: Path | None = None,
    most_tasks: int = 0,
    processes: int = 1,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Case]:
    """Try all estimates on tasks; what was done before is not done again."""
    pieces = list(pieces_of(patterns, corpora, most_tasks))
    results.mkdir(parents=True, exist_ok=True)
    left = [piece for piece in pieces if not (results / piece.name).exists()]
    on_progress(len(pieces) - len(left), len(pieces))
    problems = []
    for done, (piece, problem) in enumerate(
        in_processes(do_piece, left, results, processes), len(pieces) - len(left) + 1
    ):
        problems += [f"{piece.tasks[0].name}, {piece.strategy}: {problem}"] if problem else []
        on_progress(done, len(pieces))
    if problems:
        raise HoneyguideError("some estimates could not be made; " + "; ".join(problems))
    return [Case(**case) for piece in pieces for case in json.loads((results / piece.name).read_text())]


def pieces_of(patterns: Sequence[str], corpora: Path | None, most_tasks: int) -> Iterator[Piece]:
    """All that is to be done."""
    draws = [find_tasks(patterns, corpora, Shape(draw=draw)) for draw in (1, 2)]
    second = {task.name: task for task in draws[1]}
    for task in spread(draws[0], most_tasks):
        # A task with one home page has the same seeds in every draw.
        others = [
            other for other in (second.get(task.name),) if other and not set(other.seeds) & set(task.seeds)
        ]
        for strategy in STRATEGIES_TRIED:
            for share in SHARES:
                pages = max(1, int(share * task.budget))
                yield Piece((task, *others), corpus_folder(task, corpora), strategy, pages)


def do_piece(piece: Piece, results: Path) -> None:
    """Crawl, estimate, and write the cases."""
    guide = make_guide(piece.tasks[0], piece.folder, GuideChoice("svm"))
    crawls = [_crawl(task, guide, piece) for task in piece.tasks]
    cases = [asdict(case) for case in cases_of(piece, guide, crawls)]
    write_atomically(results / piece.name, json.dumps(cases))


def _crawl(task: Task, guide: Guide, piece: Piece) -> Crawled:
    strategy = find_plugin("strategies", piece.strategy, STRATEGIES)()
    with tempfile.TemporaryDirectory(prefix="honeyguide-lab-") as name:
        crawl_with(crawl_order(task, piece.pages, BATCH), Path(name), guide, strategy)
        with open_reader(Path(name)) as reader:
            fetched = frozenset(visit.url for visit in reader.visits())
            known = frozenset(link.target for link in reader.links())
            queue = waiting(reader, guide.topic)
    return Crawled(fetched, queue, known | fetched | frozenset(task.seeds))


def cases_of(piece: Piece, guide: Guide, crawls: Sequence[Crawled]) -> Iterator[Case]:
    """Every estimate there can be, beside the truth it is about."""
    task, own, web = piece.tasks[0], crawls[0], guide.web
    can_reach = reachable(web.graph, [seed for each in piece.tasks for seed in seed_numbers(each, web)])
    seeds = frozenset(url for each in piece.tasks for url in each.seeds)
    there = frozenset(
        url for url in task.relevant - seeds if url in web.numbers and can_reach[web.numbers[url]]
    )
    if not there:
        return
    found = own.fetched & there
    yield _case(piece, _audited(piece, guide, own, there), len(found) / len(there))
    listed = _list(task, guide, sorted(there))
    yield _case(piece, estimate_by_list(found, listed), len(found) / len(there))
    for other in crawls[1:]:
        theirs = other.fetched & there
        yield _case(piece, estimate_by_recapture(found, theirs), len(found | theirs) / len(there))


def _audited(piece: Piece, guide: Guide, own: Crawled, there: frozenset[str]) -> RecallEstimate:
    """As `recall_audit` does it, on the recorded web and by its labels."""
    web, seed = guide.web, _seed(piece.name)
    behind = round(BEYOND_SHARE * LOOKS)
    first = draw_audit(len(own.waiting), LOOKS - behind, seed)
    pages = [_page(guide, own.waiting[place]) for place in first.places.tolist()]
    # Another url of a page that was fetched leads to nothing new.
    is_missed = np.array([page in there and page not in own.fetched for page in pages], dtype=bool)
    weights = first.weights.tolist()
    linking: dict[str, dict[str, float]] = {}
    for page, weight in zip(pages, weights, strict=True):
        for url in frozenset(web.parsed(page).links.urls) - own.known:
            linking.setdefault(url, {})[page] = weight
    queue = _ranked(guide, sorted(linking), frozenset(pages))
    second = draw_audit(len(queue), behind, seed)
    urls = [queue[place] for place in second.places.tolist()]
    seen = own.known | frozenset(pages)
    is_new = np.array([(page := _page(guide, url)) in there and page not in seen for url in urls], dtype=bool)
    chance = chances([list(linking[url].values()) for url in urls])
    known_by = np.array([pages.index(next(iter(linking[url]))) for url in urls], dtype=np.int64)
    looked = (Looked.of_known(first, is_missed), Looked(second, is_new, chance, known_by))
    return estimate_by_audit(len(own.fetched & there), *looked)


def _page(guide: Guide, url: str) -> str:
    return guide.web.urls[guide.web.destination(url)]


def _ranked(guide: Guide, urls: Sequence[str], pages: frozenset[str]) -> list[str]:
    """Urls that pages link to, the most promising first."""
    sources = sorted(pages)
    relevance = {page: own for page, (own, _) in zip(sources, guide.judge(sources), strict=True)}
    links = (
        LinkRow(page, url, anchor)
        for page in sources
        for url, anchor in zip(
            guide.web.parsed(page).links.urls, guide.web.parsed(page).links.anchors, strict=True
        )
    )
    promise = promises(links, relevance, guide.topic, urls)
    return [urls[place] for place in np.argsort(-promise, kind="stable").tolist()]


def _list(task: Task, guide: Guide, there: Sequence[str]) -> frozenset[str]:
    """Relevant pages somebody else might know: the more links lead to one, the likelier."""
    links_in = np.asarray(guide.web.graph.sum(axis=0)).ravel()
    weights = np.array([1.0 + links_in[guide.web.numbers[url]] for url in there])
    dice = np.random.default_rng(_seed(task.name))
    count = min(LISTED, -(-len(there) // 4))
    chosen = dice.choice(len(there), count, replace=False, p=weights / weights.sum())
    return frozenset(there[place] for place in chosen.tolist())


def _case(piece: Piece, estimate: RecallEstimate, true: float) -> Case:
    task = piece.tasks[0]
    limits = (estimate.recall, estimate.recall_low, estimate.recall_high)
    return Case(task.name, task.corpus, piece.strategy, piece.pages, estimate.method, true, *limits)


def _seed(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:4])


def summary_table(cases: Sequence[Case]) -> Table:
    """Errors by method and by how complete the crawls were."""
    methods = sorted({case.method for case in cases})
    groups = {
        (method, f"{low:g} to {high:g}"): [
            case for case in cases if case.method == method and low <= case.true < high + (high == 1.0)
        ]
        for method in methods
        for low, high in (*pairwise(BOUNDS), (BOUNDS[0], BOUNDS[-1]))
    }
    rows = [[*key, *_errors(own), _width(own)] for key, own in groups.items() if own]
    return Table(
        "By how complete crawls were, over all corpora, strategies and lengths. Error: estimated less true. Covered: "
        "how often the truth was between the limits of 95 %. Width: between these limits, on average.",
        ["estimate", "true recall", "crawls", *ERRORS, "width"],
        rows,
    )


def error_table(cases: Iterable[Case]) -> Table:
    """Errors by method, corpus and length of the crawl."""
    groups: dict[tuple[str, str, str, str], list[Case]] = {}
    for case in cases:
        key = (case.method, case.corpus, case.strategy, f"{case.pages:,}")
        groups.setdefault(key, []).append(case)
    rows = [[*key, *_errors(own)] for key, own in sorted(groups.items(), key=_order)]
    return Table(
        "The same by corpus, strategy and length of the crawl: means over tasks.",
        ["estimate", "corpus", "strategy", "pages", "tasks", *ERRORS],
        rows,
    )


def _width(own: Sequence[Case]) -> str:
    return f"{np.mean([case.high - case.low for case in own]):.2f}"


def _order(item: tuple[tuple[str, str, str, str], list[Case]]) -> tuple[str, str, str, int]:
    (method, corpus, strategy, _), own = item
    return method, corpus, strategy, own[0].pages


def _errors(own: Sequence[Case]) -> list[str]:
    true = np.array([case.true for case in own])
    estimated = np.array([case.estimated for case in own])
    covered = np.mean([case.low <= case.true <= case.high for case in own])
    errors = estimated - true
    means = (true.mean(), estimated.mean())
    return [
        str(len(own)),
        *(f"{mean:.2f}" for mean in means),
        f"{errors.mean():+.2f}",
        f"{np.abs(errors).mean():.2f}",
        f"{100 * covered:.0f} %",
    ]
