import pytest

from honeyguide.checks.topic_model import check_topic_model
from honeyguide.errors import TopicError
from honeyguide.topics.examples import Example
from honeyguide.topics.taxonomy import TaxonomyTopic, TopicTree
from honeyguide.topics.taxonomy.backbone import (
    FEW_TOPS,
    backbone,
    graft,
    topic_from_examples,
    train_against_backbone,
)

BEEKEEPING = "bee honey hive apiary beekeeper swarm nectar queen comb wax"
ON_TOPIC = (
    "In spring the beekeeper opens each hive, looks for the queen, and feeds honey to a weak swarm of bees."
)
OTHERS = (
    "The orchestra played a symphony; the violin led the melody and the audience loved the concert.",
    "The compiler turns source code into a program; debug it with the library of the framework.",
    "The striker scored a goal in the last minute of the cup match, and the club won the league.",
    "Add flour, butter and sugar, bake in the oven, and serve the dish with a vanilla sauce.",
    "Parliament passed the law after the election; the prime minister leads a coalition of parties.",
)


def test_the_backbone_covers_the_web_in_two_levels():
    taxonomy = backbone()
    tree = taxonomy.tree
    tops = tree.children(0)
    leaves = [leaf for top in tops for leaf in tree.children(top)]
    assert 12 <= len(tops) <= 16
    assert 100 <= len(leaves) <= 150
    assert len(tree) == 1 + len(tops) + len(leaves)
    assert not tree.good
    assert sorted(taxonomy.documents.places.tolist()) == sorted(leaves)


def test_each_list_of_words_is_recognized_as_its_topic():
    taxonomy = backbone()
    documents = taxonomy.documents
    found = taxonomy.probabilities(documents.counts)
    assert (found.argmax(axis=1) == 0).all()
    best = found[:, documents.places].argmax(axis=1)
    assert (best == range(len(documents))).mean() > 0.97


def test_a_topic_of_words_stands_out_from_everything_else():
    topic = topic_from_examples("Beekeeping", [], words=BEEKEEPING)
    check_topic_model(topic, ON_TOPIC, OTHERS[0])
    assert topic.judge([ON_TOPIC])[0] > 0.9
    judgment = topic.classify(OTHERS)
    assert judgment.relevance.max() < 0.05
    assert not judgment.accepted.any()
    tops = [path.split("/")[0] for path in judgment.classes]
    assert tops == ["Arts", "Computers", "Sports", "Home", "News and Society"]


def test_a_topic_finds_its_place_or_takes_the_one_it_is_given():
    taxonomy = backbone()
    assert (
        graft(taxonomy, "Saxophones", [Example("jazz band music melody concert saxophone")])
        == "Arts/Saxophones"
    )
    assert (
        graft(taxonomy, "Apiology", [Example(BEEKEEPING)], under="Science/Animals")
        == "Science/Animals/Apiology"
    )
    assert {taxonomy.tree.path(node) for node in taxonomy.tree.good} == {
        "Arts/Saxophones",
        "Science/Animals/Apiology",
    }
    assert TaxonomyTopic(taxonomy).classify([ON_TOPIC]).classes == ["Science/Animals/Apiology"]


def test_a_topic_that_is_there_already_takes_the_examples():
    taxonomy = backbone()
    before = len(taxonomy.tree)
    assert (
        graft(taxonomy, "physics", [Example("tachyon quark boson particle quantum physics")])
        == "Science/Physics"
    )
    assert len(taxonomy.tree) == before
    assert len(taxonomy.examples_of("Science/Physics")) == 2


def own_topics(*names: str) -> TaxonomyTopic:
    """Topics of a few pages each, the first one good."""
    tree = TopicTree()
    places = [tree.place([name]) for name in names for _ in range(3)]
    tree.mark_good(1)
    examples = [Example(ON_TOPIC), Example(BEEKEEPING), Example(ON_TOPIC.upper())]
    others = [Example(f"{OTHERS[number % 2]} {number}") for number in range(len(places) - 3)]
    return TaxonomyTopic(train_against_backbone(tree, [*examples, *others], places))


def test_topics_of_ones_own_are_told_from_everything_else():
    topic = own_topics("Bees", "Symphonies")
    check_topic_model(topic, ON_TOPIC, OTHERS[0])
    judgment = topic.classify([ON_TOPIC, *OTHERS[2:]])
    assert judgment.accepted.tolist() == [True, False, False, False]
    assert judgment.relevance[0] > 0.9
    assert judgment.relevance[1:].max() < 0.1
    tops = [path.split("/")[0] for path in judgment.classes]
    assert tops == ["Bees", "Sports", "Home", "News and Society"]


def test_what_one_has_oneself_is_not_taken_from_the_backbone():
    topic = own_topics("bees", "sports", "Compilers", "physics")
    tree = topic.taxonomy.tree
    assert [name for name in tree.names if name.lower() in ("sports", "physics", "cricket")] == [
        "sports",
        "physics",
    ]
    assert tree.find("Science/Chemistry")


def test_few_topics_are_learned_as_portraits():
    names = [f"Topic {number}" for number in range(FEW_TOPS + 1)]
    assert not own_topics(*names).taxonomy.training.portraits
    assert own_topics(*names[:-1]).taxonomy.training.portraits


def test_other_languages_have_no_backbone():
    tree = TopicTree()
    places = [tree.place(["Bienen"]), tree.place(["Musik"])]
    texts = (
        "Die Imkerin öffnet den Stock und sieht nach den Bienen",
        "Das Orchester spielt am Abend eine Sinfonie",
    )
    taxonomy = train_against_backbone(tree, [Example(text * 3) for text in texts], places)
    assert (len(taxonomy.tree), taxonomy.documents.language) == (3, "de")


@pytest.mark.parametrize("examples", [[], [Example("  ")]])
def test_a_topic_without_words_is_refused(examples):
    with pytest.raises(TopicError, match="needs some words"):
        topic_from_examples("Nothing", examples)


def test_an_unknown_place_is_refused():
    with pytest.raises(TopicError, match="no topic 'Nowhere'"):
        topic_from_examples("Bees", [], words=BEEKEEPING, under="Nowhere")
