"""The canonical form of urls, checked against its own promises and against other people's test cases."""

from __future__ import annotations

import doctest
import json
import pickle
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from honeyguide.urls import (
    DEFAULT_POLICY,
    DROPPED_PARAMETERS,
    MAX_LENGTH,
    UrlPolicy,
    fingerprint,
    fingerprints,
    host_of,
    parse,
    site_of,
)
from tests.conftest import REPOSITORY

canonical = DEFAULT_POLICY.canonical
BASE = "http://example.org/folder/page?query#fragment"
TOKEN = "0123456789abcdef0123456789ABCDEF"
DOCUMENT = REPOSITORY / "docs" / "urls.md"

any_text = st.text(st.characters())
PIECES = [
    *("http:", "HTTPS:", "ftp:", "//", "/", "\\", "?", "#", "&", "=", ";", ":", "@", "%", "%2", "%2e", "%2E"),
    *(
        "%25",
        "%41",
        "%3b",
        "%3F",
        "%ff",
        ".",
        "..",
        " ",
        "\t",
        "\n",
        "\0",
        "\ud800",
        "é",
        "日本",
        "a",
        "Z",
        "7",
        "80",
    ),
    *("example.org", "EXAMPLE.org", "xn--", "[::1]", "0x7f.1", "user:pass", "utm_source=x", "sid=1"),
    *(f"sid={TOKEN}", ";jsessionid=1", ";JSessionId=", "phpsessid", "~-_."),
]
url_like = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
absolute = url_like.map(lambda rest: f"http://example.org/{rest}")
references = any_text | url_like | absolute


