"""From the links of a batch of pages to url ids: the gate to the seen-set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from honeyguide.admission.rules import RULE, Rules
from honeyguide.admission.scope import Scope
from honeyguide.admission.yields import HostYield
from honeyguide.model import ROOT, Ids, Places
from honeyguide.seeds import spellings_of
from honeyguide.state.state import State
from honeyguide.urls import UrlPolicy, fingerprints, host_of, site_of

DEEPEST = 65_535


class Intake:
    """Looks urls up and enters the new ones that scope and the per-host limit let in."""

    def __init__(
        self,
        state: State,
        scope: Scope,
        *,
        max_urls_per_host: int = 0,
        max_urls_per_site: int = 0,
        yields: HostYield | None = None,
        rules: Rules | None = None,
    ) -> None:
        self._state = state
        self._scope = scope
        self._max_urls_per_host = max_urls_per_host
        self._max_urls_per_site = max_urls_per_site
        self._yields = yields or HostYield(state)
        self._rules = Rules() if rules is None else rules  # one without rules yet is empty
        self._site_urls: Counter[str] = Counter()
        if max_urls_per_site:
            for name, urls in zip(state.host_names, state.hosts["urls"].tolist(), strict=True):
                self._site_urls[site_of(name)] += urls
        self.refused: Counter[str] = Counter()

    def admit(self, urls: Sequence[str], sources: Ids, *, deeper: bool = True) -> Ids:
        """Ids of canonical urls linked from `sources`, -1 for refused ones; the order of new ids is that of `urls`.

        A redirect's target is not `deeper` than its source.
        """
        if not urls:
            return np.empty(0, dtype=np.int32)
        keys, first, group = np.unique(fingerprints(urls), return_index=True, return_inverse=True)
        ids = self._state.find(keys)
        new = np.flatnonzero(ids < 0)
        if len(new):
            new = new[np.argsort(first[new], kind="stable")]
            depths = self._state.urls["depth"][sources].astype(np.int64) + (sources != ROOT if deeper else 0)
            nearest = _nearest_of_each(group, depths, len(keys))[new]
            texts = [urls[at] for at in first[new].tolist()]
            ids[new] = self._enter(texts, keys[new], depths[nearest], sources[nearest])
        return ids[group]

    def _enter(
        self, texts: Sequence[str], keys: NDArray[np.uint64], depths: NDArray[np.int64], vias: Ids
    ) -> Ids:
        decided = self._decided(texts) if self._rules else None
        hosts = self._hosts(texts, depths, decided)
        good = hosts >= 0
        ids = np.full(len(texts), -1, dtype=np.int32)
        ids[good] = self._state.add(
            [text for text, is_good in zip(texts, good.tolist(), strict=True) if is_good],
            keys[good],
            hosts[good],
            np.minimum(depths[good], DEEPEST),
            vias[good],
        )
        if decided:
            steered = good & (np.array(decided) > 0)
            self._state.set(RULE, ids[steered], np.array(decided)[steered])
        return ids

    def enter_foreign(
        self, texts: Sequence[str], keys: NDArray[np.uint64], depths: NDArray[np.int32]
    ) -> None:
        """Enter new pages of another shard, which no rule of admission is for."""
        hosts = np.array([self._state.host_id(host_of(text)) for text in texts], dtype=np.int32)
        self._state.add(texts, keys, hosts, depths, np.full(len(texts), ROOT, dtype=np.int32))

    def _decided(self, texts: Sequence[str]) -> list[int]:
        """The rule that decides each new url, 0 for none."""
        return [self._rules.decide(text, host_of(text)) for text in texts]

    def _hosts(self, texts: Sequence[str], depths: NDArray[np.int64], decided: list[int] | None) -> Ids:
        """Host of each new url, -1 for the refused ones."""
        hosts = np.full(len(texts), -1, dtype=np.int32)
        entering: Counter[str] = Counter()
        for at, (text, depth) in enumerate(zip(texts, depths.tolist(), strict=True)):
            name = host_of(text)
            if reason := self._scope.refusal(text, name, depth):
                self.refused[reason] += 1
                continue
            if decided and self._rules.excludes(decided[at]):
                self.refused[f"excluded_by_rule_{decided[at]}"] += 1
                continue
            if reason := self._host_refusal(name, entering[name]):
                self.refused[reason] += 1
                continue
            if self._max_urls_per_site and not self._takes_one_more(site_of(name)):
                self.refused["site_full"] += 1
                continue
            entering[name] += 1
            # Only now, so that every host has a url and none can be made of refused links alone.
            hosts[at] = self._state.host_id(name)
        return hosts

    def _host_refusal(self, name: str, entering: int) -> str | None:
        host, limit = self._state.find_host(name), self._max_urls_per_host
        if host is None:
            return "site_starved" if self._yields.is_site_starved(name) else None
        if limit and self._state.hosts["urls"][host] + entering >= limit:
            return "host_full"
        return "host_starved" if self._yields.is_starved(host) else None

    def _takes_one_more(self, site: str) -> bool:
        if self._site_urls[site] >= self._max_urls_per_site:
            return False
        self._site_urls[site] += 1
        return True

    def known_spellings(self, urls: Sequence[str], policy: UrlPolicy) -> list[str]:
        """Urls that people gave, as the crawl knows or would know each; SettingsError for one that is none."""
        spellings = [spellings_of(url, policy) for url in urls]
        is_known = self._state.find(fingerprints([*chain.from_iterable(spellings)])) >= 0
        ends = accumulate(map(len, spellings))
        known = [is_known[end - len(own) : end] for own, end in zip(spellings, ends, strict=True)]
        return [own[int(np.argmax(found))] for own, found in zip(spellings, known, strict=True)]

    def take_refused(self) -> dict[str, int]:
        """Counts of refusals since the last call."""
        refused = {f"refused_{reason}": count for reason, count in self.refused.items()}
        self.refused.clear()
        return refused


def _nearest_of_each(group: Places, depths: NDArray[np.int64], count: int) -> Places:
    """Of several links to one url in a batch the one from the page nearest to a seed, then the first."""
    least = np.full(count, DEEPEST + 1)
    np.minimum.at(least, group, depths)
    nearest = np.empty(count, dtype=np.int64)
    last_first = np.flatnonzero(depths == least[group])[::-1]
    nearest[group[last_first]] = last_first  # of several in one place the last that is put there stays
    return nearest
