"""Patterns: what each kind hits, and that none takes long, however it is made up."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.errors import SettingsError
from honeyguide.patterns import MOST_STARS, Pattern
from honeyguide.urls import host_of


def hits(pattern: str, url: str) -> bool:
    return Pattern.read(pattern).hits(url, host_of(url))


@pytest.mark.parametrize(
    ("pattern", "hit", "missed"),
    [
        ("example.org", "https://www.example.org:8080/a", "https://notexample.org/"),
        ("EXAMPLE.org", "http://example.org/", "http://example.com/?example.org"),
        ("bücher.example", "http://xn--bcher-kva.example/", "http://bucher.example/"),
        ("https://example.org/a/", "https://example.org/a/", "https://example.org/a/b"),
        ("https://example.org/a/*", "https://example.org/a/b/c?d=*", "http://example.org/a/b"),
        ("https://Example.org/A/*", "https://example.org/A/", "https://example.org/a/"),
        ("example.org/a/*", "http://example.org/a/1", "http://x.org/?u=http://example.org/a/1"),
        ("*://example.org/a/*", "https://example.org/a/1", "http://x.org/?u=http://example.org/a/1"),
        ("*/calendar/*", "http://example.org/x/calendar/2", "http://example.org/calendar"),
        ("*.pdf", "http://example.org/a.pdf", "http://example.org/a.pdf?x"),
        ("*?page=*", "http://example.org/a?page=3", "http://example.org/apage=3"),
        ("*a*a", "http://b.example/aa", "http://b.c/da"),
    ],
)
def test_what_is_hit(pattern, hit, missed):
    assert hits(pattern, hit)
    assert not hits(pattern, missed)


@pytest.mark.parametrize("text", ["", "  ", "*" * (MOST_STARS + 1), "a b", "http://", "a\nb*", "x" * 5000])
def test_what_is_no_pattern_is_refused(text):
    with pytest.raises(SettingsError):
        Pattern.read(text)


@given(st.text("ab/*", min_size=1, max_size=12), st.text("ab/", max_size=12))
def test_stars_are_those_of_a_regular_expression(pattern, path):
    glob, url = f"http://h.example/{pattern}*", f"http://h.example/{path}"
    expected = re.fullmatch(".*".join(map(re.escape, glob.split("*"))), url)
    assert hits(glob, url) == bool(expected)
    assert Pattern.read(glob).literal in url or not expected


def test_no_pattern_goes_back_and_forth():
    pattern = Pattern.read("http://h.example/" + "*a" * (MOST_STARS - 1) + "*b")
    url = "http://h.example/" + "a" * 4000
    began = time.process_time()
    for _ in range(100):
        assert not pattern.hits(url, "h.example")
    assert time.process_time() - began < 5  # one that did would not end in years
