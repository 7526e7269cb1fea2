"""The one policy for canonical urls: two links to the same page get the same text, and so the same id.

Whatever reads urls (pages, seeds, redirects, sitemaps, imports) passes them through a policy's `canonical`.
docs/urls.md has every rule with an example.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import product
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from ada_url import join_url, normalize_url
from numpy.typing import NDArray

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

MAX_LENGTH = 4096
"""A reference, a base or a canonical url of more characters is not a url."""

DROPPED_PARAMETERS: tuple[str, ...] = (
    # Who sent the visitor, and in which campaign.
    *("utm_*", "mtm_*", "pk_campaign", "pk_kwd", "pk_source", "pk_medium", "gclid", "gclsrc", "dclid"),
    *("gbraid", "wbraid", "gad_source", "gad_campaignid", "srsltid", "_ga", "_gl", "fbclid", "igshid"),
    *("igsh", "msclkid", "yclid", "ysclid", "_openstat", "twclid", "ttclid", "li_fat_id", "epik", "mc_cid"),
    *("mc_eid", "mkt_tok", "_hsenc", "_hsmi", "__hstc", "__hssc", "__hsfp", "hsCtaTracking", "vero_id"),
    *("oly_anon_id", "oly_enc_id", "wickedid", "rb_clickid"),
    # Whose visit it is. The last five also name content on many sites, so the value must look like a session.
    *("PHPSESSID", "JSESSIONID", "ASPSESSIONID*", "CFID", "CFTOKEN", "osCsid", "zenid"),
    *("sid=<token>", "s=<token>", "session=<token>", "sessionid=<token>", "session_id=<token>"),
)
"""Parameters without which a url shows the same page, in any case of letters; see `UrlPolicy`."""

_SCHEMES = ("http://", "https://")
# Absolute urls that every rule leaves alone if it leaves their origins alone, at a fifth of the cost of a parse.
_SEGMENT = r"[A-Za-z0-9_~-][A-Za-z0-9_.~-]*+"
_PLAIN_PATH = rf"(?:{_SEGMENT}/)*+(?:{_SEGMENT})?+"
_PLAIN = re.compile(rf"(https?://[a-z0-9.:-]{{1,255}}+)/{_PLAIN_PATH}")
# Below the root of the host, or below the folder of the page: such references are simply appended.
_PLAIN_REFERENCE = re.compile(rf"(?=.)/?+{_PLAIN_PATH}")
_PLAIN_FOLDER = re.compile(r"https?://[a-z0-9.:-]++/[A-Za-z0-9_.~/-]*+")
_TOKEN_SUFFIX = "=<token>"
# At least 16 letters and digits, some of each: "sid=1234" is an article, "session=introduction" a talk.
_TOKEN = re.compile(r"(?=[0-9]*+[A-Za-z])(?=[A-Za-z]*+[0-9])[0-9A-Za-z]{16,}")
_ESCAPE = re.compile(r"%(?:[0-9A-Fa-f]{2})?")
# Cutting the parameter of "/..;sid=1" would leave a dot segment, which the next pass would resolve.
_PATH_PARAMETER = re.compile(r"(?<!/\.)(?<!/\.\.);([^;/=]+)=([^;/]*)")
_LONG_HOST = re.compile(r"[^/\\?#:]*+(?::[/\\]*+|[/\\]{2,}+)[^/\\?#]{1000}")
_PORT = re.compile(r":[0-9]+\Z")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_HEX_DIGITS = "0123456789abcdefABCDEF"
_ESCAPES = {"%": "%25"} | {
    f"%{pair}": chr(int(pair, 16)) if int(pair, 16) in _UNRESERVED else f"%{pair.upper()}"
    for pair in map("".join, product(_HEX_DIGITS, repeat=2))
}
# Together a bound in bytes: at worst some 120 MB of the longest non-ASCII links, usually under 15 MB.
_REMEMBERED = 16_384
_REMEMBERED_LENGTH = 256

T = TypeVar("T")


class _Remembered(dict[str, T]):
    """What a function says of texts, for the latest of them: from `_REMEMBERED` to twice as many.

    As `lru_cache`, but to look one up is to look it up, and does not move it before all others: most of what a crawl
    pays for a cache as large as this is the memory that has to be touched.
    """

    def __init__(self, function: Callable[[str], T]) -> None:
        super().__init__()
        self._function = function
        self._older: dict[str, T] = {}

    def __missing__(self, text: str) -> T:
        if len(text) > _REMEMBERED_LENGTH:
            return self._function(text)
        found = self._older[text] if text in self._older else self._function(text)
        if len(self) >= _REMEMBERED:
            self._older = dict(self)
            self.clear()
        self[text] = found
        return found


@dataclass(frozen=True, init=False)
class UrlPolicy:
    """How urls become canonical, with a choice of parameters to drop from query and path.

    `name` drops that parameter in any case of letters, `name*` every name that starts so, and `name=<token>`
    drops it only with a value of 16 or more letters and digits, some of each.

    >>> UrlPolicy().canonical("../b.html?utm_source=feed&page=2#top", "https://Example.org:443/a/c/")
    'https://example.org/a/b.html?page=2'
    """

    dropped_parameters: tuple[str, ...]
    _drops: Callable[[str, str], bool] = field(compare=False, repr=False)
    _remembered: Callable[[str, str], str | None] = field(compare=False, repr=False)

    def __init__(self, dropped_parameters: Iterable[str] = DROPPED_PARAMETERS) -> None:
        dropped = tuple(dropped_parameters)
        object.__setattr__(self, "dropped_parameters", dropped)
        object.__setattr__(self, "_drops", _matcher(dropped))
        object.__setattr__(self, "_remembered", lru_cache(_REMEMBERED)(self._resolve))

    def __reduce__(self) -> tuple[type[UrlPolicy], tuple[tuple[str, ...]]]:
        return UrlPolicy, (self.dropped_parameters,)

    def canonical(self, text: str, base: str | None = None) -> str | None:
        """Return the url a reference on the page `base` leads to, or None when that is no http(s) url.

        Never raises, whatever the text. An absolute url needs no base, so a bad one does not spoil it.
        An empty base counts as none.
        """
        absolute = text.startswith(_SCHEMES)
        if absolute:
            if plain := _PLAIN_URLS[text]:
                return plain  # the same text each time: whoever looks it up next finds it without comparing letters
        elif base and (joined := _joined(text, base)):
            return joined
        scope = "" if absolute or base is None else _scope(text, base)
        if len(text) + len(scope) > _REMEMBERED_LENGTH:
            return self._resolve(text, scope)
        return self._remembered(text, scope)

    def _resolve(self, text: str, scope: str) -> str | None:
        href = parse(text, scope or None)
        if href is None:
            return None
        url = self._cleaned(href)
        return url if len(url) <= MAX_LENGTH else None

    def _cleaned(self, href: str) -> str:
        # Most links have none of these signs, and are done.
        if "#" in href:
            href = href[: href.index("#")]
        if "@" in href:
            href = without_userinfo(href)
        if "%" in href:
            href = _ESCAPE.sub(_normal_escape, href)
        if "?" in href or ";" in href:
            href = self._without_parameters(href)
        return href

    def _without_parameters(self, href: str) -> str:
        path, _, query = href.partition("?")
        if ";" in path:
            root = path.index("/", len("https://"))  # a host may contain ";" as well
            path = path[:root] + _PATH_PARAMETER.sub(self._kept_parameter, path[root:])
        kept = "&".join([pair for pair in query.split("&") if not self._drops_pair(pair)])
        return f"{path}?{kept}" if kept else path

    def _kept_parameter(self, found: re.Match[str]) -> str:
        return "" if self._drops(found[1], found[2]) else found[0]

    def _drops_pair(self, pair: str) -> bool:
        name, _, value = pair.partition("=")
        return self._drops(name, value)


def parse(text: str, base: str | None = None) -> str | None:
    """Return the url as the WHATWG standard writes it, or None when it is not http(s) or too long.

    >>> parse("//Example.org/%7ejoe/#top", "https://example.com/")
    'https://example.org/%7ejoe/#top'
    """
    if len(text) > MAX_LENGTH or (base is not None and len(base) > MAX_LENGTH):
        return None
    if not text.isascii() and _LONG_HOST.match(text):
        return None  # encoding it takes time that grows with its square, and no such host has an address
    try:
        href = normalize_url(text) if base is None else join_url(base, text)
    except ValueError:
        return _parse_mended(text, base)
    return href if href.startswith(_SCHEMES) else None


def without_userinfo(href: str) -> str:
    """Return a parsed url without the user name and password it may have.

    >>> without_userinfo("http://joe:secret@example.org/a@b")
    'http://example.org/a@b'
    """
    scheme, _, rest = href.partition("//")
    authority, _, path = rest.partition("/")
    return f"{scheme}//{authority.rpartition('@')[2]}/{path}"


def host_of(url: str) -> str:
    """Return the host of a canonical url, with the port when it is not the default one.

    >>> host_of("http://example.org:8080/a")
    'example.org:8080'
    """
    return url.split("/", 3)[2]


@lru_cache(_REMEMBERED)
def site_of(host: str) -> str:
    """Return the registrable domain of a host by the public suffix list.

    Addresses, public suffixes and hosts of unknown domains are their own site; the port does not count.

    >>> site_of("news.bbc.co.uk:8080"), site_of("localhost"), site_of("[::1]:8080")
    ('bbc.co.uk', 'localhost', '[::1]')
    """
    name = _PORT.sub("", host)
    return _public_suffixes().privatesuffix(name) or name


def is_public_suffix(name: str) -> bool:
    """Whether domains are registered right below it.

    >>> is_public_suffix("org"), is_public_suffix("js")
    (True, False)
    """
    return _public_suffixes().publicsuffix(name) == name


def fingerprint(url: str) -> int:
    """Return a 64-bit number for a url, for ever the same one (BLAKE2b, little-endian).

    >>> fingerprint("http://example.org/")
    2689016738534627648
    """
    return int.from_bytes(_digest(url), "little")


def fingerprints(urls: Sequence[str]) -> NDArray[np.uint64]:
    """Return the fingerprint of each url."""
    return np.frombuffer(b"".join(map(_DIGESTS.__getitem__, urls)), dtype="<u8").astype(np.uint64)


def _digest(url: str) -> bytes:
    return blake2b(url.encode(), digest_size=8).digest()


def _plain(url: str) -> str:
    """An absolute url that every rule leaves alone; empty for others."""
    found = _PLAIN.fullmatch(url) if len(url) <= MAX_LENGTH else None
    return url if found is not None and _is_canonical_origin(found[1]) else ""


# Menus and footers: most links of a site stand on many of its pages.
_DIGESTS = _Remembered(_digest)
_PLAIN_URLS = _Remembered(_plain)


@lru_cache(_REMEMBERED)
def _is_canonical_origin(origin: str) -> bool:
    return parse(f"{origin}/") == f"{origin}/"


def _joined(text: str, base: str) -> str | None:
    """Return a plain reference on a plain page as a url, cheaper than by a parse; None for all others."""
    if len(text) + len(base) > MAX_LENGTH or not _PLAIN_REFERENCE.fullmatch(text):
        return None
    root, folder = _plain_places(base)
    return (root if text[0] == "/" else folder) + text if root else None


@lru_cache(256)
def _plain_places(base: str) -> tuple[str, str]:
    """Return what to put before a plain reference, from the root and from the folder; empty if that is not all."""
    folder = _folder(base)
    if not _PLAIN_FOLDER.fullmatch(folder):
        return "", ""
    return folder[: folder.index("/", len("https://"))], folder


def _scope(text: str, base: str) -> str:
    """Return the part of the base that matters, so that the pages of one folder share remembered links."""
    first = text[:1]
    # "http:?q" is relative to the whole base too, and leading blanks hide what the reference starts with.
    if first <= " " or first in "?#" or ":" in text or len(base) > MAX_LENGTH:
        return base
    return _folder(base)


@lru_cache(256)
def _folder(base: str) -> str:
    plain = _PLAIN.fullmatch(base)
    href = base if plain and _is_canonical_origin(plain[1]) else parse(base)
    if href is None:
        return base
    path = href.partition("#")[0].partition("?")[0]
    return path[: path.rindex("/") + 1]


def _parse_mended(text: str, base: str | None) -> str | None:
    """Unpaired surrogates count as U+FFFD, as in a browser; without any it was simply not a url."""
    mended = _mended(text), base and _mended(base)
    return None if mended == (text, base) else parse(*mended)


def _mended(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _normal_escape(found: re.Match[str]) -> str:
    return _ESCAPES[found[0]]


def _matcher(dropped: Sequence[str]) -> Callable[[str, str], bool]:
    """Decides by name, and for some names by value, whether a parameter is dropped."""
    lowered = [entry.lower() for entry in dropped]
    prefixes = tuple(entry[:-1] for entry in lowered if entry.endswith("*"))
    token_names = frozenset(
        entry.removesuffix(_TOKEN_SUFFIX) for entry in lowered if entry.endswith(_TOKEN_SUFFIX)
    )
    names = frozenset(lowered)

    def drops(name: str, value: str) -> bool:
        name = name.lower()
        if name in names or name.startswith(prefixes):
            return True
        return name in token_names and _TOKEN.fullmatch(value) is not None

    return drops


@cache
def _public_suffixes() -> PublicSuffixList:
    # Reading the list takes a noticeable part of a second, which most commands never need.
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(accept_unknown=False)


DEFAULT_POLICY = UrlPolicy()
