"""Sitemaps and feeds tell which pages have changed; what they tell is hostile."""

from __future__ import annotations

import numpy as np

from honeyguide.engine.arrival import Arrival
from honeyguide.engine.keeping import ANNOUNCED, LOOKED, TOP, Keeping
from honeyguide.engine.prepare import Prepared
from honeyguide.model import Response, Status
from honeyguide.parse.options import ParseOptions
from honeyguide.parse.sitemap import parse_sitemap
from honeyguide.state.state import State
from honeyguide.urls import fingerprints

DAY = 86_400.0
URLS = ["", *(f"http://a.example/{name}" for name in ("map.xml", "old", "new", "later", "nonsense"))]


def crawl() -> tuple[State, Keeping]:
    state = State()
    host = np.full(len(URLS), state.host_id("a.example"), dtype=np.int32)
    zeros = np.zeros(len(URLS), dtype=np.int32)
    state.add(URLS, fingerprints(URLS), host, zeros, zeros)
    keeping = Keeping(state, True, False, lambda: 0.5)
    pages = np.arange(2, len(URLS), dtype=np.int32)
    state.settle(pages, Status.FETCHED)
    state.settle(np.array([1], dtype=np.int32), Status.LISTING)
    state.set("relevance", pages, 0.8)
    state.set(LOOKED, np.arange(len(URLS), dtype=np.int32), keeping.now() / DAY)
    return state, keeping


def sitemap(now: float, *dates: str) -> Arrival:
    entries = "".join(
        f"<url><loc>{url}</loc><lastmod>{date}</lastmod></url>"
        for url, date in zip((*URLS[2:], "http://a.example/unknown"), dates, strict=False)
    )
    body = f"<urlset>{entries}</urlset>".encode()
    parsed = parse_sitemap(body, URLS[1], "text/xml", ParseOptions())
    assert parsed is not None
    arrival = Arrival(1, URLS[1], "", Response(URLS[1], 200, body), now)
    arrival.prepared = Prepared(parsed, 0.0)
    return arrival


def test_what_a_sitemap_says_has_changed_is_asked_for_first() -> None:
    state, keeping = crawl()
    now = keeping.now() + 3600
    told = ("2001-01-01", "2023-11-14T22:30:00Z", "2199-01-01", "x" * 10_000, "2023-11-14T22:30:00Z")
    keeping.take([sitemap(now, *told)], [], [])
    assert (state.urls[ANNOUNCED] > state.urls[LOOKED]).tolist() == [False, False, False, True, False, False]
    wanted = keeping.wanted(is_idle=True)
    assert wanted.ids.tolist() == [3]
    assert wanted.priorities[0] > TOP


def test_a_day_alone_lasts_until_it_ends() -> None:
    """Most sitemaps give no more than the day, and a page may change on it after it was looked at."""
    state, keeping = crawl()
    looked = keeping.now()  # at ten in the evening
    keeping.take([sitemap(looked + 3600, "2023-11-14", "2023-11-13", "2023-11-15")], [], [])
    assert (state.urls[ANNOUNCED] > state.urls[LOOKED]).tolist() == [False, False, True, False, False, False]
    assert state.urls[ANNOUNCED][2] == (looked + 3600) / DAY
    keeping.take([sitemap(looked + 2 * DAY, "2023-11-14")], [], [])
    assert state.urls[ANNOUNCED][2] * DAY == 1_700_006_400  # its end


def test_lists_are_asked_for_again_themselves() -> None:
    _, keeping = crawl()
    assert keeping.wanted(is_idle=True).ids.tolist() == []
    assert keeping.sleep()
    for _ in range(50):
        wanted = keeping.wanted(is_idle=True)
        if 1 in wanted.ids:
            return
        keeping.sleep()
    raise AssertionError("nobody asked for the sitemap")


def test_nothing_is_done_where_it_is_not_wanted() -> None:
    state = State()
    keeping = Keeping(state, False, False, lambda: 0.5)
    assert not len(keeping.wanted(is_idle=True))
    assert not keeping.sleep()
    assert keeping.take([], [], []) == ()
    assert ANNOUNCED not in state.urls
