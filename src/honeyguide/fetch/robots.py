"""What robots.txt files allow us, by RFC 9309 (docs/robots.md). Called by live.

protego reads the rules; which lines concern us, and what follows when the file cannot be had, is decided here.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

from protego import Protego
from pydantic import Field, TypeAdapter

from honeyguide.errors import AddressForbidden, FetchError, HostUnreachable, HttpStatusError
from honeyguide.fetch.base import NEVER_SEEN
from honeyguide.fetch.identity import PRODUCT_TOKEN
from honeyguide.fetch.politeness import parse_date
from honeyguide.model import Response, Validators
from honeyguide.urls import DEFAULT_POLICY, parse, without_userinfo

MAX_BYTES = 512 * 1024
"""Of a longer robots.txt the rest is ignored."""
MAX_REDIRECTS = 5
MAX_AGE_SECONDS = 24 * 3600.0
MIN_AGE_SECONDS = 600.0
"""Cache-Control may shorten the time a file is kept, but not below this: every page would ask for it."""
FIRST_RETRY_SECONDS = 60.0
MAX_RETRY_SECONDS = 3600.0
MAX_SITEMAPS = 1000

Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]

_LONGEST_DELAY_SECONDS = 1e9  # what is longer is as good as for ever, and fits into every sum
_KEPT_CHARS = 64 << 20
_PARSED_CHARS = 2 << 20
_ENTRY_CHARS = 500  # what an entry costs beside its text
_MAX_RECORD_CHARS = 4 * MAX_BYTES
_BYTE_ORDER_MARKS = b"\xef\xbb\xbf\xff\xfe"
# Line breaks for Python and so for protego, but not for the RFC.
_NO_LINE_BREAK = re.compile("[\v\f\x1c-\x1e\x85\u2028\u2029]")
_AGENT = re.compile(r"user[ -]?agent(?:\s*:|\s|$)\s*(.*)", re.IGNORECASE)
_SITEMAP = re.compile(r"site-?maps?(?:\s*:|\s)", re.IGNORECASE)
_BARE_SITEMAP = re.compile(r"https?:(?=\S*sitemap)\S++\Z", re.IGNORECASE)
# Rules as protego knows them, with their misspellings: no other line ends a list of names.
_RULE = re.compile(r"(?:allow|diss?all?ow|diasllow|disallaw)(?:\s*:|\s)", re.IGNORECASE)
_DELAY = re.compile(r"crawl[ -]delay(?:\s*:|\s)\s*([0-9.]+(?:e[+-]?[0-9]+)?)\Z", re.IGNORECASE)
_RATE = re.compile(r"request[ -]rate(?:\s*:|\s)\s*([0-9]+)/([0-9]+)([smhd]?)(?:\s|\Z)", re.IGNORECASE)
_UNIT_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_VERSION = re.compile(r"/[\w.]*\Z")
_MAX_AGE = re.compile(r"max-age\s*=\s*\"?([0-9]{1,9})", re.IGNORECASE)
_MAX_TAG_CHARS = 2000
_WEEKDAY = re.compile(r"\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\s*,")
_WITH_VALUE = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")
_AGENT_NAME = re.compile(r"\*|[a-z][\w-]*")
_NOT_KEPT = re.compile(r"no-cache|no-store", re.IGNORECASE)


class Get(Protocol):
    """Asks a host for one thing, as `HttpClient.get` does."""

    async def __call__(
        self,
        url: str,
        *,
        validators: Validators = NEVER_SEEN,
        any_type: bool = False,
        max_body_bytes: int | None = None,
        cut_body: bool = False,
    ) -> Response:
        """Bring a response, a redirect being one. Raises FetchError."""


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """What one robots.txt says to us, as of one asking for it."""

    url: str  # of the robots.txt
    text: str  # the lines that concern us
    expires: Amount
    delay_seconds: Amount | None = None  # the longest of all its lines for us
    is_final: bool = True  # False: the file cannot be had at the moment, so everything is denied
    failures: int = 0  # in a row, up to this one
    reason: str = ""  # why it cannot be had
    is_reachable: bool = True  # False: the host itself cannot be

    def allows(self, url: str) -> bool:
        """Whether we may ask for a url of this host."""
        return self.is_final and _parsed(self.text).can_fetch(url, PRODUCT_TOKEN)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps the file lists, as canonical urls."""
        urls = (DEFAULT_POLICY.canonical(text, self.url) for text in _parsed(self.text).sitemaps)
        return tuple(dict.fromkeys(url for url in urls if url))[:MAX_SITEMAPS]


def parse_robots(body: bytes, url: str, expires: float, agent: str = PRODUCT_TOKEN) -> RobotsRules:
    """Read a robots.txt for one agent. Never fails: what is no robots.txt allows everything."""
    text = _lines_for(agent, _decode(body))
    # Of several lines protego would take the last, which may be meant for another robot of the same group.
    longest = max(map(_delay_seconds, text.split("\n")))
    return RobotsRules(url, text, expires, min(longest, _LONGEST_DELAY_SECONDS) or None)


