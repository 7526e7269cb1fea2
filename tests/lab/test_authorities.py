"""Authorities of two crawls of the sample web."""

from pathlib import Path

import numpy as np

from honeyguide.lab.authorities import authority_robustness, top_authorities
from honeyguide.lab.tasks.closed_web import ClosedWeb, Guide
from honeyguide.lab.tasks.tasks import Task
from honeyguide.lab.trial import run_trial
from honeyguide.strategies.breadth_first import BreadthFirst
from honeyguide.strategies.soft_focus import SoftFocus
from honeyguide.topics.keywords import KeywordTopic


def test_a_crawl_agrees_with_itself_and_less_with_another(corpus: Path, task: Task) -> None:
    web = ClosedWeb(corpus)
    guide = Guide(KeywordTopic(task.words), web)
    focused, blind = (
        run_trial(task, guide, made, pages=90, batch=8) for made in (SoftFocus(), BreadthFirst())
    )
    steps, same = authority_robustness(focused, focused, web, every=30)
    assert steps.tolist() == [30, 60, 90]
    assert same.tolist() == [1.0, 1.0, 1.0]
    _, other = authority_robustness(focused, blind, web, every=30)
    assert np.all((other >= 0) & (other < 1))


def test_an_authority_is_relevant_and_linked_from_what_was_fetched(corpus: Path, task: Task) -> None:
    web = ClosedWeb(corpus)
    guide = Guide(KeywordTopic(task.words), web)
    run = run_trial(task, guide, SoftFocus(), pages=60, batch=8)
    found = top_authorities(run, web, 60, count=5)
    assert 0 < len(found) <= 5
    fetched = dict(zip(run.url.tolist(), run.relevance.tolist(), strict=True))
    linked = {target for url in fetched for target in web.parsed(url).links.urls}
    assert all(url in fetched and url in linked for url in found)
    assert min(fetched[url] for url in found) > np.median(run.relevance)
