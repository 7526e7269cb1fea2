"""An experiment is the same to the last digit however often, on however many cores, and with whatever interruptions."""

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from honeyguide.errors import SettingsError
from honeyguide.lab.comparison import compare_runs, task_values
from honeyguide.lab.experiment import collection, plan, run_experiment, run_experiments
from honeyguide.lab.experiment_order import ExperimentOrder
from honeyguide.lab.measures import nauc
from honeyguide.lab.results import Run, load, run_path
from honeyguide.lab.tasks.closed_web import Guide
from honeyguide.lab.tasks.labels import read_labels
from honeyguide.lab.tasks.tasks import Task
from honeyguide.lab.trial import GuideChoice, make_guide
from honeyguide.topics.base import TopicModel
from honeyguide.topics.cosine import CosineTopic
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.meaning.table import PACKAGE
from honeyguide.topics.meaning.topic import MeaningTopic

SETTINGS = {
    "name": "test",
    "tasks": ["sample-600/bees", "sample-600/dogs"],
    "pages": 40,
    "strategies": ["breadth-first", "soft-focus", "random"],
    "guide": "keywords",
}
DETERMINED = ("step", "url", "host", "relevance", "is_target", "judged", "similarity", "depth")


def order(**changed: object) -> ExperimentOrder:
    return ExperimentOrder.from_mapping({**SETTINGS, **changed}, "test")


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HONEYGUIDE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def _ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ran") / "results"
    run_experiment(order(), folder)
    return folder


@pytest.fixture
def ran(_ran: Path, tmp_path: Path) -> Path:
    """Results of the usual order, for a test to do with as it likes."""
    return Path(shutil.copytree(_ran, tmp_path / "ran"))


def content(run: Run) -> tuple[object, ...]:
    return (run.facts, *(getattr(run, name).tolist() for name in DETERMINED))


def contents(folder: Path) -> list[tuple[object, ...]]:
    return [content(run) for run in load(folder).runs]


