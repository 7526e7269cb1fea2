"""Results come back from disk as they were written, and what is broken is told."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from honeyguide.errors import ImportFailed
from honeyguide.lab.results import (
    Configuration,
    Run,
    RunFacts,
    load,
    read_run,
    run_path,
    write_record,
    write_run,
)

FACTS = RunFacts(
    task="web/bees",
    corpus="web",
    topic="bees",
    split="tuning",
    strategy="otie",
    keywords={"a": 0.5},
    seed=2,
    budget=3,
    targets=7,
    unreachable=1,
    relevant=9,
    relevant_above=0.5,
    stop_reason="page_limit",
)


def make_run() -> Run:
    urls = np.array(["http://a.example/", "http://a.example/é", "http://b.example/"], dtype=object)
    return Run(
        FACTS,
        step=np.arange(1, 4),
        url=urls,
        host=np.array(["a.example", "a.example", "b.example"], dtype=object),
        relevance=np.array([0.1, 1 / 3, 0.9]),
        is_target=np.array([False, True, True]),
        judged=np.array([True, True, True]),
        similarity=np.array([0.0, 0.5, 0.25]),
        depth=np.array([1, 2, 2], dtype=np.int32),
        rank_seconds=np.array([0.001, 0.002, 0.003]),
    )


def test_a_run_comes_back_to_the_last_digit(tmp_path: Path) -> None:
    run, path = make_run(), run_path(tmp_path, "first")
    write_run(path, run)
    again = read_run(path)
    assert again.facts == FACTS
    assert again.facts.label == "otie(a=0.5)"
    for name in ("step", "url", "host", "relevance", "is_target", "judged", "similarity", "depth"):
        before, after = getattr(run, name), getattr(again, name)
        assert before.dtype == after.dtype, name
        assert before.tolist() == after.tolist(), name


def test_results_are_the_runs_of_the_record(tmp_path: Path) -> None:
    tried = [
        Configuration("otie", {"a": 0.5}, 1, 0),
        Configuration("otie", {}, 0, 1),
        Configuration("opic", {}, 1, 1),
    ]
    write_run(run_path(tmp_path, "first"), make_run())
    write_run(run_path(tmp_path, "of an earlier order"), make_run())
    write_record(tmp_path, "test", {"pages": 3}, {"numpy": "2"}, tried, ["first", "not run yet"])
    results = load(tmp_path)
    assert [run.name for run in results.runs] == ["web/bees otie(a=0.5) 2"]
    assert results.configurations == tried
    assert results.tuning_trials() == {"otie": 1, "opic": 1}
    assert results.settings == {"pages": 3}


def test_what_is_no_result_is_told(tmp_path: Path) -> None:
    with pytest.raises(ImportFailed, match="holds no results"):
        load(tmp_path)
    (tmp_path / "experiment.json").write_text(json.dumps({"format": 99}))
    with pytest.raises(ImportFailed, match="another version"):
        load(tmp_path)
    write_record(tmp_path, "test", {}, {}, [], ["broken"])
    run_path(tmp_path, "broken").parent.mkdir()
    run_path(tmp_path, "broken").write_bytes(b"PAR1 not really")
    with pytest.raises(ImportFailed, match="not a run"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("task", "topic", "web"),
    [
        ("webkb/cornell/course", "course", "webkb/cornell"),
        ("wikispeedia/Science.Biology", "Science.Biology", "wikispeedia"),
        ("mine/a/b", "a/b", "mine"),
        ("crawl:crawls/bees", "honey bees", "crawl:crawls/bees"),
    ],
)
def test_the_web_of_a_run_is_its_task_without_the_topic(task, topic, web):
    assert replace(FACTS, task=task, topic=topic).web == web
