"""Reading costs no more than in proportion to the size, also of what was written to cost more.

The one test that looks at times: of the processor, only where they are long enough to tell, and only when they grow far
more than the size again and again. `python -m benchmarks.growth` tries random inputs for as long as one likes.
"""

import random
import sys
from collections.abc import Iterator

import pytest
from benchmarks._growth_inputs import HostileInput, random_input
from benchmarks._growth_meter import Meter, readers_of
from benchmarks.growth import growth, proven

RANDOM_INPUTS = 6
NESTED_LINKS = b"".join(b"<a href=/%d><table><td>" % number for number in range(400))

CULPRITS = {
    "half-open tags": ("page", HostileInput(b"<b")),
    "half-open tags with an end": ("page", HostileInput(b"<b", end=b">")),
    "half-open tags that are kept": ("page", HostileInput(b"<a href=/", b"<div>" * 10_000)),
    "items in definitions": ("page", HostileInput(b"<li><dd>")),
    "end tags that do not reach": ("page", HostileInput(b"<span><div></span></div>")),
    "end tags in comments": ("page", HostileInput(b"<div><?</div>")),
    "spaces that are none": ("page", HostileInput("<br\xa0>".encode())),
    "letters that are none": ("page", HostileInput("<lin\u212a>".encode())),
    "hidden by raw text that is none": ("page", HostileInput(b"<div>", b"<title-x>")),
    "hidden by svg": ("page", HostileInput(b"<svg><style><div>")),
    "hidden by a script in a script": (
        "page",
        HostileInput(b"<div>", b"<script><!--<script></script><title></script>-->"),
    ),
    "hidden by a quote in a comment": ("page", HostileInput(b"<div>", b'<!-- <a title="-->', b'">')),
    "formatting out of reach": (
        "page",
        HostileInput(b"<b id={n}>" + 9 * b"<div>" + b"</b>x" + 9 * b"</div>"),
    ),
    "cells without a table": ("page", HostileInput(b"<td><b id={n}>x</td><p>", b"<table><table></table>")),
    "parts of no table": ("page", HostileInput(b"text<td a=b>")),
    "heads in the text": ("page", HostileInput(b"text<head a=b>")),
    "attributes": ("page", HostileInput(b"a{n} ", b"<p ")),
    "attributes of the body": ("page", HostileInput(b"<body a{n}>")),
    "names of attributes": ("page", HostileInput(b"<p a{n}>")),
    "names of elements": ("page", HostileInput(b"<n{n}>")),
    "links in links": ("whole_page", HostileInput(b"<a href=/{n}><table><td>")),
    "comments in links in links": ("whole_page", HostileInput(b"<!---->", NESTED_LINKS)),
    "groups": ("page", HostileInput(b"<option><optgroup>")),
    "ruby": ("page", HostileInput(b"<ruby><rtc><rb>")),
    "end tags of nothing": ("page", HostileInput(b"</x></p>", b"<div>" * 1_000)),
    "comments never closed": ("page", HostileInput(b"<!--", end=b"<p>" * 2_000)),
    "texts around end tags": ("page", HostileInput(b"some words </p a=b>", b"<svg>")),
    "texts between cells": ("page", HostileInput(b"some words <tr><td>x</td></tr>", b"<table>")),
    "texts after the body": ("page", HostileInput(b"some words </body><!--c-->")),
    "texts around long tags": ("page", HostileInput(7_000 * b"x" + b"<td a=b>")),
    "blanks in a set of frames": ("page", HostileInput(b"          <p a=b>", b"<frameset>")),
    "blanks in the head": ("page", HostileInput(b"          <meta a=b>", b"<head></head>")),
    "attributes of raw text": ("page", HostileInput(b"<title a{n}></title>")),
    "references": ("page", HostileInput(b"&notit;&#x")),
    "marks": ("whole_page", HostileInput("\u0301\u0316".encode(), b"<a href=/>x</a>")),
    "hosts": ("addresses", HostileInput("".join(map(chr, range(0x4E00, 0x5E00))).encode())),
    "dates": ("addresses", HostileInput(b"date=1950&", b"a?")),
    "a bare sitemap": ("robots", HostileInput(b"sitemap", b"http:", b" x")),
    "wildcards": ("robots", HostileInput(b"*a", b"User-agent: *\nDisallow: /", b"b$")),
    "quotes in a header": ("headers", HostileInput(b'\\"', b',"', b"\\")),
    "a long prefix": ("sitemap", HostileInput(b"a", b"<", b":urlset><loc>http://h.example/</loc>")),
    "bytes of no charset": ("charset", HostileInput(b"\x80\xff", b"<meta charset=gb18030>")),
}


@pytest.fixture(scope="module")
def meter() -> Iterator[Meter]:
    with Meter() as meter:
        yield meter


@pytest.mark.parametrize("name", CULPRITS)
def test_known_culprits_are_read_in_linear_time(name: str, meter: Meter) -> None:
    if "script in a script" in name and sys.version_info < (3, 11, 4):
        pytest.skip("this Python's re cannot tell where such scripts end; see flatten.py")
    assert proven(meter, *CULPRITS[name]) is None


def test_random_inputs_are_read_in_linear_time(meter: Meter) -> None:
    dice = random.Random(5)
    for _ in range(RANDOM_INPUTS):
        grammar, hostile = random_input(dice)
        for reader in readers_of(grammar):
            assert proven(meter, reader, hostile) is None, (reader, hostile)


def test_growth_beyond_linear_is_found(meter: Meter) -> None:
    found = growth(meter, "square", HostileInput(b"x"), (1 << 14, 1 << 16))
    assert found.is_suspect, found
