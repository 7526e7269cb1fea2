"""Hosts that answer without end and bring nothing: farms. A crawl must leave each alone by itself."""

from __future__ import annotations

import random
import re
from typing import Any

from benchmarks._attack import Attack, at_most
from benchmarks._attack_server import Answer, Request, html, makes, page
from benchmarks._attacked_crawl import WILDCARD
from benchmarks._attacks_crowds import wildcard
from benchmarks._attacks_robots import index_without_end, sitemaps_of
from benchmarks._attacks_traps import counter, new_words

LINKS = 1000
MOST_FRUITLESS = 110
"""Requests to a host that brings nothing: twice `scope.starve_host_after`, and some that are under way by then."""
MOST_FRUITLESS_OF_SITE = 700
"""Of a site with endless hosts, each of them asked for its robots.txt too."""


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
    return page(b"", f"Location: {asked.path}x/x/", status="302 Found")


def listing(asked: Request) -> bytes:
    return index_without_end(asked) if "sitemap" in asked.path else page(b"<p>nothing")


def random_words(asked: Request, count: int) -> list[str]:
    """Words that only this page has."""
    dice = random.Random(asked.path)
    return ["".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=dice.randint(4, 9))) for _ in range(count)]


def paging_by_path(asked: Request) -> str:
    number = number_in(asked)
    return f'<p>{" ".join(random_words(asked, 150))}</p><a href="/list/page/{number + 1}">next page</a>'


def linked_words(asked: Request) -> str:
    links = "".join(f'<a href="/{word}.html">{word}</a>' for word in random_words(asked, 10))
    return f"<p>{' '.join(random_words(asked, 150))}</p>{links}"


def random_folders(asked: Request) -> str:
    """As `linked_words`, but no two urls have anything in common."""
    words = random_words(asked, 30)
    links = "".join(f'<a href="/{a}/{b}-{c}">{a}</a>' for a, b, c in zip(*[iter(words)] * 3, strict=True))
    return f"<p>{' '.join(random_words(asked, 150))}</p>{links}"


def dead_links(asked: Request) -> bytes:
    if asked.path != "/":
        return page(b"<title>Not found</title>", status="404 Not Found")
    links = "".join(f'<a href="/dead/{number}">bees and honey {number}</a>' for number in range(2000))
    return page(f"<p>bees and honey</p>{links}".encode())


def moving_links(asked: Request) -> bytes:
    if asked.path != "/":
        return page(b"", f"Location: {asked.path}x", status="302 Found")
    links = "".join(f'<a href="/go/{number}">bees and honey {number}</a>' for number in range(500))
    return page(f"<p>bees and honey</p>{links}".encode())


def failing_links(asked: Request) -> bytes:
    """All that a host may do instead of giving a page."""
    if asked.path == "/":
        links = "".join(f'<a href="/{number}">bees and honey {number}</a>' for number in range(2000))
        return page(f"<p>bees and honey</p>{links}".encode())
    statuses = ("404 Not Found", "410 Gone", "403 Forbidden", "500 Oh", "200 OK", "302 Found")
    status = statuses[int(asked.path.strip("/x") or 0) % len(statuses)]
    kind = "image/png" if status == "200 OK" else "text/html"
    return page(b"", f"Location: {asked.path}x", status=status, content_type=kind)


def farm(answer: Answer, recorded: str | None = "page", **more: Any) -> Attack:
    """A host without end and without use, which must be left by itself."""
    return Attack(
        answer,
        recorded,
        **{"settings": {"limits.max_pages": 3000}, "check": at_most(MOST_FRUITLESS), **more},
    )


def farms() -> dict[str, Attack]:
    """All farms by name."""
    return {
        "endless paging": farm(html(paging)),
        "endless paging, by path": farm(html(paging_by_path)),
        "random links": farm(html(random_links)),
        "random links of words": farm(html(linked_words)),
        "random folders": farm(html(random_folders)),
        "page that links to itself, new words": farm(counter(new_words)),
        "farm of 404": farm(makes(missing), "page HttpStatusError"),
        "farm of 404, promising": farm(makes(dead_links), "page HttpStatusError"),
        # How far each chain is followed before the host is left depends on which answers come first.
        "farm of redirects": farm(makes(moved), "page redirects FetchError? refused_repeated_path?"),
        "farm of redirects, promising": farm(makes(moving_links), None),
        "farm of all failures": farm(makes(failing_links), None),
        "farm of sitemaps": farm(makes(listing), robots=sitemaps_of("sitemap0.xml")),
        "hosts by wildcard": farm(
            html(wildcard),
            start=f"http://h0.{WILDCARD}:{{port}}/",
            check=at_most(MOST_FRUITLESS_OF_SITE),
        ),
    }
