"""Attacks by pages: what they are made of, and what they do to those who read and judge them."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress

from benchmarks._attack import (
    CUT_OFF,
    ENDED,
    KILLED,
    LATER,
    SHORT_SECONDS,
    STOPPED,
    Attack,
    Evidence,
    Run,
    Running,
    asks_to_stop,
    given_up,
    had_or_given_up,
    kills,
    once,
)
from benchmarks._attack_server import ATTACKER, Answer, Request, html, makes, page, plays
from benchmarks._attacked_crawl import BRITTLE, DEADLY, FOR_EVER, NOT_A_NUMBER, RAISES


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


UNSEEN = (
    "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\u061c"
)
"""Turns text round or is not seen at all."""
SHOWN = (
    ("top",),
    ("status",),
    ("export", "-"),
    ("export", "-", "--format", "csv"),
    ("export", "-", "--what", "links"),
    ("export", "-", "--what", "failures"),
    ("export", "-", "--what", "hosts"),
)


def unseen_page(asked: Request) -> bytes:
    words = f"bees {UNSEEN}honey\u202efdp.exe"
    links = f'<a href="/{UNSEEN}">{words}</a><a href="/moved">{words}</a>'
    return page(
        f"<title>{words}</title><p>{words}</p>{links * (asked.path == '/')}".encode(),
        'ETag: "\u202e"'.encode().decode("latin-1"),
        content_type="text/html; charset=utf-8",
    )


def unseen_on_terminals(evidence: Evidence) -> Iterator[str]:
    """What commands show on a terminal must be what it says."""
    for command, *options in SHOWN:
        shown = _on_terminal(command, str(evidence.crawl), *options)
        if "bees" not in shown and command == "top":
            yield f"top shows nothing: {shown[-200:]!r}"
        if found := sorted(set(UNSEEN) & set(shown)):
            yield f"{command} {' '.join(options)} shows {', '.join(f'U+{ord(one):04X}' for one in found)}"


def _on_terminal(*arguments: str) -> str:
    """What a command writes when a terminal is its output."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from honeyguide.cli.main import app; app()", *arguments]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # the terminal is gone when nobody writes to it any more
        while block := os.read(ours, 65_536):
            shown += block
    process.wait()
    os.close(ours)
    return shown.decode(errors="replace")


def billion_laughs() -> bytes:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 30))
    doctype = f'<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY l0 "lol">{entities}]>'
    return f"{doctype}<html><body>&l29;{'&#99999999999;&notanentity;' * 100_000}</body></html>".encode()


