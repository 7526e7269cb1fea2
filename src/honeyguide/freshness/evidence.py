"""What servers say of how often a page changes, before anybody has looked twice. Weak, as servers say much.

Headers are hostile: whatever is no plain date or number says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

DAY_SECONDS = 86_400.0
LAST_MODIFIED_SHARE = 0.5
"""A change that a server dates counts for so much of one that we saw."""

MAX_AGE_SHARE = 0.1
"""How long a page may be kept says little of how long it stays: most servers say the same of all their pages."""

_LEAST_SECONDS = 3600.0  # what was made for us a moment ago was not changed then
_LONGEST_DAYS = 1825.0
_LONGEST_DATE = 64
_DAY_CHARS = 10  # as in 1970-01-02
_LONGEST_HEADER = 500
_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s{0,9}=\s{0,9}\"?([0-9]{1,9})")


def http_date(text: str) -> float | None:
    """Seconds since 1970 of a date in a header; None for what is none.

    >>> http_date("Sun, 06 Nov 1994 08:49:37 GMT"), http_date("yesterday"), http_date("1" * 9999)
    (784111777.0, None, None)
    """
    if not _DAY_CHARS <= len(text) <= _LONGEST_DATE:
        return None
    try:
        found = parsedate_to_datetime(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def any_date(text: str) -> tuple[float, float] | None:
    """The moment that a sitemap or feed gives, in either of their ways, as its beginning and end: a day alone is long.

    >>> any_date("1970-01-02"), any_date("1970-01-01T01:00:00+01:00")
    ((86400.0, 172800.0), (0.0, 0.0))
    >>> any_date("Sun, 06 Nov 1994 08:49:37 GMT")
    (784111777.0, 784111777.0)
    >>> any_date(""), any_date("soon"), any_date("9999-99-99"), any_date("+" * 9999)
    (None, None, None, None)
    """
    if not _DAY_CHARS <= len(text) <= _LONGEST_DATE:
        return None
    try:
        found = datetime.fromisoformat(text)
        begin = (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
        return begin, begin + DAY_SECONDS * (len(text) == _DAY_CHARS)
    except (ValueError, OverflowError):
        moment = http_date(text)
        return None if moment is None else (moment, moment)


def max_age_days(text: str) -> float:
    """For how many days a Cache-Control header lets a page be kept; 0 if it does not say.

    >>> max_age_days("public, max-age=172800"), max_age_days("no-store"), max_age_days("max-age=1e99")
    (2.0, 0.0, 1.1574074074074073e-05)
    """
    found = _MAX_AGE.search(text[:_LONGEST_HEADER].lower())
    return int(found[1]) / DAY_SECONDS if found else 0.0


def told_by(headers: Mapping[str, str], now: float) -> tuple[float, float]:
    """Changes, and days over which they were, that the headers of a page's first answer speak for.

    The time since the last change of a page is distributed as that to the next one: one change in so many days.

    >>> told_by({"last-modified": "Sun, 06 Nov 1994 08:49:37 GMT"}, 784111777.0 + 100 * 86_400)
    (0.5, 50.0)
    >>> told_by({"cache-control": "max-age=864000"}, 0.0), told_by({}, 0.0)
    ((0.1, 1.0), (0.0, 0.0))
    """
    changes = days = 0.0
    modified = http_date(headers.get("last-modified", ""))
    if modified is not None and now - modified >= _LEAST_SECONDS:
        changes += LAST_MODIFIED_SHARE
        days += LAST_MODIFIED_SHARE * min((now - modified) / DAY_SECONDS, _LONGEST_DAYS)
    kept = max_age_days(headers.get("cache-control", ""))
    if kept * DAY_SECONDS >= _LEAST_SECONDS:
        changes += MAX_AGE_SHARE
        days += MAX_AGE_SHARE * min(kept, _LONGEST_DAYS)
    return changes, days
