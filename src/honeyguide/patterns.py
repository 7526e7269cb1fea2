"""Patterns over canonical urls, and the rules that people steer a crawl's queue with.

A pattern is one of three things, told apart by how it is written:

- a host, without any `/`: `example.org` hits it and every host below it, on any port;
- a pattern with `*`, which stands for any characters, none and `/` included; everything else, also `?`, stands for
  itself, and the whole url must fit: `https://shop.example.org/cart/*`. What begins with no scheme, or with `*://`,
  is meant for http and https: `example.org/calendar/*`;
- else a url: it alone.

A pattern is matched from left to right, each piece between stars at the first place where it is found. That is never
wrong where only `*` is special, so no url, however it is made up, takes more than one pass for each piece.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, get_args

from honeyguide.errors import SettingsError
from honeyguide.urls import MAX_LENGTH, UrlPolicy, host_of

Kind = Literal["host", "url", "glob"]
Action = Literal["raise", "lower", "exclude"]
ACTIONS: tuple[Action, ...] = get_args(Action)

MOST_STARS = 20
EITHER = "*://"
_SCHEMES = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class Rule:
    """What somebody wants of all urls that a pattern hits. Of several rules that hit a url, the newest decides.

    Raised urls come before all others and lowered ones after them, each in the order of the strategy; excluded ones are
    not fetched.
    """

    number: int
    action: Action
    pattern: str
    time: float
    is_waiting: bool = False  # in the inbox, for a crawl that does not run


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern as it was read.

    >>> Pattern.read("https://example.org/a/*.html").hits("https://example.org/a/b/c.html", "example.org")
    True
    >>> Pattern.read("Example.org").hits("https://www.example.org/", "www.example.org")
    True
    """

    text: str
    kind: Kind
    host: str = ""  # the host that every url has which it hits; empty if that is not known
    _pieces: tuple[str, ...] = ()
    _is_either: bool = False
    literal: str = field(default="", compare=False)
    """A text that every url has in it which it hits."""

    @classmethod
    def read(cls, text: str, policy: UrlPolicy | None = None) -> Pattern:
        """A pattern that a person wrote; SettingsError if it is none."""
        text = text.strip()
        if not text or len(text) > MAX_LENGTH or not text.isprintable():
            raise SettingsError(
                f"a pattern is a host, a url, or a url with `*`, of up to {MAX_LENGTH:,} characters"
            )
        if "*" in text:
            return cls._glob(text)
        policy = policy or UrlPolicy()
        if "/" not in text:
            home = policy.canonical(f"http://{text}/")
            if home is None or home.count("/") != 3:
                raise SettingsError(
                    f"{text!r} is no host; write a host, a url, or a pattern with `*` such as *{text}*"
                )
            return cls(host_of(home), "host")
        url = policy.canonical(text if text.lower().startswith(_SCHEMES) else f"https://{text}")
        if url is None:
            raise SettingsError(f"{text!r} is no url; write a host, a url, or a pattern with `*`")
        return cls(url, "url", host_of(url), literal=url)

    @classmethod
    def _glob(cls, text: str) -> Pattern:
        if text.count("*") > MOST_STARS:
            raise SettingsError(f"{text[:50]!r} has more than {MOST_STARS} stars; say it with fewer")
        scheme = next((scheme for scheme in _SCHEMES if text.lower().startswith(scheme)), "")
        if not scheme and not text.startswith("*"):
            scheme, text = EITHER, f"{EITHER}{text}"
        elif text.startswith(EITHER):
            scheme = EITHER
        host, slash, path = text[len(scheme) :].partition("/")
        is_named = bool(scheme and slash and "*" not in host)
        if is_named:
            host = host.lower()
            text = f"{scheme}{host}/{path}"
        pieces = text.removeprefix(EITHER).split("*") if scheme == EITHER else text.split("*")
        longest = max(pieces, key=len)
        named = host if is_named else ""
        return cls(text, "glob", named, tuple(pieces), scheme == EITHER, longest)

    def hits(self, url: str, host: str) -> bool:
        """Whether it hits a canonical url, whose host is given as well."""
        if self.kind == "host":
            return self.text in names_over(host)
        if self.kind == "url":
            return url == self.text
        return self._fits(url.partition("://")[2] if self._is_either else url)

    def _fits(self, url: str) -> bool:
        first, *inner, last = self._pieces
        at, end = len(first), len(url) - len(last)
        if at > end or not url.startswith(first) or not url.endswith(last):
            return False
        for piece in inner:
            found = url.find(piece, at, end)
            if found < 0:
                return False
            at = found + len(piece)
        return True


def names_over(host: str) -> Iterable[str]:
    """The host, without its port, and the domains above it."""
    name = host.partition(":")[0] if not host.startswith("[") else host
    labels = name.split(".")
    return [host, *(".".join(labels[start:]) for start in range(len(labels)))]