class Robots:
    """The rules of every host: asked for once, kept for a day at most, and through restarts."""

    def __init__(self, get: Get) -> None:
        self._get = get
        self._rules: _Recent[RobotsRules] = _Recent(_KEPT_CHARS)
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._records: dict[str, str] = {}
        self._sitemaps: list[tuple[str, tuple[str, ...]]] = []

    def known(self, origin: str, now: float) -> RobotsRules | None:
        """The rules of an origin such as "https://example.org:8080", if they need not be asked for now."""
        rules = self._rules.get(origin)
        return rules if rules and now < rules.expires else None

    async def rules(self, origin: str, now: float) -> RobotsRules:
        """The rules of an origin, asked for if they are not known. All who want them share one asking."""
        if rules := self.known(origin, now):
            return rules
        async with self._asking.setdefault(origin, asyncio.Lock()):
            return self.known(origin, now) or await self._ask(origin, now)

    def take_sitemaps(self) -> list[tuple[str, tuple[str, ...]]]:
        """Urls of robots.txt files read since the last call, with the sitemaps they list."""
        taken, self._sitemaps = self._sitemaps, []
        return taken

    def take_records(self) -> dict[str, str]:
        """A text for each origin whose rules have changed since the last call."""
        taken, self._records = self._records, {}
        return taken

    def restore_record(self, origin: str, record: str, now: float) -> RobotsRules | None:
        """Take back a text of `take_records`; a damaged one is ignored.

        One that would live longer than if it had been asked for now is from before the clock was set back: its
        file is asked for again.
        """
        rules = _read_record(record)
        if rules is None:
            return None
        longest = MAX_AGE_SECONDS if rules.is_final else _retry_seconds(rules.failures)
        if rules.expires <= now + longest:
            self._rules.put(origin, rules, len(rules.text))
        return rules

    async def _ask(self, origin: str, now: float) -> RobotsRules:
        url = f"{origin}/robots.txt"
        try:
            rules = _answered(url, await self._follow(url), now)
        except (
            AddressForbidden
        ):  # of the host itself, which was not asked, and nothing a later try could change
            raise
        except FetchError as error:
            former = self._rules.get(origin)
            rules = _unanswered(url, error, former.failures if former else 0, now)
        self._rules.put(origin, rules, len(rules.text))
        self._records[origin] = _RECORD.dump_json(rules).decode()
        if rules.sitemaps:
            self._sitemaps.append((url, rules.sitemaps))
        return rules

    async def _follow(self, url: str) -> Response:
        """The first answer that is no redirect we may follow; names and passwords of a redirect are not sent."""
        response = await self._get_file(url)
        for _ in range(MAX_REDIRECTS):
            target = response.redirect and parse(response.redirect, url)
            if not target:
                break
            url = without_userinfo(target)
            try:
                response = await self._get_file(url)
            except AddressForbidden as error:  # the host was asked, and must not be asked again for every url
                raise FetchError(f"it leads to a forbidden address: {error}") from error
        return response

    async def _get_file(self, url: str) -> Response:
        return await self._get(url, any_type=True, max_body_bytes=MAX_BYTES, cut_body=True)


def robots_directives(headers: Mapping[str, str], now: float) -> frozenset[str]:
    """What an X-Robots-Tag header says to us about its page, in lower case.

    "none" is spelled out as well, and what is no longer available counts as noindex.

    >>> sorted(robots_directives({"x-robots-tag": "googlebot: nofollow, HONEYGUIDE: noindex, noarchive"}, 0.0))
    ['noarchive', 'noindex']
    >>> sorted(robots_directives({"x-robots-tag": "unavailable_after: Fri, 25 Jun 2010 15:00:00 PST"}, 2e9))
    ['noindex']
    """
    text = _WEEKDAY.sub("", headers.get("x-robots-tag", "")[:_MAX_TAG_CHARS].lower())
    found: set[str] = set()
    concerns_us = True
    for piece in text.split(","):
        name, directive = _split_agent(piece)
        if name:
            concerns_us = name in ("*", PRODUCT_TOKEN)
        if concerns_us:
            found |= _directive(directive, now)
    return frozenset(found)


def _split_agent(piece: str) -> tuple[str, str]:
    """The agent that stands before a directive, or an empty text, and the directive."""
    name, colon, rest = piece.partition(":")
    name = name.strip()
    if colon and name not in _WITH_VALUE and _AGENT_NAME.fullmatch(name):
        return name, rest.strip()
    return "", piece.strip()


def _directive(text: str, now: float) -> set[str]:
    name, colon, value = text.partition(":")
    name = name.strip()
    if not colon:
        return {name, "noindex", "nofollow"} if name == "none" else {name} - {""}
    try:
        return {"noindex"} if name == "unavailable_after" and parse_date(value.strip()) < now else set()
    except ValueError:
        return set()


def _answered(url: str, response: Response, now: float) -> RobotsRules:
    """A redirect that leads nowhere, like too many of them, means that there is no robots.txt."""
    expires = now + _age_seconds(response.headers.get("cache-control", ""))
    return parse_robots(response.body if 200 <= response.status < 300 else b"", url, expires)


