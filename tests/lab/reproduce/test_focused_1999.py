"""The first focused crawler: its verdicts follow the numbers, also of crawls that run out of links."""

from dataclasses import replace
from functools import cache

import pytest

from honeyguide.lab.reproduce import focused_1999
from honeyguide.lab.reproduce.base import Examined, Finding, Verdict
from honeyguide.lab.reproduce.focused_1999_sites import DISTILLED, LONG, MANY, REVISITED
from honeyguide.lab.results import Run
from tests.lab.reproduce.test_papers import runs

TWO = (1, 2)


def cut(run: Run, pages: int) -> Run:
    """The same crawl, ended early."""
    columns = {name: own[:pages] for name, own in vars(run).items() if name != "facts"}
    return replace(run, **columns)


@cache
def made(
    soft: float = 0.5,
    hard_pages: int = 0,
    distilled: float = 0.6,
    broad: float = 0.5,
    reached: int = 40,
    most: int = 120,
) -> Examined:
    """All experiments of the paper; `reached` is how many targets all home pages lead to, each half leads to 40."""
    three = {"soft-focus": soft, "hard-focus": soft, "random": 0.05}
    dense = [
        cut(run, hard_pages) if hard_pages and run.facts.strategy == "hard-focus" else run
        for run in runs(three, TWO)
    ]
    long = [
        replace(run, facts=replace(run.facts, targets=reached, budget=most))
        for run in runs({"soft-focus": soft, "random": 0.05})
    ]
    return focused_1999.examine(
        {
            "wikispeedia": dense,
            "sample-10000": runs({**three, DISTILLED: distilled}, TWO),
            "taxonomy": runs(three),
            "broad-taxonomy": runs({"hard-focus": broad}),
            MANY.name: runs({**three, DISTILLED: distilled, REVISITED: soft}, TWO),
            LONG.name: long,
        }
    )


def claim(examined: Examined, part: str, web: str = "(wikispeedia)") -> Finding:
    (found,) = (one for one in examined.findings if part in one.claim and web in one.claim)
    return found


@pytest.mark.parametrize(("speed", "verdict"), [(0.5, Verdict.CONFIRMED), (0.01, Verdict.REFUTED)])
def test_claims_on_harvest(speed, verdict):
    examined = made(soft=speed)
    for web in ("(wikispeedia)", "by a taxonomy", "(multisite)"):
        assert (
            claim(examined, "Soft focus harvests more than an unfocused crawl, by peo", web).verdict
            is verdict
        )
        assert (
            claim(examined, "Hard focus harvests more than an unfocused crawl, by the", web).verdict
            is verdict
        )
        assert claim(examined, "Soft and hard focus", web).verdict is Verdict.CONFIRMED
    assert claim(examined, "keeps up a rate").verdict is verdict
    assert claim(examined, "lost within").verdict is Verdict.CONFIRMED
    assert claim(examined, "a peak at its highest").verdict is Verdict.CONFIRMED
    assert claim(examined, "unfocused ones has none").verdict is Verdict.REFUTED, (
        "made-up targets are sure ones"
    )


def test_what_holds_on_the_generated_web_is_said_to_hold_there():
    found = claim(made(), "Soft focus harvests more than an unfocused crawl, by people", "sample-10000")
    assert found.sentence == "confirmed on a generated web"


def test_a_hard_focus_that_runs_out_of_links_loses_what_it_could_not_fetch():
    same = claim(made(soft=0.3, hard_pages=30), "Soft and hard focus")
    assert same.verdict is Verdict.REFUTED, "though it fetched the very same pages until then"
    assert "after 30 of 120 pages" in same.why


@pytest.mark.parametrize(
    ("speed", "verdict"),
    [(0.32, Verdict.CONFIRMED), (0.05, Verdict.REFUTED), (0.2, Verdict.NOT_TESTABLE)],
)
def test_the_distiller_is_tested_where_it_changes_a_crawl(speed, verdict):
    examined = made(soft=0.2, distilled=speed)
    assert claim(examined, "with the distiller harvests more", "multisite").verdict is verdict
    assert claim(examined, "distiller brings in", "multisite").verdict is verdict
    if verdict is Verdict.NOT_TESTABLE:
        assert "in 0 of 12 tasks" in claim(examined, "distiller brings in", "multisite").why


@pytest.mark.parametrize("part", ["come to fetch the same pages", "The top 25 sites"])
def test_crawls_that_cannot_reach_the_same_pages_say_nothing_of_seeds(part):
    apart = claim(made(reached=70), part, "multisite")
    assert apart.verdict is Verdict.NOT_TESTABLE
    assert "only 0.25 of the targets" in apart.why
    assert claim(made(), part, "multisite").verdict is not Verdict.NOT_TESTABLE


def test_the_top_sites_of_both_crawls_are_counted():
    # Of 9 sites, good, seed and other0 to other6, all are in both.
    assert "1.000" in claim(made(), "The top 25 sites", "multisite").ours


@pytest.mark.parametrize(("speed", "verdict"), [(0.9, Verdict.CONFIRMED), (0.1, Verdict.REFUTED)])
def test_broadening(speed, verdict):
    assert claim(made(soft=0.3, broad=speed), "narrow topic finds more", "").verdict is verdict


def test_a_rate_that_no_crawl_could_keep_up_is_not_tested():
    assert claim(made(), "for 120 pages, by people", "multisite").verdict is not Verdict.NOT_TESTABLE
    few = claim(made(most=600), "for 600 pages, by people", "multisite")
    assert few.verdict is Verdict.NOT_TESTABLE
    assert "at most 0.07 is possible" in few.why
    assert claim(made(most=600), "for 600 pages, by the guide", "multisite").verdict is Verdict.REFUTED


def test_every_verdict_names_its_reason_or_its_test():
    for finding in made(soft=0.4).findings:
        assert finding.why or "(Wilcoxon), Holm" in finding.ours
        assert "nan" not in finding.ours + finding.why
