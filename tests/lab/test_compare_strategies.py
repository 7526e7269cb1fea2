"""The comparison of strategies, on a small corpus whose truth is known."""

import io

import pytest
from rich.console import Console

from honeyguide.lab.compare_strategies import TASKS, Outcome, Task, compare, table_of, targets_of
from honeyguide.lab.sample_corpus import write_corpus
from honeyguide.lab.sample_web import SampleWeb
from honeyguide.strategies.breadth_first import BreadthFirst
from honeyguide.strategies.soft_focus import SoftFocus


@pytest.fixture
def corpora(tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    write_corpus(SampleWeb(pages=300, seed=7), tmp_path / "sample")
    return tmp_path


def sample_task():
    web = SampleWeb(pages=300, seed=7)
    return Task("sample", web.description("bees"), tuple(web.seeds("bees")), "bees")


def test_counts_what_people_said_is_on_topic(corpora):
    web = SampleWeb(pages=300, seed=7)
    assert targets_of(sample_task(), corpora / "sample") == set(web.targets("bees"))
    blind, focused = compare(corpora, 40, [sample_task()], [BreadthFirst, SoftFocus])
    assert (blind.strategy, focused.strategy) == ("breadth-first", "soft-focus")
    assert blind.pages == focused.pages == 40
    assert focused.targets == len(list(web.targets("bees")))
    assert focused.on_topic >= blind.on_topic > 0
    assert focused.milliseconds_per_page > 0


def test_the_table_has_the_best_recall_first():
    outcomes = [Outcome("c", "worse", 10, 1, 5, 0.1), Outcome("c", "better", 10, 4, 5, 0.2)]
    assert (outcomes[1].harvest_rate, outcomes[1].recall) == (0.4, 0.8)
    console = Console(file=io.StringIO(), width=100)
    console.print(table_of(outcomes))
    text = console.file.getvalue()
    assert text.index("better") < text.index("worse")


def test_the_recorded_webs_hold_what_the_tasks_look_for(shared):
    for task in TASKS:
        folder = shared / "corpora" / task.corpus
        if not folder.is_dir():
            pytest.skip(f"no corpus at {folder}")
        assert len(targets_of(task, folder)) > 100
