"""Telling changes: how often dates, counters and advertisements are taken for one, and how often an edit is missed.

On pages of the sample web, with a piece around them that differs at every look, or with a word or a sentence changed;
by the bytes, by the signature that tells copies, and by that of what a page says. Figures: percent, and the time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping

from benchmarks._figures import figure
from honeyguide.parse import ParseOptions, parse_page
from honeyguide.parse.content import content_signature
from honeyguide.parse.duplicates import MAX_DISTANCE, distance, signature
from honeyguide.sample_web.web import SampleWeb

PAGES = 300
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
    return page.replace(b"</body>", shown.encode() + b"</body>")


def edited(page: bytes, more: bytes, dice: random.Random) -> bytes:
    """The page with a piece of text more, in one of its paragraphs."""
    ends = [at for at in range(len(page)) if page.startswith(b"</p>", at)]
    at = dice.choice(ends) if ends else page.index(b"</body>")
    return page[:at] + more + page[at:]


def main() -> None:
    """Print the figures."""
    web, dice = SampleWeb(pages=2_000, seed=3), random.Random(1)
    pages = [web.html(number) for number in range(PAGES)]
    for name, noise in NOISE.items():
        pairs = [(noisy(page, noise, dice), noisy(page, noise, dice)) for page in pages]
        pairs = [pair for pair in pairs if pair[0] != pair[1]]
        for way, is_changed in WAYS.items():
            wrong = sum(is_changed(*pair) for pair in pairs)
            figure(f"{name}_taken_for_a_change_by_{way}", 100 * wrong / len(pairs), "%")
    for name, more in (
        ("word", b" furthermore"),
        ("sentence", b" Nobody knew this sentence before today came."),
    ):
        for way, is_changed in WAYS.items():
            missed = sum(not is_changed(page, edited(page, more, dice)) for page in pages)
            figure(f"{name}_more_missed_by_{way}", 100 * missed / len(pages), "%")
    began = time.process_time()
    for page in pages:
        content_signature(page, _ADDRESS, _TYPE)
    figure("content_signature", 1000 * (time.process_time() - began) / len(pages), "ms of CPU a page")


if __name__ == "__main__":
    main()
