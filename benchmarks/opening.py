"""Opening a large crawl to go on with it: 5 million urls on 50,000 hosts, half a million of them fetched.

The crawl is written straight into its store, with all that the default strategy knows of every url and what a fetcher
keeps of every host. It is opened as `honeyguide resume` does, in a process of its own, up to where it would ask for the
first page. Figures: seconds, and bytes of memory a url.
"""

from __future__ import annotations

import gc
import sqlite3
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from pydantic import TypeAdapter

from benchmarks._figures import cpu_seconds, figure, resident_bytes
from honeyguide import clock
from honeyguide.assembly import resume_crawl
from honeyguide.crawls import Crawl
from honeyguide.fetch.politeness import Politeness
from honeyguide.fetch.robots import RobotsRules, parse_robots
from honeyguide.model import ROOT, Response, Status, Visit
from honeyguide.settings.sections import PolitenessSettings
from honeyguide.state.state import State
from honeyguide.store import open_store
from honeyguide.store.base import Batch, PageLinks
from honeyguide.strategies.honeyguide import Honeyguide
from honeyguide.urls import fingerprints

MILLIONS, PAGES_SHARE, HOSTS, LINKS = 5, 0.1, 50_000, 40
BATCH = 50_000  # urls


def write_crawl(folder: Path, urls: int) -> None:
    """A live crawl that was stopped in the middle."""
    settings = {"output.archive": False, "politeness.contact": "https://example.org/crawler"}
    Crawl.start(folder, "beekeeping and honey", ["http://www.h0.example/"], settings=settings)
    store, state, random = open_store(folder), State(), np.random.default_rng(1)
    strategy = Honeyguide()
    state.declare(strategy.values, strategy.tables)
    nobody = np.zeros(1, dtype=np.int32)
    state.add([""], np.zeros(1, dtype=np.uint64), nobody + state.host_id(""), nobody, nobody)
    state.settle(np.array([ROOT], dtype=np.int32), Status.FETCHED)
    for number in range(HOSTS):
        state.host_id(f"www.h{number}.example")
    for _ in range(urls // BATCH):
        store.commit(_batch(state, random), state)
    store.close()
    _write_host_records(folder)


def _batch(state: State, random: np.random.Generator) -> Batch:
    """New urls, some of them fetched, with links to any."""
    first = len(state)
    hosts = random.integers(1, HOSTS, BATCH).astype(np.int32)
    urls = [
        f"http://{state.host_names[host]}/{at % 977}/page-{at}"
        for at, host in enumerate(hosts.tolist(), start=first)
    ]
    vias = random.integers(0, first, BATCH).astype(np.int32)
    ids = state.add(urls, fingerprints(urls), hosts, np.full(BATCH, 3), vias)
    state.set("status", ids, Status.QUEUED)
    state.set("priority", ids, random.random(BATCH))
    for name in ("links", "worded", "words", "parents", "near", "near weight", "address", "cash"):
        state.set(name, ids, random.random(BATCH))
    keys = random.integers(1, 2**63, BATCH // 4, dtype=np.uint64)
    rows = state.tables["folders"].rows(keys)
    state.set("folder", ids, np.resize(rows, BATCH))
    fetched = ids[: int(BATCH * PAGES_SHARE)]
    state.settle(fetched, Status.FETCHED)
    relevance = random.random(len(fetched))
    state.set("relevance", fetched, relevance)
    signatures = random.integers(1, 2**62, len(fetched)).tolist()
    visits = [
        Visit(
            url_id,
            url,
            1e9 + url_id,
            200,
            judged,
            0.5,
            3,
            40_000,
            title="A page of bees",
            digest=f"{url_id:040x}",
            links=LINKS,
            signature=signature,
        )
        for url_id, url, judged, signature in zip(
            fetched.tolist(), urls, relevance.tolist(), signatures, strict=False
        )
    ]
    targets = random.integers(1, len(state), (len(fetched), LINKS)).astype(np.int32)
    links = [
        PageLinks(url_id, own, ["a link"] * LINKS)
        for url_id, own in zip(fetched.tolist(), targets, strict=True)
    ]
    return Batch(changes=state.take_changes(), visits=visits, links=links)


def _write_host_records(folder: Path) -> None:
    """What a fetcher would have kept of every host: when it was asked, and its robots.txt."""
    politeness, as_record, now = Politeness(PolitenessSettings()), TypeAdapter(RobotsRules), clock.now()
    records = {}
    for number in range(HOSTS):
        host = f"www.h{number}.example"
        politeness.note(host, now, 0.1, Response("", 200, b""))
        rules = parse_robots(
            b"User-agent: *\nDisallow: /private/\n", f"http://{host}/robots.txt", now + 80_000
        )
        records[f"http://{host}"] = as_record.dump_json(rules).decode()
    records |= politeness.take_records()
    with sqlite3.connect(folder / "crawl.db") as database:
        database.executemany("INSERT INTO host_records VALUES (?, ?)", records.items())


def opened(folder: Path) -> tuple[float, float, int, int]:
    """Seconds and processor seconds that opening took, bytes of memory, and the number of urls."""
    gc.collect()
    before, began, used = resident_bytes(), time.perf_counter(), cpu_seconds()
    with resume_crawl(folder) as engine:
        taken, used = time.perf_counter() - began, cpu_seconds() - used
        gc.collect()
        return taken, used, resident_bytes() - before, engine.progress().known


def main() -> None:
    millions = float(sys.argv[2]) if len(sys.argv) > 2 else MILLIONS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "crawl"
        with ProcessPoolExecutor(1, get_context("spawn")) as alone:
            alone.submit(write_crawl, folder, int(millions * 1e6)).result()
        with ProcessPoolExecutor(1, get_context("spawn")) as alone:
            taken, used, memory, urls = alone.submit(opened, folder).result()
    print(f"# {urls:,} urls, {urls * PAGES_SHARE:,.0f} pages, {HOSTS:,} hosts")
    figure("opening_seconds", taken, "s")
    figure("opening_cpu", used, "s of processor")
    figure("opened_bytes_per_url", memory / urls, "bytes (4 links a url)")


if __name__ == "__main__":
    main()
