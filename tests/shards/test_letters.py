"""Letters between shards: packed, read again, joined; whatever is damaged is told."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.errors import StoreError
from honeyguide.shards.letters import Letter

TEXTS = st.text(st.characters(exclude_characters="\0"), max_size=20)


def letter(pages):
    """Pages given as (url, relevance, links), each link as (url, anchor)."""
    count = len(pages)
    links = [link for *_, own in pages for link in own]
    return Letter(
        ids=np.arange(count, dtype=np.int64),
        urls=[url for url, *_ in pages],
        relevance=np.array([relevance for _, relevance, _ in pages], dtype=np.float64),
        priority=np.zeros(count),
        depth=np.ones(count, dtype=np.int32),
        accepted=np.ones(count, dtype=np.bool_),
        is_listing=np.zeros(count, dtype=np.bool_),
        is_redirect=np.zeros(count, dtype=np.bool_),
        links=np.array([len(own) for *_, own in pages], dtype=np.int32),
        targets=[url for url, _ in links],
        anchors=[anchor for _, anchor in links],
        around=np.full(len(links), np.nan, dtype=np.float32),
        handed_on={"cash": np.full(count, 0.5)},
    )


def same(one, other):
    assert [*one.urls] == [*other.urls]
    assert [*one.targets] == [*other.targets]
    assert [*one.anchors] == [*other.anchors]
    for name in ("ids", "relevance", "priority", "depth", "accepted", "is_listing", "links", "around"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert {name: numbers.tolist() for name, numbers in one.handed_on.items()} == {
        name: numbers.tolist() for name, numbers in other.handed_on.items()
    }


@given(st.lists(st.tuples(TEXTS, st.floats(0, 1), st.lists(st.tuples(TEXTS, TEXTS), max_size=4)), max_size=5))
def test_what_is_packed_is_read_again(pages):
    sent = letter(pages)
    same(Letter.unpack(sent.pack()), sent)


def test_texts_of_strangers_are_told_apart_whatever_is_in_them():
    sent = letter([("a", 0.5, [("x", "zero \0 byte"), ("y", "half \ud800 a sign"), ("z", "")])])
    read = Letter.unpack(sent.pack())
    assert [*read.anchors] == ["zero \ufffd byte", "half \ud800 a sign", ""]
    assert [*read.targets] == ["x", "y", "z"]


def test_of_a_letter_some_pages_are_left_with_their_links():
    pages = [("a", 0.5, [("x", "to x")]), ("b", 0.25, []), ("c", 1.0, [("y", "to y"), ("z", "")])]
    for places in ([], [0], [1], [0, 2], [1, 2], [0, 1, 2]):
        some = letter(pages).only(places)
        assert some.ids.tolist() == places
        same(replace(some, ids=np.arange(len(places))), letter([pages[place] for place in places]))


def test_joined_letters_are_one():
    pages = [("a", 0.5, [("x", "to x")]), ("b", 0.25, []), ("c", 1.0, [("y", "to y"), ("z", "")])]
    same(Letter.joined([letter(pages[:1]), letter(pages[1:])]), _numbered(letter(pages), [0, 0, 1]))


def _numbered(one, ids):
    one.ids[:] = ids
    return one


@given(st.binary(max_size=60))
def test_any_bytes_are_a_letter_or_told(packed):
    with pytest.raises(StoreError, match="cannot be read"):
        Letter.unpack(packed)


def test_a_letter_that_is_cut_is_told():
    packed = letter([("a", 0.5, [("x", "to x")])]).pack()
    for cut in (packed[:-1], packed + b"x", packed[:20]):
        with pytest.raises(StoreError, match="cannot be read"):
            Letter.unpack(cut)