def bodies() -> dict[str, Attack]:
    many_links = million_links()
    return {
        "HTML 1,000,000 deep": Attack(plays(page(b"<div>" * 1_000_000)), "page"),
        "1,000,000 unclosed <b>": Attack(plays(page(b"<b><p>" * 1_000_000)), "page"),
        "1,000,000 links": Attack(
            makes(lambda asked: page(many_links if asked.path == "/" else b"")),
            "page",
            CUT_OFF,
            settings={
                "limits.max_page_bytes": 14_000_000,
                "limits.max_pages": 200,
                "fetch.read_seconds": 10.0,
                "fetch.total_seconds": 15.0,
            },
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
        "bidirectional and unseen characters": Attack(
            makes(unseen_page), "page", is_read=True, check=unseen_on_terminals
        ),
    }


REPEATED = (
    "<b<b",
    "<li><dd>",
    "<dd><li>",
    "<dt><li><dd>",
    "<p><li><p><dd>",
    "<a><div>",
    "<a href=x><p>",
    "<b><p><i><p>",
    "<font size=1><p>",
    "<nobr><p>",
    "<table><tr><td>",
    "<table><a>",
    "<table>x",
    "<select><option><optgroup>",
    "<button><p>",
    "<form><div>",
    "<svg><p>",
    "<math><mi>",
    "<svg><foreignObject>",
    "<template>",
    "<ruby><rt><rb>",
    "<h1><h2>",
    "<applet><marquee>",
    "<frameset><frame>",
    "<br></p>",
    "</p>",
    "</b>",
    "</li></dd>",
    "<!--",
    "<!-- >",
    "<!",
    "<?",
    "</",
    "<![CDATA[",
    "<script>",
    "<script><!--<script>",
    "<style>",
    "<title>",
    "<textarea>",
    "<noscript><p>",
    "<a href='",
    "<a a=",
    "&lt",
    "&",
    "&#1;",
    "&amp",
    "<meta charset=",
    "<base href=a>",
    "<a href=//>",
    "<a href=/a/b/../../>",
    "<a href=?a=b&a=b&a=b>x",
    "<img alt=x>",
    "é\u202e\u0301",
    "\u0301",
    "a\u00ad",
    "bees-",
    "...",
    "\r\n\t ",
    "x<wbr>",
)
"""Pieces of pages that somewhere have taken more than linear time when repeated."""
REPEATED_BYTES = 500_000


def repetitions(asked: Request) -> bytes:
    if not asked.path.strip("/").isdigit():  # some pieces are links
        return page(b"", status="404 Not Found")
    piece = REPEATED[int(asked.path.strip("/"))].encode()
    body = zlib.compress(piece * (REPEATED_BYTES // len(piece)), 9, 31)
    return page(body, "Content-Encoding: gzip", content_type="text/html; charset=utf-8")


def one_tag(attributes: int) -> bytes:
    return b"<a %s>bees" % b" ".join(b"a%d=%d" % (number, number) for number in range(attributes))


def packed(body: bytes) -> Answer:
    return plays(page(zlib.compress(body, 9, 31), "Content-Encoding: gzip"))


def repeated() -> dict[str, Attack]:
    each = range(len(REPEATED))
    return {
        "<b<b<b ..., 4 MB": Attack(packed(b"<b" * 2_000_000), None, check=had_or_given_up()),
        "<li><dd><li><dd> ..., 300 KB": Attack(packed(b"<li><dd>" * 37_500), None, check=had_or_given_up()),
        "<li><dd><li><dd> ..., 4 MB": Attack(packed(b"<li><dd>" * 500_000), None, check=had_or_given_up()),
        "200,000 attributes of one tag": Attack(packed(one_tag(200_000)), None, check=had_or_given_up()),
        f"{len(REPEATED)} repeated pieces, 500 KB each": Attack(
            makes(repetitions),
            None,
            start=" ".join(f"http://{ATTACKER}:{{port}}/{number}" for number in each),
            settings={"limits.max_parse_seconds": 5.0},
            check=each_is_had,
        ),
    }


def each_is_had(evidence: Evidence) -> Iterator[str]:
    """Repeated they are odd, but nothing that cannot be read in time."""
    lost = [piece for at, piece in enumerate(REPEATED) if evidence.attacked(f"/{at}") not in evidence.visits]
    if lost:
        yield f"not read: {lost}"


def brittle(word: str) -> Answer:
    """A page that the topic model cannot stand, with links to others that it can."""

    def write(asked: Request) -> str:
        number = int(asked.path.strip("/") or 0)
        links = "".join(f'<a href="/{at}">bees</a>' for at in range(1, 11))
        return f"<p>bees and honey {number} {word if number == 5 else ''}</p>" + links * (number == 0)

    return html(write)


def others_had(evidence: Evidence) -> Iterator[str]:
    """What was read beside the bad page must not be lost with it."""
    lost = [at for at in range(1, 11) if at != 5 and evidence.attacked(f"/{at}") not in evidence.visits]
    if lost:
        yield f"{len(lost)} good pages of the same host lost"
    yield from given_up("/5")(evidence)


def is_read(running: Running) -> bool:
    return running.was_asked("/5")


def readers() -> dict[str, Attack]:
    patient = {**BRITTLE, "limits.max_parse_seconds": 3600.0}
    return {
        "page read for ever": Attack(
            brittle(FOR_EVER),
            None,
            settings={**BRITTLE, "limits.max_parse_seconds": 3.0},
            then=(Run(ENDED),),
            check=others_had,
        ),
        "page read for ever, time limit": Attack(
            brittle(FOR_EVER),
            None,
            LATER,
            settings={**patient, "limits.max_seconds": 5.0},
            needs_healthy=False,
            within_seconds=5.0 + SHORT_SECONDS,
        ),
        "page read for ever, honeyguide stop": Attack(
            brittle(FOR_EVER),
            None,
            STOPPED,
            settings=patient,
            needs_healthy=False,
            act=once(is_read, asks_to_stop, 1.5),
        ),
        "page read for ever, kill -9": Attack(
            brittle(FOR_EVER),
            None,
            KILLED,
            settings=patient,
            needs_healthy=False,
            act=once(is_read, kills, 1.5),
        ),
        "page that kills its reader": Attack(
            brittle(DEADLY), None, ENDED, settings=BRITTLE, then=(Run(ENDED),), check=others_had
        ),
        "page that the topic fails at": Attack(
            brittle(RAISES), None, ENDED, settings=BRITTLE, then=(Run(ENDED),), check=others_had
        ),
        "page judged as not a number": Attack(
            brittle(NOT_A_NUMBER), None, ENDED, settings=BRITTLE, then=(Run(ENDED),), check=others_had
        ),
    }
