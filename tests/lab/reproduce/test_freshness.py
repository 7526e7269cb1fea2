"""What is said of goals of freshness: met or not by the numbers, with what is possible beside them."""

from __future__ import annotations

from honeyguide.lab.freshness.discovery import FURTHER, SCENES, SPLITS
from honeyguide.lab.reproduce.base import Verdict
from honeyguide.lab.reproduce.freshness import BY_RELEVANCE, OURS, RIVAL, Divided, Played, findings


def divided(ours: float, best_place: int) -> Divided:
    """Splits bring 100 but for one that brings 110, and half of it where what is oldest comes first."""
    splits = [110.0 if place == best_place else 100.0 for place in range(len(SPLITS))]
    return Divided("scene", splits, [own / 2 for own in splits], ours, told=ours, bound=132.0)


def played(ours: float) -> list[Played]:
    return [Played("trace", days, BY_RELEVANCE, {OURS: ours, RIVAL: 1.0}) for days in (30.0, 90.0)]


def test_splits_are_met_one_for_all_and_the_best_of_each() -> None:
    """Each of two scenes has a best split of its own, so that none is best for both."""
    found = findings(played(0.8), {"scenes": [divided(116.0, 2), divided(116.0, 5)]})
    for_all, of_each, *of_oldest = found[-4:]
    assert (for_all.verdict, of_each.verdict) == (Verdict.MET, Verdict.NOT_MET)
    assert of_each.ours == "1.055 times (1.05 to 1.05) over 2 scenes"
    assert of_each.theirs == "1.10 times; possible are 1.200 times (1.20 to 1.20) at most"
    assert all(one.verdict == Verdict.MET for one in of_oldest)


def test_every_group_of_scenes_has_goals_of_its_own() -> None:
    found = findings(played(0.8), {"scenes": [divided(130.0, 2)], "further scenes": [divided(105.0, 2)]})
    of_each = [one.verdict for one in found if one.claim.endswith("our order: the best of each")]
    assert of_each == [Verdict.MET, Verdict.NOT_MET]


def test_stale_pages_are_measured_by_round_robin() -> None:
    met, failed = ([one.verdict for one in findings(played(stale), {})] for stale in (0.8, 1.04))
    assert met == [Verdict.MET] * 3
    assert failed == [Verdict.NOT_MET] * 3


def test_further_scenes_are_others() -> None:
    assert not {one.name for one in SCENES} & {one.name for one in FURTHER}
