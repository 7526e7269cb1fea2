"""Telling changes: how often dates, counters and advertisements are taken for one, and how often an edit is missed.

On pages of the sample web and of two recorded ones, with a piece at their end that differs at every look, or with a
word or a sentence more in a paragraph; by the bytes, by the signature that tells copies, and by that of what a page
says. Figures: percent, and the time.
"""

from __future__ import annotations

import gzip
import os
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from benchmarks._figures import figure
from honeyguide.fetch.corpus import parse_page as parse_line
from honeyguide.parse import ParseOptions, parse_page
from honeyguide.parse.content import content_signature
from honeyguide.parse.duplicates import MAX_DISTANCE, distance, signature
from honeyguide.sample_web.web import SampleWeb

SHARED = Path(os.environ.get("HONEYGUIDE_SHARED", Path(__file__).parents[2] / "shared"))
PAGES = 300
RECORDED_PAGES, MOST_RECORDED, LEAST_BYTES = 120, 2_000, 2_000
ADS = (
    "Buy cheap hives now",
    "Win a holiday by the sea",
    "Ten tricks that doctors hate",
    "Our shop has a sale",
)
NOISE: Mapping[str, str] = {
    "dates": "<p>Last updated: {day} March 2024, 14:0{digit}</p><p>Posted {digit} hours ago</p>",
    "counters": "<p>This page was read {many} times by {digit} people.</p>",
    "ads_marked": "<aside><p>{ad}</p></aside><div class=advertisement><a href=/x{digit}>{ad}</a></div>",
    "ads_unmarked": "<div><a href=/x{digit}>{ad}</a></div>",
    "navigation": "<nav><a href=/{digit}>{ad}</a></nav><footer>Copyright 20{day} - {ad}</footer>",
}
_BODY_END, _PARAGRAPH_END = re.compile(rb"</body>", re.IGNORECASE), re.compile(rb"</p>", re.IGNORECASE)
_ADDRESS, _TYPE = "http://a.example/", "text/html"


def changed_by_bytes(first: bytes, second: bytes) -> bool:
    """Whether anything differs."""
    return first != second


def changed_by_copies(first: bytes, second: bytes) -> bool:
    """Whether they would not be taken for copies of each other."""
    marks = [signature(parse_page(page, _ADDRESS, _TYPE, ParseOptions()).text) for page in (first, second)]
    return distance(*marks) > MAX_DISTANCE


def changed_by_content(first: bytes, second: bytes) -> bool:
    """Whether they say something else."""
    return content_signature(first, _ADDRESS, _TYPE) != content_signature(second, _ADDRESS, _TYPE)


WAYS: Mapping[str, Callable[[bytes, bytes], bool]] = {
    "bytes": changed_by_bytes,
    "copies": changed_by_copies,
    "content": changed_by_content,
}


def noisy(page: bytes, noise: str, dice: random.Random) -> bytes:
    """The page with a piece that differs at every look."""
    shown = noise.format(
        day=dice.randint(10, 28), digit=dice.randint(1, 9), many=dice.randint(99, 9_999), ad=dice.choice(ADS)
    )
    end = _BODY_END.search(page)
    at = end.start() if end else len(page)
    return page[:at] + shown.encode() + page[at:]


def edited(page: bytes, more: bytes, dice: random.Random) -> bytes:
    """The page with a piece of text more, in one of its paragraphs."""
    ends = [found.start() for found in _PARAGRAPH_END.finditer(page)] or [
        found.start() for found in _BODY_END.finditer(page)
    ]
    at = dice.choice(ends) if ends else len(page)
    return page[:at] + more + page[at:]


def recorded(name: str, most: int) -> list[bytes]:
    """Pages with some text of a recorded web, taken evenly; none where it is not here."""
    path = SHARED / "corpora" / name / "pages.jsonl.gz"
    if not path.exists():
        print(f"# {path} is not here: no figures of it")
        return []
    with gzip.open(path) as lines:
        pages = [page.html.encode("utf-8", "replace") for line in lines if (page := parse_line(line))]
    pages = [page for page in pages if len(page) > LEAST_BYTES and b"<p" in page.lower()]
    return pages[:: max(1, len(pages) // most)][:most]


def noise_figures(web: str, pages: Sequence[bytes], dice: random.Random) -> None:
    """How often what differs at every look is taken for a change, and an edit is not."""
    for name, noise in NOISE.items():
        pairs = [(noisy(page, noise, dice), noisy(page, noise, dice)) for page in pages]
        pairs = [pair for pair in pairs if pair[0] != pair[1]]
        for way, is_changed in WAYS.items():
            wrong = sum(is_changed(*pair) for pair in pairs)
            figure(f"{web}{name}_taken_for_a_change_by_{way}", 100 * wrong / len(pairs), "%")
    for name, more in (
        ("word", b" furthermore"),
        ("sentence", b" Nobody knew this sentence before today came."),
    ):
        for way, is_changed in WAYS.items():
            missed = sum(not is_changed(page, edited(page, more, dice)) for page in pages)
            figure(f"{web}{name}_more_missed_by_{way}", 100 * missed / len(pages), "%")


def alike_figures(web: str, pages: Sequence[bytes]) -> None:
    """Of neighbors in a recording that are copies by signature but not by bytes: the share that says something else."""
    marks = [signature(parse_page(page, _ADDRESS, _TYPE, ParseOptions()).text) for page in pages]
    order = sorted(range(len(pages)), key=marks.__getitem__)
    alike = [
        (pages[one], pages[other])
        for one, other in pairwise(order)
        if pages[one] != pages[other] and marks[one] and distance(marks[one], marks[other]) <= MAX_DISTANCE
    ]
    if alike:
        told = sum(changed_by_content(*pair) for pair in alike)
        figure(f"{web}near_copies_that_say_something_else", 100 * told / len(alike), f"% of {len(alike)}")


def main() -> None:
    """Print the figures."""
    web, dice = SampleWeb(pages=2_000, seed=3), random.Random(1)
    pages = [web.html(number) for number in range(PAGES)]
    noise_figures("", pages, dice)
    for name in ("multisite", "uci-ics"):
        if found := recorded(name, MOST_RECORDED):
            short = name.replace("-", "_")
            noise_figures(f"{short}_", found[:: len(found) // RECORDED_PAGES or 1][:RECORDED_PAGES], dice)
            alike_figures(f"{short}_", found)
    began = time.process_time()
    for page in pages:
        content_signature(page, _ADDRESS, _TYPE)
    figure("content_signature", 1000 * (time.process_time() - began) / len(pages), "ms of CPU a page")


if __name__ == "__main__":
    main()
