"""Tasks are what they say, the same every time, and never contain what the guide has learned from."""

from itertools import islice
from pathlib import Path

import pytest

from honeyguide.assembly import start_crawl
from honeyguide.commands import Label
from honeyguide.crawls import Crawl
from honeyguide.errors import SettingsError, TopicError
from honeyguide.lab.results import REPORTING, TUNING
from honeyguide.lab.tasks.labels import read_labels, read_links
from honeyguide.lab.tasks.tasks import Shape, Task, find_tasks, spread
from honeyguide.sample_web.web import SampleWeb
from honeyguide.settings import CrawlOrder

SOME = ("webkb/*", "wikispeedia/*", "uci-ics/*.ics.uci.edu", "sample-900/*")


def found(pattern: str, shared: Path, shape: Shape | None = None) -> list[Task]:
    return find_tasks([pattern], shared / "corpora", shape)


@pytest.mark.parametrize("pattern", SOME)
def test_nothing_that_is_given_is_looked_for(pattern: str, shared: Path) -> None:
    tasks = found(pattern, shared)
    assert tasks == found(pattern, shared)
    assert {task.split for task in tasks} == {TUNING, REPORTING}
    for task in tasks:
        assert task.seeds
        assert task.targets
        assert task.positives
        assert task.targets.isdisjoint((*task.positives, *task.negatives, *task.seeds)), task.name
        assert task.targets <= task.relevant
        assert task.relevant.isdisjoint(task.negatives)
        assert task.words


def test_webkb_learns_from_the_other_universities(shared: Path) -> None:
    tasks = {task.name: task for task in found("webkb/*", shared)}
    assert len(tasks) == 16
    counts = {
        "course": 77,
        "faculty": 31,
        "project": 21,
        "student": 126,
    }  # of Washington, by its readme's labels
    assert {name: len(tasks[f"webkb/washington/{name}"].targets) for name in counts} == counts
    labels = read_labels(shared / "corpora" / "webkb")
    task = tasks["webkb/washington/course"]
    assert task.seeds == ("http://www.cs.washington.edu/",)
    for url in (*task.positives, *task.negatives):
        assert labels[url] & {"university:cornell", "university:texas", "university:wisconsin"}
        assert ("course" in labels[url]) == (url in task.positives)
    assert {task.topic for task in tasks.values() if task.split == TUNING} == {"project"}


def test_uci_has_words_for_every_group(shared: Path) -> None:
    for task in found("uci-ics/*", shared, Shape(distance=0)):  # all groups have seeds among their own pages
        assert len(task.words.split()) > 1, task.name


def test_wikispeedia_by_level_and_depth(shared: Path) -> None:
    birds = "wikispeedia/Science.Biology.Birds"
    (deep,) = found(birds, shared, Shape(topic_level=3))
    assert len(deep.relevant) == 161
    assert deep.words == "Science Biology Birds"
    (biology,) = found("wikispeedia/Science.Biology", shared)
    assert deep.relevant <= biology.relevant
    africa = "wikispeedia/Geography.African_Geography"
    whole, shallow = (len(found(africa, shared, Shape(max_depth=depth))[0].relevant) for depth in (1, 0))
    assert (whole, shallow) == (187, 130)  # 57 are filed under its countries


def test_draws_differ_in_their_seeds_alone(shared: Path) -> None:
    one, two = (found("wikispeedia/Science.Physics", shared, Shape(draw=draw))[0] for draw in (1, 2))
    assert set(one.seeds).isdisjoint(two.seeds)
    assert (one.positives, one.negatives) == (two.positives, two.negatives)
    assert one.targets | set(one.seeds) == two.targets | set(two.seeds)


def test_seeds_at_a_distance_are_no_targets_and_lead_to_some(shared: Path) -> None:
    for distance in (1, 2):
        (task,) = found("wikispeedia/Science.Chemistry", shared, Shape(distance=distance))
        assert len(task.seeds) == 5
        assert task.relevant.isdisjoint(task.seeds) or task.targets.isdisjoint(task.seeds)


