"""Training from examples, and its report."""

import random
import subprocess
import sys
from string import ascii_lowercase

import numpy as np
import pytest

from honeyguide.errors import TopicError
from honeyguide.topics.classifier import train_classifier
from honeyguide.topics.classifier.background import backbone_words, background_texts
from honeyguide.topics.classifier.quality import quality
from honeyguide.topics.classifier.scorer import Scorer
from honeyguide.topics.classifier.topic import MODELS
from honeyguide.topics.examples import Example
from honeyguide.topics.stop_words import stop_words
from honeyguide.topics.text import words_of
from honeyguide.topics.topic_file import read_topic, write_topic

from .conftest import BEES, BOTH, RAILS, make_examples

FRESH = [make_examples(BEES, 20, seed=1), make_examples(RAILS, 20, seed=1)]


@pytest.mark.parametrize("model", MODELS)
def test_every_model_tells_pages_it_has_not_seen(model, on_topic, off_topic):
    topic = train_classifier(on_topic, off_topic, model=model).topic
    near, far = (topic.judge([example.readable for example in fresh]) for fresh in FRESH)
    assert topic.model == model
    assert (near > 0.5).mean() > 0.9
    assert (far < 0.5).mean() > 0.9


@pytest.mark.parametrize("model", MODELS)
def test_a_written_topic_judges_other_pages_as_well_as_the_report_says(model, tmp_path):
    """Pages as they are: most of their words are on anything, so that a model has something to be misled by."""
    anything = [f"w{first}{second}x" for first in ascii_lowercase for second in ascii_lowercase]

    def pages(words, number, seed):
        dice = random.Random(f"{words[0]}-{seed}")
        return [
            Example(" ".join(dice.choices(words, k=6) + dice.choices(anything, k=150))) for _ in range(number)
        ]

    trained = train_classifier(pages(BEES, 10, 0), pages(RAILS, 20, 0), model=model)
    write_topic(tmp_path / "a.topic", trained.topic)
    fresh = [example.readable for example in (*pages(BEES, 60, 1), *pages(RAILS, 60, 1))]
    judged = read_topic(tmp_path / "a.topic").judge(fresh)
    assert (judged == trained.topic.judge(fresh)).all()
    measured = quality(judged, np.arange(120) < 60)
    assert measured.auc > 0.9
    assert measured.auc > trained.report.quality.auc - 0.1
    assert measured.brier < trained.report.quality.brier + 0.1


def test_the_report_says_what_was_learned_from_and_how_well(trained):
    report = trained.report
    assert (report.model, report.language, report.positives, report.negatives) == ("majority", "en", 30, 60)
    assert report.quality.f1 > 0.9
    assert report.quality.brier < 0.1
    assert list(report.members) == ["svm", "naive-bayes", "network"]
    assert set(report.telling_stems[:5]) <= {"bee", "hive", "honey", "swarm", "queen", "brood", "nectar", "pollen"} | {
        "wax", "comb", "drone", "apiari", "keeper", "sting", "frame", "smoker"
    }  # fmt: skip
    assert report.warnings == []


def test_figures_are_of_examples_held_out():
    """Labels drawn by lot cannot be learned, though any model can learn such few examples by heart."""
    dice = np.random.default_rng(5)
    examples = make_examples(BOTH + BEES + RAILS, 120)
    by_lot = dice.permutation(120)
    positives = [examples[place] for place in by_lot[:40]]
    report = train_classifier(positives, [examples[place] for place in by_lot[40:]]).report
    assert 0.3 < report.quality.auc < 0.7
    assert any("hard to tell apart" in warning for warning in report.warnings)


def test_training_is_repeatable(on_topic, off_topic, trained):
    again = train_classifier(on_topic, off_topic, model="majority")
    text = [FRESH[0][0].readable]
    assert (again.topic.probabilities(text) == trained.topic.probabilities(text)).all()
    assert again.report == trained.report


