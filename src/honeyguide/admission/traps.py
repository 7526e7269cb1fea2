"""Places without end: urls that look like a way into one. Hosts that bring nothing any more are told by `yields`.

`Scope` asks `UrlTraps` about every new url; docs/traps.md shows every rule.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

from honeyguide.settings import ScopeSettings

FIRST_YEAR = 1990
"""Calendars that show earlier years page through a past without events: there was no Web to announce them."""

_REPEATS_IN_A_ROW = 3
_REPEATS_ANYWHERE = 4
_LOOKED_AT = 60  # a path grows at its end, so the last segments tell
_MOST_BRACKETS = 4

_DATE = re.compile(
    r"([1-9][0-9]{3,5})([-/])(?:0?[1-9]|1[0-2])(?:\2(?:0?[1-9]|[12][0-9]|3[01]))?(?![0-9A-Za-z])"
)
_FULL_DATE_CHARS = len("2050-12-31")
_CALENDAR_WORDS = ("calend", "kalend", "agenda", "/cal/", "month")
# "/events/3021/12/" may be the twelfth picture of an event, "/events/3021-12/" is a month.
_CALENDAR_WORDS_WITH_DASH = (*_CALENDAR_WORDS, "event")
_DATE_PARAMETER = re.compile(
    r"(?:.*[^a-z])?(?:(?:start|end|from|to|event)?date|year|month|day|calendar|datum|jahr|monat|fecha)(?:[^a-z].*)?"
)
_DATE_VALUE = re.compile(r"[1-9][0-9]{3}(?=(?:[0-9]{2}){0,2}(?![0-9]))|[1-9][0-9]{4,5}(?=-)")

_SESSION = re.compile(
    r"\(s\([0-9a-z]{20,}\)\)"
    r"|(?<![a-z])(?:[a-z]{0,4}sess(?:ion)?(?:[-_]?id)?|[a-z]{0,4}[-_]?sid|cftoken)"
    r"[-=/:](?=[a-z]*+[0-9])(?=[0-9]*+[a-z])[0-9a-z]{16,}"
)

_Rule = Callable[[str, str], str | None]


class UrlTraps:
    """The rules of scope.traps. A rule is asked for path and query, and answers with what it found.

    >>> UrlTraps(ScopeSettings()).find("/wow/wow/wow/", "")
    ('repeated_path', 'its path repeats "wow/" 3 times in a row')
    """

    def __init__(self, settings: ScopeSettings, this_year: int | None = None) -> None:
        self._settings = settings
        self._last_year = (this_year or datetime.now(UTC).year) + settings.max_calendar_years
        rules: dict[str, _Rule] = {
            "repeated_path": _repetition,
            "deep_path": self._depth,
            "calendar": self._far_date,
            "facets": self._facets,
            "session_id": _session,
            "long_query": self._long_query,
        }
        self._rules = [(name, rule) for name, rule in rules.items() if name in settings.traps]

    def find(self, path: str, query: str) -> tuple[str, str] | None:
        """Return the name of the first rule that a url looks like, and what it found; None for most urls."""
        for name, rule in self._rules:
            found = rule(path, query)
            if found is not None:
                return name, found
        return None

    def _depth(self, path: str, query: str) -> str | None:
        segments = path.count("/")
        limit = self._settings.max_path_segments
        return f"its path has {segments} segments, more than {limit}" if segments > limit else None

    def _facets(self, path: str, query: str) -> str | None:
        if not query:
            return None
        brackets = query.count("[") + query.count("%5B")
        if brackets > _MOST_BRACKETS:
            return f"its query combines {brackets} filters"
        parts = 1 + sum(map(query.count, ("&", ",", "%2C", "|", "%7C")))
        limit = self._settings.max_query_parameters
        return f"its query has {parts} parameters and choices, more than {limit}" if parts > limit else None

    def _long_query(self, path: str, query: str) -> str | None:
        limit = self._settings.max_query_chars
        return f"its query has {len(query)} characters, more than {limit}" if len(query) > limit else None

    def _far_date(self, path: str, query: str) -> str | None:
        dates = [found for found in _DATE.finditer(path) if self._is_far(int(found[1]))]
        pairs = [pair for pair in query.split("&") if self._is_far(_year_of(pair))] if query else []
        if not dates and not pairs:
            return None
        lowered = path.lower()
        words = {word for word in _CALENDAR_WORDS_WITH_DASH if word in lowered}
        for found in dates:
            if self._is_calendar(path, found, words):
                return f"it shows the far date {found[0]}"
        for pair in pairs:
            if words or _year_of(pair) > self._last_year:
                return f"it asks for the far date {pair}"
        return None

    def _is_far(self, year: int) -> bool:
        return year > self._last_year or 0 < year < FIRST_YEAR

    def _is_calendar(self, path: str, found: re.Match[str], words: set[str]) -> bool:
        before = path[found.start() - 1]
        if before.isalnum():
            return False
        # Without a word for it, only a full date to come is surely none of a historian's pages.
        if before == "/" and len(found[0]) == _FULL_DATE_CHARS and int(found[1]) > self._last_year:
            return True
        return not words.isdisjoint(_CALENDAR_WORDS_WITH_DASH if found[2] == "-" else _CALENDAR_WORDS)


def _year_of(pair: str) -> int:
    """The year that a parameter asks for, or 0."""
    name, _, value = pair.partition("=")
    year = _DATE_VALUE.match(value)
    return int(year[0]) if year and _DATE_PARAMETER.fullmatch(name.lower()) else 0


def _repetition(path: str, query: str) -> str | None:
    if path.count("/") < _REPEATS_IN_A_ROW:
        return None
    segments = path.split("/")
    if len(segments) - len(set(segments)) < _REPEATS_IN_A_ROW - 1:
        return None
    segments = [segment for segment in segments if segment][-_LOOKED_AT:]
    # Numbers repeat by chance, as in dates and in numbered folders.
    words = Counter(segment for segment in segments if not segment.isdigit())
    if not words:
        return None
    word, times = words.most_common(1)[0]
    if times >= _REPEATS_ANYWHERE and not _in_a_row(segments):
        return f'its path has the segment "{word}" {times} times'
    unit = _in_a_row(segments)
    return f'its path repeats "{unit}" {_REPEATS_IN_A_ROW} times in a row' if unit else None


def _in_a_row(segments: list[str]) -> str:
    """The shortest run of segments that stands three times in a row."""
    for size in range(1, len(segments) // _REPEATS_IN_A_ROW + 1):
        for start in range(len(segments) - _REPEATS_IN_A_ROW * size + 1):
            end = start + _REPEATS_IN_A_ROW * size
            unit = segments[start : start + size]
            if segments[start:end] == unit * _REPEATS_IN_A_ROW and not "".join(unit).isdigit():
                return "/".join(unit) + "/"
    return ""


def _session(path: str, query: str) -> str | None:
    text = f"{path}?{query}".lower()
    # Nearly all urls are done after a look at the letters.
    if "sid" in text or "sess" in text or "(s(" in text or "cftoken" in text:
        found = _SESSION.search(text)
        return f'it holds the session id "{found[0]}"' if found else None
    return None
