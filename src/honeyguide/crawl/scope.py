"""Which links may enter the crawl. A refusal has a name, so that it can be counted and explained."""

from __future__ import annotations

from collections.abc import Iterable

from honeyguide.settings import ScopeSettings


class Scope:
    """The rules of the crawl order's [scope] section."""

    def __init__(self, settings: ScopeSettings) -> None:
        self._settings = settings
        self._allowed = frozenset(settings.allow_hosts)
        self._denied = frozenset(settings.deny_hosts)

    def refusal(self, url: str, host: str, depth: int) -> str | None:
        """The name of the rule that keeps a new url out; None when it may enter."""
        if len(url) > self._settings.max_url_chars:
            return "url_too_long"
        if self._settings.max_depth is not None and depth > self._settings.max_depth:
            return "too_deep"
        if self._denied and not self._denied.isdisjoint(_names_over(host)):
            return "host_denied"
        if self._allowed and self._allowed.isdisjoint(_names_over(host)):
            return "host_not_allowed"
        return None


def _names_over(host: str) -> Iterable[str]:
    """The host, without its port, and the domains above it."""
    name = host.partition(":")[0] if not host.startswith("[") else host
    labels = name.split(".")
    return [host, *(".".join(labels[start:]) for start in range(len(labels)))]
