"""Weights of topics: table 6.1 of the thesis, in every syntax."""

import pytest

from honeyguide.errors import TopicError
from honeyguide.topics.ontology.hierarchy import Hierarchy
from honeyguide.topics.ontology.weights import WeightClasses, topic_weights
from tests.topics.ontology import toyota


@pytest.mark.parametrize("syntax", sorted(toyota.SYNTAXES))
@pytest.mark.parametrize(("column", "focus"), [(0, ["toyota"]), (1, ["tmm", "corolla"])])
def test_table_6_1(read, syntax, column, focus):
    cars = read(toyota.SYNTAXES[syntax](), "cars")
    numbers = [cars.find(one) for one in focus]
    weights = topic_weights(cars, numbers, Hierarchy(cars), WeightClasses())
    assert {id_: weights[cars.find(id_)] for id_ in toyota.NAMES} == {
        id_: pair[column] for id_, pair in toyota.WEIGHTS.items()
    }


def test_the_highest_weight_wins_even_if_it_is_that_of_a_lower_class(cars):
    classes = WeightClasses(focal=1.0, hierarchy=0.2, other=0.6, rest=0.3)
    weights = topic_weights(cars, [cars.find("toyota")], Hierarchy(cars), classes)
    assert weights[cars.find("avensis")] == 0.3
    assert weights[cars.find("tmm")] == 0.6


def test_association_types_of_the_maps_own_may_mean_superclass_subclass(cars):
    own = Hierarchy(cars, {"produces": "producer"})
    weights = topic_weights(cars, [cars.find("toyota")], own, WeightClasses())
    assert weights[cars.find("tmm")] == 0.8
    assert (cars.find("toyota"), cars.find("tmm")) in set(own.pairs())
    undirected = Hierarchy(cars, {"produces": ""})
    assert topic_weights(cars, [cars.find("toyota")], undirected, WeightClasses())[cars.find("tmm")] == 0.8
    assert cars.find("tmm") not in {upper for _, upper in undirected.pairs()}


def test_unknown_types_and_roles_are_named(cars):
    with pytest.raises(TopicError, match="no association of the map has the type 'avensis'"):
        Hierarchy(cars, {"avensis": ""})
    with pytest.raises(TopicError, match="has the role 'founder'"):
        Hierarchy(cars, {"produces": "founder"})


def test_weights_are_from_0_to_1():
    with pytest.raises(TopicError, match="'rest' must be from 0 to 1"):
        WeightClasses(rest=1.5)
