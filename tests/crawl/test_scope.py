"""Which links may enter."""

import pytest

from honeyguide.crawl.scope import Scope
from honeyguide.settings import ScopeSettings


def refusal(url="http://www.example.org/a", host="www.example.org", depth=1, **rules):
    return Scope(ScopeSettings(**rules)).refusal(url, host, depth)


@pytest.mark.parametrize(
    ("rules", "host", "expected"),
    [
        ({}, "www.example.org", None),
        ({"allow_hosts": ["example.org"]}, "www.example.org", None),
        ({"allow_hosts": ["example.org"]}, "example.org:8080", None),
        ({"allow_hosts": ["example.org"]}, "notexample.org", "host_not_allowed"),
        ({"allow_hosts": ["www.example.org"]}, "example.org", "host_not_allowed"),
        ({"deny_hosts": ["example.org"]}, "a.b.example.org", "host_denied"),
        ({"deny_hosts": ["example.org"]}, "example.org.evil.net", None),
        (
            {"allow_hosts": ["example.org"], "deny_hosts": ["bad.example.org"]},
            "bad.example.org",
            "host_denied",
        ),
        ({"deny_hosts": ["[::1]"]}, "[::1]", "host_denied"),
    ],
)
def test_hosts(rules, host, expected):
    assert refusal(host=host, **rules) == expected


def test_depth_counts_links_from_a_seed():
    assert refusal(depth=2, max_depth=2) is None
    assert refusal(depth=3, max_depth=2) == "too_deep"


def test_long_urls():
    assert refusal(url="http://a.org/" + "x" * 100, max_url_chars=50) == "url_too_long"
