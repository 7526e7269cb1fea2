"""The traps of the sample web: places without end that hold nothing new, as real hosts have them."""

import re

from honeyguide.sample_web.dice import Dice
from honeyguide.sample_web.hosts import Hosts

_KINDS = ("calendar", "session", "repeat", "print", "print", "private", "private", "", "", "")
_LEAST_PAGES = 6
_MONTH = re.compile(r"/calendar/([0-9]{1,6})-([0-9]{2})/\Z")
_REPEAT = re.compile(r"/(?:more/)+\Z")
_PRIVATE = re.compile(r"/private/[0-9]{1,12}\.html\Z")

FIRST_MONTH = "/calendar/2020-01/"


class Traps:
    """What kind of trap a host has, the ways into it, and the links inside it, as (href, anchor text)."""

    def __init__(self, hosts: Hosts, seed: int) -> None:
        self._hosts = hosts
        self._dice = Dice(seed, "traps")

    def kind(self, host: int) -> str:
        """One kind of trap for a host, or an empty string."""
        return _KINDS[self._dice(host) % len(_KINDS)] if self._hosts.size(host) >= _LEAST_PAGES else ""

    def next_session(self, session: str, target: int) -> str:
        """Every link of every page has a session id of its own, so there is no end of them."""
        return f"{self._dice(int(session or '0', 16) ^ (target << 32)):016x}"

    def entrances(self, host: int, number: int, path: str, session: str) -> list[tuple[str, str]]:
        """List the links from an ordinary page into its host's trap."""
        return {
            "calendar": [(FIRST_MONTH, "Calendar")],
            "session": [(f"{path}?sid={self.next_session(session, number)}", "Sign in")],
            "repeat": [("/more/", "Browse")],
            "print": [(f"{path}?print=1", "Print this page")],
            "private": [(f"/private/{number}.html", "Members")],
        }.get(self.kind(host), [])

    def dead_ends(self, number: int) -> list[tuple[str, str]]:
        """List the links from an ordinary page to what is gone or broken."""
        draw = self._dice(~number) % 100
        if draw < 3:
            return [(f"/gone/{number}.html", "Old version")]
        return [(f"/broken/{number}.html", "Statistics")] if draw < 4 else []

    def links(self, host: int, path: str) -> list[tuple[str, str]] | None:
        """Return the links of a trap page, or None where the host has no such page."""
        kind = self.kind(host)
        if kind == "calendar" and (month := _MONTH.match(path)):
            return _months(int(month[1]), int(month[2]))
        if kind == "repeat" and _REPEAT.match(path):
            return [("more/", "Browse more"), ("/", "Home")]
        if kind == "private" and _PRIVATE.match(path):
            return [("/", "Home")]
        return None


def _months(year: int, month: int) -> list[tuple[str, str]] | None:
    if not 1 <= month <= 12:
        return None
    after = (year + 1, 1) if month == 12 else (year, month + 1)
    before = (year - 1, 12) if month == 1 else (year, month - 1)
    links = [(f"/calendar/{after[0]}-{after[1]:02d}/", "Next month"), ("/", "Home")]
    return [*links, (f"/calendar/{before[0]}-{before[1]:02d}/", "Previous month")] if year else links
