import pytest

from honeyguide.lab.reproduce.base import Verdict
from honeyguide.lab.reproduce.guide import ALONE, GUIDE, LESSONS, STARTS, _orders, after_lessons
from tests.lab.runs import TARGETS, make_run


def runs(speeds):
    tasks = [f"{corpus}/{topic}" for corpus in ("webkb", "multisite") for topic in "abc"]
    return {
        f"{start}--{lesson}": [
            make_run("honeyguide", speeds.get(lesson, speeds[ALONE]), task=task) for task in tasks
        ]
        for start in STARTS
        for lesson in LESSONS
    }


def verdicts(speeds):
    return {finding.claim: finding.verdict for finding in GUIDE.examine(runs(speeds)).findings}


def test_lessons_that_help_reach_their_goals():
    found = verdicts({ALONE: 0.3, "20-labels": 0.6, "60-labels": 0.8, "60-labels-some-wrong": 0.5})
    assert found["From 5 examples, 20 true labels, whole crawls"] == Verdict.MET
    assert found["From a phrase, 60 true labels, after the last labels"] == Verdict.MET
    assert found["From a phrase, 60 true labels: no task loses by it"] == Verdict.MET


def test_lessons_that_hurt_do_not():
    found = verdicts({ALONE: 0.6, "20-labels": 0.3, "60-labels": 0.6, "60-labels-some-wrong": 0.2})
    assert found["From 5 examples, 20 true labels, whole crawls"] == Verdict.NOT_MET
    assert found["From 5 examples, 20 true labels: no task loses by it"] == Verdict.NOT_MET
    assert found["From a phrase, 60 labels, of which one in ten is wrong, whole crawls"] == Verdict.NOT_MET


def test_what_is_found_after_the_lessons_is_measured_by_itself():
    run = make_run("honeyguide", 0.0, budget=100)
    run.depth[:] = 1
    run.is_target[:20] = False
    run.is_target[20:60] = True  # everything right after the last lesson
    assert after_lessons(run) == pytest.approx(1.0)
    run.is_target[20:60], run.is_target[60:] = False, True  # everything forty pages later
    assert after_lessons(run) == pytest.approx(sum(range(1, 41)) / (sum(range(1, 41)) + 40 * 40))
    run.is_target[:40] = True  # nothing is left
    run.is_target[40:] = False
    assert run.facts.targets == TARGETS == 40
    run.is_target[:20], run.is_target[20:40] = True, True
    assert after_lessons(run) == pytest.approx(1.0)


def test_every_start_is_taught_in_every_way():
    names = [order.name for order in _orders()]
    assert len(set(names)) == len(names) == 3 * len(STARTS) * len(LESSONS)
    assert {order.split for order in _orders()} == {"reporting"}
