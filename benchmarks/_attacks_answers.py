"""Attacks by what a host answers, before anybody reads the page."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import brotli  # type: ignore[import-untyped]
import zstandard

from benchmarks._attack import BRIEFLY, ENDED, LATER, Attack, Check, Evidence, Run, given_up
from benchmarks._attack_server import (
    ATTACKER,
    INNER,
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
from benchmarks._attacked_crawl import REBINDING

OK = b"HTTP/1.1 200 OK\r\n"
HTML = OK + b"Content-Type: text/html\r\n"
CHUNKED = HTML + b"Transfer-Encoding: chunked\r\n\r\n"
MEGABYTES_10 = bytes(10_000_000)
BOMB_PARTS = 100
MOST_SENT = 80_000_000
"""Three tries of the ten megabytes that a page may have, what waits in the system's buffers, and something to spare."""


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


def bombs_and_floods() -> dict[str, Attack]:
    return {
        "gzip bomb, 1 GB": Attack(packed("gzip", gzip_bomb()), "TooLarge"),
        "br bomb, 1 GB": Attack(packed("br", br_bomb()), "TooLarge"),
        "zstd bomb, 1 GB": Attack(packed("zstd", zstd_bomb()), "TooLarge"),
        "endless body": Attack(repeats(HTML + b"\r\n", b"x" * 65_536), "TooLarge"),
        "endless chunks of one byte": Attack(
            repeats(CHUNKED, b"1\r\nx\r\n" * 10_000),
            "TooLarge",
            settings={"limits.max_page_bytes": 200_000},
        ),
        "slow-loris headers": Attack(repeats(OK, b"X: 1\r\n", 0.2), "FetchTimeout"),
        "slow-loris body": Attack(repeats(HTML + b"\r\n", b"<p>bees", 0.2), "FetchTimeout"),
        "tarpit, 1 byte/s": Attack(repeats(HTML + b"\r\n", b"x", 1.0), "FetchTimeout"),
        "10,000 headers": Attack(
            plays(OK + b"".join(b"X-%d: 1\r\n" % n for n in range(10_000)) + b"\r\n"), "TooLarge"
        ),
        "header without end": Attack(repeats(OK + b"X: ", b"a" * 4096), "TooLarge"),
        "answers 100 without end": flood(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
        "answers 103 without end": flood(b"HTTP/1.1 103 Early Hints\r\n" + 90 * b"Link: </a>\r\n" + b"\r\n"),
        "empty lines without end": flood(b"\r\n" * 10_000),
        "chunk extension without end": flood(b"a" * 65_536, start=CHUNKED + b"1;"),
        "a chunk extension with each byte": flood(b"1;%s\r\nx\r\n" % (b"a" * 4000) * 10, start=CHUNKED),
        "chunk size of endless zeros": flood(b"0" * 65_536, start=CHUNKED),
        "trailers without end": flood(b"X: %s\r\n" % (b"a" * 4000) * 10, start=CHUNKED + b"0\r\n"),
        "one trailer without end": flood(b"a" * 65_536, start=CHUNKED + b"0\r\nX: "),
    }


def flood(block: bytes, start: bytes = b"") -> Attack:
    """Bytes without end that are no part of a body."""
    return Attack(repeats(start, block), None, check=sends_little)


def sends_little(evidence: Evidence) -> Iterator[str]:
    sent = evidence.server.sent[ATTACKER]
    if sent > MOST_SENT:
        yield f"{sent / 1e6:.0f} MB were taken"
    yield from given_up()(evidence)


def chain(asked: Request) -> bytes:
    number = int(asked.path.strip("/") or 0)
    return page(b"", f"Location: /{number + 1}", status="302 Found")


def circle(asked: Request) -> bytes:
    return page(b"", f"Location: {'/' if asked.path == '/b' else '/b'}", status="301 Moved Permanently")


def inward(url: str) -> Attack:
    """A redirect to a place that only machines within a network can reach."""
    return Attack(moves(to=url), "redirects AddressForbidden", settings=BRIEFLY)


def redirects() -> dict[str, Attack]:
    return {
        "redirect loop": Attack(makes(circle), "redirects"),
        "redirects without end": Attack(makes(chain), "redirects FetchError"),
        "redirect to file:": Attack(moves(to="file:///etc/passwd"), "FetchError"),
        "redirect to 169.254.169.254": inward("http://169.254.169.254/latest/meta-data/"),
        "redirect to a private address": inward(f"http://{INNER}:{{port}}/"),
        "redirect to private by name": inward("http://localhost:{port}/"),
        "redirect to 2130706433": inward("http://2130706433:{port}/"),
        "redirect to 64:ff9b:1::a9fe:a9fe": inward("http://[64:ff9b:1::a9fe:a9fe]/"),
        "DNS rebinding": Attack(html(rebinding), "page", start=f"http://{REBINDING}:{{port}}/"),
    }


def rebinding(asked: Request) -> str:
    number = int(asked.path.strip("/") or 0)
    return f"<p>page {number}</p>" + (f'<a href="/{number + 1}">next</a>' if number < 5 else "")


def unasked_304(
    *headers: str, body: bytes = b"", check: Check | None = None, is_seed: bool = False
) -> Attack:
    """Answer "not modified" to those who have never seen the page; the crawl is resumed afterwards."""
    lines = ["HTTP/1.1 304 Not Modified", *headers]
    if body:
        lines += [f"Content-Length: {len(body)}", "Content-Type: text/html"]
    raw = "\r\n".join([*lines, "", ""]).encode() + body
    # What stands behind the headers is no body for HTTP: the connection is closed, lest it be the next answer.
    return Attack(
        plays(raw, closes=bool(body)),
        None,
        then=(Run(ENDED),),
        check=check or given_up(),
        is_seed=is_seed,
    )


def no_page(evidence: Evidence) -> Iterator[str]:
    """A redirect or a failure, but nothing to be judged."""
    if evidence.attacked() in evidence.visits:
        yield "/ counts as a page"


def oddities() -> dict[str, Attack]:
    return {
        "304 that was not asked for": unasked_304('ETag: "a"'),
        "304 from a seed": unasked_304('ETag: "a"', is_seed=True),
        "304 with a body": unasked_304(body=b"<p>bees and honey"),
        "304 with Location": unasked_304("Location: /elsewhere", check=no_page),
        "304 to robots.txt too": Attack(
            plays(b"HTTP/1.1 304 Not Modified\r\n\r\n"),
            None,
            ("frontier_empty", "time_limit"),
            plays(b"HTTP/1.1 304 Not Modified\r\n\r\n"),
            settings=BRIEFLY,
            then=(Run(("frontier_empty", "time_limit")),),
            check=no_page,
        ),
        ".xml that is a picture, .rss that is PDF": Attack(
            makes(not_text),
            "NotText",
            start=" ".join(f"http://{ATTACKER}:{{port}}/{name}" for name in ("a.xml", "b.rss", "c.xml.gz")),
            check=given_up("/a.xml", "/b.rss", "/c.xml.gz"),
        ),
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


def not_text(asked: Request) -> bytes:
    if asked.path == "/b.rss":
        return page(b"%PDF-1.7 bees and honey", content_type="application/pdf")
    return page(b"\x89PNG\r\n\x1a\n" + bytes(1000), content_type="image/png")
