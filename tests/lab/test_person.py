"""A simulated person teaches a crawl of the sample web."""

from pathlib import Path

import numpy as np
import pytest

from honeyguide.lab.person import Lessons
from honeyguide.lab.tasks.tasks import Task
from honeyguide.lab.trial import GuideChoice, make_guide, run_trial
from honeyguide.strategies.honeyguide import Honeyguide
from honeyguide.strategies.soft_focus import SoftFocus
from honeyguide.topics.classifier.quality import area_under_curve


def trial(task: Task, corpus: Path, lessons: Lessons, strategy=Honeyguide):
    guide = make_guide(task, corpus, GuideChoice("keywords"))
    return run_trial(task, guide, strategy(), pages=200, batch=8, lessons=lessons)


def test_questions_are_divided_between_rounds_and_queues():
    lessons = Lessons(labels=20)
    assert lessons.stages(1000, 0) == [50, 100, 200, 1000]
    assert lessons.stages(1000, 200) == [240, 280, 360, 1000], "of seeds there is nothing to be asked"
    assert [lessons.at(stage) for stage in range(3)] == [
        {"best": 3, "teach": 3},
        {"best": 4, "teach": 3},
        {"best": 4, "teach": 3},
    ]
    assert Lessons(labels=9, ask="random").at(0) == {"random": 3}
    assert Lessons().stages(1000, 0) == [1000], "nobody teaches it"


def test_a_crawl_that_is_taught_is_the_same_every_time(task, corpus):
    lessons = Lessons(labels=12)
    one, two = (trial(task, corpus, lessons) for _ in range(2))
    assert list(one.url) == list(two.url)
    alone = trial(task, corpus, Lessons())
    assert list(one.url[:10]) == list(alone.url[:10]), "until the first lesson nothing is different"
    assert list(one.url) != list(alone.url)


@pytest.mark.parametrize("strategy", [Honeyguide, SoftFocus])
def test_the_guide_is_better_after_lessons(task, corpus, strategy):
    """Of pages that both fetch after the last lesson, the right ones stand apart more clearly than by the phrase."""
    runs = [trial(task, corpus, lessons, strategy) for lessons in (Lessons(), Lessons(labels=30))]
    alone, taught = (np.arange(len(run)) >= 40 for run in runs)
    both = np.intersect1d(runs[0].url[alone], runs[1].url[taught])
    same = [
        np.flatnonzero(np.isin(run.url, both) & later)
        for run, later in zip(runs, (alone, taught), strict=True)
    ]
    assert runs[0].judged[same[0]].sum() > 1
    apart = [
        area_under_curve(run.relevance[own], run.judged[own]) for run, own in zip(runs, same, strict=True)
    ]
    assert apart[1] > apart[0]


def test_wrong_answers_are_given_as_often_as_asked_for(task, corpus, tmp_path):
    from honeyguide.lab.person import _is_wrong

    urls = [f"http://a.example/{number}" for number in range(2000)]
    assert sum(_is_wrong(url, 0.1) for url in urls) == pytest.approx(200, abs=40)
    assert not any(_is_wrong(url, 0.0) for url in urls)


def test_it_may_learn_from_itself(task, corpus):
    run = trial(task, corpus, Lessons(itself=True))
    assert len(run) == 200
