"""Sites: which urls belong to each. A site is a domain that one registers; all its hosts belong to it."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

import numpy as np

from honeyguide.model import Ids, Status
from honeyguide.state.columns import Columns
from honeyguide.state.state import State
from honeyguide.urls import site_of

SITES = "sites"
"""The table of a crawl by sites; its keys are the numbers of the sites."""

SITE_COLUMNS: Mapping[str, float] = {
    "pages": 0.0,  # judged
    "ranked": 0.0,  # urls that ever had a priority
    "links": 0.0,  # pages of other sites that link there
    "trust": 0.0,  # the sum of their leanings
    "before": np.nan,  # the relevance of the site when its present budget began; not a number: that of the links
    "spent": 0.0,  # pages of the present budget
    "evidence": 0.0,  # theirs
    "level": -1.0,  # that its urls are placed by
}


class SiteIndex:
    """Numbers of sites, in the order of their first hosts, and the urls of each that may still be fetched.

    Follows from the state, so nothing of it is stored; the urls are taken in when somebody first asks for them.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._hosts = Columns(site=(np.int32, 0))
        self._urls: list[array[int]] = []
        self._taken_in = 0

    def of_hosts(self) -> Ids:
        """The number of the site of every host."""
        new = [self._number(site_of(host)) for host in self._state.host_names[len(self._hosts) :]]
        if new:
            self._hosts.append(len(new), site=new)
        return self._hosts["site"]

    def _number(self, site: str) -> int:
        number = self._numbers.setdefault(site, len(self._numbers))
        if number == len(self.names):
            self.names.append(site)
        return number

    def find(self, name: str) -> int | None:
        """The number of a site, if it is known."""
        self.of_hosts()
        return self._numbers.get(name)

    def waiting(self, site: int) -> Ids:
        """Urls of a site that are queued, or might be."""
        self._take_in()
        own = np.array(self._urls[site], dtype=np.int32)
        status = self._state.urls["status"][own]
        is_open = (status == Status.KNOWN) | (status == Status.QUEUED) | (status == Status.IN_FLIGHT)
        if 2 * np.count_nonzero(is_open) < len(own):  # so that what is done with is not looked at for ever
            self._urls[site] = array("i", own[is_open].tobytes())
        waiting: Ids = own[is_open & (status != Status.IN_FLIGHT)]
        return waiting

    def _take_in(self) -> None:
        new = np.arange(self._taken_in, len(self._state), dtype=np.int32)
        if not len(new):
            return
        self._taken_in = len(self._state)
        sites = self.of_hosts()[self._state.urls["host"][new]]
        self._urls.extend(array("i") for _ in range(len(self.names) - len(self._urls)))
        order = np.argsort(sites, kind="stable")
        distinct, starts = np.unique(sites[order], return_index=True)
        for site, own in zip(distinct.tolist(), np.split(new[order], starts[1:]), strict=True):
            self._urls[site].frombytes(own.tobytes())
