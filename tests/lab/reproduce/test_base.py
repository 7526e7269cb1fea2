"""Verdicts on claims: confirmed, refuted or open, and written down."""

import json

import numpy as np
import pytest

from honeyguide.errors import HoneyguideError
from honeyguide.lab.experiment_order import ExperimentOrder
from honeyguide.lab.report.numbers import Group, group_of
from honeyguide.lab.reproduce import REPRODUCTIONS
from honeyguide.lab.reproduce.base import (
    Examined,
    Reproduction,
    Verdict,
    Workshop,
    at_equal_pages,
    at_pages,
    crossing,
    is_better,
    is_equal,
    is_greater,
    is_robust,
    is_same,
    is_within,
    not_testable,
    on_generated_web,
)
from honeyguide.strategies.breadth_first import BreadthFirst
from tests.lab.runs import make_run


def group(tasks: int, **speeds: float) -> Group:
    return group_of(
        "web",
        [make_run(name, speed, task=f"web/{n}") for n in range(tasks) for name, speed in speeds.items()],
    )


def test_a_clear_difference_is_confirmed_and_its_opposite_refuted():
    made = group(10, good=0.6, poor=0.2)
    there = is_better("", "", made, ("good", "poor"), "nauc")
    back = is_better("", "", made, ("poor", "good"), "nauc")
    assert (there.verdict, back.verdict) == (Verdict.CONFIRMED, Verdict.REFUTED)
    assert "difference +0." in there.ours
    assert "over 10 tasks" in there.ours


def test_few_tasks_leave_it_open():
    found = is_better("", "", group(2, good=0.6, poor=0.2), ("good", "poor"), "nauc")
    assert found.verdict is Verdict.OPEN
    assert found.sentence == "neither confirmed nor refuted: the difference may be chance"


def test_same_needs_confidence_and_tasks():
    made = group(10, one=0.3, other=0.3, far=0.8)
    assert is_same("", "", made, ("one", "other"), "nauc").verdict is Verdict.CONFIRMED
    assert is_same("", "", made, ("one", "far"), "nauc").verdict is Verdict.REFUTED
    assert is_same("", "", group(3, one=0.3, other=0.3), ("one", "other"), "nauc").verdict is Verdict.OPEN


def test_same_is_a_tenth_of_what_is_compared():
    base = np.linspace(0.06, 0.09, 10)
    near, far = {"one": base, "other": base * 1.03}, {"one": base, "other": base * 1.3}
    assert is_equal("", "", near, ("one", "other")).verdict is Verdict.CONFIRMED
    different = is_equal("", "", far, ("one", "other"))
    assert different.verdict is Verdict.REFUTED, "though it is by 0.02 alone"
    assert "p <.001 (t-test)" in different.ours, "of the direction that the difference speaks for"


def test_a_number_between_limits_needs_confidence():
    near, spread = np.linspace(0.48, 0.52, 8), np.linspace(0.1, 0.9, 4)
    assert is_within("", "", "it is", near, (0.4, 0.6), "").verdict is Verdict.CONFIRMED
    assert is_within("", "", "it is", near, (0.6, 1.0), "").verdict is Verdict.REFUTED
    assert is_within("", "", "it is", spread, (0.4, 0.6), "").verdict is Verdict.OPEN
    assert is_within("", "", "it is", near[:1], (0.4, 0.6), "").verdict is Verdict.OPEN, (
        "one task proves nothing"
    )


def test_crawls_are_compared_over_the_pages_both_fetched():
    long, short = make_run("long", 0.5), make_run("short", 0.5, budget=20)
    found = at_equal_pages(group_of("web", [long, short]), ("long", "short"), lambda run: run.judged)
    assert found["long"][0] == long.judged[:20].mean()
    assert found["short"][0] == short.judged.mean()


def crawled_pair(shared: int) -> tuple[list[str], list[str]]:
    """Two crawls of 100 pages that have so many of the first 25 in common, and all in the end."""
    everything = [f"p{number}" for number in range(100)]
    first, rest = everything[:25], everything[25:]
    other = [*first[:shared], *rest[: 25 - shared]]
    return everything, [*other, *(page for page in everything if page not in other)]


