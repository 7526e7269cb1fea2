"""Finding topics in a map."""

import pytest

from honeyguide.errors import TopicError
from honeyguide.topics.ontology.topic_map import NONE, Name, Topic, TopicMap
from tests.topics.ontology import toyota


@pytest.mark.parametrize(
    "text", ["verso", "#verso", "file:///cars.xtm#verso", "Corolla Verso", " corolla  VERSO "]
)
def test_a_topic_is_found_by_identifier_id_or_name(cars, text):
    assert cars.topics[cars.find(text)].label == "Corolla Verso"


def test_an_id_goes_before_a_name(read):
    named_like_an_id = toyota.xtm2().replace("Kiichiro Toyoda", "tmm")
    cars = read(named_like_an_id)
    assert cars.topics[cars.find("tmm")].label == toyota.NAMES["tmm"]


def test_a_name_of_two_topics_is_refused_with_their_identifiers(read):
    cars = read(toyota.xtm2().replace("Avensis", "Corolla"), "cars.xtm")
    with pytest.raises(
        TopicError, match=r"2 topics are called 'Corolla'; .*cars.xtm#avensis, .*cars.xtm#corolla"
    ):
        cars.find("Corolla")


def test_unknown_topics_are_refused_with_near_ones(cars):
    with pytest.raises(TopicError, match="no topic 'Avensys'; did you mean avensis"):
        cars.find("Avensys")
    with pytest.raises(TopicError, match="give a topic's identifier or name"):
        cars.find("0815")
    assert cars.number("0815") == NONE


def test_near_names_are_found_at_the_end_of_a_large_map():
    others = [Topic(names=(Name(f"subject {number}", NONE),)) for number in range(12_000)]
    large = TopicMap([*others, Topic(names=(Name("Archaeology", NONE),))])
    with pytest.raises(TopicError, match="did you mean archaeology"):
        large.find("Archeology")


def test_a_topic_without_names_is_called_by_an_identifier():
    assert Topic(item_identifiers=("file:///a#b",)).label == "file:///a#b"
    assert Topic().label == "(nameless)"
