"""The sites of a crawl: which are relevant, and why one stands where it stands. A part of `Crawl`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np

from honeyguide.asking import Asking
from honeyguide.explained import path_to
from honeyguide.graph.site_relevance import RELEVANT_SITE
from honeyguide.model import Places, Visit
from honeyguide.seeds import spellings_of
from honeyguide.settings import CrawlOrder
from honeyguide.state.sites import SITE_COLUMNS, SITES, SiteIndex
from honeyguide.state.state import State
from honeyguide.store.reader import LinkRow, Reader
from honeyguide.store.site_rows import SiteSummary, site_summaries
from honeyguide.urls import host_of, site_of
from honeyguide.wording import count

SortedBy = Literal["relevance", "pages", "density"]
BEST_PAGES = 5
_DEFINITIONS = {
    "odds": "the odds by all its pages together, from even ones on",
    "share": "the share of its pages that is relevant, with two pages at one half besides",
    "mean": "the mean of its pages, with two at one half besides",
}


@dataclass(frozen=True, slots=True)
class SiteExplanation:
    """All there is to say of a site; as text, what `honeyguide explain` prints."""

    site: str
    summary: SiteSummary | None  # None: no page of it was fetched
    place: int = 0  # among all sites with a page, by relevance
    of: int = 0
    definition: str = ""
    standing: Sequence[str] = ()  # in a crawl by sites: what is known of it there
    best: Sequence[Visit] = ()
    path: Sequence[LinkRow] = ()  # the links from the list of seeds to the first url that was known of it

    def sections(self) -> Iterator[tuple[str, list[str]]]:
        """Headings, of which the first is empty, and the lines below each."""
        yield "", [self.site, *self._brought()]
        if summary := self.summary:
            judged = "relevant" if summary.is_relevant else "not relevant"
            heading = f"Relevance {summary.relevance:.3f} ({judged}; the threshold is {RELEVANT_SITE:g})"
            yield heading, [f"  by {_DEFINITIONS[self.definition]}"]
        if self.standing:
            yield "Its place in the order of sites", [f"  {line}" for line in self.standing]
        if self.best:
            yield "Its best pages", [f"{visit.relevance:8.3f}  {visit.url}" for visit in self.best]
        if self.path:
            steps = enumerate(self.path, 1)
            yield "Found by this path from a seed", [f"  {step:3}. {link.target}" for step, link in steps]

    def _brought(self) -> Iterator[str]:
        if (summary := self.summary) is None:
            yield "no page of it was fetched"
            return
        yield (
            f"a site of {count(summary.hosts, 'host')}: {count(summary.pages, 'page')}, {summary.relevant:,} relevant"
            f" ({summary.density:.1%}), mean relevance {summary.mean_relevance:.3f};"
            f" {count(summary.waiting, 'url')} waiting"
        )
        yield f"number {self.place:,} of {count(self.of, 'site')} by relevance"

    def __str__(self) -> str:
        return "\n\n".join("\n".join([heading] * bool(heading) + lines) for heading, lines in self.sections())


class Surveying(Asking):
    """What a crawl knows of sites; a site is a domain that one registers."""

    @property
    @abstractmethod
    def order(self) -> CrawlOrder:
        """Everything that describes the crawl."""

    @property
    @abstractmethod
    def threshold(self) -> float:
        """The relevance from which a page counts as relevant."""

    def sites(self, most: int | None = None, by: SortedBy = "relevance") -> list[SiteSummary]:
        """The sites with a page, the most relevant first, or those with most pages, or the densest; reads the crawl."""
        with self.reader() as reader:
            found = site_summaries(reader, self.threshold, self.order.crawl.site_relevance)
        if by != "relevance":
            found.sort(key=lambda site: (-getattr(site, by), -site.relevant))
        return found[:most]

    def explain_site(self, name: str) -> SiteExplanation | None:
        """Why a site stands where it stands; `name` is that of the site, or of a host. None if it is not known."""
        host = host_of(spellings_of(name, self.order.url_policy)[0])
        site = site_of(host)
        with self.reader() as reader:
            state = reader.state(None, {SITES: SITE_COLUMNS})
            index = SiteIndex(state)
            number = index.find(site)
            if number is None:
                return None
            all_sites = site_summaries(reader, self.threshold, self.order.crawl.site_relevance)
            places = {summary.site: place for place, summary in enumerate(all_sites, 1)}
            place = places.get(site, 0)
            summary = all_sites[place - 1] if place else None
            urls = np.flatnonzero(index.of_hosts()[state.urls["host"]] == number)
            return SiteExplanation(
                site=site,
                summary=summary,
                place=place,
                of=len(all_sites),
                definition=self.order.crawl.site_relevance,
                standing=_standing(state, number, summary, self.order.crawl.site_budget),
                best=[*_best(reader, state, urls)],
                path=path_to(reader, int(urls[0])),
            )


def _standing(state: State, site: int, summary: SiteSummary | None, budget: int) -> list[str]:
    table = state.tables[SITES]
    row = int(table.find(np.array([site], dtype=np.uint64))[0])
    if row < 0:
        return []
    links, trust, spent, level = (
        float(table.value(name)[row]) for name in ("links", "trust", "spent", "level")
    )
    lines = []
    if summary and summary.expected is not None:
        lines.append(f"what is expected of it is {summary.expected:.3f}, and it stands on step {level:.0f}")
        lines.append(f"{spent:.0f} of the {count(budget, 'page')} of its present budget are spent")
    if links:
        lines.append(
            f"{count(int(links), 'page')} of other sites link to it, the seeds' list included;"
            f" their leaning is {trust / links:.3f} on average"
        )
    return lines


def _best(reader: Reader, state: State, urls: Places) -> Iterator[Visit]:
    relevance = np.nan_to_num(state.urls["relevance"][urls], nan=-1.0)
    order = urls[np.argsort(-relevance, kind="stable")][: np.count_nonzero(relevance >= 0)]
    visits = (reader.last_visit(int(url_id)) for url_id in islice(order.tolist(), BEST_PAGES))
    return (visit for visit in visits if visit)
