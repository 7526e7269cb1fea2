"""Urls with their hosts turned round: `surt_of` for the scope's rules, `archive_key` for the archive's index.

The rules of a key are those that pywb and the Wayback Machine apply to what they are asked for, so that they find it.
Their library, surt, agrees on every url but those with session ids, which a crawl drops; it stays out since it brings
tldextract, requests and a third of a second at the start for these few lines.
"""

from __future__ import annotations

import re
from urllib.parse import quote_from_bytes, unquote_to_bytes

_WWW = re.compile(r"\Awww[0-9]*\.")
_PORT = re.compile(r":[0-9]+\Z")
_SLASHES = re.compile(r"/{2,}")
_KEPT_CHARACTERS = "!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"
_MAX_UNESCAPINGS = 8
_ESCAPED_SEPARATOR = re.compile(r"%(?:25)*(2E|2F|5C)", re.IGNORECASE)
_SEPARATORS = {"2E": ".", "2F": "/", "5C": "/"}


def surt_of(url: str, host: str) -> str:
    """A url with its host turned round, so that everything below a domain, host or folder has one prefix.

    As in Heritrix, https counts as http, and addresses are not turned.

    >>> surt_of("https://www.example.org:8080/a?b", "www.example.org:8080")
    'http://(org,example,www,:8080)/a?b'
    """
    path = url[url.index("/", len("https://")) :]
    name, colon, port = host.partition(":") if not host.startswith("[") else (host, "", "")
    if name[-1:].isdigit() or name.startswith("["):
        return f"http://({name}{colon}{port}){path}"
    return f"http://({','.join(reversed(name.split('.')))},{colon}{port}){path}"


def decoded(surt: str) -> str:
    r"""A SURT as a server reads it that decodes the path before it looks for folders in it.

    >>> decoded("http://(org,example,)/shop/..%2Fadmin/..;x/%5cbees?a=%2F")
    'http://(org,example,)/bees?a=%2F'
    """
    place, bracket, rest = surt.partition(")")
    path, mark, query = rest.partition("?")
    if "%" not in path and "//" not in path and "/." not in path:
        return surt
    plain = _ESCAPED_SEPARATOR.sub(lambda escape: _SEPARATORS[escape[1].upper()], path)
    segments = plain.split("/")
    kept: list[str] = []
    for segment in segments[:-1]:
        _step(kept, segment)
    last = segments[-1]
    if last.partition(";")[0] in (".", ".."):
        _step(kept, last)
        last = ""
    return f"{place}{bracket}{''.join(f'/{name}' for name in kept)}/{last}{mark}{query}"


def _step(kept: list[str], segment: str) -> None:
    name = segment.partition(";")[0]  # some servers take "..;x" for ".."
    if name == "..":
        del kept[-1:]
    elif segment and name != ".":
        kept.append(segment)


def archive_key(url: str) -> str:
    """Return what web archives look a canonical url up by.

    >>> archive_key("https://www.Example.org:8080/A//b/?z=1&a=%7E")
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
