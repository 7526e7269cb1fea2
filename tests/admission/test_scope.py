"""Which links may enter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.admission.scope import Scope
from honeyguide.errors import SettingsError
from honeyguide.settings import CrawlOrder, ScopeSettings
from honeyguide.urls import DEFAULT_POLICY, host_of


def scope(**rules):
    return Scope(ScopeSettings(**rules))


def refusal(url="http://www.example.org/a", host="www.example.org", depth=1, **rules):
    return scope(**rules).refusal(url, host, depth)


@pytest.mark.parametrize(
    ("rules", "host", "expected"),
    [
        ({}, "www.example.org", None),
        ({"allow_hosts": ["example.org"]}, "www.example.org", None),
        ({"allow_hosts": ["example.org"]}, "example.org:8080", None),
        ({"allow_hosts": ["example.org"]}, "notexample.org", "not_allowed"),
        ({"allow_hosts": ["www.example.org"]}, "example.org", "not_allowed"),
        ({"deny_hosts": ["example.org"]}, "a.b.example.org", "host_denied"),
        ({"deny_hosts": ["example.org"]}, "example.org.evil.net", None),
        (
            {"allow_hosts": ["example.org"], "deny_hosts": ["bad.example.org"]},
            "bad.example.org",
            "host_denied",
        ),
        ({"deny_hosts": ["[::1]"]}, "[::1]", "host_denied"),
        ({"allow_sites": ["bbc.co.uk"]}, "news.bbc.co.uk", None),
        ({"allow_sites": ["news.bbc.co.uk"]}, "www.bbc.co.uk:8080", None),
        ({"allow_sites": ["bbc.co.uk"]}, "itv.co.uk", "not_allowed"),
        ({"deny_sites": ["bbc.co.uk"]}, "news.bbc.co.uk", "site_denied"),
        ({"deny_sites": ["bbc.co.uk"]}, "itv.co.uk", None),
        ({"allow_sites": ["bbc.co.uk"], "allow_hosts": ["example.org"]}, "a.example.org", None),
    ],
)
def test_hosts_and_sites(rules, host, expected):
    assert refusal(url=f"http://{host}/a", host=host, **rules) == expected


@pytest.mark.parametrize(
    ("rules", "url", "expected"),
    [
        ({"deny_patterns": [r"/shop/\d+$"]}, "http://a.org/shop/17", "pattern_denied"),
        ({"deny_patterns": [r"/shop/\d+$"]}, "http://a.org/shop/17/", None),
        ({"allow_patterns": [r"\?lang=en\b"]}, "http://a.org/?lang=en", None),
        ({"allow_patterns": [r"\?lang=en\b"]}, "http://a.org/?lang=de", "not_allowed"),
        ({"deny_surts": ["http://(org,example,"]}, "http://a.example.org/", "surt_denied"),
        ({"deny_surts": ["http://(org,example,"]}, "https://a.example.org/", "surt_denied"),
        ({"deny_surts": ["https://(org,example,)/x"]}, "http://example.org/xyz", "surt_denied"),
        ({"deny_surts": ["http://(org,example,)"]}, "http://a.example.org/", None),
        ({"allow_surts": ["http://(org,example,)/a/"]}, "http://example.org/a/b", None),
        ({"allow_surts": ["http://(org,example,)/a/"]}, "http://example.org/b", "not_allowed"),
        (
            {"allow_surts": ["http://(org,example,)/"], "deny_patterns": ["b"]},
            "http://example.org/b",
            "pattern_denied",
        ),
    ],
)
def test_patterns_and_surts(rules, url, expected):
    assert refusal(url, host_of(url), **rules) == expected


HIDDEN_WAYS = [
    "http://example.org/shop/..%2Fadmin/",
    "http://example.org/shop/%2e%2E%2fadmin/users",
    "http://example.org/shop%2F..%2Fadmin/",
    "http://example.org/shop/..%5Cadmin/",
    "http://example.org/shop/%252e%252e%252fadmin/",
    "http://example.org/shop/..;/admin/",
    "http://example.org/shop/..;a=b/admin/",
    "http://example.org/shop/a%2f..%2f../..%2Fadmin/",
    "http://example.org/shop/.%2F..%2F/admin/",
]


@pytest.mark.parametrize("url", HIDDEN_WAYS)
def test_no_way_out_of_a_folder_is_hidden_by_escapes(url):
    url = DEFAULT_POLICY.canonical(url)
    assert refusal(url, "example.org", deny_surts=["http://(org,example,)/admin/"]) == "surt_denied"
    assert refusal(url, "example.org", allow_surts=["http://(org,example,)/shop"]) == "not_allowed"
    assert refusal(url, "example.org", deny_surts=["http://(org,other,)/admin/"]) is None
    both = ["http://(org,example,)/shop", "http://(org,example,)/admin/"]
    assert refusal(url, "example.org", allow_surts=both) is None
    assert refusal(url, "example.org", allow_surts=["http://(org,example,)/"]) is None


@pytest.mark.parametrize(
    ("rules", "url", "expected"),
    [
        ({"allow_surts": ["http://(org,example,)/a%2Fb/"]}, "http://example.org/a%2Fb/c", None),
        ({"allow_surts": ["http://(org,example,)/a%20b/"]}, "http://example.org/a%20b/c", None),
        ({"allow_surts": ["http://(org,example,)/a/"]}, "http://example.org/a//b", None),
        ({"allow_surts": ["http://(org,example,)/a/"]}, "http://example.org/a/.well-known", None),
        ({"allow_surts": ["http://(org,example,)/a/"]}, "http://example.org/a/b%2Fc%2E?d=%2F..%2F", None),
        ({"deny_surts": ["http://(org,example,)/admin/"]}, "http://example.org//admin/x", "surt_denied"),
        ({"deny_surts": ["http://(org,example,)/admin/"]}, "http://example.org/?a=/admin/", None),
        ({"deny_surts": ["http://(org,example,)/a%2Fb"]}, "http://example.org/a/b", "surt_denied"),
    ],
)
def test_both_readings_of_a_path(rules, url, expected):
    assert refusal(DEFAULT_POLICY.canonical(url), "example.org", **rules) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.org/photo.JPG", "extension"),
        ("http://a.org/photo.jpg?size=2", "extension"),
        ("http://a.org/paper.pdf", "extension"),
        ("http://a.org/tool.tar.gz", "extension"),
        ("http://a.org/sitemap.xml.gz", None),
        ("http://a.org/page.html", None),
        ("http://a.org/index.php?file=a.pdf", None),
        ("http://a.org/files.zip/", None),
        ("https://github.com/d3/d3.js", None),
        ("http://a.zip/", None),
        ("http://a.org/zip", None),
    ],
)
def test_endings_of_files_that_are_no_pages(url, expected):
    assert refusal(url, host_of(url)) == expected


def test_the_list_of_endings_can_be_changed():
    assert refusal("http://a.org/a.pdf", "a.org", skip_extensions=[".HTML"]) is None
    assert refusal("http://a.org/a.html", "a.org", skip_extensions=[".HTML"]) == "extension"


def test_depth_counts_links_from_a_seed():
    assert refusal(depth=2, max_depth=2) is None
    assert refusal(depth=3, max_depth=2) == "too_deep"


def test_long_urls():
    assert refusal(url="http://a.org/" + "x" * 100, max_url_chars=50) == "url_too_long"


def test_traps_are_refused_unless_switched_off():
    assert refusal("http://a.org/x/x/x/x/", "a.org") == "repeated_path"
    assert refusal("http://a.org/x/x/x/x/", "a.org", traps=["calendar"]) is None


@pytest.mark.parametrize(
    ("rules", "url", "words"),
    [
        ({"deny_patterns": ["x", "sh.p"]}, "http://a.org/shop/", 'scope.deny_patterns has "sh.p"'),
        ({"deny_hosts": ["org", "a.org"]}, "http://b.a.org/", 'scope.deny_hosts has "a.org"'),
        ({"deny_surts": ["http://(org,"]}, "http://b.a.org/", 'scope.deny_surts has "http://(org,"'),
        ({}, "http://a.org/b.zip", 'scope.skip_extensions has "zip"'),
        ({"max_depth": 0}, "http://a.org/", "scope.max_depth"),
        ({"max_url_chars": 5}, "http://a.org/", "scope.max_url_chars"),
        ({"allow_hosts": ["b.org"]}, "http://a.org/", "allow_"),
        ({}, "http://a.org/x/x/x/x/", "x/"),
    ],
)
def test_an_explanation_names_what_was_found(rules, url, words):
    assert words in scope(**rules).explain(url, host_of(url), 1)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"deny_patterns": ["fine", "(broken"]}, "scope.deny_patterns[1]: should be a regular expression"),
        ({"allow_patterns": ["a{99999999999999}"]}, "scope.allow_patterns[0]"),
        ({"allow_surts": ["org,example"]}, "scope.allow_surts[0]"),
        ({"traps": ["quicksand"]}, "scope.traps[0]"),
    ],
)
def test_wrong_rules_are_named(rules, words):
    with pytest.raises(SettingsError) as caught:
        CrawlOrder.from_mapping({"scope": rules}, "order.toml")
    assert words in str(caught.value)


@given(st.text(max_size=200), st.integers(0, 100))
def test_any_canonical_url_gets_an_answer(reference, depth):
    url = DEFAULT_POLICY.canonical(reference, "http://example.org/a/")
    if url is not None:
        rules = scope(deny_surts=["http://(x"], deny_sites=["x.org"], deny_hosts=["y.org"])
        name, why = rules.refusal(url, host_of(url), depth), rules.explain(url, host_of(url), depth)
        assert (name is None) == (why is None)
