"""The report on one crawl, live or replayed: how much of what it fetched was relevant, from where, and how far away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from honeyguide.crawls import Crawl
from honeyguide.errors import StoreError
from honeyguide.lab.measures import BEST_PAGES, moving_mean
from honeyguide.lab.recall.estimate import RecallEstimate
from honeyguide.lab.report import plots, plots_summary
from honeyguide.lab.report.document import Block, Code, Document, Heading, Paragraph, Table, write_document
from honeyguide.lab.report.plots import Band, Picture
from honeyguide.making import make_topic
from honeyguide.model import Bools, Floats, Visit
from honeyguide.settings import CrawlOrder
from honeyguide.store.reader import HostSummary
from honeyguide.telemetry.harvest import LONG, SHORT
from honeyguide.urls import host_of

WINDOWS = (SHORT, LONG)
BINS = 20
FARTHEST = 15
BEST_SHOWN = 25
PAGES_AXIS = "pages fetched"
ESTIMATE_NOTE = (
    "Recall is the share of all relevant pages that were found. Nobody knows how many there are, so this is an "
    "estimate, no measurement. What was measured on webs where the truth is known is in docs/evaluation.md."
)


def write_crawl_report(folder: Path, out: Path, estimates: Sequence[RecallEstimate] = ()) -> Path:
    """Write report.html, report.md and figures/ on a crawl; gives the page."""
    return write_document(crawl_report(folder, estimates), out)


def crawl_report(folder: Path, estimates: Sequence[RecallEstimate] = ()) -> Document:
    """The whole report."""
    crawl = Crawl.open(folder)
    order, limit = crawl.order, crawl.threshold
    with crawl.reader() as reader:
        visits = list(reader.visits())
        hosts = reader.hosts(BEST_SHOWN, limit)
    if not visits:
        raise StoreError(f"{folder}: no page was fetched yet; there is nothing to report")
    is_relevant = np.array([visit.is_relevant(limit) for visit in visits])
    blocks = [
        Paragraph(f"Topic: {_topic_of(order)}. Strategy: {order.strategy.name}."),
        _summary(visits, is_relevant, limit),
        Heading("How it went"),
        *_curves(visits, is_relevant),
        Heading("How complete it is"),
        *_completeness(folder, estimates),
        Heading("What was fetched"),
        *_histograms(visits),
        _hosts(hosts),
        _pages(visits, is_relevant),
    ]
    return Document(f"Crawl {folder.name}", blocks)


def _topic_of(order: CrawlOrder) -> str:
    return order.topic.text or f"{make_topic(order).name}, from a topic file"


def _summary(visits: Sequence[Visit], is_relevant: Bools, limit: float) -> Table:
    hosts = {host_of(visit.url) for visit in visits}
    good_hosts = {host_of(visit.url) for visit, good in zip(visits, is_relevant, strict=True) if good}
    copies = sum(visit.copy_of is not None for visit in visits)
    rows = [
        ["pages fetched", f"{len(visits):,}"],
        [f"relevant (relevance {limit:g} or more, copies left out)", f"{is_relevant.sum():,}"],
        ["harvest rate", f"{is_relevant.mean():.3f}"],
        [f"harvest rate of the last {WINDOWS[-1]}", f"{is_relevant[-WINDOWS[-1] :].mean():.3f}"],
        ["mean relevance", f"{np.mean([visit.relevance for visit in visits]):.3f}"],
        ["hosts, and those with a relevant page", f"{len(hosts):,}, {len(good_hosts):,}"],
        ["copies of pages fetched before", f"{copies:,}"],
        ["farthest page from a seed, in links", f"{max(visit.depth for visit in visits):,}"],
    ]
    return Table("The crawl in numbers, by its own topic model.", ["", "number"], rows)


def _curves(visits: Sequence[Visit], is_relevant: Bools) -> Iterator[Picture]:
    rates = {f"last {width}": moving_mean(is_relevant, width) for width in WINDOWS if width < len(visits)}
    rates["all so far"] = np.cumsum(is_relevant) / np.arange(1, len(visits) + 1)
    yield _plot("harvest-rate", "Harvest rate: the share of relevant pages.", rates, "harvest rate", 1.0)
    new_host, seen = [], set()
    for visit, good in zip(visits, is_relevant.tolist(), strict=True):
        host = host_of(visit.url) if good else ""
        new_host.append(bool(host) and host not in seen)
        seen.add(host)
    growth = {
        "relevant pages": np.cumsum(is_relevant).astype(np.float64),
        "hosts with one": np.cumsum(new_host).astype(np.float64),
    }
    caption = (
        "Relevant pages found so far, and the hosts they are on. A curve that flattens finds little more."
    )
    yield _plot("growth", caption, growth, "found so far", None)


def _plot(name: str, caption: str, numbers: dict[str, Floats], axis: str, top: float | None) -> Picture:
    bands = [
        Band(label, np.arange(1, len(own) + 1, dtype=np.float64), own, np.zeros(len(own)))
        for label, own in numbers.items()
    ]
    return plots.curves(name, caption, bands, plots.color_of(list(numbers)), (PAGES_AXIS, axis), top)


def _completeness(folder: Path, estimates: Sequence[RecallEstimate]) -> Iterator[Block]:
    yield Paragraph(ESTIMATE_NOTE)
    if not estimates:
        yield Paragraph("No estimate was made. This looks at 200 more pages and makes one:")
        yield Code(f"honeyguide lab recall {folder}")
        return
    rows = [
        [
            one.method,
            f"{one.recall:.2f}{' or less' if one.is_upper_bound else ''}",
            f"{one.recall_low:.2f} to {one.recall_high:.2f}",
            f"{one.found:,}",
            f"{one.total:,.0f}" if np.isfinite(one.total) else "-",
            f"{one.looked_at:,}",
            one.caution,
        ]
        for one in estimates
    ]
    head = ["ESTIMATE by", "recall", "95 %", "found", "there may be", "rests on pages", "caution"]
    yield Table("Estimates of recall.", head, rows)


def _histograms(visits: Sequence[Visit]) -> Iterator[Picture]:
    relevance = np.array([visit.relevance for visit in visits])
    counts, edges = np.histogram(relevance, bins=BINS, range=(0.0, 1.0))
    caption = "Relevance of the pages fetched."
    shares = {"all pages": counts / len(visits)}
    yield plots_summary.histograms("relevance", caption, shares, edges, ("relevance", "share of pages"))
    best = np.argsort(-relevance, kind="stable")[:BEST_PAGES]
    depths = Counter(min(visits[place].depth, FARTHEST) for place in best.tolist())
    distance = np.array([depths[depth] / len(best) for depth in range(FARTHEST + 1)])
    caption = f"Links between the seeds and the {len(best)} most relevant pages; the last bar is {FARTHEST} or more."
    edges = np.arange(FARTHEST + 2, dtype=np.float64) - 0.5
    axes = ("links from the seeds", "share of the best pages")
    yield plots_summary.histograms("distance", caption, {"best pages": distance}, edges, axes)


def _hosts(hosts: Sequence[HostSummary]) -> Table:
    rows = [
        [host.host, f"{host.pages:,}", f"{host.relevant:,}", f"{host.relevant / max(1, host.pages):.2f}"]
        for host in hosts
    ]
    head = ["host", "pages", "relevant", "share"]
    return Table(f"The {len(rows)} hosts with most relevant pages.", head, rows)


def _pages(visits: Sequence[Visit], is_relevant: Bools) -> Table:
    order = sorted(np.flatnonzero(is_relevant).tolist(), key=lambda place: -visits[place].relevance)
    rows = [
        [visits[place].title or "-", visits[place].url, f"{visits[place].relevance:.3f}"]
        for place in order[:BEST_SHOWN]
    ]
    return Table(f"The {len(rows)} most relevant pages.", ["title", "url", "relevance"], rows, is_text=True)
