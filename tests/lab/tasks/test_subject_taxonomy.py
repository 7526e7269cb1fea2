"""A taxonomy as guide: learned from examples of all subjects, never from what is looked for."""

import json

import pytest

from honeyguide.errors import SettingsError
from honeyguide.lab.experiment import plan
from honeyguide.lab.experiment_order import ExperimentOrder
from honeyguide.lab.tasks.labels import ARTICLE
from honeyguide.lab.tasks.subject_taxonomy import MOST_OF_OTHERS
from honeyguide.lab.tasks.tasks import Task
from honeyguide.lab.trial import GuideChoice, make_guide

TEXTS = {
    "Science.Biology.Birds": "feathers wings nests eggs song",
    "Science.Biology.Fish": "fins gills scales rivers swim",
    "Science.Physics": "mass energy motion force heat",
    "Art.Music": "opera violin melody orchestra choir",
}
MANY = 50


def url(subject, number):
    return f"http://wiki.example/{subject}/{number}"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "wikispeedia"
    folder.mkdir()
    with (folder / "pages.jsonl").open("w") as file:
        for subject, text in TEXTS.items():
            for number in range(MANY):
                labels = [ARTICLE, f"subject.{subject}"]
                # A bird that is in a song as well: it is looked for, and must not be learned from as music.
                labels += ["subject.Art.Music"] if (subject, number) == ("Science.Biology.Birds", 7) else []
                html = f"<title>{number}</title><p>{text} word{number}"
                file.write(json.dumps({"url": url(subject, number), "html": html, "labels": labels}) + "\n")
    (folder / "links.tsv").write_text("")
    return folder


@pytest.fixture
def task():
    birds, fish = (
        [url(f"Science.Biology.{name}", number) for number in range(MANY)] for name in ("Birds", "Fish")
    )
    return Task(
        name="wikispeedia/Science.Biology", corpus="wikispeedia", topic="Science.Biology", words="biology",
        seeds=(birds[-1],), targets=frozenset({*birds[4:-1], *fish[4:]}), relevant=frozenset({*birds, *fish}),
        positives=(*birds[:4], *fish[:4]), negatives=(), budget=20,
    )  # fmt: skip


def test_nothing_that_is_looked_for_is_learned_from(task, folder):
    learned = make_guide(task, folder, GuideChoice("taxonomy")).topic.taxonomy.documents.urls
    assert not {*learned} & {*task.targets, *task.seeds}
    assert {*task.positives} <= {*learned}
    assert len(learned) == len(task.positives) + 2 * MOST_OF_OTHERS


def test_the_subject_is_good_with_all_below_it(task, folder):
    guide = make_guide(task, folder, GuideChoice("taxonomy"))
    (bird, is_bird), (law, is_law), (music, is_music) = guide.judge(
        [url("Science.Biology.Birds", 9), url("Science.Physics", 9), url("Art.Music", 9)]
    )
    assert bird > 0.5 > max(law, music)
    assert (is_bird, is_law, is_music) == (True, False, False)
    tree = guide.topic.taxonomy.tree
    assert [tree.path(node) for node in tree.good] == ["Science/Biology"]


def test_the_broad_one_wants_what_is_around_it_too(task, folder):
    pages = [url("Science.Physics", 9), url("Art.Music", 9)]
    verdicts = make_guide(task, folder, GuideChoice("broad-taxonomy")).judge(pages)
    assert [is_accepted for _, is_accepted in verdicts] == [True, False]


def test_a_web_without_subjects_has_none():
    order = ExperimentOrder(tasks=("sample-600/*",), strategies=("random",), guide="taxonomy")
    with pytest.raises(SettingsError, match="taxonomy needs a tree of subjects"):
        plan(order)
