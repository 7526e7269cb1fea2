"""The sort-friendly form of urls by which web archives look pages up. Called by the archive's index.

The rules are those that pywb and the Wayback Machine apply to what they are asked for, so that they find it.
"""

from __future__ import annotations

import re
from urllib.parse import quote_from_bytes, unquote_to_bytes

_WWW = re.compile(r"\Awww[0-9]*\.")
_PORT = re.compile(r":[0-9]+\Z")
_SLASHES = re.compile(r"/{2,}")
_KEPT_CHARACTERS = "!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"
_MAX_UNESCAPINGS = 8


def surt(url: str) -> str:
    """Return the sort-friendly form of a canonical url.

    >>> surt("https://www.Example.org:8080/A//b/?z=1&a=%7E")
    'org,example:8080)/a/b?a=~&z=1'
    """
    host, _, rest = url.split("//", 1)[1].partition("/")
    path, _, query = rest.partition("?")
    arranged = "?" + _sorted(_escaped(query).lower()) if query else ""
    return f"{_reversed(host.lower())}){_path(_escaped(path).lower())}{arranged}"


def _reversed(host: str) -> str:
    name, port = (host, "") if (found := _PORT.search(host)) is None else (host[: found.start()], found[0])
    return ",".join(reversed(_WWW.sub("", name).strip("[]").split("."))) + port


def _escaped(text: str) -> str:
    """Escape what must be, once, however often it was."""
    raw = text.encode("utf-8", "replace")
    for _ in range(_MAX_UNESCAPINGS):
        if b"%" not in raw:
            break
        raw = unquote_to_bytes(raw)
    return quote_from_bytes(raw, safe=_KEPT_CHARACTERS)


def _path(path: str) -> str:
    """Resolve dots once more: unescaped slashes may have brought new ones, and no reader asks for `/shop/../admin`."""
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == ".." and kept:
            kept.pop()
        elif segment != ".":
            kept.append(segment)
    return "/" + _SLASHES.sub("/", "/".join(kept)).strip("/")


def _sorted(query: str) -> str:
    return "&".join("=".join(pair) for pair in sorted(pair.split("=", 1) for pair in query.split("&")))
