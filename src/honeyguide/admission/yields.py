"""What hosts give for what they cost: which are starved, because they are asked and asked and bring nothing.

The numbers are columns of the state's hosts; the store keeps them with each batch, so a restart changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from honeyguide.model import MOST_REDIRECTS, Bools, Ids, Status
from honeyguide.state.state import State
from honeyguide.urls import site_of

MOST_TIMES = 20
"""What a host gave buys it patience, but not for ever."""
SITE_TIMES = 4
"""A site whose hosts are without end is patient with a few of them only."""


class HostYield:
    """Counts fruitless requests in a row (`barren`) and relevant pages (`given`) of every host.

    A host gave the relevant pages on it, and those elsewhere that it was the first to link to. It is starved after
    `after` fruitless requests in a row, and as many more for each page it gave, `MOST_TIMES` as many at most. Hosts of
    one site that never gave anything share `SITE_TIMES` as many, and as many more for each page the site gave.
    """

    def __init__(self, state: State, after: int = 0) -> None:
        self._state = state
        self._after = after  # 0: no host is ever starved, and nothing is counted
        self._sites: dict[int, str] = {}  # of the hosts that somebody asked about
        self._site_barren: Counter[str] = Counter()  # of hosts that never gave anything
        self._site_given: Counter[str] = Counter()
        self._starved_hosts: set[int] = set()
        self._starved_sites: set[str] = set()
        self._changed: set[int] = set()
        if after:
            counted = (state.hosts["barren"] > 0) | (state.hosts["given"] > 0)
            for host in np.flatnonzero(counted).tolist():
                self._add_to_site(host, 1)
                self._weigh(host)

    def note(self, relevant: Iterable[int], fruitless: Iterable[int]) -> list[int]:
        """Take note of urls that were asked for, and how it ended; returns the hosts that are starved no more."""
        if not self._after:
            return []
        hosts, fed = self._state.urls["host"], []
        for url_id in fruitless:
            self._change(int(hosts[url_id]), is_relevant=False)
        for url_id in relevant:
            for host in self._givers(url_id):
                was_starved = self.is_starved(host)
                self._change(host, is_relevant=True)
                if was_starved:
                    fed.append(host)
        return fed

    def _givers(self, url_id: int) -> set[int]:
        """The host of a url, those it was redirected from, and that of the page that first linked there."""
        urls = self._state.urls
        givers = {int(urls["host"][url_id])}
        for _ in range(MOST_REDIRECTS + 1):
            url_id = int(urls["via"][url_id])
            givers.add(int(urls["host"][url_id]))
            if urls["outcome"][url_id] != Status.MOVED:
                break
        return givers

    def _change(self, host: int, *, is_relevant: bool) -> None:
        barren, given = self._state.hosts["barren"], self._state.hosts["given"]
        self._add_to_site(host, -1)
        barren[host] = 0 if is_relevant else barren[host] + 1
        given[host] += is_relevant
        self._add_to_site(host, 1)
        self._weigh(host)
        self._changed.add(host)

    def _add_to_site(self, host: int, sign: int) -> None:
        given, site = int(self._state.hosts["given"][host]), self._site(host)
        self._site_given[site] += sign * given
        self._site_barren[site] += sign * int(self._state.hosts["barren"][host]) * (given == 0)

    def _weigh(self, host: int) -> None:
        times = min(1 + int(self._state.hosts["given"][host]), MOST_TIMES)
        is_starved = self._state.hosts["barren"][host] >= self._after * times
        (self._starved_hosts.add if is_starved else self._starved_hosts.discard)(host)
        site = self._site(host)
        is_starved = self._site_barren[site] >= SITE_TIMES * self._after * (1 + self._site_given[site])
        (self._starved_sites.add if is_starved else self._starved_sites.discard)(site)

    def _site(self, host: int) -> str:
        if (site := self._sites.get(host)) is None:
            site = self._sites[host] = site_of(self._state.host_names[host])
        return site

    def is_starved(self, host: int) -> bool:
        """Whether a host should be left alone; a good page that still arrives feeds it again."""
        if host in self._starved_hosts:
            return True
        # Most crawls know no such site.
        if not self._starved_sites or self._state.hosts["given"][host]:
            return False
        return self._site(host) in self._starved_sites

    def is_site_starved(self, name: str) -> bool:
        """Whether a host that is not yet known would be one too many of its site."""
        return bool(self._starved_sites) and site_of(name) in self._starved_sites

    def starved(self, hosts: Ids) -> Bools:
        """Which of many hosts should be left alone."""
        if not self._starved_hosts and not self._starved_sites:
            return np.zeros(len(hosts), dtype=np.bool_)
        distinct, at = np.unique(hosts, return_inverse=True)
        return np.array([self.is_starved(host) for host in distinct.tolist()], dtype=np.bool_)[at]

    def explain(self, name: str) -> str:
        """Say why a host, known or not, is starved; nothing if it is not."""
        host = self._state.find_host(name)
        if host in self._starved_hosts:
            numbers = (int(self._state.hosts[column][host]) for column in ("barren", "given"))
            return "its host is starved: {} fruitless requests in a row, relevant pages given: {}".format(
                *numbers
            )
        if self.is_site_starved(name) if host is None else self.is_starved(host):
            site = site_of(name)
            return (
                f"its site {site} is starved: {self._site_barren[site]} fruitless requests to hosts that gave"
                f" nothing, relevant pages given: {self._site_given[site]}"
            )
        return ""

    def take_changed(self) -> dict[int, tuple[int, int]]:
        """Both numbers of the hosts that were noted since the last call."""
        barren, given = self._state.hosts["barren"], self._state.hosts["given"]
        changed = {host: (int(barren[host]), int(given[host])) for host in sorted(self._changed)}
        self._changed.clear()
        return changed
