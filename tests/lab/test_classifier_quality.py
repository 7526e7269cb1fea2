"""The table of classifiers, on small corpora that are named and labeled as the real ones."""

import json
import random

import pytest

from honeyguide.errors import ImportFailed
from honeyguide.lab import classifier_quality as module
from honeyguide.lab.classifier_quality import classifier_quality, quality_table

CLASSIFIERS = ["svm", "naive-bayes", "network", "majority", "svm, tf undamped", "svm, no negatives"]
WORDS = {
    "course": "lecture homework exam assignment syllabus grading",
    "faculty": "professor publications tenure office journal",
    "project": "prototype demonstration funding laboratory objectives",
    "student": "hobbies resume graduate favorite advisor",
    "other": "weather recipe football garden railway",
}
COMMON = "university computer science department page time people year work find"


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))


def _write(folder, pages):
    folder.mkdir()
    lines = [
        json.dumps({"url": f"https://a.example/{number}", "html": f"<p>{text}", "labels": labels})
        for number, (text, labels) in enumerate(pages)
    ]
    (folder / "pages.jsonl").write_text("\n".join(lines))
    return folder


def _text(dice, kind):
    return " ".join(dice.choices(WORDS[kind].split(), k=6) + dice.choices(COMMON.split(), k=12))


@pytest.mark.slow
def test_webkb_leaves_a_university_out(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "CATEGORIES", ("course",))
    dice = random.Random(1)
    pages = [
        (_text(dice, kind), [kind, f"university:{university}"])
        for university in module.UNIVERSITIES
        for kind in WORDS
        for _ in range(8)
    ]
    rows = classifier_quality(_write(tmp_path / "webkb", pages))
    assert [row.classifier for row in rows] == CLASSIFIERS
    assert {(row.corpus, row.subject) for row in rows} == {("webkb", "course")}
    assert all(row.quality.auc > 0.9 for row in rows)
    table = quality_table(rows).splitlines()
    assert table[0].startswith("| F1 | svm | naive-bayes |")
    assert table[2].startswith("| webkb: course |")
    assert len(table) == 3 + 5


def test_wikispeedia_has_subjects_of_two_levels_and_its_giveaway_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "FEWEST_ARTICLES", 30)
    monkeypatch.setattr(module, "POSITIVES", 15)
    monkeypatch.setattr(module, "NEGATIVES", 30)
    dice = random.Random(2)
    kinds = ["course"] * 40 + ["other"] * 80
    pages = [
        (
            f'<h3 id="siteSub">Subjects: {kind}</h3>{_text(dice, kind)}',
            [f"subject.{kind}.Deep.Deeper", "kind:article"],
        )
        for kind in kinds
    ]
    pages += [("index", ["subject.course", "kind:index"])] * 5
    read = module._pages(_write(tmp_path / "wikispeedia", pages))
    assert not any("Subjects" in page.example.text for page in read)
    trials = list(module._wikispeedia_trials(read))
    assert [trial.subject for trial in trials] == ["course", "course/Deep"]
    assert [len(trials[0].positives), len(trials[0].negatives), len(trials[0].tested)] == [15, 30, 75]
    learned = {example.readable for example in (*trials[0].positives, *trials[0].negatives)}
    assert not learned & set(trials[0].tested)
    assert trials[0].is_relevant.sum() == 25


def test_other_corpora_are_refused(tmp_path):
    with pytest.raises(ImportFailed, match="webkb, wikispeedia"):
        classifier_quality(tmp_path / "uci")