def cases(shared: Path, name: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads(
        (shared / "fixtures" / "url" / name).read_text(encoding="utf-8")
    )
    return loaded


def every_string(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from every_string(item)
    elif isinstance(value, dict):
        yield from every_string(list(value.values()))


def is_http(url: str | None) -> bool:
    return url is not None and url.startswith(("http://", "https://"))


# Promises


@given(references)
@example("http://h/%%32e%2e/")
@example("http://h/a/..;jsessionid=1/b")
@example("http://h/.;sid=1;jsessionid=2")
@example(f"http://h/..;sid={TOKEN};sid={TOKEN}")
@example("http://h/?&utm_source=1&")
@example("http://h/%252e%252e/")
@example("http://xn--/")
def test_canonical_twice_is_canonical_once(text: str) -> None:
    url = canonical(text)
    if url is not None:
        assert canonical(url) == url
        assert canonical(url, BASE) == url


@given(
    st.lists(st.sampled_from(["a", "Z", "7", "80", "443", "xn--", "0x7f", "127.0.0.1", ".", ":", "-"])).map(
        "".join
    )
)
@example("example.org:80")
@example("example.org:8080")
@example("127.200.0.1:18790")
@example("127.1")
@example("1.2.3.4.5")
@example("example.org:99999")
def test_a_plain_path_does_not_hide_an_origin_that_is_not_canonical(origin: str) -> None:
    assert canonical(f"http://{origin}/a/b.html") == parse(f"http://{origin}/a/b.html")


@given(references)
@example("https://;jsessionid=1/")
@example("https://a;sid=1.org/b;jsessionid=1?c")
def test_a_canonical_url_is_plain_whatwg_without_fragment_userinfo_or_upper_case_host(text: str) -> None:
    url = canonical(text, BASE)
    if url is not None:
        assert parse(url) == url
        assert url.isascii()
        assert is_http(url)
        assert "#" not in url
        assert host_of(url)
        assert "@" not in host_of(url)
        assert host_of(url) == host_of(url).lower()
        assert len(url) <= MAX_LENGTH


@given(references, st.just(BASE) | references)
@example("http:?q", BASE)
@example("\n?q", BASE)
@example("ht\ntp:?q", BASE)
@example("", BASE)
@example("page", "http://example.org\\folder\\x")
@example("page", "http://example.org/\ud800")
@example("page", "http://example.org/a?b/c")
@example("/page", "http://example.org/a;jsessionid=1/c")
@example("page", "http://example.org/a;jsessionid=1/c")
@example("page.html", "http://example.org/%7ejoe/x")
@example("/a/b/", "http://user@example.org:8080/a.b/..c/x")
def test_remembering_and_shortcuts_change_no_answer(text: str, base: str) -> None:
    """The parser is told the whole base each time; the policy resolves by folder and remembers."""
    href = parse(text, base or None)
    if href is not None:
        assert canonical(text, base) == canonical(href)
    elif not is_http(text):
        assert canonical(text, base) is None


@given(st.lists(url_like, max_size=3), st.lists(url_like, max_size=4))
def test_pages_of_one_folder_do_not_mix(pages: list[str], links: list[str]) -> None:
    bases = [f"http://example.org/{page}" for page in pages]
    fresh = [[UrlPolicy().canonical(link, base) for link in links] for base in bases]
    assert [[canonical(link, base) for link in links] for base in bases] == fresh


@pytest.mark.parametrize(
    "text",
    [
        "\ud800",
        "http://\udfff/",
        "\0",
        "http://h/" + "a" * MAX_LENGTH,
        "http://example.org/" + "a/" * 1_000_000,
        "http://" + "a." * 1_000_000 + "org/",
        "http://h/" + "é" * (MAX_LENGTH // 2),
        "%" * 1_000_000,
        ";" * 1_000_000,
    ],
)
def test_hostile_text_is_no_url(text: str) -> None:
    assert canonical(text) is None


def test_the_longest_url_is_a_url() -> None:
    longest = "http://example.org/".ljust(MAX_LENGTH, "a")
    assert canonical(longest) == longest
    assert canonical(longest + "a") is None
    assert canonical("page", longest) == "http://example.org/page"
    assert canonical("page", longest + "a") is None


def test_an_unpaired_surrogate_is_a_replacement_character() -> None:
    assert canonical("/\ud800x", BASE) == "http://example.org/%EF%BF%BDx"


def test_a_bad_base_does_not_spoil_an_absolute_url() -> None:
    assert canonical("http://example.org/%7Ea", "no url") == "http://example.org/~a"
    assert canonical("page", "no url") is None
    assert canonical("page", "mailto:me@example.org") is None


def test_remembered_links_are_bounded_in_bytes() -> None:
    policy = UrlPolicy()
    tracemalloc.start()
    for number in range(5_000):
        policy.canonical(f"{number:02000}", BASE)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 1_000_000


def test_more_links_than_are_remembered_have_the_same_answers_and_are_bounded() -> None:
    urls = [f"http://h/{number}" for number in range(100_000)]
    tracemalloc.start()
    before = fingerprints(urls)
    held, _ = tracemalloc.get_traced_memory()
    assert [canonical(url) for url in urls] == urls
    long_urls = [f"http://h/{number:03000}" for number in range(5_000)]
    fingerprints(long_urls)
    held_of_all, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held - before.nbytes < 10_000_000
    assert held_of_all - held - sum(map(len, long_urls)) < 10_000_000
    assert fingerprints(urls).tolist() == before.tolist()
    assert before[::9_999].tolist() == [fingerprint(url) for url in urls[::9_999]]


# Parameters


def test_a_policy_drops_what_it_is_told() -> None:
    url = "http://h/a;V=1;w=2?x=1&Y1=2&Z=3&z=" + TOKEN
    assert UrlPolicy(()).canonical(url) == url
    assert UrlPolicy(["v", "y*", "z=<token>"]).canonical(url) == "http://h/a;w=2?x=1&Z=3"
    assert UrlPolicy(["*"]).canonical(url) == "http://h/a"


@pytest.mark.parametrize("entry", DROPPED_PARAMETERS)
def test_every_default_parameter_is_dropped_in_any_case(entry: str) -> None:
    name, _, token = entry.replace("*", "Anything").partition("=")
    for spelling in (name, name.lower(), name.upper()):
        assert canonical(f"http://h/?a=1&{spelling}={TOKEN}&b=2") == "http://h/?a=1&b=2"
        assert canonical(f"http://h/;{spelling}={TOKEN}") == "http://h/"
    kept = f"http://h/?{name}=2" if token else f"http://h/?x{name}=2"
    assert canonical(kept) == kept


def test_policies_are_values() -> None:
    assert UrlPolicy() == DEFAULT_POLICY
    assert len({UrlPolicy(), DEFAULT_POLICY, UrlPolicy(["x"])}) == 2
    with pytest.raises(AttributeError):
        DEFAULT_POLICY.dropped_parameters = ()  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(UrlPolicy(["x"]))) == UrlPolicy(["x"])


# Hosts, sites, fingerprints


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("www.example.org", "example.org"),
        ("example.org:8080", "example.org"),
        ("example.org.", "example.org"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("joe.github.io", "joe.github.io"),
        ("co.uk", "co.uk"),
        ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        ("intranet", "intranet"),
        ("a.b.internal", "a.b.internal"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("[2001:db8::1]", "[2001:db8::1]"),
        ("[2001:db8::1]:81", "[2001:db8::1]"),
        ("..", ".."),
    ],
)
def test_site(host: str, site: str) -> None:
    assert site_of(host) == site


@given(absolute)
def test_every_canonical_url_has_a_site(text: str) -> None:
    url = canonical(text)
    if url is not None:
        assert site_of(host_of(url))


def test_the_public_suffix_list_is_not_loaded_at_start() -> None:
    code = "import sys, honeyguide.urls; sys.exit('publicsuffixlist' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_fingerprints_never_change() -> None:
    assert fingerprint("http://example.org/") == 2689016738534627648
    assert fingerprint("https://example.org/a?b=c") == 15320786737290448571


@given(st.lists(url_like.filter(lambda text: text.isascii()), max_size=5))
def test_fingerprints_of_a_batch_are_the_single_ones(urls: list[str]) -> None:
    batch = fingerprints(urls)
    assert batch.dtype == np.uint64
    assert batch.tolist() == [fingerprint(url) for url in urls]


# Other people's cases


def test_wpt_parsing(shared: Path) -> None:
    for case in cases(shared, "wpt_urltestdata.json"):
        href = case.get("href")
        expected = href if is_http(href) else None
        assert parse(case["input"], case["base"]) == expected, case
        assert canonical(case["input"], case["base"]) == (expected and canonical(expected)), case
        if expected:
            assert host_of(canonical(expected) or "") == case["host"], case


def test_wpt_hosts_to_ascii(shared: Path) -> None:
    for case in cases(shared, "wpt_toascii.json"):
        url = canonical(f"https://{case['input']}/x")
        assert (url and host_of(url)) == case["output"], case


def test_wpt_percent_encoding(shared: Path) -> None:
    for case in cases(shared, "wpt_percent_encoding.json"):
        assert canonical(f"http://h/?{case['input']}") == f"http://h/?{case['output']['utf-8']}", case


def test_crawler_commons(shared: Path) -> None:
    """All but its sorted queries, merged slashes and guessed schemes."""
    compared = 0
    for case in cases(shared, "crawler_commons_normalizer.json"):
        text, group = case["input"], case["group"]
        ours = "?" not in text and "//" not in text.partition("://")[2] and is_http(text)
        if group != "testHostToUnicode" and group != "testNoIdnNormalization" and ours:
            compared += 1
            assert canonical(text) == case["expected"], case
    assert compared > 40


def test_crawler_commons_resolving(shared: Path) -> None:
    for case in cases(shared, "crawler_commons_resolve.json"):
        assert canonical(case["reference"], case["base"]) == canonical(case["expected"]), case


def test_dot_segments(shared: Path) -> None:
    special = [case for case in cases(shared, "urlcanon.json") if case["set"] == "path_dots.special"]
    assert special
    for case in special:
        assert canonical(f"http://h{case['input']}") == canonical(f"http://h{case['expected']}"), case


def test_odd_ipv4_addresses(shared: Path) -> None:
    odd = [case for case in cases(shared, "urlcanon.json") if case["set"] == "funky_ipv4"]
    assert odd
    for case in odd:
        url = canonical(f"http://{case['input']}/")
        assert (url and host_of(url)) == case["expected"], case


def test_session_parameters(shared: Path) -> None:
    for case in cases(shared, "surt.json"):
        if case["function"] == "URLRegexTransformer.stripQuerySessionID":
            expected = case["expected"].rstrip("&")
            assert canonical(f"http://h/{case['input']}") == canonical(f"http://h/{expected}"), case
        if case["function"] == "handyurl.getPublicSuffix":
            assert site_of(case["input"]) == case["expected"], case


def test_w3lib(shared: Path) -> None:
    """Its urls without a query; it sorts and re-encodes queries."""
    compared = 0
    for case in cases(shared, "w3lib.json"):
        text = next(iter(case["args"]), None)
        same_policy = case["function"] in ("canonicalize_url", "safe_download_url") and not case["kwargs"]
        if same_policy and isinstance(text, str) and is_http(text) and "?" not in text:
            compared += 1
            assert canonical(text) == canonical(case["expected"]), case
    assert compared > 10


def test_where_references_disagree_we_side_with_one(shared: Path) -> None:
    """Except about escapes that spell another escape, which are decoded exactly once here."""
    for case in cases(shared, "disagreements.json"):
        url = canonical(case["input"])
        answers = {answer.partition("#")[0] for answer in case["expected_by"].values()}
        assert url is None or url in answers or re.search("%(25)?%3", case["input"]), case


@pytest.mark.parametrize("folder", ["url", "naughty"])
def test_every_string_of_every_set_is_safe_and_stable(shared: Path, folder: str) -> None:
    for path in sorted((shared / "fixtures" / folder).glob("*.json")):
        for text in every_string(json.loads(path.read_text(encoding="utf-8"))):
            for url in (canonical(text), canonical(text, BASE), canonical(f"?q={text}", BASE)):
                assert url is None or canonical(url) == url, text


# The page that states the policy


def test_the_examples_in_the_document_run() -> None:
    failed, tried = doctest.testfile(str(DOCUMENT), module_relative=False, encoding="utf-8")
    assert tried > 20
    assert failed == 0


def test_the_table_in_the_document_is_true() -> None:
    rows = re.findall(
        r"^\| [^|]+ \| `([^`]+)` \| (?:`([^`]+)`|none) \|", DOCUMENT.read_text("utf-8"), re.MULTILINE
    )
    assert len(rows) > 15
    for text, expected in rows:
        assert canonical(text) == (expected or None), text


def test_the_document_lists_every_dropped_parameter() -> None:
    listed = re.findall(r"`([^`\s]+)`", DOCUMENT.read_text(encoding="utf-8"))
    assert set(DROPPED_PARAMETERS) <= set(listed)
