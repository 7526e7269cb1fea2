"""Expansion of keyword topics by their examples."""

from honeyguide.topics.examples import Example
from honeyguide.topics.expansion import expanded
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.rarity import rarity_of_stem

SEEDS = [
    Example("The queen leaves the hive with a swarm, and the beekeeper follows it through the orchard."),
    Example(
        "A swarm hangs in the tree; the beekeeper shakes it into an empty hive.", title="Catching a swarm"
    ),
    Example("Feed a weak hive with syrup. Vienna has many beekeepers."),
]


def test_words_shared_by_examples_are_added_most_telling_first():
    # All three have beekeepers and a hive, two a swarm; none of these words is among the frequent ones.
    assert rarity_of_stem("beekeep") == rarity_of_stem("hive") == rarity_of_stem("swarm")
    assert expanded("apiculture", SEEDS, language="en").split()[2:] == ["beekeeper", "hive", "swarm"]
    assert expanded("apiculture", SEEDS, language="en", words=1) == "apiculture apiculture beekeeper"


def test_without_examples_the_topic_stays_what_it_is():
    alone = KeywordTopic(expanded("bees and honey", []))
    text = "Honey of wild bees and tame ones"
    assert alone.judge([text]) == KeywordTopic("bees and honey").judge([text])


def test_an_expanded_topic_finds_pages_that_never_say_its_name():
    page = ["Where does a swarm go when the hive is full? A new hive for the swarm."]
    assert KeywordTopic("apiculture").judge(page)[0] == 0
    assert KeywordTopic(expanded("apiculture", SEEDS)).judge(page)[0] > KeywordTopic.relevant_above


def test_stop_words_of_the_examples_language_are_not_added():
    seeds = [
        Example("Die Biene und der Honig und die Wabe in dem alten Stock hinter dem Haus am Waldrand"),
        Example("Der Honig und die Biene und das Wachs aus dem neuen Stock neben dem Garten des Imkers"),
    ]
    assert expanded("Imkerei", seeds).split() == ["Imkerei", "Imkerei", "biene", "honig", "stock"]
