import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import TopicError
from honeyguide.topics.examples import Example
from honeyguide.topics.taxonomy import Taxonomy, TopicTree, Training
from honeyguide.topics.taxonomy.documents import Documents

PATHS = ("Arts", "Arts/Music", "Arts/Music/Jazz", "Arts/Film", "Science", "Science/Bees", "Science/Rocks")
WORDS = ("honey", "hive", "swarm", "guitar", "melody", "camera", "granite", "quartz", "saxophone", "theory")
QUERIES = [
    "honey hive",
    "guitar saxophone melody melody",
    "granite theory",
    "unknown",
    "",
    " ".join(WORDS * 9),
]

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
documents = st.lists(st.tuples(texts, st.sampled_from(PATHS)), min_size=1, max_size=12)


def tree_of(paths=PATHS) -> TopicTree:
    tree = TopicTree()
    for path in paths:
        tree.place(path.split("/"))
    return tree


def trained(pairs, training=None) -> Taxonomy:
    tree = tree_of()
    examples = [Example(text, f"http://example.org/{number}") for number, (text, _) in enumerate(pairs)]
    return Taxonomy.train(tree, examples, [tree.find(path) for _, path in pairs], training, "en")


def judged(taxonomy: Taxonomy, *, tempered: bool = True):
    return taxonomy.probabilities(taxonomy.counted(QUERIES), tempered=tempered)


@settings(max_examples=40)
@given(documents, st.booleans(), st.booleans())
def test_probabilities_of_children_add_up_to_their_parents(pairs, portraits, tempered):
    taxonomy = trained(pairs, Training(portraits=portraits))
    found = judged(taxonomy, tempered=tempered)
    assert (found[:, 0] == 1).all()
    for node in range(len(taxonomy.tree)):
        if children := taxonomy.tree.children(node):
            assert found[:, children].sum(axis=1) == pytest.approx(found[:, node], abs=1e-12)


@settings(max_examples=40)
@given(documents, st.data(), st.booleans())
def test_moving_examples_equals_training_from_scratch(pairs, data, portraits):
    training = Training(portraits=portraits, features=4)
    taxonomy = trained(pairs, training)
    for _ in range(data.draw(st.integers(1, 3))):
        chosen = data.draw(st.lists(st.integers(0, len(pairs) - 1), max_size=3))
        path = data.draw(st.sampled_from(PATHS))
        taxonomy.move_examples(chosen, path)
        for number in chosen:
            pairs[number] = (pairs[number][0], path)
    assert (judged(taxonomy) == judged(trained(pairs, training))).all()


@settings(max_examples=40)
@given(documents, st.data())
def test_moving_a_topic_equals_training_from_scratch(pairs, data):
    taxonomy = trained(pairs)
    taxonomy.move_topic("Arts/Music", data.draw(st.sampled_from(["", "Science", "Science/Bees"])))
    fresh = Documents("en")
    fresh.add([Example(text) for text, _ in pairs], taxonomy.documents.places)
    assert (judged(taxonomy) == judged(Taxonomy(taxonomy.tree, fresh, Training()))).all()


@settings(max_examples=40)
@given(documents, documents)
def test_examples_added_later_count_as_those_from_the_start(pairs, more):
    taxonomy = trained(pairs)
    for text, path in more:
        taxonomy.add_examples(path, [Example(text)])
    assert judged(taxonomy) == pytest.approx(judged(trained(pairs + more)), abs=1e-9)


def test_renaming_changes_no_probability():
    taxonomy = trained([("honey", "Science/Bees"), ("guitar", "Arts/Music")])
    before = judged(taxonomy)
    taxonomy.rename_topic("Science/Bees", "Apiology")
    assert (judged(taxonomy) == before).all()
    assert taxonomy.examples_of("Science/Apiology") == [0]


def test_a_topic_is_refined_by_its_examples():
    taxonomy = trained([("honey hive", "Science"), ("granite quartz", "Science"), ("guitar", "Arts")])
    taxonomy.refine("Science", {"Honey_making": [0]})
    assert taxonomy.examples_of("Science/Honey making") == [0]
    assert taxonomy.examples_of("Science") == [0, 1]
    honey = taxonomy.tree.find("Science/Honey making")
    assert judged(taxonomy)[0, honey] > judged(taxonomy)[2, honey]


