"""The sample web: a seeded, topical web of any size whose truth is known, for demos, tests and experiments.

Nothing is stored: a page's text, links and url are computed from the seed and the page's number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urljoin

import numpy as np

from honeyguide.errors import SettingsError, TopicError
from honeyguide.model import Response
from honeyguide.sample_web.dice import Dice
from honeyguide.sample_web.hosts import Hosts
from honeyguide.sample_web.html import Document, Writer, document
from honeyguide.sample_web.links import LinkPlan
from honeyguide.sample_web.text import Prose
from honeyguide.sample_web.urls import Addresses
from honeyguide.sample_web.words import TOPICS

_CHUNK = 1 << 16
_SITEMAP_URLS = 1_000
_SESSION = re.compile(r"sid=([0-9a-f]{16})\Z")
_OLD = re.compile(r"/old/([0-9]{1,12})\Z")
_HTML = {"content-type": "text/html; charset=utf-8"}


@dataclass(frozen=True)
class SampleWeb:
    """A web given by a few parameters; equal parameters give the same bytes on every machine.

    >>> web = SampleWeb(pages=500, seed=7)
    >>> web.number(web.url(123))
    123
    >>> web.fetch(web.url(123)).status, web.fetch("http://nowhere.example/").status
    (200, 404)
    """

    pages: int = 2_000
    seed: int = 1
    topics: int = len(TOPICS)
    mean_words: int = 300
    mean_links: int = 12  # in the text; navigation comes on top
    crawl_delay_seconds: float = 0.2  # asked for by the robots.txt of some hosts

    def __post_init__(self) -> None:
        if not 2 <= self.topics <= len(TOPICS):
            raise SettingsError(f"a sample web has 2 to {len(TOPICS)} topics, not {self.topics}")
        if self.pages < 2 * (self.topics + 1):
            raise SettingsError(f"{self.topics} topics need at least {2 * (self.topics + 1)} pages")
        if self.mean_words < 1 or self.mean_links < 1:
            raise SettingsError("mean_words and mean_links must be at least 1")

    @cached_property
    def hosts(self) -> Hosts:
        """The tables of the web's hosts."""
        return Hosts(self.pages, self.seed, self.topics)

    @cached_property
    def _prose(self) -> Prose:
        return Prose(self.seed, self.hosts.topic_names)

    @cached_property
    def _addresses(self) -> Addresses:
        return Addresses(self.hosts, self._prose, self.seed)

    @cached_property
    def _plan(self) -> LinkPlan:
        return LinkPlan(self.hosts, self.seed, self.mean_links)

    @cached_property
    def _writer(self) -> Writer:
        return Writer(self.hosts, self._prose, self._addresses, self._plan, self.seed, self.mean_words)

    @property
    def topic_names(self) -> list[str]:
        """The names of all topics; the pages about nothing in particular have the last one, "general"."""
        return self.hosts.topic_names

    def url(self, number: int) -> str:
        """Return the canonical url of a page; pages are numbered from 0."""
        return self._addresses.url(number)

    def number(self, url: str) -> int | None:
        """Return the page whose canonical url this is, or None for any other string."""
        return self._addresses.number(url)

    def topic_of(self, number: int) -> str:
        """Tell what a page is truly about."""
        return self.topic_names[self.hosts.page_topic(number)]

    def html(self, number: int) -> bytes:
        """Return a page's bytes, the same each time."""
        return self.document(number).html

    def document(self, number: int) -> Document:
        """Return a page with its title and its links as written."""
        return self._writer.page(number)

    def links(self, number: int) -> list[int]:
        """Return the pages a page links to, each once; traps and dead links are not among them."""
        plan = self._plan
        groups = (plan.menu, plan.content, plan.below, plan.around, plan.sponsors)
        return list(dict.fromkeys(target for group in groups for target in group(number)))

    def description(self, topic: str) -> str:
        """Return a few words a user would type for a topic."""
        self._topic_index(topic)
        return TOPICS[topic][0] if topic in TOPICS else "news and other things"

    def targets(self, topic: str) -> Iterator[str]:
        """Return the urls of all pages that are truly on a topic."""
        return (self.url(number) for number in self.target_numbers(topic))

    def target_numbers(self, topic: str) -> Iterator[int]:
        """Return the numbers of all pages that are truly on a topic."""
        index = self._topic_index(topic)
        for start in range(0, self.pages, _CHUNK):
            numbers = np.arange(start, min(start + _CHUNK, self.pages))
            yield from numbers[self.hosts.page_topics(numbers) == index].tolist()

    def seeds(self, topic: str, count: int = 5) -> list[str]:
        """Pages to start from: on the topic, but most of them on hosts that are about something else."""
        index = self._topic_index(topic)
        own = self.hosts.mainland[index][-3:]
        foreign = [host for near in self.hosts.neighbors(index) for host in self.hosts.mainland[near]]
        dice = Dice(self.seed, "seeds")
        found: dict[int, None] = {}
        for attempt in range(200 * count):
            # Few pages of a foreign host are on the topic, so most attempts are made there.
            hosts = foreign if attempt % 16 else own
            draw = dice((index << 32) + attempt)
            host = hosts[draw % len(hosts)]
            number = self.hosts.first(host) + (draw >> 32) % self.hosts.size(host)
            if self.hosts.page_topic(number) == index and len(found) < count:
                found[number] = None
        return [self.url(number) for number in found]

    def labels(self, url: str) -> list[str]:
        """Tell the truth about a url: a page's topic and kind, "trap" for traps and copies, else nothing."""
        number = self.number(url)
        if number is not None:
            kind = "hub" if self._plan.is_hub(number) else "page"
            return [self.topic_of(number), f"kind:{kind}"]
        return ["trap"] if self.trap(url) else []

    def fetch(self, url: str) -> Response:
        """Answer any string with a page, a redirect, robots.txt, a sitemap, a trap, or an error."""
        parts = self._addresses.split(url)
        if parts is None:
            return _missing(url)
        host, path, query = parts
        if query:
            found = self._copy(host, path, query)
            return Response(url, 200, found.html, _HTML) if found else _missing(url)
        number = self._addresses.place(host, path)
        if number is not None:
            return Response(url, 200, self.html(number), _HTML)
        return self._other(url, host, path)

    def _other(self, url: str, host: int, path: str) -> Response:
        """Whatever is neither a page nor a copy of one."""
        if path == "/robots.txt":
            return Response(url, 200, self._robots(host).encode(), {"content-type": "text/plain"})
        if path == "/sitemap.xml":
            return Response(url, 200, self._sitemap(host).encode(), {"content-type": "application/xml"})
        if path.startswith("/broken/"):
            return Response(url, 500, document("Error", "<p>Internal error.</p>"), _HTML)
        new = self._moved_to(host, path)
        if new is not None:
            return Response(url, 301, b"", {"location": self.url(new)})
        trap = self._writer.trap(host, path)
        return Response(url, 200, trap.html, _HTML) if trap else _missing(url)

    def _moved_to(self, host: int, path: str) -> int | None:
        match = _OLD.match(path)
        if match and int(match[1]) < self.hosts.size(host):
            return self.hosts.first(host) + int(match[1])
        return self.hosts.first(host) if path == "/index.html" else None

    def split(self, url: str) -> tuple[int, str, str] | None:
        """Split a url of this web into host number, path and query; None for any other string."""
        return self._addresses.split(url)

    def trap_entrances(self, number: int) -> list[str]:
        """List the urls by which a page leads into its host's trap."""
        home = self.url(self.hosts.first(self.hosts.locate(number)[0]))
        return [urljoin(home, anchor.href) for anchor in self._writer.trap_entrances(number)]

    def trap(self, url: str) -> Document | None:
        """Give the page of a trap, or the copy of a page, that is at a url."""
        parts = self._addresses.split(url)
        if parts is None:
            return None
        host, path, query = parts
        return self._copy(host, path, query) if query else self._writer.trap(host, path)

    def _copy(self, host: int, path: str, query: str) -> Document | None:
        """Return the same page under another address."""
        number = self._addresses.place(host, path)
        session = _SESSION.match(query)
        if number is None or not (session or query == "print=1"):
            return None
        return self._writer.page(number, session[1] if session else "", printable=query == "print=1")

    def _robots(self, host: int) -> str:
        lines = ["User-agent: *", "Disallow: /private/"]
        if host % 10 == 9:
            lines.append(f"Crawl-delay: {self.crawl_delay_seconds:g}")
        return "\n".join([*lines, f"Sitemap: http://{self.hosts.names[host]}/sitemap.xml", ""])

    def _sitemap(self, host: int) -> str:
        first = self.hosts.first(host)
        numbers = range(first, first + min(self.hosts.size(host), _SITEMAP_URLS))
        entries = "".join(f"<url><loc>{self.url(number)}</loc></url>\n" for number in numbers)
        namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{namespace}">\n{entries}</urlset>\n'

    def _topic_index(self, topic: str) -> int:
        if topic not in self.topic_names:
            raise TopicError(f"this sample web has no topic {topic!r}; it has {', '.join(self.topic_names)}")
        return self.topic_names.index(topic)


def _missing(url: str) -> Response:
    return Response(url, 404, document("Not found", "<p>There is no such page.</p>"), _HTML)
