import numpy as np
import pytest

from honeyguide.lab import measures
from honeyguide.lab.reproduce.base import Verdict
from honeyguide.lab.reproduce.sites import BY_SITES, MANY_SITES, SITES, STRATEGIES, sites_on_the_way
from tests.lab.runs import make_run

TASKS = [f"multisite/{topic}" for topic in "abcdefgh"]


def spread_run(strategy, speed, task, keywords=None):
    """Every second relevant page is on a site of its own."""
    run = make_run(strategy, speed, task=task, keywords=keywords)
    for place in np.flatnonzero(run.judged)[::2].tolist():
        run.host[place] = f"site-{place}.example"
    return run


def verdicts(by_pages, by_sites):
    runs = [
        spread_run(name, speed, task, keywords)
        for task in TASKS
        for name in STRATEGIES
        for speed, keywords in ((by_pages, None), (by_sites, dict(BY_SITES)))
    ]
    examined = SITES.examine({MANY_SITES.name: runs})
    assert "honeyguide(level=sites)" in {row[0] for row in examined.blocks[0].rows}
    return {finding.verdict for finding in examined.findings}


def test_more_sites_for_the_same_requests_confirm_all_claims():
    assert verdicts(0.1, 0.3) == {Verdict.CONFIRMED}
    assert verdicts(0.3, 0.1) == {Verdict.REFUTED}
    assert verdicts(0.2, 0.2) == {Verdict.OPEN}


def test_sites_are_found_with_their_first_relevant_page():
    run = make_run("soft-focus", 0.0, budget=6)
    run.judged[:] = [False, True, True, False, True, True]
    run.host[:] = ["a.org", "a.org", "www.a.org", "c.org", "b.org", "a.org"]
    assert measures.sites_found(run).tolist() == [0, 1, 1, 1, 2, 2]
    assert measures.find_measure("sites_found@5")(run) == 2
    assert measures.find_measure("sites_per_request")(run) == pytest.approx(2 / 6)
    assert sites_on_the_way(run) == pytest.approx(7 / 6)
    run.judged[:] = False
    assert measures.sites_found(run).tolist() == [0] * 6


def test_settings_are_tried_on_other_tasks():
    assert MANY_SITES.split == "reporting"
