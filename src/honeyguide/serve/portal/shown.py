"""Texts and addresses of strangers, made fit to be shown. Templates escape them; this is what escaping leaves over."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from urllib.parse import quote

from honeyguide.urls import parse, without_userinfo

MOST_TITLE = 200
MOST_TEXT = 400
MOST_ADDRESS = 120

# What neither XML nor a reader can use: control characters, halves of pairs, and signs that turn the direction of the
# text around them, by which "gpj.exe" can be made to look like "exe.jpg".
_UNSHOWN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff"
    r"\ufff9-\ufffb\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff\U000e0000-\U000e0fff]"
)
_PILED_MARKS = re.compile(
    r"([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0]{3})[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0]+"
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}")
_LATEST = 253_402_300_799.0  # the last second of the year 9999


def plain(text: str, most: int = MOST_TITLE) -> str:
    r"""One line of at most so many characters, without anything that cannot be seen.

    >>> plain("  honey\x00 \n\u202ebees "), plain("a" * 9, 5)
    ('honey bees', 'aaaa…')
    """
    line = " ".join(without_unshown(text[: 8 * most]).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def without_unshown(text: str) -> str:
    """The same text without what cannot be seen; spaces stay as they are."""
    return _PILED_MARKS.sub(r"\1", _UNSHOWN.sub("", text))


def web_link(url: str) -> str:
    """The address if a browser may be led there: http and https only, without a user name; otherwise empty.

    >>> web_link("javascript:alert(1)"), web_link("https://joe:pw@bees.example/?a=<b>")
    ('', 'https://bees.example/?a=%3Cb%3E')
    """
    href = parse(url)
    return without_userinfo(href) if href else ""


def address(url: str) -> str:
    """An address as people read it, shortened in the middle.

    >>> address("https://bees.example/" + "x" * 200)[-12:]
    'xxxxxxxxxxxx'
    """
    line = plain(url, 4096)
    if len(line) <= MOST_ADDRESS:
        return line
    return f"{line[: MOST_ADDRESS - 41]}…{line[-40:]}"


def language(code: str) -> str:
    """A language as an attribute can name it, or nothing.

    >>> language("en"), language('"><script>')
    ('en', '')
    """
    return code if _LANGUAGE.fullmatch(code) else ""


def iso(time: float) -> str:
    """A time as machines read it; one that no calendar has is the beginning of 1970.

    >>> iso(0.0), iso(float("nan"))
    ('1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z')
    """
    return _moment(time).strftime("%Y-%m-%dT%H:%M:%SZ")


def day(time: float) -> str:
    """A day as people read it.

    >>> day(86400 * 365)
    '1 January 1971'
    """
    when = _moment(time)
    return f"{when.day} {when:%B} {when.year}"


def _moment(time: float) -> datetime:
    return datetime.fromtimestamp(time if 0 <= time <= _LATEST else 0.0, UTC)


def parameters(**given: str | int | None) -> str:
    """The query of a link; empty ones are left out, as is the "?" without any.

    >>> parameters(q="a&b", site="", page=2)
    '?q=a%26b&page=2'
    """
    pairs = [f"{name}={quote(without_halves(str(value)), safe='')}" for name, value in given.items() if value]
    return f"?{'&'.join(pairs)}" if pairs else ""


def without_halves(text: str) -> str:
    """A text that can be encoded: halves of pairs become question marks."""
    return text.encode("utf-8", "replace").decode()
