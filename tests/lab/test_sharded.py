"""A crawl in shards, simulated: it finds what one crawl finds, about as soon, and only if shards tell each other."""

from pathlib import Path

import numpy as np
import pytest

from honeyguide.errors import SettingsError
from honeyguide.lab.comparison import compare_runs
from honeyguide.lab.experiment import run_experiment
from honeyguide.lab.experiment_order import ExperimentOrder
from honeyguide.lab.levels import own_settings
from honeyguide.lab.person import Lessons
from honeyguide.lab.results import load
from honeyguide.lab.sharded import EVERYTHING, Exchange
from honeyguide.lab.tasks.closed_web import Guide
from honeyguide.lab.tasks.tasks import Task
from honeyguide.lab.trial import GuideChoice, crawl_in_shards, crawl_order, find_truth, make_guide, run_trial
from honeyguide.shards.owners import Owners
from honeyguide.strategies.base import Strategy
from honeyguide.strategies.best_first import BestFirst
from honeyguide.strategies.cc_bfs import CcBfs
from honeyguide.strategies.hcla import Hcla
from honeyguide.strategies.honeyguide import Honeyguide
from honeyguide.strategies.link_analysis import LinkAnalysis

PAGES = 64
EXPERIMENTS = Path(__file__).parents[2] / "experiments"


@pytest.fixture(scope="module")
def guide(corpus: Path, task: Task) -> Guide:
    return make_guide(task, corpus, GuideChoice("keywords"))


def found_by(task: Task, guide: Guide, folder: Path, exchange: Exchange) -> float:
    """Targets found by then, on average over all pages."""
    order = crawl_order(task, PAGES, 8)
    visits, reason = crawl_in_shards(order, folder, guide, BestFirst(), 6, exchange)
    is_target = np.zeros(PAGES)
    is_target[: len(visits)] = [visit.url in find_truth(task, guide.web).targets for visit in visits]
    assert (reason == "page_limit") == (len(visits) == PAGES)
    return float(np.cumsum(is_target).mean())


def test_shards_find_together_what_is_best_and_only_together(
    task: Task, guide: Guide, tmp_path: Path
) -> None:
    everything = found_by(task, guide, tmp_path / "all", EVERYTHING)
    equally = found_by(task, guide, tmp_path / "equally", Exchange(quotas=False))
    silent = found_by(task, guide, tmp_path / "silent", Exchange(letters=False))
    assert everything > 1.1 * equally
    assert everything > silent


def test_runs_in_shards_are_runs_as_any_other(task: Task, guide: Guide) -> None:
    runs = [run_trial(task, guide, Honeyguide(), pages=24, batch=8, keywords={"shards": 5}) for _ in range(2)]
    assert runs[0].facts.label == "honeyguide(shards=5)"
    assert len(runs[0]) == len({*runs[0].url}) == 24
    assert runs[0].url.tolist() == runs[1].url.tolist()
    assert (np.diff(runs[0].rank_seconds) >= 0).all()
    owners = Owners(5, 0).of(runs[0].url.tolist())
    assert len(np.unique(owners)) > 1
    assert set(task.seeds) & {*runs[0].url[:8]}


@pytest.mark.parametrize("strategy", [CcBfs(), Hcla(every=8), LinkAnalysis(top_size=8, minimum_frontier=4)])
def test_what_needs_all_links_finds_them_in_shards(strategy: Strategy, task: Task, guide: Guide) -> None:
    run = run_trial(task, guide, strategy, pages=24, batch=8, keywords={"shards": 3})
    assert len({*run.url}) == 24
    assert len(np.unique(Owners(3, 0).of(run.url.tolist()))) > 1


def test_what_no_job_can_do_is_refused(task: Task, guide: Guide) -> None:
    with pytest.raises(SettingsError, match="hcla looks at all links"):
        run_trial(task, guide, Hcla(anchors=True), pages=40, batch=8, keywords={"shards": 2})


def test_nobody_teaches_shards(task: Task, guide: Guide) -> None:
    with pytest.raises(SettingsError, match="teach"):
        run_trial(task, guide, BestFirst(), pages=9, batch=8, keywords={"shards": 2}, lessons=Lessons(3))


def test_an_experiment_runs_each_strategy_with_each_number_of_shards() -> None:
    order = ExperimentOrder.from_mapping(
        {"tasks": ["sample-600/bees"], "strategies": ["opic"], "shards": [1, 4], "guide": "keywords"}, "test"
    )
    chosen = [("oracle", {}), ("peek", {}), ("opic", {}), ("opic", {"shards": 4})]
    assert order.chosen() == chosen
    assert own_settings({"n": 3, "shards": 4}) == {"n": 3}


@pytest.mark.slow
# On the other web .99 was reached; whatever changes the order of crawls may move that by .02 and asks for another look.
@pytest.mark.parametrize(("experiment", "floor"), [("shards-sample", 0.98), ("shards-sites", 0.98)])
def test_sixteen_shards_are_nearly_as_good_as_one(
    experiment, floor, shared: Path, monkeypatch, tmp_path: Path
) -> None:
    """Some minutes: of the area under the recall curve of one crawl, 16 shards reach a share."""
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    order = ExperimentOrder.read(EXPERIMENTS / f"{experiment}.toml")
    outcome = run_experiment(order, tmp_path / "results", shared / "corpora")
    assert not outcome.failures
    rows = compare_runs(load(tmp_path / "results").runs, ["nauc"])
    reached = {row.strategy: row.measured["nauc"].mean for row in rows}
    assert reached["honeyguide(shards=16)"] >= floor * reached["honeyguide"]
