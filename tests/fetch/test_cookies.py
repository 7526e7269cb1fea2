import asyncio
from http.cookies import SimpleCookie

import pytest
from yarl import URL

from honeyguide.fetch import cookies as cookies_module
from honeyguide.fetch.cookies import SiteCookies


def _headers(*steps: tuple[str, str]) -> list[str]:
    """What is sent to each url, where those with a Set-Cookie header then answer with it."""

    async def run() -> list[str]:
        cookies, sent = SiteCookies(), []
        for url, set_cookie in steps:
            sent.append(cookies.header(URL(url)))
            cookies.take(URL(url), SimpleCookie(set_cookie))
        return sent

    return asyncio.run(run())


def test_a_cookie_comes_back_to_the_hosts_it_is_meant_for() -> None:
    assert _headers(
        ("http://a.example.org/", "id=1; Domain=example.org"),
        ("http://b.example.org/", ""),
        ("http://a.example.org/x", "path=2; Path=/x"),
        ("http://a.example.org/y", ""),
    ) == ["", "id=1", "id=1", "id=1"]


def test_a_cookie_for_a_public_suffix_stays_with_its_site() -> None:
    assert _headers(
        ("http://www.one.co.uk/", "id=1; Domain=co.uk"),
        ("http://two.co.uk/", ""),
        ("http://www.one.co.uk/", ""),
    ) == ["", "", "id=1"]


def test_addresses_are_sites_of_their_own() -> None:
    assert _headers(
        ("http://127.0.0.1:80/", "id=1"), ("http://127.0.0.2/", ""), ("http://127.0.0.1/", "")
    ) == [
        "",
        "",
        "id=1",
    ]


def test_a_site_with_too_many_cookies_loses_them() -> None:
    steps = [("http://example.org/", f"id{number}=1") for number in range(52)]
    assert [header.count("=") for header in _headers(*steps)][-3:] == [49, 50, 0]


def test_cookies_too_long_for_a_request_are_not_sent() -> None:
    assert _headers(("http://example.org/", f"id={'a' * 9000}"), ("http://example.org/", ""))[1] == ""


def test_the_sites_asked_longest_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cookies_module, "_MAX_SITES", 2)
    sites = ["http://a.example/", "http://b.example/", "http://a.example/", "http://c.example/"]
    steps = [(site, "id=1") for site in sites]
    assert _headers(*steps, ("http://a.example/", ""), ("http://b.example/", ""))[-2:] == ["id=1", ""]
