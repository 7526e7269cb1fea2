"""Live crawls of one web by honeyguide and by others, pinned to one core and on both: pages per second.

20,000 pages on 333 loopback addresses, served by nginx from files; robots on, no delay, 64 requests at once, seeds are
all home pages. honeyguide does everything: fetch, robots, parse, judge by an SVM trained on 75 + 150 pages, rank,
commit, WARC. It ranks by soft-focus, and once more by its default, which judges the words around 80 links a page as
well. The others only fetch and follow links. Runs alternate, ratios are those of neighbors, and the first 300 pages of
a run are not measured.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median

from benchmarks._figures import figure
from benchmarks._meter import Result
from benchmarks._nginx import Nginx, nginx
from benchmarks._peers import Peers, run_pinned
from benchmarks._static_web import Sizes, prepared, served_url
from honeyguide.parse import first_words, parse_page
from honeyguide.sample_web.web import SampleWeb
from honeyguide.topics.classifier import train_classifier
from honeyguide.topics.examples import Example
from honeyguide.topics.topic_file import write_topic

WEB = SampleWeb(pages=20_000)
SIZES = Sizes(bytes=(30_000, 60_000), links=(60, 100))
ROUNDS = 3
POSITIVES, NEGATIVES = 75, 150
MOST_SECONDS = 60
ALL_PAGES_SECONDS = 240
OWN_PAGES, SCRAPY_PAGES, CRAWLEE_PAGES, BARE_PAGES = 3_000, 900, 700, 8_000
WGET2_SECONDS = 6
SERVER_CORE, CRAWLER_CORE = 0, 1
ONE_CORE, TWO_CORES = (CRAWLER_CORE,), (SERVER_CORE, CRAWLER_CORE)
SETTINGS = (
    "politeness.delay_seconds=0",
    "politeness.slowdown=0",
    "scope.starve_host_after=0",  # all pages are wanted here, on the topic or not
    "fetch.in_flight=64",
)
PLAIN, DEFAULT = "strategy.name=soft-focus", "strategy.name=honeyguide"


class Comparison:
    """Runs crawlers against one server and keeps what they reached."""

    def __init__(self, server: Nginx, folder: Path) -> None:
        self._server = server
        self._folder = folder
        self._peers = Peers()
        self.results: defaultdict[str, list[Result]] = defaultdict(list)
        self._topic = trained_topic(folder / "own.topic")
        self._seeds = folder / "seeds.txt"
        self._pages = folder / "pages.txt"
        homes = map(WEB.hosts.first, range(WEB.hosts.count))
        self._seeds.write_text("\n".join(served_url(WEB, home) for home in homes))
        # Shuffled as a crawl would meet them, not host by host.
        numbers = Random(1).sample(range(WEB.pages), WEB.pages)
        self._pages.write_text("\n".join(served_url(WEB, number) for number in numbers))

    def own(
        self, name: str, cores: Sequence[int], pages: int, seconds: int = MOST_SECONDS, strategy: str = PLAIN
    ) -> Result | None:
        limits = [
            f"limits.max_pages={pages}",
            f"limits.max_seconds={seconds}",
            f"fetch.workers={len(cores) - 1}",
        ]
        module = [sys.executable, "-m", "benchmarks._own_crawl"]
        with tempfile.TemporaryDirectory() as crawl:
            topic = f"topic.file={self._topic}"
            command = [*module, str(self._seeds), f"{crawl}/crawl", topic, strategy, *SETTINGS, *limits]
            self._pin(cores)
            return self._keep(name, run_pinned(command, seconds, cores))

    def peer(
        self, name: str, peer: str, cores: Sequence[int], pages: int, seconds: int = MOST_SECONDS
    ) -> Result | None:
        self._pin(cores)
        urls = self._pages if peer == "bare" else self._seeds
        return self._keep(name, self._peers.run(peer, urls, pages, seconds, cores))

    def _pin(self, cores: Sequence[int]) -> None:
        self._server.pin(cores if len(cores) > 1 else [SERVER_CORE])

    def _keep(self, name: str, result: Result | None) -> Result | None:
        if result:
            self.results[name].append(result)
            load = os.getloadavg()[0]
            print(
                f"# {name}: {result.pages:,} pages, {result.pages_per_s:.0f} pages/s, "
                f"{result.cpu_per_1000:.2f} s of processor per 1,000 pages, {result.rss_mb:.0f} MB "
                f"(load average {load:.1f})",
                flush=True,
            )
        return result


def trained_topic(path: Path) -> Path:
    """A classifier for the web's first topic, trained on pages of it and of the others."""
    topic = WEB.topic_names[0]
    targets = list(WEB.target_numbers(topic))[:POSITIVES]
    others = [
        number
        for number in range(0, WEB.pages, WEB.pages // (2 * NEGATIVES))
        if WEB.topic_of(number) != topic
    ]
    positives, negatives = ([_example(number) for number in some] for some in (targets, others[:NEGATIVES]))
    write_topic(path, train_classifier(positives, negatives).topic)
    return path


def _example(number: int) -> Example:
    page = parse_page(WEB.html(number), WEB.url(number), "text/html")
    return Example(first_words(page.text), WEB.url(number), page.title)


def compare(runs: Comparison) -> None:
    ratios: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(ROUNDS):
        for cores, label in ((ONE_CORE, "one core"), (TWO_CORES, "two cores")):
            scrapy = runs.peer(f"Scrapy, {label}", "scrapy", cores, SCRAPY_PAGES)
            own = runs.own(f"honeyguide, {label}", cores, OWN_PAGES)
            by_default = runs.own(f"honeyguide by default, {label}", cores, OWN_PAGES, strategy=DEFAULT)
            for result, suffix in ((own, ""), (by_default, "_by_default")):
                if result and scrapy:
                    name = f"vs_scrapy_{label.replace(' ', '_')}{suffix}"
                    ratios[name].append(result.pages_per_s / scrapy.pages_per_s)
            if (
                own
                and cores == ONE_CORE
                and (bare := runs.peer("bare download, one core", "bare", cores, BARE_PAGES))
            ):
                ratios["share_of_bare_download"].append(own.pages_per_s / bare.pages_per_s)
    runs.peer("crawlee, one core", "crawlee", ONE_CORE, CRAWLEE_PAGES)
    runs.peer("wget2, one core", "wget2", ONE_CORE, WEB.pages, WGET2_SECONDS)
    whole = runs.own("honeyguide, two cores, all pages", TWO_CORES, WEB.pages, ALL_PAGES_SECONDS)
    report(runs, ratios, whole)


def report(runs: Comparison, ratios: dict[str, list[float]], whole: Result | None) -> None:
    for name, results in runs.results.items():
        key = "_".join(name.lower().replace(",", "").split())
        figure(f"{key}_pages_per_s", median(result.pages_per_s for result in results), "pages/s")
        figure(f"{key}_cpu_per_1000", median(result.cpu_per_1000 for result in results), "s")
    for key, name in (("plain", "honeyguide"), ("default", "honeyguide by default")):
        cpu_figures(f"crawl_cpu_{key}", runs.results[f"{name}, one core"], runs.results[f"{name}, two cores"])
    for name, values in ratios.items():
        figure(name, median(values), f"x (median of {len(values)})")
    if whole:
        figure("rss_mb", whole.rss_mb, f"MB (all processes, after {whole.pages:,} pages)")


def cpu_figures(name: str, alone: Sequence[Result], with_worker: Sequence[Result]) -> None:
    """Processor time of a page: of all processes, and where one reads pages beside the one that fetches, of each."""
    if alone:
        figure(name, median(result.cpu_per_1000 for result in alone), "ms/page (one process)")
    if with_worker:
        both = median(result.cpu_per_1000 for result in with_worker)
        main = median(result.main_cpu_per_1000 for result in with_worker)
        figure(f"{name}_two_cores", both, "ms/page (both processes)")
        figure(f"{name}_main", main, "ms/page (fetches and ranks)")
        figure(f"{name}_worker", both - main, "ms/page (reads and judges)")


def main() -> None:
    if not set(TWO_CORES) <= os.sched_getaffinity(0):
        print("# needs the processor cores 0 and 1")
        return
    root = prepared("speed", WEB, SIZES)
    with tempfile.TemporaryDirectory() as folder:
        try:
            with nginx(root, Path(folder)) as server:
                compare(Comparison(server, Path(folder)))
        except RuntimeError as error:
            print(f"# {error}")


if __name__ == "__main__":
    main()