@pytest.mark.parametrize(("shared", "verdict"), [(20, Verdict.CONFIRMED), (5, Verdict.REFUTED)])
def test_crawls_that_end_with_the_same_pages_are_compared_long_before(shared, verdict):
    found = is_robust("", "", [crawled_pair(shared)] * 6, 0.6)
    assert found.verdict is verdict
    assert f"(25) both have {shared / 25:.3f}" in found.ours
    assert "at random would share 0.25" in found.why


def test_no_pair_of_crawls_says_nothing_of_seeds():
    assert is_robust("", "", [], 0.6).verdict is Verdict.NOT_TESTABLE


def test_a_verdict_says_that_it_stands_on_a_generated_web():
    made = group(10, good=0.6, poor=0.2)
    there, back = (
        on_generated_web(is_better("", "", made, pair, "nauc"))
        for pair in (("good", "poor"), ("poor", "good"))
    )
    assert (there.sentence, back.sentence) == ("confirmed on a generated web", "refuted on a generated web")
    assert on_generated_web(not_testable("", "", "")).verdict is Verdict.NOT_TESTABLE


def test_other_pairs_are_corrected_for():
    dice = np.random.default_rng(2)
    base = dice.random(8)
    pair = {"a": base + dice.normal(0.04, 0.045, 8), "b": base}
    alone = is_greater("", "", pair, ("a", "b"))
    many = is_greater("", "", {**pair, **{str(n): dice.random(8) for n in range(8)}}, ("a", "b"))
    assert alone.verdict is Verdict.CONFIRMED
    assert many.verdict is Verdict.OPEN


@pytest.mark.parametrize(
    ("first", "second", "page"),
    [
        ([1, 2, 3], [2, 3, 4], 0),
        ([1, 3, 3], [1, 2, 4], 2),
        ([1, 2, 3], [2, 3, 3], -1),
        ([2, 1, 2], [1, 2, 3], 1),
    ],
)
def test_where_curves_cross(first, second, page):
    assert crossing(np.array(first, dtype=float), np.array(second, dtype=float)) == page


def test_a_share_of_the_budget():
    assert at_pages("harvest_rate", group(1, one=0.3), 0.1) == "harvest_rate@12"


def test_findings_are_written_down(tmp_path):
    finding = not_testable("it is <b>fast</b>", "very", "nobody can tell")
    made = Reproduction("toy", "a paper", "theirs", "ours", lambda _: {}, lambda _: Examined([finding]))
    page, findings = made.run(Workshop(tmp_path, problems=["web/1: it rained"]))
    assert findings == [finding]
    stored = json.loads((tmp_path / "findings.json").read_text())
    assert stored["findings"][0]["verdict"] == "not testable here"
    assert stored["command"] == "honeyguide lab reproduce toy --corpora CORPORA"
    html = page.read_text()
    assert "&lt;b&gt;fast" in html
    assert "not testable here: nobody can tell" in html
    assert "Runs that failed: web/1: it rained." in html


def test_a_workshop_runs_less_when_asked_to(tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    order = ExperimentOrder(
        name="small", tasks=("sample-600/*",), strategies=("breadth-first",), bounds=False, guide="keywords"
    )
    runs = Workshop(tmp_path, most_tasks=1, pages=5).experiment(order)
    assert [(len(run), run.facts.label) for run in runs] == [(5, "breadth-first")]


def test_no_run_at_all_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(BreadthFirst, "prioritize", lambda *_: 1 / 0)
    order = ExperimentOrder(
        name="bad", tasks=("sample-600/bees",), strategies=("breadth-first",), bounds=False, guide="keywords"
    )
    with pytest.raises(HoneyguideError, match=r"every run failed; sample-600/bees, .*by zero"):
        Workshop(tmp_path, pages=5).experiment(order)


def test_every_paper_is_there():
    papers = ["otie", "hcla", "ontology", "cc-bfs", "focused-1999"]
    assert [one.name for one in REPRODUCTIONS] == [*papers, "default", "guide", "sites"]
