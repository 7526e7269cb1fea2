"""The attacks of `attacks`, each with what a crawl must make of it."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import brotli  # type: ignore[import-untyped]
import zstandard

from benchmarks._attack_server import (
    ATTACKER,
    INNER,
    NO_ROBOTS,
    Answer,
    Request,
    html,
    makes,
    moves,
    page,
    plays,
    repeats,
    resets,
)

REBINDING = "rebinding.example"
WILDCARD = "wild.example.org"  # of a domain that one can register: a site has its hosts in common
FORGED_NAMES = (REBINDING, WILDCARD)
"""Names that exist only in the DNS that stands in for the real one while an attack is crawled."""

ENDED = ("frontier_empty",)
CUT_OFF = ("page_limit", "frontier_empty")
"""A place without end: the page limit ends the crawl, unless it has seen before that nothing comes."""
LATER = ("time_limit",)
"""What cannot be had now is left for a minute and more, which is longer than these crawls last."""

OK = b"HTTP/1.1 200 OK\r\n"
HTML = OK + b"Content-Type: text/html\r\n"
TEXT = OK + b"Content-Type: text/plain\r\n"
CHUNKED = HTML + b"Transfer-Encoding: chunked\r\n\r\n"
ONE_TEXT = " ".join(f"word{number}" for number in range(100))
MEGABYTES_10 = bytes(10_000_000)
BOMB_PARTS = 100


@dataclass(frozen=True, slots=True)
class Attack:
    """What a host does, and what must be recorded for its urls: pages, error classes, redirects, refusals."""

    answer: Answer
    recorded: str
    stops: tuple[str, ...] = ENDED
    robots: Answer = NO_ROBOTS
    start: str = f"http://{ATTACKER}:{{port}}/"
    settings: Mapping[str, object] = field(default_factory=dict)
    is_read: bool = False  # whether logs, commands and exports are looked at afterwards


def gzip_bomb() -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    first, part = (packer.compress(MEGABYTES_10) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + part * (BOMB_PARTS - 1)


def br_bomb() -> bytes:
    packer = brotli.Compressor(quality=1)
    first, part = (packer.process(MEGABYTES_10) + packer.flush() for _ in range(2))
    return bytes(first + part * (BOMB_PARTS - 1))


def zstd_bomb() -> bytes:
    return zstandard.compress(MEGABYTES_10) * BOMB_PARTS


def packed(encoding: str, body: bytes) -> Answer:
    return plays(page(body, f"Content-Encoding: {encoding}"))


def chain(asked: Request) -> bytes:
    number = int(asked.path.strip("/") or 0)
    return page(b"", f"Location: /{number + 1}", status="302 Found")


def circle(asked: Request) -> bytes:
    return page(b"", f"Location: {'/' if asked.path == '/b' else '/b'}", status="301 Moved Permanently")


def calendar(asked: Request) -> str:
    found = re.search(r"(\d+)-(\d+)", asked.path)
    months = int(found[1]) * 12 + int(found[2]) - 1 if found else 2020 * 12
    links = (f"/calendar/{at // 12:04d}-{at % 12 + 1:02d}/" for at in (months - 1, months + 1))
    return f"<p>no events in month {months}</p>" + "".join(f'<a href="{link}">month</a>' for link in links)


def sessions(asked: Request) -> str:
    number = sum(map(ord, asked.path)) * 7_919 + len(asked.path)
    token = f"{number * 0x9E3779B97F4A7C15 % 2**128:032x}"
    return (
        f'<p>welcome {token}</p><a href="/shop?sid={token}">a</a><a href="/shop;jsessionid={token}">b</a>'
        f'<a href="/(S({token[:24]}))/shop">c</a><a href="/shop/sessionid-{token}/">d</a>'
    )


def counter(text: Callable[[int], str]) -> Answer:
    """A page that links to itself, again and again with other parameters."""

    def write(asked: Request) -> str:
        number = int((re.findall(r"\d+", asked.path) or ["0"])[-1])
        links = (f'<a href="/?n={number * 3 + step}">next</a>' for step in (1, 2, 3))
        return f"<p>{text(number)}</p>{''.join(links)}"

    return html(write)


def new_words(number: int) -> str:
    """Words that no language has, spelled without digits, which would end them; none is "bee"."""
    text = " ".join(f"9{number * step % 9973}" for step in range(1, 100))
    return text.translate(str.maketrans("0123456789", "cdfghjklmz"))


def more_parameters(asked: Request) -> str:
    query = asked.path.partition("?")[2]
    number = query.count("=")
    return f'<p>sorted</p><a href="/?{query}{"&" if query else ""}filter{number}=on">one more</a>'


def wildcard(asked: Request) -> str:
    number = int(asked.path.strip("/") or 0)
    hosts = range(number * 20 + 1, number * 20 + 21)
    return f"<p>host {number}</p>" + "".join(
        f'<a href="http://h{host}.{WILDCARD}:{asked.port}/{host}">host {host}</a>' for host in hosts
    )


def rebinding(asked: Request) -> str:
    number = int(asked.path.strip("/") or 0)
    return f"<p>page {number}</p>" + (f'<a href="/{number + 1}">next</a>' if number < 5 else "")


def million_links() -> bytes:
    return b"".join(b"<a href=%x>" % number for number in range(1_000_000))


def control_characters() -> bytes:
    """Everything that a terminal may obey or a log may break at, raw and as entities."""
    raw = b"\x1b]0;owned\x07 \x1b[2J\r\n\x08\xc2\x9b31m \xe2\x80\xa8\xe2\x80\xae &#27;[31m &#x9b;1m &#10;&#13; =1+1"
    paths = (
        b"/\x1b[31m",
        b"/%1b[2J",
        b"/a%0d%0aSet-Cookie:b",
        b"/%00",
        b"/\xc2\x9b",
        b"/&#27;c",
        b"/\x7f\x01",
    )
    links = b"".join(b'<a href="%s">%s</a>' % (path, raw) for path in paths)
    return b"<title>%s</title><p>%s</p>%s" % (raw, raw, links)


def control_page(asked: Request) -> bytes:
    if asked.path.startswith("/moved"):
        return page(b"", "Location: /\x1b[31mred\x07", status="302 Found")
    body = control_characters() + b'<a href="/moved">moved</a>'
    return page(body, 'ETag: "\x1b[5m"', "X-Robots-Tag: \x1b[7m", content_type="text/html; charset=\x07utf-8")


def billion_laughs() -> bytes:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 30))
    doctype = f'<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY l0 "lol">{entities}]>'
    return f"{doctype}<html><body>&l29;{'&#99999999999;&notanentity;' * 100_000}</body></html>".encode()


def sitemaps(*names: str) -> Answer:
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


def million_urls(asked: Request) -> bytes:
    url = f"http://{ATTACKER}:{asked.port}/"
    entries = "".join(f"<url><loc>{url}{number}</loc></url>" for number in range(1_000_000))
    return page(zlib.compress(f"<urlset>{entries}</urlset>".encode(), 1, 31), content_type="application/gzip")


BRIEFLY = {"limits.max_seconds": 5.0}


def inward(url: str) -> Attack:
    """A redirect to a place that only machines within a network can reach."""
    return Attack(moves(to=url), "redirects AddressForbidden", settings=BRIEFLY)


def make_attacks() -> dict[str, Attack]:
    """All attacks by name; making their bombs takes a second."""
    gzipped, many_links = gzip_bomb(), million_links()
    return {
        "gzip bomb, 1 GB": Attack(packed("gzip", gzipped), "TooLarge"),
        "br bomb, 1 GB": Attack(packed("br", br_bomb()), "TooLarge"),
        "zstd bomb, 1 GB": Attack(packed("zstd", zstd_bomb()), "TooLarge"),
        "endless body": Attack(repeats(HTML + b"\r\n", b"x" * 65_536), "TooLarge"),
        "endless chunks of one byte": Attack(
            repeats(CHUNKED, b"1\r\nx\r\n" * 10_000),
            "TooLarge",
            settings={"limits.max_page_bytes": 1_000_000},
        ),
        "slow-loris headers": Attack(repeats(OK, b"X: 1\r\n", 0.2), "FetchTimeout"),
        "slow-loris body": Attack(repeats(HTML + b"\r\n", b"<p>bees", 0.2), "FetchTimeout"),
        "tarpit, 1 byte/s": Attack(repeats(HTML + b"\r\n", b"x", 1.0), "FetchTimeout"),
        "10,000 headers": Attack(
            plays(OK + b"".join(b"X-%d: 1\r\n" % n for n in range(10_000)) + b"\r\n"), "TooLarge"
        ),
        "header without end": Attack(repeats(OK + b"X: ", b"a" * 4096), "TooLarge"),
        "redirect loop": Attack(makes(circle), "redirects"),
        "redirects without end": Attack(makes(chain), "redirects FetchError"),
        "redirect to file:": Attack(moves(to="file:///etc/passwd"), "FetchError"),
        "redirect to 169.254.169.254": inward("http://169.254.169.254/latest/meta-data/"),
        "redirect to a private address": inward(f"http://{INNER}:{{port}}/"),
        "redirect to private by name": inward("http://localhost:{port}/"),
        "redirect to 2130706433": inward("http://2130706433:{port}/"),
        "DNS rebinding": Attack(html(rebinding), "page", start=f"http://{REBINDING}:{{port}}/"),
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
            html(lambda asked: "bees"),
            "RobotsDenied",
            LATER,
            repeats(TEXT + b"\r\n", b"#\n", 0.2),
            settings=BRIEFLY,
        ),
        "robots.txt redirecting in circles": Attack(
            html(lambda asked: "bees"), "page", robots=moves(to="/robots.txt")
        ),
        "robots.txt to 169.254.169.254": Attack(
            html(lambda asked: "bees"), "AddressForbidden", ENDED, moves(to="http://169.254.169.254/")
        ),
        "robots.txt 503": Attack(
            html(lambda asked: "bees"),
            "RobotsDenied",
            LATER,
            plays(page(b"", status="503 Service Unavailable")),
            settings=BRIEFLY,
        ),
        "sitemap bomb, 1 GB": Attack(
            at_sitemaps(lambda asked: page(gzipped, content_type="application/gzip")),
            "page",
            robots=sitemaps("sitemap.xml.gz"),
        ),
        "sitemap entity bomb": Attack(
            at_sitemaps(lambda asked: page(billion_laughs(), content_type="application/xml")),
            "page",
            robots=sitemaps("sitemap.xml"),
        ),
        "sitemap of 1,000,000 urls": Attack(
            at_sitemaps(million_urls),
            "page",
            CUT_OFF,
            sitemaps("sitemap.xml.gz"),
            settings={"fetch.read_seconds": 10.0, "fetch.total_seconds": 15.0},
        ),
        "HTML 1,000,000 deep": Attack(plays(page(b"<div>" * 1_000_000)), "page"),
        "1,000,000 unclosed <b>": Attack(plays(page(b"<b><p>" * 1_000_000)), "page"),
        "1,000,000 links": Attack(
            makes(lambda asked: page(many_links if asked.path == "/" else b"")),
            "page",
            CUT_OFF,
            settings={"limits.max_page_bytes": 14_000_000, "limits.max_pages": 200},
        ),
        "entity bomb": Attack(plays(page(billion_laughs(), content_type="application/xhtml+xml")), "page"),
        "wrong charset": Attack(
            plays(page(b"\xff\xfe\x00\xd8<p>\xe9bees" * 9999, content_type="text/html; charset=utf-16le")),
            "page",
        ),
        "unknown charset": Attack(
            plays(page(b"<p>bees \x82t\x82", content_type="text/html; charset=rot13")), "page"
        ),
        "NULs": Attack(plays(page(b"\0<\0p\0>\0bees" * 100_000)), "page"),
        "control characters": Attack(makes(control_page), "page redirects", is_read=True),
        "infinite calendar": Attack(
            html(calendar),
            "page refused_calendar",
            settings={"limits.max_pages": 2000, "scope.starve_host_after": 0},
        ),
        "session ids": Attack(html(sessions), "page refused_session_id"),
        "infinite path": Attack(
            html(lambda asked: f'{asked.path}<a href="a/b/">deeper</a>'), "page refused_repeated_path"
        ),
        "endless parameters": Attack(html(more_parameters), "page refused_facets"),
        "page that links to itself": Attack(counter(lambda number: ONE_TEXT), "page"),
        "host dies mid-body": Attack(
            plays(HTML + b"Content-Length: 999\r\n\r\n<p>be", closes=True), "HostUnreachable"
        ),
        "connection resets": Attack(resets, "HostUnreachable"),
        "TLS error": Attack(
            html(lambda asked: "bees"),
            "HostUnreachable",
            LATER,
            start=f"https://{ATTACKER}:{{port}}/",
            settings=BRIEFLY,
        ),
        "no such host": Attack(
            html(lambda asked: "bees"),
            "HostUnreachable",
            LATER,
            start="http://nowhere.invalid/",
            settings=BRIEFLY,
        ),
    }