def test_seeds_at_a_distance_are_of_the_web_that_is_crawled_and_lead_to_targets_in_it(shared: Path) -> None:
    folder = shared / "corpora" / "wikispeedia"
    labels = read_labels(folder)
    inlinks = read_links(folder)
    for task in found("wikispeedia/*", shared, Shape(distance=3)):
        assert len(task.seeds) == 5
        assert not any(task.without in labels[url] for url in task.seeds), task.name
        # Three links back from the targets, never by a page that is not crawled.
        level = set(task.targets)
        near = set(level)
        for _ in range(3):
            level = {
                url for at in level for url in inlinks.get(at, ()) if task.without not in labels[url]
            } - near
            near |= level
        assert near.issuperset(task.seeds), task.name


def test_many_tasks_are_spread_over_their_parents(shared: Path) -> None:
    tasks = found("wikispeedia/*", shared)
    chosen = spread(tasks, 10)
    assert len(chosen) == 10
    assert len({task.name.partition(".")[0] for task in chosen}) >= 9
    assert spread(tasks, 0) == sorted(tasks, key=lambda task: task.name)


def test_what_is_no_task_is_told(tmp_path: Path) -> None:
    for pattern, said in (
        ("nowhere/*", "no tasks are known"),
        ("sample-500/nothing", "no task is called"),
        ("sample-many/bees", "a sample web is called"),
    ):
        with pytest.raises(SettingsError, match=said):
            find_tasks([pattern], tmp_path)


def test_corpora_must_be_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HONEYGUIDE_CORPORA", raising=False)
    with pytest.raises(SettingsError, match="HONEYGUIDE_CORPORA"):
        find_tasks(["webkb/*"])


def test_a_former_crawl_is_a_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    web = SampleWeb(pages=1_000)
    order = CrawlOrder().with_overrides(
        {
            "topic.text": web.description("dogs"),
            "topic.relevant_above": 0.2,
            "seeds.urls": web.seeds("dogs"),
            "web.sample_pages": 1_000,
            "limits.max_pages": 500,
            "output.folder": str(tmp_path / "crawl"),
        }
    )
    with start_crawl(order) as crawler:
        crawler.run()
    (task,) = find_tasks([f"crawl:{tmp_path / 'crawl'}"])
    assert task.targets
    assert task.targets.isdisjoint((*task.positives, *task.negatives, *task.seeds))
    assert set(task.seeds) == set(web.seeds("dogs"))
    truth = set(web.targets("dogs"))
    # Told by a judge who learned from the crawl's own verdicts; of all pages one in eighteen is on dogs.
    assert len(task.relevant & truth) > 0.4 * len(task.relevant)
    _label(Crawl.open(tmp_path / "crawl"), truth)
    (told,) = find_tasks([f"crawl:{tmp_path / 'crawl'}"])
    assert told.relevant <= truth
    assert set(told.negatives).isdisjoint(truth)
    assert told.targets == told.relevant.difference(told.positives, told.seeds)


def _label(crawl: Crawl, truth: set[str]) -> None:
    """What a person would say of the pages of a crawl."""
    for visit in islice(crawl.visits(), 90):
        crawl.send(Label(url=visit.url, relevant=visit.url in truth))
    with crawl:
        crawl.run(pages=501)


def test_a_crawl_that_is_too_small_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    order = CrawlOrder().with_overrides(
        {
            "topic.text": "bees",
            "seeds.urls": SampleWeb(pages=1_000).seeds("bees"),
            "web.sample_pages": 1_000,
            "limits.max_pages": 20,
            "output.folder": str(tmp_path / "crawl"),
        }
    )
    with start_crawl(order) as crawler:
        crawler.run()
    with pytest.raises(TopicError, match="too few"):
        find_tasks([f"crawl:{tmp_path / 'crawl'}"])
