"""Texts of strangers: what escaping leaves over is taken out, and lengths are bounded."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.serve.portal.shown import (
    MOST_ADDRESS,
    MOST_TITLE,
    address,
    day,
    iso,
    language,
    parameters,
    plain,
    web_link,
)
from honeyguide.serve.portal.views import shown_snippet

ANY_TEXT = st.text(st.characters(exclude_categories=()))  # halves of pairs as well


@given(ANY_TEXT)
def test_any_text_becomes_one_line_that_xml_can_hold(text):
    line = plain(text)
    assert len(line) <= MOST_TITLE
    assert line == " ".join(line.split())
    made = ElementTree.Element("title")
    made.text = line
    assert (ElementTree.fromstring(ElementTree.tostring(made, "utf-8")).text or "") == line


def test_nothing_turns_the_direction_of_the_page_around_or_hides():
    for sign in "\u202e\u202d\u2066\u2067\u200f\u061c\u200b\u00ad\ufeff\x00\x1b\x9b\ud800":
        assert plain(f"a{sign}b") == "ab"
    assert plain("שלום عليكم 你好 naïve 🐝") == "שלום عليكم 你好 naïve 🐝"


def test_marks_do_not_pile_up_over_the_lines_around():
    assert len(plain("Z" + "\u0301" * 500)) == 4


def test_huge_texts_cost_little_and_are_cut():
    assert plain("x" * 50_000_000).endswith("x…")
    assert len(address("http://a.example/" + "y" * 4000)) <= MOST_ADDRESS
    snippet = shown_snippet([("word " * 1000, False), ("z" * 10_000, True)] * 1000)
    assert sum(len(text) for text, _ in snippet) <= 400


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        " jAvAsCrIpT:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "//",
        "",
        "http://",
        "h" * 100_000,
    ],
)
def test_browsers_are_led_to_web_pages_only(url):
    assert web_link(url) == ""


def test_names_and_passwords_are_not_part_of_a_link():
    assert web_link("https://bank.example@evil.example/") == "https://evil.example/"


def test_times_that_no_calendar_has_do_no_harm():
    assert iso(float("inf")) == iso(-1.0) == iso(1e300) == "1970-01-01T00:00:00Z"
    assert day(0.0) == "1 January 1970"
    assert language('en" onclick="') == language("") == ""


@given(ANY_TEXT)
def test_any_text_can_stand_in_a_link(text):
    link = parameters(q=text)
    assert link == "" or link.startswith("?q=")
    assert not set(link) & set("\"'<> \n&#")
