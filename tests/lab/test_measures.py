"""Golden values of every measure, by hand, on a crawl of ten pages."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.errors import SettingsError
from honeyguide.lab import measures
from honeyguide.lab.measures import CURVES, LESS_IS_BETTER, MEASURES, find_measure, oracle_share
from honeyguide.lab.results import Run, RunFacts

FACTS = RunFacts(
    task="ten/bees", corpus="ten", topic="bees", split="reporting", strategy="by-hand", keywords={}, seed=1,
    budget=10, targets=4, unreachable=1, relevant=6, relevant_above=0.5, stop_reason="page_limit",
)  # fmt: skip


def make_run(**changed: object) -> Run:
    """Ten pages on three hosts of two sites: 4 targets at 2, 3, 6 and 10; page 1 is a seed that is relevant, too."""
    hosts = [
        "www.a.org",
        "www.a.org",
        "b.a.org",
        "c.org",
        "c.org",
        "www.a.org",
        "c.org",
        "c.org",
        "c.org",
        "b.a.org",
    ]
    run = Run(
        FACTS,
        step=np.arange(1, 11),
        url=np.array([f"http://{host}/{at}" for at, host in enumerate(hosts)], dtype=object),
        host=np.array(hosts, dtype=object),
        relevance=np.array([0.9, 0.8, 0.7, 0.1, 0.2, 0.6, 0.0, 0.3, 0.1, 1.0]),
        is_target=np.array([0, 1, 1, 0, 0, 1, 0, 0, 0, 1], dtype=bool),
        judged=np.array([1, 1, 1, 0, 0, 1, 0, 0, 0, 1], dtype=bool),
        similarity=np.array([0.5, 0.5, 0.2, 0.0, 0.0, 0.4, 0.0, 0.0, 0.0, 0.4]),
        depth=np.array([0, 1, 1, 1, 2, 2, 2, 3, 3, 4], dtype=np.int32),
        rank_seconds=np.arange(1, 11) / 10,
    )
    return replace(run, **changed)  # type: ignore[arg-type]


EXPECTED = {
    "target_recall": [0, 0.25, 0.5, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 1],
    "url_recall": [0, 0.25, 0.5, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 1],
    "url_precision": [0, 1 / 2, 2 / 3, 2 / 4, 2 / 5, 3 / 6, 3 / 7, 3 / 8, 3 / 9, 4 / 10],
    "harvest_rate": [1, 1, 1, 3 / 4, 3 / 5, 4 / 6, 4 / 7, 4 / 8, 4 / 9, 5 / 10],
    "harvest_rate_last_50": [1, 1, 1, 3 / 4, 3 / 5, 4 / 6, 4 / 7, 4 / 8, 4 / 9, 5 / 10],
    "harvest_rate_last_500": [1, 1, 1, 3 / 4, 3 / 5, 4 / 6, 4 / 7, 4 / 8, 4 / 9, 5 / 10],
    "average_relevance": [
        0.9,
        1.7 / 2,
        2.4 / 3,
        2.5 / 4,
        2.7 / 5,
        3.3 / 6,
        3.3 / 7,
        3.6 / 8,
        3.7 / 9,
        4.7 / 10,
    ],
    "description_precision": [0.5, 0.5, 0.4, 0.3, 0.24, 1.6 / 6, 1.6 / 7, 0.2, 1.6 / 9, 0.2],
    "description_recall": [0.125, 0.25, 0.3, 0.3, 0.3, 0.4, 0.4, 0.4, 0.4, 0.5],
    "recall_per_cpu_second": [0, 1.25, 5 / 3, 1.25, 1, 1.25, 7.5 / 7, 7.5 / 8, 7.5 / 9, 1],
    "sites_found": [1] * 10,  # c.org has nothing
    "sites_per_request": [1 / pages for pages in range(1, 11)],
}
NUMBERS = {
    # The areas: 0, a quarter, a half three times, three quarters four times, and 1; at best 8.5 of 10.
    "nauc": 5.75 / 8.5,
    "recall_at_2R": 0.75,
    "recall_at_budget": 1.0,
    "pages_to_50": 3.0,
    "pages_to_80": 10.0,
    "pages_fetched": 10.0,
    "relevant_sites": 1.0,  # c.org has nothing
    "pages_per_relevant_site": 10.0,  # those of c.org were fetched, too
    "top_site_share": 1.0,
    "rank_milliseconds": 100.0,
}


@pytest.mark.parametrize("name", sorted(CURVES))
def test_curve(name: str) -> None:
    np.testing.assert_allclose(CURVES[name](make_run()), EXPECTED[name], rtol=1e-12)


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_number(name: str) -> None:
    assert find_measure(name)(make_run()) == pytest.approx(NUMBERS[name], rel=1e-12)


def test_a_curve_is_cut_by_name_and_goes_on_to_the_budget() -> None:
    run = make_run()
    assert find_measure("harvest_rate@4")(run) == 0.75
    assert find_measure("harvest_rate@10")(run) == find_measure("harvest_rate")(run) == 0.5
    assert find_measure("target_recall")(run) == 1.0
    short = replace(run, facts=replace(FACTS, budget=20))
    assert len(measures.target_recall(short)) == 20
    # Recall stays 1 for ten more pages; the best crawl would have had it for 17.
    assert measures.nauc(short) == pytest.approx((4.75 + 11) / 18.5)


@pytest.mark.parametrize("name", sorted(CURVES))
def test_nobody_knows_what_a_crawl_stopped_at_its_budget_would_have_brought(name: str) -> None:
    assert math.isfinite(find_measure(f"{name}@10")(make_run()))
    assert math.isnan(find_measure(f"{name}@11")(make_run()))


@pytest.mark.parametrize("name", sorted(CURVES))
def test_a_crawl_that_ran_out_of_links_keeps_its_recall_and_has_no_rates_of_pages_it_never_fetched(
    name: str,
) -> None:
    short = make_run(facts=replace(FACTS, budget=20))
    for pages in (11, 20, 1000):
        value = find_measure(f"{name}@{pages}")(short)
        assert value == EXPECTED[name][-1] if name in measures.SUMS else math.isnan(value)


def test_recall_at_2r_is_unknown_beyond_the_budget() -> None:
    assert math.isnan(measures.recall_at_2r(make_run(facts=replace(FACTS, targets=6))))
    ended = make_run(facts=replace(FACTS, targets=6, budget=11))
    assert measures.recall_at_2r(ended) == pytest.approx(4 / 6)


def test_moving_rates_forget() -> None:
    judged = np.array([True] * 60 + [False] * 40)
    columns = {name: np.zeros(100) for name in ("relevance", "similarity", "rank_seconds")}
    run = make_run(
        facts=replace(FACTS, budget=100),
        step=np.arange(1, 101),
        judged=judged,
        is_target=judged,
        **columns,
    )
    recent = measures.harvest_rate_last_50(run)
    assert recent[[0, 49, 59, 69, 99]].tolist() == [1.0, 1.0, 1.0, 0.8, 0.2]


def test_nothing_found_and_nothing_fetched() -> None:
    empty = {name: getattr(make_run(), name)[:0] for name in EXPECTED_COLUMNS}
    run = make_run(**empty)
    for name, measure in MEASURES.items():
        is_never = name.startswith(("pages_to", "pages_per"))
        assert measure(run) == (math.inf if is_never else 0.0), name
    for curve in CURVES.values():
        assert curve(run).tolist() == [0.0] * 10
    nothing = make_run(is_target=np.zeros(10, dtype=bool), judged=np.zeros(10, dtype=bool))
    assert measures.pages_to_50(nothing) == measures.pages_per_relevant_site(nothing) == math.inf
    assert measures.top_site_share(nothing) == 0.0


EXPECTED_COLUMNS = (
    *("step", "url", "host", "relevance", "is_target", "judged", "similarity", "depth", "rank_seconds"),
)


def test_histograms_and_sites() -> None:
    run = make_run()
    edges, counts = measures.relevance_histogram(run, bins=2)
    assert (edges.tolist(), counts.tolist()) == ([0.0, 0.5, 1.0], [5, 5])
    # The three best are pages 10, 1 and 2 at depths 4, 0 and 1.
    assert measures.distance_histogram(run, best=3).tolist() == [1, 1, 0, 0, 1]
    assert measures.site_densities(run)[0] == ["a.org"]
    assert measures.site_densities(run)[2].tolist() == [1.0]
    assert measures.found_by(run) == {run.url[at] for at in (1, 2, 5, 9)}


def test_the_best_sites_have_most_relevance_in_all_their_pages() -> None:
    run = make_run()
    run.host[:] = ["www.a.org", "a.org", *["b.org"] * 3, *["c.org"] * 5]
    run.relevance[:] = [0.6, 0.6, 0.9, 0.1, 0.1, *[0.2] * 5]
    assert measures.best_sites(run, 2) == ["a.org", "b.org"]
    run.url[6:] = run.url[5]
    assert measures.best_sites(run, 3) == ["a.org", "b.org", "c.org"]
    run.url[1] = run.url[0]
    run.relevance[3] = 0.8
    assert measures.best_sites(run, 1) == ["b.org"], "a page that was fetched twice counts once"


def test_robustness_counts_what_both_have() -> None:
    first, second = make_run(), make_run()
    second.url[:] = first.url[::-1]
    overlap = measures.robustness(first, second)
    assert overlap[4] == 0.0
    assert overlap[5] == pytest.approx(2 / 6)
    assert overlap[9] == 1.0


def test_oracle_share() -> None:
    assert oracle_share(0.3, 0.6) == 0.5
    assert oracle_share(math.inf, 10, less_is_better=True) == 0.0
    assert math.isnan(oracle_share(math.inf, math.inf, less_is_better=True))
    assert math.isnan(oracle_share(0.0, 0.0))
    assert set(MEASURES) >= LESS_IS_BETTER


@pytest.mark.parametrize("name", ["harvest", "nauc@5", "harvest_rate@", "harvest_rate@0", "harvest_rate@-1"])
def test_unknown_measures_are_told(name: str) -> None:
    with pytest.raises(SettingsError, match="there is no measure"):
        find_measure(name)


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.integers(1, 20))
def test_moving_mean_by_definition(values, width):
    expected = [np.mean(values[max(0, end - width) : end]) for end in range(1, len(values) + 1)]
    assert measures.moving_mean(np.array(values), width) == pytest.approx(expected)
