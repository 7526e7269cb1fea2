"""How many other shards pages of recorded webs are told to, by all links in their HTML, also into the rest of the Web.

The lists of links that come with these webs name only those of which both ends are recorded, and would tell too little.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from benchmarks._figures import figure
from honeyguide.engine.linked_pages import followed_links
from honeyguide.parse.registry import parse_page
from honeyguide.shards.owners import Owners
from honeyguide.urls import host_of, site_of

PAGES = 1_000
WEBS = {"uci-ics": 22_002, "multisite": 14_980, "webkb": 8_263}
"""Recorded webs, and how many pages they have, of which every so-manieth is read."""
MOST_SITES = 12


def corpora() -> Path:
    """Where the recorded webs are."""
    return Path(os.environ.get("HONEYGUIDE_SHARED", Path(__file__).parents[2] / "shared")) / "corpora"


def measure(shards: int) -> None:
    """Print the figures of each recorded web that is there."""
    for web, pages in WEBS.items():
        file = corpora() / web / "pages.jsonl.gz"
        if not file.exists():
            print(f"# {web} is not at {file.parent}; HONEYGUIDE_SHARED names the folder that holds corpora/")
            continue
        _print(web, shards, [*_pages(file, pages // PAGES)])


def _pages(file: Path, every: int) -> Iterator[tuple[str, Sequence[str]]]:
    """Addresses of pages with those of the links that a crawl would follow."""
    with gzip.open(file, "rt") as lines:
        for line in islice(lines, 0, None, every):
            row = json.loads(line)
            parsed = parse_page(row["html"].encode(), row["url"], "text/html; charset=utf-8")
            yield row["url"], [parsed.links.urls[at] for at in followed_links(parsed, False, Counter())]


def _print(web: str, shards: int, pages: Sequence[tuple[str, Sequence[str]]]) -> None:
    owners, links, crossing = Owners(shards, 0), 0, 0
    told, sites = Counter[int](), Counter[int]()
    for url, targets in pages:
        here = owners.of([url])[0]
        leaving = [owner for owner in owners.of(targets).tolist() if owner != here]
        links, crossing = links + len(targets), crossing + len(leaving)
        told[len({*leaving})] += 1
        sites[min(len({site_of(host_of(to)) for to in targets} - {site_of(host_of(url))}), MOST_SITES)] += 1
    name = web.replace("-", "_")
    figure(f"{name}_links_crossing", crossing / links, f"of links lead into other shards of {shards}")
    mean = sum(number * count for number, count in told.items()) / len(pages)
    figure(f"{name}_told_to", mean, f"other shards of {shards} a page, in {len(pages):,} pages")
    for number in range(shards):
        figure(f"{name}_told_to_{number}", told[number] / len(pages), "of pages")
    shares = " ".join(f"{sites[number] / len(pages):.3f}" for number in range(MOST_SITES + 1))
    print(f"# {web}: of pages lead into 0, 1, ... {MOST_SITES} or more other sites {shares}", flush=True)
