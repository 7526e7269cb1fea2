"""Urls where words are expected, with or without a scheme; names such as Node.js or ASP.NET are none."""

from __future__ import annotations

import re

from honeyguide.urls import is_public_suffix

_QUOTED = re.compile(r'"[^"]*"')
_ABSOLUTE = re.compile(r"(?:^|\s)(?:\w+://|www\.)\S+", re.IGNORECASE)
_SCHEME = re.compile(r"\S*\w://|//|www\.\w|mailto:\w|localhost[:/]", re.IGNORECASE)
_HOST = re.compile(r"(?:[^\W_][\w-]*\.)+(?P<last>[a-z]{2,})(?P<more>(?::\d+)?(?:[/?#]\S*)?)", re.IGNORECASE)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
# A host of two labels may be a name, or the end of a sentence and the next: not with one of these for the last.
_PLAIN_HOSTS = re.compile(
    "com|org|edu|gov|mil|info|eu|de|fr|es|pt|nl|pl|ru|jp|cn|uk|br|ch|cz|dk|se|fi|hu|ro|ua"
)
_FEWEST_LABELS = 3


def url_in(phrase: str) -> str:
    """The first thing of a phrase that is a url, or an empty string; what is in quotes is words.

    >>> url_in("bees example.org/a"), url_in("ASP.NET or Node.js in St. Petersburg, U.S."), url_in('"example.org"')
    ('example.org/a', '', '')
    """
    tokens = (token.strip("(<[]>),;!.'") for token in _QUOTED.sub(" ", phrase).split())
    return next((token for token in tokens if _is_url(token)), "")


def absolute_url_in(phrase: str) -> str:
    """The first that says itself that it is one."""
    found = _ABSOLUTE.search(phrase)
    return found[0].strip() if found else ""


def _is_url(token: str) -> bool:
    if _SCHEME.match(token) or _MAIL.fullmatch(token):
        return True
    found = _HOST.fullmatch(token)
    if not found or not found["last"].islower():
        return False
    if found["more"] or token.count(".") >= _FEWEST_LABELS - 1:
        return is_public_suffix(found["last"])
    return _PLAIN_HOSTS.fullmatch(found["last"]) is not None
