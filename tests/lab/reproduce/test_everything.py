"""All reproductions in one go: what is left to do is known, one that fails costs no other, and all go on again."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from honeyguide.errors import HoneyguideError
from honeyguide.lab.experiment_order import ExperimentOrder
from honeyguide.lab.reproduce import everything
from honeyguide.lab.reproduce.base import Counted, Examined, Finding, Reproduction, Verdict, Workshop
from honeyguide.lab.reproduce.everything import Account, Part, parts_of, reproduce_all
from honeyguide.lab.reproduce.page import read_timings
from honeyguide.lab.results import Run
from tests.lab.labelled_web import RULES, write_labelled_web

FINDING = Finding("it runs", "yes", "yes", Verdict.CONFIRMED)


def order(name: str, topic: str) -> ExperimentOrder:
    return ExperimentOrder(
        name=name,
        tasks=(f"mine/{topic}",),
        strategies=("breadth-first", "random"),
        bounds=False,
        guide="keywords",
        pages=5,
    )


def two_batches(workshop: Workshop) -> Mapping[str, Sequence[Run]]:
    return {one.name: workshop.experiment(one) for one in (order("one", "bees"), order("two", "cars"))}


def fails(runs: Mapping[str, Sequence[Run]]) -> Examined:
    raise HoneyguideError("no luck")


GOOD = Reproduction("good", "a paper", "x", "y", two_batches, lambda _: Examined([FINDING]))
BAD = Reproduction("bad", "a paper", "x", "y", lambda _: {}, fails)
BROKEN = Reproduction("broken", "a paper", "x", "y", lambda _: {}, lambda _: 1 / 0)  # type: ignore[arg-type, return-value]


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """Without the parts that need corpora."""
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(everything, "parts_of", lambda papers: parts_of(papers)[: len(papers)])
    folder = write_labelled_web(tmp_path / "corpora" / "mine")
    (folder / "tasks.toml").write_text(RULES)
    return Workshop(tmp_path / "results", folder.parent)


def test_one_that_fails_is_told_and_the_others_go_on(workshop: Workshop) -> None:
    shown: list[tuple[str, int, int, float]] = []
    problems = reproduce_all(
        [BAD, BROKEN, GOOD], workshop, workshop.folder / "page.md", lambda *at: shown.append(at)
    )
    assert problems == {"bad": ["no luck"], "broken": ["ZeroDivisionError: division by zero"]}
    assert "| [good](#good) | a paper | 1 | 0 | 0 | 0 |" in (workshop.folder / "page.md").read_text()
    assert {total for _, _, total, _ in shown} == {4}, "all runs are counted before the first"
    assert [done for name, done, _, _ in shown if name == "good"] == [0, 0, 1, 2, 2, 3, 4]
    assert shown[-2][3] > 0
    assert shown[-1][3] == 0


def test_what_was_done_is_not_done_again_nor_timed_again(workshop: Workshop) -> None:
    reproduce_all([GOOD], workshop, workshop.folder / "page.md", lambda *_: None)
    next((workshop.folder / "good" / "two" / "runs").iterdir()).unlink()
    first = read_timings(workshop.folder)["good"]
    shown: list[tuple[str, int, int, float]] = []
    reproduce_all([GOOD], workshop, workshop.folder / "page.md", lambda *at: shown.append(at))
    second = read_timings(workshop.folder)["good"]
    assert (shown[0][1:3], shown[-1][1:3]) == ((3, 4), (4, 4))
    assert (first.runs, second.runs) == (4, 5)
    assert second.seconds >= first.seconds  # told in tenths
    reproduce_all([GOOD], workshop, workshop.folder / "page.md", lambda *_: None)
    assert read_timings(workshop.folder)["good"] == second


def test_runs_that_nobody_planned_are_added() -> None:
    shown: list[tuple[str, int, int, float]] = []
    account = Account({"one": Counted(1, 3), "two": Counted(0, 2)}, lambda *at: shown.append(at))
    show = account.of("one")
    for at in ((1, 3), (2, 3), (3, 3), (0, 4), (1, 4)):
        show(*at)
    assert [(done, total) for _, done, total, _ in shown] == [(1, 5), (1, 5), (2, 5), (3, 5), (3, 9), (4, 9)]


def test_everything_on_the_page_is_a_part() -> None:
    from honeyguide.lab.reproduce import REPRODUCTIONS

    names = [part.name for part in parts_of(REPRODUCTIONS)]
    assert names == [
        *(one.name for one in REPRODUCTIONS),
        *("experiments", "recall", "freshness", "classifiers"),
    ]
    assert all(isinstance(part, Part) for part in parts_of(REPRODUCTIONS))
