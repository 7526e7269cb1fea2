"""Attacks by robots.txt and by sitemaps, and manners that a crawl must keep whatever these files look like."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

from benchmarks._attack import (
    BRIEFLY,
    CUT_OFF,
    ENDED,
    LATER,
    Attack,
    Evidence,
    at_most,
    gaps_of,
)
from benchmarks._attack_server import ATTACKER, Answer, Request, html, makes, moves, page, plays, repeats
from benchmarks._attacks_answers import OK, gzip_bomb
from benchmarks._attacks_pages import billion_laughs

TEXT = OK + b"Content-Type: text/plain\r\n"
BEES = html(lambda asked: "bees")
MANY = " ".join(f"http://{ATTACKER}:{{port}}/{number}" for number in range(50))

DELAY_SECONDS = 1.5
MEASURED_EARLY = 0.05
"""By so much a request may be seen too early, as the one before was noted a little late."""
DELAYS = {
    "127.66.3.1": "User-agent: *\nCrawl-delay: 1.5\n\nUser-agent: Googlebot\nCrawl-delay: 0.1\n",
    "127.66.3.2": "User-agent: *\nRequest-rate: 2/3\n\nUser-agent: Googlebot\nRequest-rate: 10/1\n",
    "127.66.3.3": "User-agent: *\nCrawl-delay: 1.5\nCrawl-delay: 0.1\n",
    "127.66.3.4": "User-agent: *\nCrawl-delay: 0.1\nCrawl-delay: 1.5\nDisallow: /no\n",
    "127.66.3.5": "User-agent: *\nCrawl-delay: 1.5\nDisallow: /no\n\nUser-agent: *\nCrawl-delay: 0.1\n",
    "127.66.3.6": "User-agent: *\nRequest-rate: 2/3\nRequest-rate: 9/1\n",
    "127.66.3.7": "User-agent: honeyguide\nCrawl-delay: 1.5\n\nUser-agent: b\nCrawl-delay: 0.1\nDisallow: /no\n",
    "127.66.3.8": "User-agent: *\nCrawl-delay: 1.5\nSitemap: /s.xml\nUser-agent: b\nCrawl-delay: 0.1\n",
    "127.66.3.9": "User-agent: *\nCrawl-delay: 0.1\nRequest-rate: 2/3\n",
    "127.66.3.10": "User-agent: a\nUser-agent: *\nCrawl-delay: 1.5\nUser-agent: b\nCrawl-delay: 0.1\nAllow: /\n",
}
"""All of them want 1.5 seconds of us."""

FORBIDDING = {
    "127.66.4.1": "User-agent: *\nClean-param: ref /\nUser-agent: b\nDisallow: /private/\n",
    "127.66.4.2": "User-agent: honeyguide\nNoindex: /x\nUser-agent: b\nDisallow: /private/\n",
    "127.66.4.3": "User-agent: honeyguide\nWhat-is-this: 1\n\nUser-agent: b\nDisallow: /private/\n",
    "127.66.4.4": "User-agent: *\nno colon at all\nUser-agent: b\nDisallow: /private/\n",
    "127.66.4.5": "User-agent: *\nHost: example.org\nContent-Signal: ai-train=no\nUser-agent: b\nDisallow: /private/\n",
    "127.66.4.6": "User-agent: *\nSitemap: /none.xml\nClean-param: a\nUser-agent: b\nDisallow: /private/\n",
    "127.66.4.7": "User-agent: *\nDisallow: /none/\nClean-param: a\nDisallow: /private/\n",
    "127.66.4.8": "Clean-param: a\nUser-agent: *\n: :\n::\nUser-agent: b\nDisallow: /private/\n",
}
"""All of them forbid us /private/."""


def said_by(texts: dict[str, str]) -> Answer:
    """A robots.txt for each address."""
    return makes(lambda asked: page(texts.get(asked.address, "").encode(), content_type="text/plain"))


def links_to(*paths: str) -> Answer:
    """A home page with links, and the pages behind them."""
    links = "".join(f'<a href="{path}">bees</a>' for path in paths)
    return html(lambda asked: f"<p>bees and honey {asked.host}{asked.path}</p>" + links * (asked.path == "/"))


def homes(texts: dict[str, str]) -> str:
    return " ".join(f"http://{address}:{{port}}/" for address in texts)


def rests(evidence: Evidence) -> Iterator[str]:
    for address, text in DELAYS.items():
        gaps = gaps_of(asked for asked in evidence.server.attacked if asked.address == address)
        if len(gaps) < 4:
            yield f"only {len(gaps) + 1} requests to {address}"
        if min(gaps, default=DELAY_SECONDS) < DELAY_SECONDS - MEASURED_EARLY:
            yield f"asked again after {min(gaps):.2f} s, not {DELAY_SECONDS}, in spite of {text!r}"


def nothing_private(evidence: Evidence) -> Iterator[str]:
    for address, text in FORBIDDING.items():
        paths = [asked.path for asked in evidence.server.attacked if asked.address == address]
        if "/public/" not in paths:
            yield f"/public/ not asked for, in spite of {text!r}"
        if any(path.startswith("/private/") for path in paths):
            yield f"/private/ asked for, in spite of {text!r}"


def robots() -> dict[str, Attack]:
    return {
        "robots.txt of 1 GB": Attack(
            html(lambda asked: '<a href="/private/">bees</a>'),
            "page RobotsDenied",
            robots=repeats(
                TEXT + b"Content-Length: 1000000000\r\n\r\nUser-agent: *\nDisallow: /private/\n",
                b"#" * 65_536,
            ),
        ),
        "robots.txt of 512 KB of rules": Attack(
            html(lambda asked: '<a href="/z/">bees</a>'),
            "page",
            robots=repeats(TEXT + b"\r\nUser-agent: *\n", b"Disallow: /*a*b*c*d*e*f$\nAllow: /q\n" * 1000),
        ),
        "robots.txt never ending, slow": Attack(
            BEES, "RobotsDenied", LATER, repeats(TEXT + b"\r\n", b"#\n", 0.2), settings=BRIEFLY
        ),
        "robots.txt redirecting in circles": Attack(BEES, "page", robots=moves(to="/robots.txt")),
        "robots.txt to 169.254.169.254": Attack(
            BEES, "RobotsDenied", LATER, moves(to="http://169.254.169.254/"), settings=BRIEFLY
        ),
        "robots.txt to 169.254.169.254, 50 urls": Attack(
            BEES,
            "RobotsDenied",
            LATER,
            moves(to="http://169.254.169.254/"),
            start=MANY,
            settings=BRIEFLY,
            check=at_most(5, "/robots.txt"),
        ),
        "robots.txt to http://u:p@host/": Attack(
            BEES, "page", robots=moves(to=f"http://u:p@{ATTACKER}:{{port}}/rules.txt"), check=no_password
        ),
        "robots.txt 503": Attack(
            BEES, "RobotsDenied", LATER, plays(page(b"", status="503 Service Unavailable")), settings=BRIEFLY
        ),
        "longest of several delays": Attack(
            links_to("/1", "/2", "/3"),
            "page",
            ENDED,
            said_by(DELAYS),
            start=homes(DELAYS),
            addresses=tuple(DELAYS),
            settings={"fetch.sitemaps": False},
            check=rests,
        ),
        "unknown lines among names": Attack(
            links_to("/public/", "/private/"),
            "page RobotsDenied",
            ENDED,
            said_by(FORBIDDING),
            start=homes(FORBIDDING),
            addresses=tuple(FORBIDDING),
            settings={"fetch.sitemaps": False},
            check=nothing_private,
        ),
    }


def no_password(evidence: Evidence) -> Iterator[str]:
    yield from at_most(8)(evidence)


def sitemaps_of(*names: str) -> Answer:
    """A robots.txt that lists sitemaps."""
    return makes(
        lambda asked: page(
            "".join(f"Sitemap: http://{ATTACKER}:{asked.port}/{name}\n" for name in names).encode()
        )
    )


def at_sitemaps(reply: Callable[[Request], bytes]) -> Answer:
    """Answer requests for sitemaps so, and all others with a page."""
    return makes(lambda asked: reply(asked) if "sitemap" in asked.path else page(b"<p>bees"))


def index_without_end(asked: Request) -> bytes:
    number = int("".join(filter(str.isdigit, asked.path)) or 0)
    numbers = (0, *range(3 * number + 1, 3 * number + 4))
    listed = (f"http://{ATTACKER}:{asked.port}/sitemap{at}.xml" for at in numbers)
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in listed)
    return page(f"<sitemapindex>{entries}</sitemapindex>".encode(), content_type="application/xml")


def urlset(urls: list[str]) -> bytes:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>".encode()


def million_urls(asked: Request) -> bytes:
    urls = [f"http://{ATTACKER}:{asked.port}/{number}" for number in range(1_000_000)]
    return page(zlib.compress(urlset(urls), 1, 31), content_type="application/gzip")


LISTED, GOOD = 40, 12
CHOSEN_EARLY = 3
"""So many of the listed urls may come between good ones: a strategy may try something now and then."""


def good_or_listed(asked: Request) -> bytes:
    """A chain of pages on the topic, and a sitemap of pages on anything."""
    if asked.path == "/sitemap.xml":
        urls = [f"http://{ATTACKER}:{asked.port}/listed/{number}" for number in range(LISTED)]
        return page(urlset(urls), content_type="application/xml")
    if asked.path.startswith("/listed"):
        return page(f"<title>Timetable</title><p>trains and railways {asked.path}</p>".encode())
    number = int(asked.path.rpartition("/")[2] or 0)
    link = f'<a href="/good/{number + 1}">bees and honey</a>' if number < GOOD else ""
    # On the topic, but not of nothing else: less so than a seed is taken to be.
    other = "the weather in the hills was fine and the road to the village long, as every autumn"
    return page(f"<title>Bees</title><p>bees and honey, part {number}: {other}</p>{link}".encode())


def good_first(evidence: Evidence) -> Iterator[str]:
    paths = [asked.path for asked in evidence.server.attacked]
    last = f"/good/{GOOD}"
    if last not in paths or "/sitemap.xml" not in paths or f"/listed/{LISTED - 1}" not in paths:
        yield "not all pages were asked for"
        return
    early = sum(path.startswith("/listed") for path in paths[: paths.index(last)])
    if early > CHOSEN_EARLY:
        yield f"{early} urls of a sitemap were preferred to pages on the topic"


def sitemaps() -> dict[str, Attack]:
    return {
        "sitemap bomb, 1 GB": Attack(
            at_sitemaps(packed_bomb()),
            "page",
            robots=sitemaps_of("sitemap.xml.gz"),
        ),
        "sitemap entity bomb": Attack(
            at_sitemaps(lambda asked: page(billion_laughs(), content_type="application/xml")),
            "page",
            robots=sitemaps_of("sitemap.xml"),
        ),
        "sitemap of 1,000,000 urls": Attack(
            at_sitemaps(million_urls),
            "page",
            CUT_OFF,
            sitemaps_of("sitemap.xml.gz"),
            settings={"fetch.read_seconds": 10.0, "fetch.total_seconds": 15.0},
        ),
        "sitemap that would come first": Attack(
            makes(good_or_listed),
            "page",
            ENDED,
            sitemaps_of("sitemap.xml"),
            # Long enough for a page to be read before its host is asked again.
            settings={"politeness.delay_seconds": 0.25},
            check=good_first,
        ),
    }


def packed_bomb() -> Callable[[Request], bytes]:
    bomb = gzip_bomb()
    return lambda asked: page(bomb, content_type="application/gzip")