def test_a_topic_is_not_refined_by_examples_of_another():
    taxonomy = trained([("honey hive", "Science"), ("guitar", "Arts")])
    before = judged(taxonomy)
    with pytest.raises(TopicError, match="example 1 belongs to 'Arts', not to 'Science'"):
        taxonomy.refine("Science", {"Honey": [0, 1]})
    assert (judged(taxonomy) == before).all()


@settings(max_examples=40)
@given(documents, st.data(), st.booleans())
def test_what_is_removed_was_never_there(pairs, data, portraits):
    training = Training(portraits=portraits)
    taxonomy = trained(pairs, training)
    gone = data.draw(st.sets(st.integers(0, len(pairs) - 1), max_size=3))
    taxonomy.remove_examples(gone)
    taxonomy.remove_topic("Arts/Music")
    left = [
        pair
        for number, pair in enumerate(pairs)
        if number not in gone and not pair[1].startswith("Arts/Music")
    ]
    tree = tree_of([path for path in PATHS if not path.startswith("Arts/Music")])
    examples, places = [Example(text) for text, _ in left], [tree.find(path) for _, path in left]
    fresh = Taxonomy.train(tree, examples, places, training, "en")
    assert taxonomy.tree.names == tree.names
    assert judged(taxonomy) == pytest.approx(judged(fresh), abs=1e-9)
    assert sorted(taxonomy.documents.stems) == sorted(fresh.documents.stems)


def test_a_good_topic_takes_in_those_below_it():
    taxonomy = trained([("honey hive", "Science")])
    for path in ("Arts/Music/Jazz", "Science/Bees", "Arts", "Arts/Film"):
        taxonomy.mark_good(path)
    assert {taxonomy.tree.path(node) for node in taxonomy.tree.good} == {"Arts", "Science/Bees"}
    with pytest.raises(TopicError, match="root"):
        taxonomy.mark_good("")
    assert len(taxonomy.tree.good) == 2


def test_a_new_topic_without_examples_takes_nothing_away():
    taxonomy = trained([("honey hive", "Science"), ("guitar", "Arts")])
    before = judged(taxonomy)
    node = taxonomy.add_topic("Sports/Chess")
    after = judged(taxonomy)
    assert (after[:, node] == 0).all()
    assert after[:, : before.shape[1]] == pytest.approx(before)


def test_examples_that_do_not_exist_are_refused():
    taxonomy = trained([("honey", "Science")])
    with pytest.raises(TopicError, match="examples 0 to 0, not 5"):
        taxonomy.move_examples([5], "Arts")
    with pytest.raises(TopicError, match="no topic 'Nowhere'"):
        taxonomy.move_examples([0], "Nowhere")
    with pytest.raises(TopicError, match="topic that does not exist"):
        Taxonomy.train(TopicTree(), [Example("honey")], [3])


@pytest.mark.parametrize("bad", [{"smoothing": 0.0}, {"features": 0}, {"words": -1.0}])
def test_training_settings_must_make_sense(bad):
    with pytest.raises(TopicError, match="must be positive"):
        Training(**bad)


def test_a_tree_without_examples_or_topics_still_judges():
    assert judged(Taxonomy.train(tree_of(), [], []))[0, 1:].max() == pytest.approx(0.5)
    assert judged(Taxonomy.train(TopicTree(), [], [])).tolist() == [[1.0]] * len(QUERIES)


def test_fifty_thousand_topics():
    tree = TopicTree()
    places = [tree.place([f"a{n % 20}", f"b{n % 1000}", f"c{n}"]) for n in range(50_000)]
    examples = [Example(f"word{'abcdefghij'[n % 10] * (n % 7 + 1)} common") for n in range(0, 50_000, 5)]
    taxonomy = Taxonomy.train(tree, examples, places[::5])
    found = taxonomy.probabilities(taxonomy.counted(["worda common", "other"]))
    assert found.shape == (2, 51_021)
    leaves = np.setdiff1d(np.arange(len(tree)), tree.parents)
    assert found[:, leaves].sum(axis=1) == pytest.approx([1, 1])
