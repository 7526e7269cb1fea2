import pickle

import numpy as np
import pytest

from honeyguide.checks.topic_model import check_topic_model
from honeyguide.errors import TopicError
from honeyguide.topics.base import TopicParts
from honeyguide.topics.examples import Example
from honeyguide.topics.taxonomy import Taxonomy, TaxonomyTopic, TopicTree

EXAMPLES = {
    "Science/Bees": ["honey hive swarm nectar", "queen bee hive wax"],
    "Science/Rocks": ["granite quartz crystal", "basalt lava quartz"],
    "Arts/Music": ["guitar melody song", "piano song choir"],
    "Arts/Film": ["camera actor scene", "director actor screen"],
}
BEES, ROCKS, MUSIC = "nectar and wax of the hive", "quartz in lava", "a song for piano"


def topic(*good: str) -> TaxonomyTopic:
    tree = TopicTree()
    pairs = [
        (Example(text, f"http://x.org/{text[:3]}", path), path)
        for path in EXAMPLES
        for text in EXAMPLES[path]
    ]
    places = [tree.place(path.split("/")) for _, path in pairs]
    taxonomy = Taxonomy.train(tree, [example for example, _ in pairs], places, language="en")
    for path in good:
        taxonomy.mark_good(path)
    return TaxonomyTopic(taxonomy)


@pytest.mark.parametrize("good", [("Science",), ("Science/Bees",), ("Science/Bees", "Arts/Film")])
def test_conforms(good):
    check_topic_model(topic(*good), BEES, MUSIC)


def test_soft_relevance_is_the_sum_over_good_topics():
    model = topic("Science/Bees", "Arts/Music")
    taxonomy = model.taxonomy
    found = taxonomy.probabilities(taxonomy.counted([BEES, ROCKS, MUSIC]))
    expected = found[:, taxonomy.tree.find("Science/Bees")] + found[:, taxonomy.tree.find("Arts/Music")]
    assert model.judge([BEES, ROCKS, MUSIC]) == pytest.approx(expected)
    assert model.judge([BEES])[0] > 0.8 > 0.4 > model.judge([ROCKS])[0]


def test_hard_rule_takes_the_best_leaf_or_a_topic_above_it():
    judgment = topic("Science").classify([BEES, ROCKS, MUSIC, "unheard"])
    assert judgment.classes[:3] == ["Science/Bees", "Science/Rocks", "Arts/Music"]
    assert judgment.accepted.tolist() == [True, True, False, False]
    assert topic("Science/Bees").classify([BEES, ROCKS]).accepted.tolist() == [True, False]


def test_the_hard_rule_follows_the_best_leaf_even_against_the_sum():
    # Each word speaks for one leaf: together the two of Science win the sum, the song wins as a leaf.
    model = topic("Science")
    judgment = model.classify(["swarm crystal song"])
    assert judgment.relevance[0] > 0.5
    assert judgment.classes == ["Arts/Music"]
    assert not judgment.accepted[0]


def test_texts_without_a_known_word_are_not_relevant():
    assert topic("Science", "Arts/Music").judge(["", "zzz qqq"]).tolist() == [0, 0]


def test_explanation_names_words_leaf_and_both_relevances():
    explanation = topic("Science/Bees").explain(f"{BEES} and a song")
    assert "best leaf Science/Bees" in explanation.summary
    assert "if every word counted in full" in explanation.summary
    parts = {part.label: part.number for part in explanation.parts}
    assert parts["hive x1"] > 0 > parts["song x1"]
    gains = [abs(part.number) for part in explanation.parts]
    assert gains == sorted(gains, reverse=True)


def test_without_a_good_topic_there_is_no_relevance():
    with pytest.raises(TopicError, match="marked good"):
        topic()


def test_everything_survives_its_parts():
    model = topic("Science/Bees")
    again = TaxonomyTopic.from_parts(model.parts())
    assert (again.judge([BEES, MUSIC]) == model.judge([BEES, MUSIC])).all()
    for one in (model, again):
        one.taxonomy.move_examples([0], "Arts/Music")
        one.taxonomy.add_examples("Science/Rocks", [Example("marble")])
    assert (again.judge([BEES, MUSIC]) == model.judge([BEES, MUSIC])).all()
    assert again.taxonomy.tree.names == model.taxonomy.tree.names
    assert again.taxonomy.documents.titles == model.taxonomy.documents.titles
    assert again.taxonomy.documents.urls == model.taxonomy.documents.urls
    assert (pickle.loads(pickle.dumps(model)).judge([BEES]) == model.judge([BEES])).all()


def changed(name: str, value) -> TopicParts:
    parts = topic("Science").parts()
    if name in parts.arrays:
        return TopicParts(parts.settings, {**parts.arrays, name: value(parts.arrays[name])})
    return TopicParts({**parts.settings, name: value}, parts.arrays)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("parents", lambda array: array[::-1].copy()),
        ("parents", lambda array: np.zeros_like(array)),
        ("good", lambda array: np.array([999])),
        ("good", lambda array: np.array([0])),
        ("good", lambda array: np.array([], dtype=np.int32)),
        ("names", lambda array: array[:5]),
        ("names", lambda array: array.astype(np.float64) * 1e9),
        ("places", lambda array: array + 1000),
        ("places", lambda array: array[:-1]),
        ("titles", lambda array: array[:-3]),
        ("counts", lambda array: array * 0 - 5),
        ("counts", lambda array: array[:-1]),
        ("count_terms", lambda array: array + 10_000),
        ("count_starts", lambda array: array[::-1].copy()),
        ("count_starts", lambda array: np.array([0, *[20_000_000] * (len(array) - 2), array[-1]])),
        ("stems", lambda array: np.full(9, 255, dtype=np.uint8)),
        ("smoothing", -1.0),
        ("smoothing", "much"),
        ("colour", "red"),
    ],
)
def test_damaged_parts_are_refused(name, value):
    with pytest.raises(TopicError):
        TaxonomyTopic.from_parts(changed(name, value))


def test_missing_parts_are_refused():
    with pytest.raises(TopicError, match="damaged"):
        TaxonomyTopic.from_parts(TopicParts({}, {}))
