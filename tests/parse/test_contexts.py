"""The words around links, as strings made one by one would have them, and at bounded cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.model import ParsedLinks
from honeyguide.parse import ParseOptions, parse_page
from honeyguide.parse import contexts as module
from honeyguide.parse.contexts import NOT_IN_TEXT, LinkPlaces, words_around

URL = "https://example.org/"


def links_of(html: str) -> ParsedLinks:
    return parse_page(html.encode(), URL, "text/html", ParseOptions(context_words=20)).links


def reference(words: list[str], anchor: str, before: int, count: int, half: int) -> str:
    return " ".join([*words[max(0, before - half) : before], anchor, *words[before + count :][:half]]).strip()


@st.composite
def linked_texts(draw: st.DrawFn) -> tuple[list[str], list[tuple[int, int]]]:
    words = draw(st.lists(st.sampled_from(["a", "bee", "→", "蜂蜜", "12", "ÿ"]), max_size=30))
    links = st.tuples(st.integers(0, len(words)), st.integers(0, 4))
    return words, draw(st.lists(links, max_size=8))


Linked = tuple[list[str], list[tuple[int, int]]]


def placed(linked: Linked, half: int, space: str) -> tuple[LinkPlaces, list[str]]:
    """The links of a text, and what is expected around each."""
    words, links = linked
    text = space + "".join(word + space for word in words)
    anchors, places, counts, expected = [], [], [], []
    for before, wanted in links:
        count = min(wanted, len(words) - before)
        places.append(len(space) + sum(len(word + space) for word in words[:before]))
        anchors.append(" ".join(words[before : before + count]) or "image")
        counts.append(count)
        expected.append(reference(words, anchors[-1], before, count, half))
    return LinkPlaces(text, anchors, places, counts, half), expected


@given(
    st.lists(linked_texts(), max_size=4),
    st.integers(1, 5),
    st.sampled_from([" ", "\n\t", "\xa0", "\u3000 ", "\x07"]),
)
def test_words_around(linked: list[Linked], half: int, space: str) -> None:
    pages = [placed(one, half, space) for one in linked]
    assert [[*own] for own in words_around([page for page, _ in pages])] == [
        expected for _, expected in pages
    ]


def test_links_outside_the_text_have_only_their_anchor() -> None:
    page = LinkPlaces("one two", ["name", "one", ""], [NOT_IN_TEXT, 0, NOT_IN_TEXT], [0, 1, 0], 1)
    assert list(page) == ["name", "one two", ""]
    assert page[0] == "name"
    assert not [*LinkPlaces("one two", [], [], [], 1)]


def test_links_need_not_come_in_the_order_of_the_text() -> None:
    text = "one two three four five six"
    assert list(LinkPlaces(text, ["five", "two"], [19, 4], [1, 1], 1)) == ["four five six", "one two three"]


HEAD = "<head><link rel=canonical href=c><link rel=next href=n></head>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            f"{HEAD}<body>one <a href=x>two</a> three <a href=y>four</a>",
            ["", "", "one two three", "three four"],
        ),
        (f"{HEAD}<body>one <a href=c>two</a> three <a href=y>four</a>", ["one two three", "", "three four"]),
        (
            "one <a href=x><img></a> <a href=y>two</a> three <a href=x>four</a>",
            ["three four", "one two three"],
        ),
        ("<frameset><frame src=x><frame src=y></frameset>", ["", ""]),
        ("one <a href=x>two</a> three <link rel=next href=n> four", ["one two three", "three four"]),
    ],
)
def test_a_link_is_where_its_mark_is_wherever_others_are(html: str, expected: list[str]) -> None:
    page = parse_page(html.encode(), URL, "text/html", ParseOptions(context_words=2))
    assert [*page.links.contexts] == expected


def test_of_a_long_text_only_what_is_near_to_links_is_kept() -> None:
    links = links_of(f"{'far ' * 100_000}<a href=x>bees</a>{' away' * 100_000}<a href=y>wasps</a>")
    assert links.contexts[0] == "far " * 10 + "bees" + " away" * 10
    assert sum(map(len, links.contexts.texts)) < 300  # type: ignore[attr-defined]


def test_a_long_anchor_is_cut_and_what_follows_it_is_not() -> None:
    links = links_of(f"before <a href=x>{'word ' * 200}</a> after")
    assert links.contexts[0] == f"before {' '.join(['word'] * 60)} after"


@pytest.mark.parametrize("anchor", ["", "<img alt=name>", "word"])
def test_endless_words_beside_thousands_of_links_cost_little(anchor: str) -> None:
    endless = "z" * 5_000_000
    html = endless + "".join(f"<a href={number}>{anchor}</a>" for number in range(9_999)) + endless
    links = links_of(html)
    assert len(links.contexts) == 9_999
    most = 2 * module._MAX_CHARS_OF_PAGE
    assert sum(map(len, links.contexts.texts)) < 1.1 * most  # type: ignore[attr-defined]
    assert max(map(len, links.contexts)) < 2 * module._MAX_CHARS + 100
