"""Footprints of pages."""

import pytest

from honeyguide.topics.ontology import OntologyTopic, compare


@pytest.fixture
def topic(cars):
    return OntologyTopic.of_map(cars, ["toyota"])


def labels(topic, numbers):
    return {topic.map.topics[number].label for number in numbers}


def test_a_footprint_is_what_is_touched_and_the_classes_above(topic):
    footprint = topic.footprint("A Corolla Verso.")
    assert labels(topic, footprint.touched) == {"Corolla", "Corolla Verso"}
    by_level = [labels(topic, footprint.up_to(level)) for level in range(3)]
    assert by_level[0] == {"Corolla", "Corolla Verso"}
    assert by_level[1] - by_level[0] == {"Toyota"}
    assert by_level[2] - by_level[1] == {"Japanese car"}
    assert len(footprint.associations) == 3


def test_pages_on_different_cars_meet_one_level_up(topic):
    comparison = compare(topic.footprint("Avensis"), topic.footprint("Corolla"))
    # Level 0: nothing of two. Level 1: Toyota of three. Level 2: Toyota and Japanese car of four.
    assert comparison.similarity == pytest.approx((0, 1 / 3, 2 / 4))
    assert comparison.level == 1
    assert labels(topic, comparison.shared) == {"Toyota"}


def test_a_page_is_like_itself_and_unlike_one_that_touches_nothing(topic):
    one, nothing = topic.footprint("Corolla Verso"), topic.footprint("railways")
    assert compare(one, one).similarity[0] == 1
    assert compare(one, one).level == 0
    assert compare(one, nothing).level is None
    assert set(compare(one, nothing).similarity) == {0.0}
    assert compare(nothing, nothing).similarity == (0.0,)
