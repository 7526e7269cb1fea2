"""Which links may enter the crawl. A refusal has a name, so that it can be counted and explained."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from honeyguide.admission.traps import UrlTraps
from honeyguide.patterns import names_over
from honeyguide.settings import ScopeSettings
from honeyguide.surt import decoded, surt_of
from honeyguide.urls import site_of

_PACKED_SITEMAP = ".xml.gz"


class Scope:
    """The rules of the crawl order's [scope] section, for canonical urls.

    What a deny_ setting names stays out. When there are allow_ settings, only what one of them names enters.

    >>> scope = Scope(ScopeSettings(deny_patterns=["/shop/"]))
    >>> scope.refusal("http://example.org/shop/7", "example.org", depth=1)
    'pattern_denied'
    >>> scope.explain("http://example.org/shop/7", "example.org", depth=1)
    'scope.deny_patterns has "/shop/"'
    """

    def __init__(self, settings: ScopeSettings) -> None:
        self._settings = settings
        self._allowed = _Names(
            settings.allow_hosts,
            settings.allow_sites,
            settings.allow_patterns,
            settings.allow_surts,
            every=True,
        )
        self._denied = _Names(
            settings.deny_hosts, settings.deny_sites, settings.deny_patterns, settings.deny_surts
        )
        self._skipped = frozenset(ending.lower().lstrip(".") for ending in settings.skip_extensions)
        self._traps = UrlTraps(settings)

    def refusal(self, url: str, host: str, depth: int) -> str | None:
        """The name of the rule that keeps a new url out; None when it may enter."""
        found = self._find(url, host, depth)
        return found[0] if found else None

    def explain(self, url: str, host: str, depth: int) -> str | None:
        """What the rule found that keeps a url out, in words; None when it may enter."""
        found = self._find(url, host, depth)
        return found[1] if found else None

    def _find(self, url: str, host: str, depth: int) -> tuple[str, str] | None:
        # The length first: it bounds what the patterns of a user have to read.
        if len(url) > self._settings.max_url_chars:
            return "url_too_long", f"it has {len(url)} characters, scope.max_url_chars allows fewer"
        if self._settings.max_depth is not None and depth > self._settings.max_depth:
            return "too_deep", f"it is {depth} links from a seed, scope.max_depth allows fewer"
        if self._denied and (match := self._denied.match(url, host)):
            return f"{match[0]}_denied", f'scope.deny_{match[0]}s has "{match[1]}"'
        if self._allowed and not self._allowed.match(url, host):
            return "not_allowed", "no allow_ setting of [scope] names it"
        path, _, query = url[url.index("/", len("https://")) :].partition("?")
        if self._is_skipped(path):
            return "extension", f'scope.skip_extensions has "{_extension(path)}"'
        return self._traps.find(path, query)

    def _is_skipped(self, path: str) -> bool:
        return _extension(path) in self._skipped and not path.endswith(_PACKED_SITEMAP)


@dataclass(frozen=True, slots=True, init=False)
class _Names:
    """Everything that the allow_ settings, or the deny_ settings, name."""

    hosts: frozenset[str]
    sites: frozenset[str]
    patterns: tuple[re.Pattern[str], ...]
    surts: tuple[str, ...]
    decoded_surts: tuple[str, ...]
    every: bool  # reading of a SURT must be named, not any

    def __init__(
        self,
        hosts: Sequence[str],
        sites: Sequence[str],
        patterns: Sequence[str],
        surts: Sequence[str],
        every: bool = False,
    ) -> None:
        object.__setattr__(self, "hosts", frozenset(hosts))
        object.__setattr__(self, "sites", frozenset(map(site_of, sites)))
        object.__setattr__(self, "patterns", tuple(map(re.compile, patterns)))
        object.__setattr__(self, "surts", tuple(surt.replace("https://", "http://", 1) for surt in surts))
        object.__setattr__(self, "decoded_surts", tuple(map(decoded, self.surts)))
        object.__setattr__(self, "every", every)

    def __bool__(self) -> bool:
        return bool(self.hosts or self.sites or self.patterns or self.surts)

    def match(self, url: str, host: str) -> tuple[str, str] | None:
        """Which kind of name is that of a url, and the name itself."""
        if self.hosts and (found := self.hosts.intersection(names_over(host))):
            return "host", max(found, key=len)
        if self.sites and site_of(host) in self.sites:
            return "site", site_of(host)
        for pattern in self.patterns:
            if pattern.search(url):
                return "pattern", pattern.pattern
        if self.surts and (name := self._surt(surt_of(url, host))):
            return "surt", name
        return None

    def _surt(self, surt: str) -> str | None:
        """The first prefix of a SURT; what a server may read in two ways is judged by the stricter one."""
        readings = ((surt, self.surts), (decoded(surt), self.decoded_surts))
        found = [
            next((at for at, prefix in enumerate(prefixes) if reading.startswith(prefix)), None)
            for reading, prefixes in readings
        ]
        named = [self.surts[at] for at in found if at is not None]
        return named[0] if len(named) >= (2 if self.every else 1) else None


def _extension(path: str) -> str:
    name = path[path.rindex("/") + 1 :]
    return name[name.rfind(".") + 1 :].lower() if "." in name else ""
