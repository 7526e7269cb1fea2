"""A divided crawl looked at as a whole, for strategies that need all links: one job scores, every shard reads back.

The job runs beside the shards, on a copy of what they have stored, and calls what the strategy would have called in a
crawl in one piece. What it says of a url reaches the shard that owns it some time later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from honeyguide.model import Priorities
from honeyguide.shards.scores import Scores
from honeyguide.state.state import State
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy
from honeyguide.topics.base import TopicModel

GROWTH = 0.1
"""Share by which a crawl grows between two jobs: then the cost of a page stays the same, however large it is."""

Arrays = Mapping[str, NDArray[Any]]


def is_due(strategy: Strategy, pages: int, last: int) -> bool:
    """Whether the crawl has grown enough since the last job."""
    return pages - last >= max(strategy.whole_every, GROWTH * last)


def scored(
    strategy: Strategy, whole: State, topic: TopicModel, shards: Sequence[Arrays]
) -> tuple[Scores, Arrays]:
    """What a strategy makes of the whole crawl: scores of urls, and arrays that it keeps for the next time.

    `shards` are the arrays that it keeps in each of them.
    """
    view = CrawlView(whole, topic)
    whole.arrays.update(strategy.gathered(view, shards))
    wanted = strategy.refresh_whole(view)
    changes = whole.take_changes()
    places = wanted.ids, whole.urls["outcome"][wanted.ids], wanted.priorities
    return Scores(*places, wanted.revisit, changes.columns), changes.arrays


def take_scores(scores: Scores, strategy: Strategy, crawl: CrawlView) -> Priorities:
    """What is to be queued in a shard. A url that was visited since the job looked is left to the next."""
    for name, (ids, numbers) in scores.values.items():
        crawl.set_value(name, ids, numbers)
    stands = crawl.outcome[scores.ids] == scores.outcomes
    wanted = Priorities(scores.ids[stands], scores.priorities[stands], scores.revisit)
    return strategy.take_whole(wanted, crawl)
