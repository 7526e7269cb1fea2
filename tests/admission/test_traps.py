"""Urls that look like traps, and urls that must not."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.admission.traps import UrlTraps
from honeyguide.sample_web.web import SampleWeb
from honeyguide.settings import ScopeSettings
from honeyguide.urls import DEFAULT_POLICY

NOW = 2026


def trap(target, **rules):
    path, _, query = target.partition("?")
    found = UrlTraps(ScopeSettings(**rules), this_year=NOW).find(path, query)
    return found[0] if found else None


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/wow/wow/wow/", "repeated_path"),
        ("/a/b/a/b/a/b", "repeated_path"),
        ("/x/about/contact/about/contact/about/contact/", "repeated_path"),
        ("/en/shop/en/cart/en/shop/x/en/", "repeated_path"),
        ("/" + "/".join(map(str, range(21))), "deep_path"),
        ("/" + "/" * 30, "deep_path"),
        ("/calendar/2037-01/", "calendar"),
        ("/calendar/12020-01/", "calendar"),
        ("/calendar/1823-07", "calendar"),
        ("/kalender/2048/3/", "calendar"),
        ("/events/2040-05-17/", "calendar"),
        ("/2999/12/31/", "calendar"),
        ("/cal/?year=2050&month=3", "calendar"),
        ("/?date=20501231", "calendar"),
        ("/x?start-date=2050-12-31", "calendar"),
        ("/calendar?year=1800", "calendar"),
        ("/shop?" + "&".join(f"p{n}={n}" for n in range(11)), "facets"),
        ("/shop?f[0]=a&f[1]=b&f[2]=c&f[3]=d&f[4]=e", "facets"),
        ("/shop?color=red,blue,green,black,white,grey,pink,gold,teal,navy,lime", "facets"),
        ("/(S(lit3py55t21z5v55vlm25s55))/default.aspx", "session_id"),
        ("/sessionid/9f8e7d6c5b4a39281706f5e4d3c2b1a0/page", "session_id"),
        ("/forum/sid-0123456789abcdef01234567/topic", "session_id"),
        ("/a?xtcsid=0a1b2c3d4e5f60718293a4b5c6d7e8f9", "session_id"),
        ("/search?q=" + "x" * 500, "long_query"),
    ],
)
def test_traps(target, expected):
    assert trap(target) == expected


@pytest.mark.parametrize(
    "target",
    [
        "/",
        "/2003/05/11/a-post/",
        "/blog/2026/11/",
        "/archive/1999/12/31",
        "/calendar/2026-11/",
        "/calendar/2030-01/",
        "/events/2009-03-14/",
        "/events/3021/12/",
        "/newspaper/1905-05-12/page/3",
        "/1478-3975/7/1/016016",
        "/2072-4292/11/19/2193/htm",
        "/event/b8ebf811-6f99-4388-8123-8e87a91e800f/summary",
        "/thread-5444-1-1.html",
        "/?date=1893456000",
        "/?candidate=4021&calories=2500",
        "/census?year=1890",
        "/11/11/11/11",
        "/photos/000/000/123/",
        "/src/main/java/org/example/example/Main.java",
        "/a/b/a/b/",
        "/sessions/introduction-to-bees",
        "/session/2024-keynote-speakers",
        "/president/inside/1234567890123456",
        "/search?q=bees&page=2&sort=date&lang=en",
        "/maps?bbox=1,2,3,4",
    ],
)
def test_good_urls(target):
    assert trap(target) is None


def test_limits_are_settings():
    assert trap("/a/b/c", max_path_segments=2) == "deep_path"
    assert trap("/?a=1&b=2", max_query_parameters=1) == "facets"
    assert trap("/?a=123", max_query_chars=4) == "long_query"
    assert trap("/calendar/2028-01/", max_calendar_years=1) == "calendar"


def test_the_recipes_that_an_address_gives_away(shared):
    recipes = json.loads((shared / "fixtures/duplicates_traps/trap_recipes.json").read_text("utf-8"))
    known = {recipe["id"] for recipe in recipes}
    examples = {"infinite-iframe": "/wow/wow/wow/", "fanout-tree": "/7" * 21 + "/"}
    assert set(examples) <= known
    for target in examples.values():
        assert trap(target) is not None


def test_ways_into_the_traps_of_the_sample_web_end():
    web = SampleWeb(pages=400, seed=3)
    assert all(trap(web.url(number).partition(".example")[2]) is None for number in range(400))
    assert trap("/more/more/") is None
    assert trap("/more/more/more/") == "repeated_path"
    assert trap("/calendar/2020-01/") is None
    assert trap("/calendar/2100-01/") == "calendar"


@pytest.mark.parametrize("corpus", ["webkb", "wikispeedia", "uci-ics"])
def test_real_pages_are_hardly_ever_taken_for_traps(shared, corpus):
    with gzip.open(shared / "corpora" / corpus / "links.tsv.gz", "rt", encoding="utf-8") as lines:
        urls = {line.split("\t", 2)[1] for line in lines}
    canonical = [url for url in map(DEFAULT_POLICY.canonical, urls) if url]
    dropped = [url for url in canonical if trap("/" + url.split("/", 3)[3])]
    assert len(dropped) <= len(canonical) / 1000, dropped[:20]


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_gets_an_answer(path, query):
    trap(f"/{path}?{query}")
