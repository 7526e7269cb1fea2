"""Hosts that answer without end and bring nothing: farms. A crawl must leave each alone by itself."""

from __future__ import annotations

import random
import re

from benchmarks._attack_server import Request, html, makes, page
from benchmarks._attack_table import (
    WILDCARD,
    Attack,
    counter,
    index_without_end,
    new_words,
    sitemaps,
    wildcard,
)

LINKS = 1000


def number_in(asked: Request) -> int:
    """The last number of a path, 0 if it has none."""
    return int((re.findall(r"\d+", asked.path) or ["0"])[-1])


def paging(asked: Request) -> str:
    number = number_in(asked)
    return f'<p>{new_words(number)}</p><a href="/list?page={number + 1}">next</a>'


def random_links(asked: Request) -> str:
    """New words and new links on each page."""
    chosen = random.Random(asked.path)
    links = "".join(f'<a href="/{chosen.randrange(10**9)}">{at}</a>' for at in range(20))
    return f"<p>{new_words(number_in(asked))}</p>{links}"


def start_page(asked: Request) -> bytes:
    """Many links, with new words again behind those that still lead to a page."""
    links = "".join(f'<a href="/{number}/">{number}</a>' for number in range(1, LINKS))
    return page(f"<p>{new_words(number_in(asked))}</p>{links}".encode())


def missing(asked: Request) -> bytes:
    return start_page(asked) if asked.path == "/" else page(b"gone", status="404 Not Found")


def moved(asked: Request) -> bytes:
    if asked.path == "/":
        return start_page(asked)
    return page(b"", f"Location: {asked.path}x/", status="302 Found")


def listing(asked: Request) -> bytes:
    return index_without_end(asked) if "sitemap" in asked.path else page(b"<p>nothing")


def make_farms() -> dict[str, Attack]:
    """All farms by name."""
    return {
        "endless paging": Attack(html(paging), "page"),
        "random links": Attack(html(random_links), "page"),
        "page that links to itself, new words": Attack(counter(new_words), "page"),
        "farm of 404": Attack(makes(missing), "page HttpStatusError"),
        "farm of redirects": Attack(makes(moved), "page redirects FetchError"),
        "farm of sitemaps": Attack(makes(listing), "page", robots=sitemaps("sitemap0.xml")),
        "hosts by wildcard": Attack(html(wildcard), "page", start=f"http://h0.{WILDCARD}:{{port}}/"),
    }