def _unanswered(url: str, error: FetchError, failures: int, now: float) -> RobotsRules:
    if isinstance(error, HttpStatusError) and error.status < 500 and error.status != 429:
        return RobotsRules(url, "", now + MAX_AGE_SECONDS)
    return RobotsRules(
        url,
        "",
        now + _retry_seconds(failures + 1),
        is_final=False,
        failures=failures + 1,
        reason=str(error)[:200],
        is_reachable=not isinstance(error, HostUnreachable),
    )


def _retry_seconds(failures: int) -> float:
    return min(FIRST_RETRY_SECONDS * 2.0 ** min(failures - 1, 30), MAX_RETRY_SECONDS)


def _age_seconds(cache_control: str) -> float:
    if _NOT_KEPT.search(cache_control):
        return MIN_AGE_SECONDS
    found = _MAX_AGE.search(cache_control)
    return min(max(float(found[1]), MIN_AGE_SECONDS), MAX_AGE_SECONDS) if found else MAX_AGE_SECONDS


def _decode(body: bytes) -> str:
    # Without its zero bytes, UTF-16 is readable as well where it matters.
    plain = body[:MAX_BYTES].lstrip(_BYTE_ORDER_MARKS).replace(b"\0", b"")
    return _NO_LINE_BREAK.sub(" ", plain.decode("utf-8", "replace"))


def _lines_for(agent: str, text: str) -> str:
    """Reduce a robots.txt to one group: the lines for the longest name the agent answers to, or for all.

    Groups of one name count as one, and nothing but a rule ends a group's list of names (RFC 9309, 2.2.4).
    """
    own_names = {agent.lower(), *re.split(r"[^\w-]+", agent.lower())} - {""}
    groups: dict[str, dict[str, None]] = {}  # each line once, in order
    current: dict[str, dict[str, None]] = {}
    sitemaps: dict[str, None] = {}
    is_listing_names = False
    for line in _lines(text):
        if found := _AGENT.match(line):
            if not is_listing_names:
                current, is_listing_names = {}, True
            if name := _own_name(found[1].lower(), own_names):
                current[name] = groups.setdefault(name, {})
        elif _SITEMAP.match(line):
            sitemaps[line] = None
        elif _BARE_SITEMAP.match(line):
            sitemaps[f"Sitemap: {line}"] = None
        else:
            is_listing_names = is_listing_names and _RULE.match(line) is None
            for group in current.values():
                group[line] = None
    name = max((name for name in groups if name != "*"), key=len, default="*")
    own_lines = groups.get(name)
    return "\n".join([*sitemaps, "User-agent: *", *own_lines] if own_lines else sitemaps)


def _lines(text: str) -> Iterator[str]:
    for line in re.split(r"[\r\n]+", text):
        if plain := line.partition("#")[0].strip():
            yield plain


def _own_name(value: str, own_names: set[str]) -> str:
    """The name by which a User-agent line means us, or an empty text.

    It may stand in a list, have a version or stray wildcards, and if it stands alone be the beginning of ours.
    """
    if value == "*" or value.startswith("* "):
        return "*"
    listed = own_names.intersection([_VERSION.sub("", word) for word in re.split(r"[\s,]+", value)])
    alone = {value, value.replace("*", "")} - {""}
    begun = {name for name in alone if any(own.startswith(name) for own in own_names)}
    return max(sorted(listed | begun), key=len, default="")


def _delay_seconds(line: str) -> float:
    """The seconds between two requests that one line asks for; none if it is another line, or makes no sense."""
    try:
        if found := _DELAY.match(line):
            return float(found[1])
        if found := _RATE.match(line):
            return float(found[2]) * _UNIT_SECONDS[found[3].lower()] / float(found[1])
    except (ValueError, ZeroDivisionError):
        pass
    return 0.0


def _read_record(record: str) -> RobotsRules | None:
    try:
        return _RECORD.validate_json(record[:_MAX_RECORD_CHARS], strict=True)
    except ValueError:
        return None


_T = TypeVar("_T")


class _Recent(Generic[_T]):
    """Keeps what was used last, within a bound on the characters it is made of."""

    def __init__(self, max_chars: int) -> None:
        self._chars_left = max_chars
        self._kept: OrderedDict[str, tuple[_T, int]] = OrderedDict()

    def get(self, key: str) -> _T | None:
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def put(self, key: str, value: _T, chars: int) -> None:
        if key in self._kept:
            self._chars_left += self._kept.pop(key)[1]
        cost = chars + _ENTRY_CHARS
        self._kept[key] = value, cost
        self._chars_left -= cost
        while self._chars_left < 0 and len(self._kept) > 1:
            self._chars_left += self._kept.popitem(last=False)[1][1]


_RECORD = TypeAdapter(RobotsRules)
_recently_parsed: _Recent[Protego] = _Recent(_PARSED_CHARS)


def _parsed(text: str) -> Protego:
    """Hosts with the same rules share them: most say nothing, and many say what their software says."""
    parsed = _recently_parsed.get(text)
    if parsed is None:
        parsed = Protego.parse(text)
        _recently_parsed.put(text, parsed, len(text))
    return parsed
