"""What shards of a crawl learn adds up: every shard weighs links as one crawl of all their pages would."""

from dataclasses import replace

import numpy as np
import pytest

from honeyguide.strategies.best_first import BestFirst
from honeyguide.strategies.evidence import Evidence
from honeyguide.strategies.experts import LARGEST_LEAD, Experts
from honeyguide.strategies.honeyguide import Honeyguide
from honeyguide.strategies.link_model import LinkModel
from tests.strategies.graph import TinyCrawl

PRIOR = LinkModel.start([-1.0, 0.5, 0.25], [1.0, 10.0, np.inf])
ROWS = np.random.default_rng(3).normal(size=(40, 3))
OUTCOMES = (ROWS[:, 1] > 0).astype(float)


def crawl_of(good, strategy=None):
    """A shard that has found out whether links with words on the topic lead to good pages."""
    crawl = TinyCrawl(strategy or Honeyguide())
    crawl.seed("a")
    links = "bcdefghijk"
    words = ["bees and bees" if place % 2 else "the weather" for place in range(len(links))]
    urls = [f"http://small.example/{name}" for name in links]
    crawl.fetch(("a", 0.5, links, {"contexts": words, "urls": urls}))
    for place, name in enumerate(links[:-1]):
        crawl.fetch((name, good if place % 2 else 1.0 - good, ""))
    return crawl


def weights_of(crawl):
    return crawl.strategy._model(crawl.view).weights


def test_a_model_and_its_information_are_the_same():
    learned = PRIOR.learned(ROWS, OUTCOMES)
    again = PRIOR.with_information(learned.to_information())
    assert again.weights == pytest.approx(learned.weights)
    assert again.covariance == pytest.approx(learned.covariance)


def test_what_two_have_learned_adds_up_to_what_one_has():
    start = PRIOR.to_information()
    parts = [
        PRIOR.learned(rows, told) for rows, told in ((ROWS[:20], OUTCOMES[:20]), (ROWS[20:], OUTCOMES[20:]))
    ]
    merged = PRIOR.with_information(start + sum(part.to_information() - start for part in parts))
    one = PRIOR.learned(ROWS, OUTCOMES)
    # Each step is a linearization where the weights were at the time, so the ways differ a little.
    assert merged.weights == pytest.approx(one.weights, abs=0.35)
    assert np.linalg.norm(merged.weights - one.weights) < np.linalg.norm(parts[0].weights - one.weights)
    assert merged.weights[2] == 0.25


def test_shards_that_tell_each_other_weigh_alike():
    shards = [crawl_of(0.9), crawl_of(0.6)]
    assert not np.allclose(weights_of(shards[0]), weights_of(shards[1]))
    told = [shard.strategy.own_learning(shard.view) for shard in shards]
    for shard, others in zip(shards, (told[1:], told[:1]), strict=True):
        shard.strategy.take_learning(shard.view, others)
    assert weights_of(shards[0]) == pytest.approx(weights_of(shards[1]))
    assert Evidence(shards[0].view).usual == pytest.approx(Evidence(shards[1].view).usual)


@pytest.mark.parametrize("strategy", [Honeyguide(), Honeyguide(without="cash")])
def test_told_again_and_again_nothing_is_counted_twice(strategy):
    crawl, other = crawl_of(0.9, strategy), crawl_of(0.2, strategy)
    own = strategy.own_learning(crawl.view)
    others = [strategy.own_learning(other.view), {}]
    for _ in range(3):
        strategy.take_learning(crawl.view, others)
        for name, told in strategy.own_learning(crawl.view).items():
            assert told == pytest.approx(own[name], abs=1e-9), name
    merged = weights_of(crawl)
    crawl.fetch(("k", 1.0, ""))
    assert not np.allclose(weights_of(crawl), merged)  # it goes on learning from there
    assert strategy.own_learning(crawl.view)["moments"][3, 0] > own["moments"][3, 0]


def test_many_shards_that_tell_each_other_for_long_keep_what_they_have_learned():
    shards = [crawl_of(0.5 + place / 20) for place in range(9)]
    for turn in range(40):
        told = [shard.strategy.own_learning(shard.view) for shard in shards]
        for place, shard in enumerate(shards):
            shard.strategy.take_learning(shard.view, told[:place] + told[place + 1 :])
        if not turn:
            merged = weights_of(shards[0])
    for shard in shards:
        assert weights_of(shard) == pytest.approx(merged)


def test_what_is_learned_elsewhere_moves_what_waits():
    crawl = crawl_of(0.5)
    crawl.fetch(
        (
            "b",
            0.5,
            "xy",
            {"contexts": ["bees", "weather"], "urls": ["http://q.example/x", "http://q.example/y"]},
        )
    )
    before = {name: crawl.view.priority[crawl.id(name)] for name in "xy"}
    many = crawl_of(1.0).strategy.own_learning(crawl_of(1.0).view)
    after = crawl.apply(crawl.strategy.take_learning(crawl.view, [many] * 20))
    assert after["x"] - after["y"] > before["x"] - before["y"]


def test_one_crawl_alone_is_as_it_was():
    crawl = crawl_of(0.9)
    model = crawl.view.array("link model").tolist()
    assert not len(crawl.strategy.take_learning(crawl.view, [{}, {}]).ids)
    assert crawl.view.array("link model").tolist() == model
    assert crawl.view.array("link evidence of other shards") is None


def test_a_lead_that_all_shards_have_together_stays_at_its_bound():
    shards = [replace(Experts.start(), own=LARGEST_LEAD / 10) for _ in range(16)]
    for _ in range(4):
        told = [shard.own for shard in shards]
        shards = [
            shard.beside(sum(told) - own).judged(np.zeros(2), np.arange(2.0), np.zeros(2))
            for shard, own in zip(shards, told, strict=True)
        ]
        assert [shard.lead for shard in shards] == [LARGEST_LEAD] * 16


def test_at_its_bound_a_lead_can_still_be_lost():
    shard = replace(Experts.start(), own=1.0).beside(1e9)
    worse = shard.judged(np.arange(64.0), -np.arange(64.0), np.linspace(0.0, 1.0, 64))
    assert worse.lead < LARGEST_LEAD
    assert worse.own - 1.0 == pytest.approx(worse.lead - LARGEST_LEAD)


def test_most_learn_nothing():
    crawl = TinyCrawl(BestFirst())
    assert BestFirst().own_learning(crawl.view) == {}
    assert not len(BestFirst().take_learning(crawl.view, [{}]).ids)


def test_what_waits_is_weighed_anew_as_often_as_in_one_piece():
    crawl, other = crawl_of(0.9), crawl_of(0.2)
    told = other.strategy.own_learning(other.view)

    def is_swept(pages: int) -> bool:
        told["moments"][3, 0] = pages
        crawl.strategy.take_learning(crawl.view, [told])
        return int(crawl.view.array("sweep last at")[0]) == crawl.view.pages_fetched + pages

    assert is_swept(60)
    assert not is_swept(100)
    assert is_swept(111)
