"""Which page of the sample web links to which: each host's tree, and links drawn by topic and popularity."""

import numpy as np
from numpy.typing import NDArray

from honeyguide.sample_web.dice import Dice, Numbers, shares
from honeyguide.sample_web.hosts import Hosts
from honeyguide.sample_web.urls import BRANCHING

_SECTIONS_IN_MENU = 5
_HUB_ONE_IN = 40
_HUB_LINKS = 5  # times as many as other pages
_MOST_LINKS = 10  # times the mean
_OWN_HOST, _SAME_TOPIC, _NEIGHBOR, _GENERAL, _ANYWHERE = range(5)


def _kinds(own_host: int, same_topic: int, neighbor: int, general: int, anywhere: int) -> Numbers:
    """Return a table of 128 slots from which the kind of a link is drawn."""
    return np.repeat(np.arange(5), [own_host, same_topic, neighbor, general, anywhere]).astype(np.int64)


_KEEN_KINDS = _kinds(own_host=44, same_topic=60, neighbor=12, general=6, anywhere=6)
_LOOSE_KINDS = _kinds(own_host=44, same_topic=26, neighbor=24, general=20, anywhere=14)
_HUB_KINDS = _kinds(own_host=8, same_topic=100, neighbor=10, general=6, anywhere=4)


class LinkPlan:
    """Links as page numbers, computed for one page at a time."""

    def __init__(self, hosts: Hosts, seed: int, mean_links: int) -> None:
        self._hosts = hosts
        self._dice = Dice(seed, "links")
        self._hub_dice = Dice(seed, "hubs")
        self._degree_dice = Dice(seed, "degrees")
        self._keen_dice = Dice(seed, "keenness")
        self._mean_links = mean_links
        self._neighbors = np.array([hosts.neighbors(topic) for topic in range(hosts.general + 1)])

    def is_hub(self, number: int) -> bool:
        """Whether a page is a list of links to its topic's pages."""
        return self._hub_dice(number) % _HUB_ONE_IN == 0 and self._hosts.locate(number)[1] > 0

    def keenness(self, number: int) -> float:
        """How much a page is about its topic, 0..1: keen pages use more of its words and link more to it."""
        return self._keen_dice.share(number)

    def menu(self, number: int) -> list[int]:
        """Return the navigation every page of a host has: home and the first sections."""
        host, _ = self._hosts.locate(number)
        home = self._hosts.first(host)
        return [home + place for place in range(min(_SECTIONS_IN_MENU + 1, self._hosts.size(host)))]

    def below(self, number: int) -> list[int]:
        """Return the pages listed under a page."""
        host, place = self._hosts.locate(number)
        home, size = self._hosts.first(host), self._hosts.size(host)
        first = BRANCHING * place + 1
        return [home + child for child in range(first, min(first + BRANCHING, size))]

    def around(self, number: int) -> list[int]:
        """Return the page above and the next page at the same level."""
        host, place = self._hosts.locate(number)
        home, size = self._hosts.first(host), self._hosts.size(host)
        up = [] if place == 0 else [home + (place - 1) // BRANCHING]
        has_next = place > 0 and place % BRANCHING and place + 1 < size
        return [*up, number + 1] if has_next else up

    def sponsors(self, number: int) -> list[int]:
        """Two popular sites about nothing in particular; all pages of a host name the same."""
        host, _ = self._hosts.locate(number)
        popular = self._hosts.mainland[self._hosts.general]
        draw = self._dice(-1 - host)
        ranks = {int((len(popular) + 1) ** (((draw >> shift) & 0xFFFF) / 65536)) - 1 for shift in (0, 16)}
        return [self._hosts.first(popular[rank]) for rank in sorted(ranks)]

    def content(self, number: int) -> list[int]:
        """Return the links in a page's text, each target once, and never the page itself."""
        introduced = [self._hosts.first(host) for host in self._hosts.introductions.get(number, ())]
        drawn = self._drawn(number, self._degree(number)).tolist()
        found = dict.fromkeys([*drawn[::2], *introduced, *drawn[1::2]])
        found.pop(number, None)
        return list(found)

    def _degree(self, number: int) -> int:
        """Pareto with exponent 2: its mean is twice its least value."""
        wanted = self._mean_links * (_HUB_LINKS if self.is_hub(number) else 1)
        draw = 1.0 - self._degree_dice.share(number)
        return int(min(wanted / 2 * draw**-0.5, _MOST_LINKS * self._mean_links))

    def _drawn(self, number: int, count: int) -> Numbers:
        hosts = self._hosts
        bits = self._dice.stream(number, count)
        kinds = self._kinds(number)[(bits & np.uint64(127)).astype(np.int64)]
        own_topic = hosts.page_topic(number)
        topics = self._topics(own_topic, kinds, (bits >> np.uint64(57)).astype(np.int64))
        # A page never points to the islands of its own topic.
        counts = np.where(topics == own_topic, hosts.mainland_counts[topics], hosts.all_counts[topics])
        targets = hosts.roster[hosts.roster_starts[topics] + _popular(counts, shares(bits, 7))]
        targets = np.where(kinds == _OWN_HOST, hosts.locate(number)[0], targets)
        return hosts.firsts[targets] + _popular(hosts.sizes[targets], shares(bits, 32))

    def _kinds(self, number: int) -> Numbers:
        if self.is_hub(number):
            return _HUB_KINDS
        return _KEEN_KINDS if self.keenness(number) > 0.4 else _LOOSE_KINDS

    def _topics(self, own: int, kinds: Numbers, draws: Numbers) -> Numbers:
        near = self._neighbors[own][draws % 4]
        far = draws % (self._hosts.general + 1)
        general = self._hosts.general
        return np.select(
            [kinds == _NEIGHBOR, kinds == _GENERAL, kinds == _ANYWHERE], [near, general, far], own
        )


def _popular(counts: Numbers, draws: NDArray[np.float64]) -> Numbers:
    """Return a rank below each count, drawn in proportion to 1 / rank."""
    return np.minimum(((counts + 1.0) ** draws).astype(np.int64) - 1, counts - 1)