@pytest.mark.slow
def test_runs_are_the_same_on_one_core_and_on_two(tmp_path: Path) -> None:
    progress: list[tuple[int, int]] = []
    outcome = run_experiment(
        order(guide="svm"), tmp_path / "one", on_progress=lambda *at: progress.append(at)
    )
    assert (outcome.runs, outcome.done_before, outcome.failures) == (10, 0, [])
    assert progress == [(done, 10) for done in range(11)]
    run_experiment(order(guide="svm"), tmp_path / "two", processes=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_the_guide_the_seeds_and_the_budget_are_the_same_for_all(ran: Path) -> None:
    runs = load(ran).runs
    by_task: dict[str, list[Run]] = {}
    for run in runs:
        by_task.setdefault(run.facts.task, []).append(run)
        assert len(run) == run.facts.budget == 40
    for own in by_task.values():
        judged = [dict(zip(run.url, run.relevance, strict=True)) for run in own]
        for url in set.intersection(*map(set, judged)):
            assert len({each[url] for each in judged}) == 1
        assert len({(run.facts.targets, run.facts.unreachable) for run in own}) == 1


def test_texts_for_strategies_are_the_guide_s_examples_or_all_outside_the_web(shared: Path) -> None:
    corpora = shared / "corpora"
    webkb = order(tasks=["webkb/texas/course"], strategies=["hcla"], bounds=False)
    (examples,) = plan(webkb, corpora)
    (elsewhere,) = plan(webkb.model_copy(update={"texts": "elsewhere"}), corpora)
    assert examples.name != elsewhere.name
    labels = read_labels(corpora / "webkb")
    task = examples.task
    assert collection(examples, labels) == [*task.positives, *task.negatives]
    others = [labels[url] for url in collection(elsewhere, labels)]
    assert len(others) == len(labels) - sum("university:texas" in own for own in labels.values())
    assert any("university:misc" in own for own in others)
    with pytest.raises(SettingsError, match="texts: all pages of sample-600 are in the web"):
        plan(order(texts="elsewhere"))


def test_tasks_of_one_split_alone() -> None:
    for split in ("tuning", "reporting"):
        planned = plan(order(tasks=["sample-600/*"], split=split, most_tasks=3, strategies=[]))
        assert {run.task.split for run in planned} == {split}
        assert len({run.task.name for run in planned}) == 3


def test_several_experiments_are_run_together_and_each_into_its_folder(tmp_path: Path) -> None:
    one = order(name="one", bounds=False)
    orders = [one, order(name="few", pages=20, bounds=False)]
    outcome = run_experiments(orders, tmp_path, processes=2)
    assert (outcome.runs, outcome.done_before, outcome.failures) == (12, 0, [])
    assert run_experiments(orders, tmp_path).done_before == 12
    run_experiment(one, tmp_path / "alone")
    assert contents(tmp_path / "one") == contents(tmp_path / "alone")
    assert len(load(tmp_path / "few").runs) == 6


def test_a_guide_learns_from_as_many_examples_as_it_is_given(corpus: Path, task: Task) -> None:
    few = replace(task, positives=task.positives[:3], negatives=task.negatives[:6])
    three = make_guide(task, corpus, GuideChoice("svm", examples=3)).relevance()
    assert three.tolist() == make_guide(few, corpus, GuideChoice("svm")).relevance().tolist()
    assert three.tolist() != make_guide(task, corpus, GuideChoice("svm")).relevance().tolist()


@pytest.mark.parametrize(
    ("guide", "kind"), [("keywords", CosineTopic), ("phrase", KeywordTopic), ("meaning", MeaningTopic)]
)
def test_a_guide_may_know_the_words_of_a_task_alone(
    corpus: Path, task: Task, guide: str, kind: type[TopicModel]
) -> None:
    if guide == "meaning" and find_spec(PACKAGE) is None:
        pytest.skip("the extra `meaning` is not installed")
    topic = make_guide(task, corpus, GuideChoice(guide)).topic
    assert type(topic) is kind
    assert topic.parts().settings["text"] == task.words


def test_a_share_of_the_pages_is_judged_the_wrong_way_round(corpus: Path, task: Task) -> None:
    right = make_guide(task, corpus, GuideChoice("svm"))
    wrong = make_guide(task, corpus, GuideChoice("svm", flipped=0.1))
    urls = right.web.urls
    is_flipped = wrong.is_flipped(urls)
    assert 0.07 < is_flipped.mean() < 0.13
    for flipped, (there, accepted), (back, rejected) in zip(
        is_flipped, right.judge(urls), wrong.judge(urls[::-1])[::-1], strict=True
    ):
        assert back == (1.0 - there if flipped else there)
        assert rejected == (not accepted if flipped else accepted)
    assert not right.is_flipped(urls).any()
    assert Guide(right.topic, right.web, 1.0).is_flipped(urls).all()


def test_the_oracle_is_not_beaten(ran: Path) -> None:
    runs = load(ran).runs
    values = task_values(runs, "nauc")
    for label, by_task in values.items():
        assert all(value <= values["oracle"][task] for task, value in by_task.items()), label
    rows = compare_runs(runs, ["nauc", "harvest_rate@20"])
    assert rows[0].strategy == "oracle"
    assert rows[0].oracle_share == 1.0
    assert rows[0].measured["nauc"].mean == pytest.approx(sum(values["oracle"].values()) / 2)


def test_only_what_is_missing_is_run(ran: Path) -> None:
    before = contents(ran)
    paths = sorted((ran / "runs").iterdir())
    for path in paths[:3]:
        path.unlink()
    kept = {path: path.stat().st_mtime_ns for path in paths[3:]}
    assert run_experiment(order(), ran).done_before == 7
    assert contents(ran) == before
    assert {path: path.stat().st_mtime_ns for path in paths[3:]} == kept


def test_everything_that_changes_a_result_changes_its_name() -> None:
    names = [
        {run.name for run in plan(order(**changed))}
        for changed in (
            {}, {"pages": 41}, {"guide": "svm"}, {"guide": "svm", "examples": 3},
            {"flipped": 0.1}, {"batch": 1}, {"draws": [2]}, {"tasks": ["sample-600-2/*"]},
        )
    ]  # fmt: skip
    assert len(set.union(*names)) == sum(map(len, names))
    configured = plan(order(configurations=[{"strategy": "random", "seed": 7}]))
    assert len({run.name for run in configured}) == len(configured) == 12


def test_all_strategies_are_those_that_differ() -> None:
    names = [name for name, _ in ExperimentOrder(tasks=("sample-600/*",)).chosen()]
    assert {"soft-focus", "hard-focus", "distilled"} <= set(names)
    assert "best-first" not in names, "with its defaults it is soft focus"


def test_a_bound_that_does_not_know_the_seeds_is_run_where_it_is_named(tmp_path: Path) -> None:
    named = order(tasks=["sample-600/bees"], strategies=["peek-but-seeds"], seeds=20)
    assert [name for name, _ in named.chosen()] == ["oracle", "peek", "peek-but-seeds"]
    assert "peek-but-seeds" not in [name for name, _ in order(strategies=["all"]).chosen()]
    run_experiment(named, tmp_path)
    runs = {run.facts.label: run for run in load(tmp_path).runs}
    seeds, run = list(plan(named)[0].task.seeds), runs["peek-but-seeds"]
    is_seed = np.isin(run.url.tolist(), seeds)
    assert is_seed.sum() > 1
    assert run.url[is_seed].tolist() == seeds[: is_seed.sum()], "as they were given"
    assert run.url[is_seed].tolist() != [url for url in runs["peek"].url.tolist() if url in seeds]
    before_a_seed = ~is_seed & (run.step < run.step[is_seed].max())
    assert before_a_seed.any(), "what is linked and relevant goes before"
    assert run.relevance[before_a_seed].min() >= run.facts.relevant_above


def test_whatever_was_tried_stays_on_record(tmp_path: Path) -> None:
    first = {"strategy": "link-context", "beta": 0.5}
    both = ["sample-600/painting", "sample-600/bees"]  # for tuning, for reporting
    run_experiment(order(tasks=both, strategies=[], configurations=[first]), tmp_path)
    run_experiment(order(tasks=["sample-600/bees"], strategies=["link-context"]), tmp_path)
    results = load(tmp_path)
    tried = {one.label: (one.tuning_tasks, one.reporting_tasks) for one in results.configurations}
    assert tried["link-context(beta=0.5)"] == (1, 1)
    assert tried["link-context"] == (0, 1)
    assert results.tuning_trials()["link-context"] == 1
    assert {run.facts.label for run in results.runs} == {"oracle", "peek", "link-context"}


def test_a_run_that_fails_is_told_and_the_others_are_done(tmp_path: Path) -> None:
    missing = {"strategy": "distilled", "inner": "missing"}
    outcome = run_experiment(order(configurations=[missing]), tmp_path / "results")
    assert len(outcome.failures) == 2
    assert all("distilled" in failure and "missing" in failure for failure in outcome.failures)
    assert len(load(tmp_path / "results").runs) == 10


def test_strategies_are_given_what_they_ask_for(tmp_path: Path) -> None:
    outcome = run_experiment(
        order(tasks=["sample-600/bees"], strategies=["hcla", "random"], draws=[1, 2], bounds=False), tmp_path
    )
    assert outcome.failures == []
    by_label = {(run.facts.label, run.facts.seed): run for run in load(tmp_path).runs}
    assert by_label["random", 1].url.tolist() != by_label["random", 2].url.tolist()
    assert nauc(by_label["hcla", 1]) > 0


def test_wrong_orders_are_told(tmp_path: Path) -> None:
    for changed, said in (
        ({"tasks": []}, "no tasks"),
        ({"strategies": ["otis"]}, "did you mean otie"),
        ({"configurations": [{"strategy": "otie", "b": 1}]}, "b: unknown setting"),
        (
            {"guide": "vsm"},
            "there is no 'vsm'; there are keywords, phrase, meaning, ontology, taxonomy, broad-taxonomy, svm",
        ),
        ({"examples": 5}, "examples: keywords learns from none"),
        ({"guide": "svm", "flipped": 1.5}, "flipped"),
        ({"guide": "ontology"}, "sample-600/bees has none"),
        ({"split": "tuning"}, "none of the tasks is for tuning"),
        ({"split": "other"}, "split"),
        ({"page": 3}, "page: unknown setting"),
        ({"pages": "many"}, "pages"),
    ):
        with pytest.raises(SettingsError, match=said):
            plan(order(**changed))
    path = tmp_path / "broken.toml"
    path.write_text("tasks = [")
    with pytest.raises(SettingsError, match=r"broken\.toml"):
        ExperimentOrder.read(path)


@pytest.mark.slow
def test_a_killed_experiment_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "test.toml"
    path.write_text(
        'tasks = ["sample-600/*"]\nmost_tasks = 2\npages = 60\nguide = "keywords"\n'
        'strategies = ["breadth-first", "soft-focus", "link-context"]\n'
    )
    program = "from honeyguide.cli.main import app; app()"
    command = [sys.executable, "-c", program, "lab", "run", str(path), "--processes", "2"]
    killed = tmp_path / "killed"
    process = subprocess.Popen([*command, "--results", str(killed)], start_new_session=True)
    while process.poll() is None and len(list(killed.glob("runs/*.parquet"))) < 2:
        time.sleep(0.005)
    process.kill()
    process.wait()
    _wait_until_gone(process.pid)
    finished = len(list(killed.glob("runs/*.parquet")))
    experiment = ExperimentOrder.read(path)
    outcome = run_experiment(experiment, killed)
    assert 2 <= outcome.done_before == finished < outcome.runs == 10
    run_experiment(experiment, tmp_path / "whole")
    assert contents(killed) == contents(tmp_path / "whole")


def _wait_until_gone(group: int) -> None:
    """Its processes end by themselves; what is still running would write into the results."""
    for _ in range(600):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.killpg(group, signal.SIGKILL)
    pytest.fail("processes of a killed experiment went on")


def test_run_names_are_safe_file_names(tmp_path: Path) -> None:
    for run in plan(order()):
        assert run_path(tmp_path, run.name).parent == tmp_path / "runs"
        assert all(character.isalnum() or character == "-" for character in run.name)


def test_a_crawl_takes_so_many_urls_of_a_site(tmp_path: Path) -> None:
    settings = {"name": "t", "tasks": ["sample-600/bees"], "strategies": ["breadth-first"], "bounds": False}
    free, limited = (
        ExperimentOrder.from_mapping({**settings, "pages": 60, "urls_per_site": urls}, "t") for urls in (0, 3)
    )
    assert {run.name for run in plan(free)}.isdisjoint(run.name for run in plan(limited))
    run_experiment(limited, tmp_path)
    (run,) = load(tmp_path).runs
    _, pages = np.unique(run.host, return_counts=True)
    assert pages.max() <= 3
