"""The addresses of the sample web: page number to url and back, and what a page is called."""

import re
from urllib.parse import urlsplit

from honeyguide.sample_web.dice import Dice
from honeyguide.sample_web.hosts import Hosts
from honeyguide.sample_web.text import Prose
from honeyguide.sample_web.words import PLAIN_NAMES

BRANCHING = 8
"""A host's pages are a tree: page i of a host has the pages 8i+1 to 8i+8 below it."""

_HOST = re.compile(r"[a-z]+-([0-9]{1,9})\.example")
_LAST_NUMBER = re.compile(r"-([0-9]{1,12})(?:/|\.html)\Z")


class Addresses:
    """Names of pages and hosts; nothing is stored, both directions are computed."""

    def __init__(self, hosts: Hosts, prose: Prose, seed: int) -> None:
        self._hosts = hosts
        self._prose = prose
        self._dice = Dice(seed, "names")

    def words(self, number: int) -> tuple[str, str]:
        """Two words that name a page: the first tells its topic in two of three cases, the second in one."""
        draw = self._dice(number)
        topic = self._hosts.page_topic(number)
        first = (
            self._prose.word(topic, draw >> 8) if draw % 3 else PLAIN_NAMES[(draw >> 8) % len(PLAIN_NAMES)]
        )
        second = PLAIN_NAMES[(draw >> 24) % len(PLAIN_NAMES)]
        if (draw >> 40) % 3 == 0:
            second = self._prose.word(topic, draw >> 24)
        return first, second

    def path(self, number: int) -> str:
        """Where a page is on its host."""
        host, place = self._hosts.locate(number)
        if place == 0:
            return "/"
        first, second = self.words(number)
        folder = self._folder(host, place)
        return f"{folder}{first}-{place}/" if place <= BRANCHING else f"{folder}{first}-{second}-{place}.html"

    def _folder(self, host: int, place: int) -> str:
        home = self._hosts.first(host)
        folder = "/"
        for above in _ancestors(place)[:2]:
            folder += f"{self.words(home + above)[0]}-{above}/"
        return folder

    def url(self, number: int) -> str:
        """Return the one canonical url of a page."""
        host, _ = self._hosts.locate(number)
        return f"http://{self._hosts.names[host]}{self.path(number)}"

    def place(self, host: int, path: str) -> int | None:
        """Return the number of the page at a path, or None."""
        if path == "/":
            return self._hosts.first(host)
        match = _LAST_NUMBER.search(path)
        if match is None or int(match[1]) >= self._hosts.size(host):
            return None
        number = self._hosts.first(host) + int(match[1])
        return number if self.path(number) == path else None

    def host(self, name: str) -> int | None:
        """Return the number of a host, or None."""
        match = _HOST.fullmatch(name)
        if match is None or int(match[1]) >= self._hosts.count:
            return None
        return int(match[1]) if self._hosts.names[int(match[1])] == name else None

    def split(self, url: str) -> tuple[int, str, str] | None:
        """Host, path and query of a url of this web, or None for any other string."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return None
        host = self.host(parts.netloc)
        if host is None or not url.startswith(f"http://{parts.netloc}/") or parts.fragment:
            return None
        return host, parts.path, parts.query

    def number(self, url: str) -> int | None:
        """Return the page whose canonical url this is, or None."""
        parts = self.split(url)
        number = self.place(parts[0], parts[1]) if parts else None
        return number if number is not None and self.url(number) == url else None


def _ancestors(place: int) -> list[int]:
    """Return the pages above a page, from the section downward; the home page is left out."""
    above = []
    place = (place - 1) // BRANCHING
    while place > 0:
        above.append(place)
        place = (place - 1) // BRANCHING
    return above[::-1]