def test_without_negatives_a_background_stands_in(on_topic):
    trained = train_classifier(on_topic)
    near, far = (trained.topic.judge([example.readable for example in fresh]) for fresh in FRESH)
    assert (near > 0.5).mean() > 0.5
    assert (far < 0.5).mean() > 0.9
    assert trained.report.is_background
    assert "no negative examples" in trained.report.warnings[-1]


def test_the_background_is_like_the_examples_in_length_and_unlike_in_topic():
    examples = [
        "The singer and the band play guitar and piano at a concert: an album of songs, jazz, opera " * 5
    ] * 4
    texts = background_texts(examples, 600, "en", seed=0)
    assert texts == background_texts(examples, 600, "en", seed=0)
    skipped = stop_words("en")
    content = sum(word not in skipped for word in words_of(examples[0]))
    assert {len(text.split()) for text in texts} == {content}
    music = next(set(words) for words in backbone_words() if "orchestra" in words)
    shares = [sum(word in music for word in text.split()) / content for text in texts]
    assert max(shares) < 0.5, "a text on music would have 7 such words in 10"


def test_there_is_no_background_in_other_languages():
    german = [
        Example(f"Die Imkerin öffnet den Stock Nummer {word} und sieht, ob die Bienen genug Honig haben")
        for word in ("eins", "zwei", "drei", "vier")
    ]
    with pytest.raises(TopicError, match=r"'de'.*negative examples"):
        train_classifier(german)


def test_japanese_pages_are_told_apart():
    bees = [
        Example(f"蜜蜂は花から花へ飛び、巣箱に蜂蜜を集めます。養蜂家は{word}に巣を調べます。" * 3)
        for word in "春夏秋冬"
    ]
    rails = [
        Example(f"列車は駅から駅へ走り、乗客を町に運びます。運転士は{word}に線路を確かめます。" * 3)
        for word in "春夏秋冬"
    ]
    trained = train_classifier(bees, rails)
    assert trained.report.language == "ja"
    near, far = trained.topic.judge(["巣箱の蜜蜂と蜂蜜", "駅の列車と線路"])
    assert near > 0.5 > far


@pytest.mark.parametrize(
    "options",
    [{"model": "oracle"}, {"weighting": "none"}, {"best_stems": 0}],
    ids=["model", "weighting", "stems"],
)
def test_unknown_options_are_refused(options, on_topic, off_topic):
    with pytest.raises(TopicError):
        train_classifier(on_topic, off_topic, **options)


def test_examples_of_stop_words_alone_are_refused(off_topic):
    with pytest.raises(TopicError, match="stop words"):
        train_classifier([Example("and the of"), Example("with or without")], off_topic)


def test_two_pages_of_each_class_are_enough(on_topic, off_topic):
    trained = train_classifier(on_topic[:2], off_topic[:2], model="majority")
    assert trained.topic.judge([on_topic[0].readable])[0] > trained.topic.judge([off_topic[0].readable])[0]


def test_judging_needs_no_scikit_learn(trained, tmp_path):
    """The crawl's worker process must not pay for importing it."""
    import pickle

    (tmp_path / "topic.pickle").write_bytes(pickle.dumps(trained.topic))
    code = (
        "import pickle, sys; topic = pickle.load(open(sys.argv[1], 'rb'));"
        "print(topic.judge(['bees in a hive'])[0]); topic.explain('bees');"
        "assert not any(name.startswith('sklearn') for name in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "topic.pickle")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert float(done.stdout) == trained.topic.judge(["bees in a hive"])[0]


@pytest.mark.parametrize(
    ("options", "looks_at_all"),
    [
        ({}, True),
        ({"weighting": "raw"}, False),
        ({"model": "naive-bayes"}, False),
        ({"best_stems": 3}, False),
    ],
    ids=["svm", "as published", "naive-bayes", "told"],
)
def test_the_svm_looks_at_all_stems(monkeypatch, options, looks_at_all, on_topic, off_topic):
    monkeypatch.setattr(Scorer, "best_stems", 5)
    features = train_classifier(on_topic, off_topic, **options).topic.features
    most = options.get("best_stems", 5)
    assert features.selected == (len(features.vocabulary) if looks_at_all else most)
    assert len(features.vocabulary) > 5
