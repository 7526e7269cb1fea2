"""Cookies kept for each site apart, so that none reaches a site that did not set it. Used by the HTTP client."""

from __future__ import annotations

from collections import OrderedDict
from http.cookies import SimpleCookie

from aiohttp import CookieJar
from yarl import URL

from honeyguide.urls import site_of

_MAX_SITES = 1000
_MAX_COOKIES = 50  # of one site; more would make requests that servers refuse
_MAX_HEADER_LENGTH = 8000


class SiteCookies:
    """A jar for each site; the sites not seen for longest are forgotten."""

    def __init__(self) -> None:
        self._jars: OrderedDict[str, CookieJar] = OrderedDict()

    def header(self, url: URL) -> str:
        """The Cookie header for a request; empty when there are none."""
        jar = self._jars.get(_site(url))
        if jar is None:
            return ""
        header = "; ".join(f"{name}={cookie.coded_value}" for name, cookie in jar.filter_cookies(url).items())
        return header if len(header) <= _MAX_HEADER_LENGTH else ""

    def take(self, url: URL, cookies: SimpleCookie) -> None:
        """Keep the cookies that came with a reply."""
        if not cookies:
            return
        site = _site(url)
        # "unsafe" is to keep cookies of hosts without a name, which have a jar of their own here.
        jar = self._jars.setdefault(site, CookieJar(unsafe=True))
        self._jars.move_to_end(site)
        jar.update_cookies(cookies, url)
        if len(jar) > _MAX_COOKIES:
            jar.clear()
        if len(self._jars) > _MAX_SITES:
            self._jars.popitem(last=False)


def _site(url: URL) -> str:
    return site_of(url.raw_host or "")
