"""The hosts of the sample web: how many pages each has, what it is about, and who is sure to link to it.

The only tables of the sample web; they grow with the number of hosts, never with the number of pages.
"""

from bisect import bisect_right
from collections import defaultdict

import numpy as np

from honeyguide.sample_web.dice import Dice, Numbers
from honeyguide.sample_web.words import GENERAL, SITE_NAMES, TOPICS

_PAGES_PER_HOST = 60
_GENERAL_SHARE = 0.12
_ISLAND_PERCENT = 20
_MIX_SLOTS = 128
_GOLDEN_RATIO = 0.6180339887498949


class Hosts:
    """Hosts are numbered; page numbers run through them in order, so host 0 has the first pages."""

    def __init__(self, pages: int, seed: int, topics: int) -> None:
        self.topic_names = [*list(TOPICS)[:topics], GENERAL]
        self.general = topics
        self._dice = Dice(seed, "hosts")
        self._topic_dice = Dice(seed, "topics")
        self.count = _host_count(pages, topics)
        self.sizes = self._make_sizes(pages)
        self.firsts: Numbers = np.concatenate([[0], np.cumsum(self.sizes)[:-1]]).astype(np.int64)
        self._firsts_list: list[int] = self.firsts.tolist()
        self._sizes_list: list[int] = self.sizes.tolist()
        self.topics = self._make_topics()
        self._topics_list: list[int] = self.topics.tolist()
        self._page_topics = np.array([self._topic_mix(topic) for topic in range(topics + 1)], dtype=np.int64)
        self._page_topics_list: list[list[int]] = self._page_topics.tolist()
        self.names = [self._make_name(host) for host in range(self.count)]
        self._make_rosters()
        self.introductions = self._make_introductions()

    def locate(self, number: int) -> tuple[int, int]:
        """Return the host of a page, and the page's place within it; place 0 is the home page."""
        host = bisect_right(self._firsts_list, number) - 1
        return host, number - self._firsts_list[host]

    def size(self, host: int) -> int:
        """How many pages a host has."""
        return self._sizes_list[host]

    def first(self, host: int) -> int:
        """Return the page number of a host's home page."""
        return self._firsts_list[host]

    def topic(self, host: int) -> int:
        """Tell what a host is mainly about."""
        return self._topics_list[host]

    def page_topic(self, number: int) -> int:
        """Tell what a page is about: mostly its host's topic, at times a neighbor of that or anything."""
        host, place = self.locate(number)
        topic = self._topics_list[host]
        if place == 0:
            return topic
        return self._page_topics_list[topic][self._topic_dice(number) % _MIX_SLOTS]

    def page_topics(self, numbers: Numbers) -> Numbers:
        """`page_topic` of every number of an array."""
        hosts = np.searchsorted(self.firsts, numbers, side="right") - 1
        slots = (self._topic_dice.each(numbers) % np.uint64(_MIX_SLOTS)).astype(np.int64)
        drawn = self._page_topics[self.topics[hosts], slots]
        return np.where(numbers == self.firsts[hosts], self.topics[hosts], drawn)

    def neighbors(self, topic: int) -> list[int]:
        """Return four related topics, the closest twice; pages of no topic are as near to any."""
        around = self.general
        if topic == self.general:
            return [step * around // 4 for step in range(4)]
        return [(topic + step) % around for step in (1, -1, 1, 2)]

    def _make_sizes(self, pages: int) -> Numbers:
        weights = np.arange(1, self.count + 1) ** -0.6
        order = np.argsort(self._dice.each(np.arange(self.count)))
        extra = np.floor(weights / weights.sum() * (pages - self.count)).astype(np.int64)
        extra[0] += pages - self.count - extra.sum()
        sizes = np.ones(self.count, dtype=np.int64)
        sizes[order] += extra
        return sizes

    def _make_topics(self) -> Numbers:
        weights = 1.0 / (1.0 + 0.05 * np.arange(self.general))
        chances = np.append(weights / weights.sum() * (1 - _GENERAL_SHARE), _GENERAL_SHARE)
        # Multiples of the golden ratio spread evenly: even a small web has several hosts for each topic.
        draws = (self._dice.share(-1) + np.arange(self.count) * _GOLDEN_RATIO) % 1.0
        topics = np.minimum(np.searchsorted(np.cumsum(chances), draws, side="right"), self.general)
        # The first hosts take one topic each, so that no topic is without a host.
        topics[: self.general + 1] = np.arange(self.general + 1)
        return topics.astype(np.int64)

    def _topic_mix(self, topic: int) -> list[int]:
        own = 92 if topic == self.general else 104
        near = self.neighbors(topic) * 2 if topic != self.general else []
        others = [slot % self.general for slot in range(_MIX_SLOTS - own - len(near) - 6)]
        return ([topic] * own + near + others + [self.general] * 6)[:_MIX_SLOTS]

    def _make_name(self, host: int) -> str:
        draw = self._dice(-2 - host)
        topic = self._topics_list[host]
        words = SITE_NAMES
        if topic != self.general and draw % 10 < 6:
            words = TOPICS[self.topic_names[topic]][1]
        return f"{words[(draw >> 8) % len(words)]}-{host}.example"

    def is_island(self, host: int) -> bool:
        """Tell whether pages of a host's own topic never link to it; the way there is through others."""
        first_hosts = self.general + 1
        return (
            host >= first_hosts
            and self._topics_list[host] != self.general
            and self._dice(host * 3 + 1) % 100 < _ISLAND_PERCENT
        )

    def _make_rosters(self) -> None:
        """Every topic's hosts, the most popular first and the islands last, as one flat array."""
        mainland: list[list[int]] = [[] for _ in self.topic_names]
        islands: list[list[int]] = [[] for _ in self.topic_names]
        for host, topic in enumerate(self._topics_list):
            (islands if self.is_island(host) else mainland)[topic].append(host)
        self.mainland = mainland
        self.islands = islands
        self.roster: Numbers = np.array(
            [host for pair in zip(mainland, islands, strict=True) for half in pair for host in half],
            dtype=np.int64,
        )
        self.mainland_counts = np.array([len(hosts) for hosts in mainland])
        self.all_counts = self.mainland_counts + np.array([len(hosts) for hosts in islands])
        self.roster_starts = np.concatenate([[0], np.cumsum(self.all_counts)[:-1]])

    def _make_introductions(self) -> dict[int, list[int]]:
        """Page number -> hosts whose home page it links to: every host has at least this one way in."""
        pages: dict[int, list[int]] = defaultdict(list)
        for topic, hosts in enumerate(self.mainland):
            for rank, host in enumerate(hosts):
                parent = hosts[(rank - 1) // 2] if rank else self.mainland[self.general][0]
                pages[self._introducer(host, parent, avoid=None)].append(host)
            near = self.neighbors(topic)
            for host in self.islands[topic]:
                others = self.mainland[near[self._dice(host * 5 + 2) % len(near)]]
                parent = others[self._dice(host * 5 + 3) % len(others)]
                pages[self._introducer(host, parent, avoid=topic)].append(host)
        return dict(pages)

    def _introducer(self, host: int, parent: int, avoid: int | None) -> int:
        first, size = self.first(parent), self.size(parent)
        for attempt in range(8):
            number = first + self._dice((host + 1) * 1_000_003 + attempt) % size
            if self.page_topic(number) != avoid:
                return number
        return first


def _host_count(pages: int, topics: int) -> int:
    """Small webs get smaller hosts, because a topic needs several of them to be a community."""
    wanted = max(pages // _PAGES_PER_HOST, 6 * (topics + 1))
    return max(min(wanted, pages // 12), topics + 1)
