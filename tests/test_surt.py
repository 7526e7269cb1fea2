"""Urls turned round: as rules of the scope write them, and as other tools look them up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.surt import archive_key, surt_of
from honeyguide.urls import DEFAULT_POLICY, host_of


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://example.com/", "com,example)/"),
        ("https://www.example.com/", "com,example)/"),
        ("http://www2.example.com/A/B/", "com,example)/a/b"),
        ("http://cswww.example.com/", "com,example,cswww)/"),
        ("http://http/", "http)/"),
        ("http://example.com:8080/a//b", "com,example:8080)/a/b"),
        ("http://127.0.0.1:81/x?b=2&a=1&a=0&c", "1,0,0,127:81)/x?a=0&a=1&b=2&c"),
        ("http://[::1]:8080/", "::1:8080)/"),
        ("http://example.com/%7Ejoe/%25?q=%C3%A9%20", "com,example)/~joe/%25?q=%c3%a9%20"),
        ("http://example.com/?", "com,example)/"),
        # As surt and pywb ask for it: escaped slashes are slashes, and dots are resolved behind them.
        ("http://example.com/shop/..%2Fadmin/", "com,example)/admin"),
        ("http://example.com/shop/%252e%252E%252fadmin", "com,example)/admin"),
        ("http://example.com/shop%2F.%2Fbees", "com,example)/shop/bees"),
        ("http://example.com/a//..%2Fb", "com,example)/a/b"),
        ("http://example.com/a/..%2F", "com,example)/"),
        ("http://example.com/..%2Fa", "com,example)/../a"),
        ("http://example.com/a?b=c%2F..%2Fd", "com,example)/a?b=c/../d"),
    ],
)
def test_keys(url: str, key: str) -> None:
    assert archive_key(url) == key


def test_keys_of_another_tool(shared: Path) -> None:
    folder = shared / "fixtures" / "warc" / "pywb" / "cdxj"
    texts = [(folder / f"{name}.cdxj").read_text() for name in ("iana", "dupes", "example")]
    lines = [line for text in texts for line in text.splitlines()]
    assert len(lines) > 170
    for line in lines:
        key, _, told = line.split(" ", 2)
        url = DEFAULT_POLICY.canonical(json.loads(told)["url"])
        assert url is not None
        assert archive_key(url) == key


@given(st.text(max_size=40), st.text(max_size=20))
def test_any_canonical_url_has_a_key_without_blanks(path: str, query: str) -> None:
    url = DEFAULT_POLICY.canonical(f"http://a.example/{path}?{query}")
    if url:
        assert archive_key(url).isascii()
        assert not any(character.isspace() or not character.isprintable() for character in archive_key(url))


@pytest.mark.parametrize(
    ("url", "surt"),
    [
        ("http://example.org/", "http://(org,example,)/"),
        ("https://www.example.org/a?b", "http://(org,example,www,)/a?b"),
        ("http://example.org:8080/", "http://(org,example,:8080)/"),
        ("http://127.0.0.1/", "http://(127.0.0.1)/"),
        ("http://[::1]:80/", "http://([::1]:80)/"),
    ],
)
def test_surts(url, surt):
    assert surt_of(url, host_of(url)) == surt
