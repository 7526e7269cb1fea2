"""Merging topics and statements."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.errors import ImportFailed
from honeyguide.topics.ontology.building import MapBuilder
from honeyguide.topics.ontology.identifiers import TOPIC_NAME
from honeyguide.topics.ontology.topic_map import Association, Name, Occurrence, Role
from tests.topics.ontology.cxtm import Canonical


def build(statements):
    builder = MapBuilder()
    for kind, one, other in statements:
        if kind == "same":
            builder.join(builder.by_item(f"i:{one}"), builder.by_subject(f"s:{other}"))
        elif kind == "place":
            builder.join(builder.by_item(f"i:{one}"), builder.by_locator(f"l:{other}"))
        elif kind == "name":
            builder.add_name(
                builder.by_item(f"i:{one}"), Name(f"name {other}", builder.by_subject(TOPIC_NAME))
            )
        elif kind == "fact":
            builder.add_occurrence(
                builder.by_item(f"i:{one}"), Occurrence(builder.by_item(f"i:{other}"), "text")
            )
        else:
            builder.add_subclass(builder.by_item(f"i:{one}"), builder.by_item(f"i:{other}"))
    return builder.finish()


STATEMENTS = st.lists(
    st.tuples(
        st.sampled_from(["same", "place", "name", "fact", "class"]), st.integers(0, 5), st.integers(0, 5)
    ),
    max_size=15,
)


@given(STATEMENTS, st.randoms())
def test_the_order_of_statements_does_not_matter(statements, random):
    shuffled = random.sample(statements, len(statements))
    assert Canonical(build(shuffled), "x").text() == Canonical(build(statements), "x").text()


@given(STATEMENTS)
def test_saying_everything_twice_changes_nothing(statements):
    assert Canonical(build(statements * 2), "x").text() == Canonical(build(statements), "x").text()


@given(STATEMENTS)
def test_no_identifier_belongs_to_two_topics(statements):
    topics = build(statements).topics
    identifiers = [one for topic in topics for one in {*topic.item_identifiers, *topic.subject_identifiers}]
    assert len(identifiers) == len(set(identifiers))


def test_merging_statements_merges_their_reifiers_and_so_on():
    builder = MapBuilder()
    bee, type_ = builder.by_item("bee"), builder.by_subject(TOPIC_NAME)
    one, other, last, least = (builder.by_item(f"r{n}") for n in range(4))
    builder.add_name(bee, Name("Bee", type_, reifier=one))
    builder.add_name(bee, Name("Bee", type_, reifier=other))
    builder.add_name(one, Name("Reifier", type_, reifier=last))
    builder.add_name(other, Name("Reifier", type_, reifier=least))
    made = builder.finish()
    assert [topic.item_identifiers for topic in made.topics if "r0" in topic.item_identifiers] == [
        ("r0", "r1")
    ]
    assert [topic.item_identifiers for topic in made.topics if "r2" in topic.item_identifiers] == [
        ("r2", "r3")
    ]


def test_endless_chains_of_reifiers_end():
    builder = MapBuilder()
    type_ = builder.by_subject(TOPIC_NAME)
    chain = [(builder.by_item(f"a{n}"), builder.by_item(f"b{n}")) for n in range(50)]
    for (one, other), (next_one, next_other) in pairwise(chain):
        builder.add_name(one, Name("x", type_, reifier=next_one))
        builder.add_name(other, Name("x", type_, reifier=next_other))
    builder.join(*chain[0])
    with pytest.raises(ImportFailed, match="endless chain"):
        builder.finish()


def test_size_is_bounded():
    builder = MapBuilder(max_items=10)
    for n in range(10):
        builder.by_item(str(n))
    with pytest.raises(ImportFailed, match="too many topics"):
        builder.by_item("one more")


def test_one_identifier_for_a_topic_and_a_statement_is_refused():
    builder = MapBuilder()
    bee = builder.by_item("bee")
    roles = (Role(builder.by_item("role"), bee),)
    builder.add_association(Association(builder.by_item("type"), roles, item_identifiers=("bee",)))
    with pytest.raises(ImportFailed, match="item identifier bee names two different things"):
        builder.finish()
