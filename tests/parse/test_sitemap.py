"""Sitemaps, indexes, feeds and lists of urls."""

import gzip
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.parse import ParseOptions
from honeyguide.parse.sitemap import MAX_UNPACKED_BYTES, parse_sitemap, read_sitemap

KINDS = {"urlset": "pages", "index": "sitemaps", "text": "text", "rss": "feed", "atom": "feed"}
ANSWERED_OTHERWISE = {
    # What stands before an error is used.
    "broken XML (unbalanced url tag)": 1,
    # Links of a sitemap are links like others: where it lies gives them no less trust.
    "URL above the sitemap location, strict": 1,
}


@pytest.fixture(scope="module")
def folder(shared):
    return shared / "fixtures" / "sitemaps"


@pytest.fixture(scope="module")
def cases(folder):
    return json.loads((folder / "sitemap_cases.json").read_text("utf-8"))


def links(body, url="http://example.org/sitemap.xml"):
    page = parse_sitemap(body, url, "", ParseOptions())
    return page and dict(zip(page.links.urls, page.links.anchors, strict=True))


def test_inline_cases(cases):
    for case in cases["inline"]:
        sitemap = read_sitemap(case["body"].encode())
        name = case["name"]
        if name in ANSWERED_OTHERWISE:
            assert len(sitemap.entries) == ANSWERED_OTHERWISE[name], name
        elif case["kind"] == "error":
            assert sitemap is None, name
        else:
            assert (sitemap.kind, len(sitemap.entries)) == (KINDS[case["kind"]], case["count"]), name
            assert [entry.url for entry in sitemap.entries] == case.get(
                "locs", [entry.url for entry in sitemap.entries]
            ), name
            dates = [entry.modified or None for entry in sitemap.entries]
            assert dates == case.get("lastmods", dates), name


def test_files(cases, folder):
    for case in cases["files"]:
        sitemap = read_sitemap((folder / case["file"]).read_bytes())
        assert sitemap.kind == KINDS[case["kind"]], case["file"]
        assert case["count"] in (None, len(sitemap.entries)), case["file"]


@pytest.mark.parametrize(
    ("name", "kind", "count"),
    [
        ("crawler_commons/sitemaps/sitemap-with-bom.txt", "text", 2),
        ("crawler_commons/sitemaps/sitemap.txt", "text", 2),
        ("trafilatura/feed1.atom", "feed", 1),
        ("trafilatura/feed2.rss", "feed", 1),
        ("trafilatura/sitemap-hreflang.xml", "pages", 4),
        ("trafilatura/sitemap.xml", "pages", 84),
        ("trafilatura/sitemap.xml.gz", "pages", 84),
        ("trafilatura/sitemap2.xml", "sitemaps", 2),
        ("wpull/rss.xml", "feed", 1),
        ("wpull/secret_sitemap.xml", "pages", 1),
    ],
)
def test_further_files(folder, name, kind, count):
    sitemap = read_sitemap((folder / name).read_bytes())
    assert (sitemap.kind, len(sitemap.entries)) == (kind, count)


def test_titles_of_a_feed_are_anchors(folder):
    page = parse_sitemap(
        (folder / "crawler_commons/rss/feed.rss").read_bytes(), "http://x.org/", "", ParseOptions()
    )
    assert page.title == "RSS Title"
    assert page.links.urls[0] == "https://www.example.com/blog/post/1"
    assert page.links.anchors[:2] == ["Example entry", "&guid& element instead of &link&"]
    assert page.links.nofollow == [False] * 4


def test_addresses_are_made_canonical_and_counted_once():
    body = b"""<urlset><url><loc>/a#x</loc></url><url><loc>http://EXAMPLE.org/a</loc></url>
        <url><loc>ftp://example.org/</loc></url></urlset>"""
    page = parse_sitemap(body, "http://example.org/sitemap.xml", "", ParseOptions())
    assert page.links.urls == ["http://example.org/a"]
    assert page.bad_links == 1


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"<s:urlset xmlns:s='x'><s:url><s:loc>http://a.org/</s:loc></s:url></s:urlset>", ["http://a.org/"]),
        (
            b"<urlset><url><loc>http://a.org/?a=1&b=2&copy=3</loc></url></urlset>",
            ["http://a.org/?a=1&b=2&copy=3"],
        ),
        (b"<urlset><url><loc>http://a.org/</loc><url><loc>http://b.org/", ["http://a.org/", "http://b.org/"]),
        (b"<urlset><!-- <url><loc>http://no.org/</loc></url> --></urlset>", []),
        (b"<urlset><url><lastmod>2020</lastmod><image:loc>http://no.org/</image:loc></url></urlset>", []),
        (
            b"<!DOCTYPE rss PUBLIC '-//x//DTD RSS 0.91//EN' 'http://x/rss.dtd'><rss><item><link>http://a.org/</link></item></rss>",
            ["http://a.org/"],
        ),
        (
            "<?xml version='1.0' encoding='iso-8859-1'?><urlset><url><loc>http://a.org/\xe9</loc></url></urlset>".encode(
                "latin-1"
            ),
            ["http://a.org/\xe9"],
        ),
        (
            "<?xml version='1.0' encoding='utf-16'?><urlset><url><loc>http://a.org/</loc></url></urlset>".encode(
                "utf-16"
            ),
            ["http://a.org/"],
        ),
    ],
)
def test_what_files_in_the_wild_look_like(body, expected):
    assert [entry.url for entry in read_sitemap(body).entries] == expected


def test_a_date_before_the_address_belongs_to_the_same_entry():
    body = b"""<urlset><url><loc>http://a.org/</loc></url>
        <url><lastmod>2020-01-01</lastmod><loc>http://b.org/</loc></url></urlset>"""
    assert [entry.modified for entry in read_sitemap(body).entries] == ["", "2020-01-01"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html><body><a href='http://a.org/'>a</a></body></html>",
        b"<!DOCTYPE html><title>Sitemap</title><loc>http://a.org/</loc>",
        b"<svg><loc>http://a.org/</loc></svg>",
        b"plain words\nhttp://a.org/\nand more words",
        b"\x1f\x8b broken",
        b"\x00" * 100,
        b"<!DOCTYPE urlset [<!ENTITY a 'b'>]><urlset><url><loc>http://a.org/&a;</loc></url></urlset>",
    ],
)
def test_other_files_are_no_sitemaps(body):
    assert links(body) is None


def test_no_more_links_than_asked_for():
    body = b"<urlset>" + b"".join(b"<url><loc>http://a.org/%d</loc></url>" % n for n in range(100))
    assert len(read_sitemap(body, max_entries=7).entries) == 7
    assert len(read_sitemap(b"http://a.org/\n" * 100, max_entries=7).entries) == 7


def test_packed_files_in_parts_and_cut_off():
    first, second = (
        b"<urlset><url><loc>http://a.org/</loc></url>",
        b"<url><loc>http://b.org/</loc></url></urlset>",
    )
    whole = gzip.compress(first, mtime=0) + gzip.compress(second, mtime=0)
    assert list(links(whole)) == ["http://a.org/", "http://b.org/"]
    assert list(links(whole[:-20])) in (["http://a.org/"], ["http://a.org/", "http://b.org/"])


@pytest.mark.parametrize("unit", ["<", "<loc>", "<!--", "<![CDATA[", "&", "<?", "\n", "<!DOCTYPE [", " <url"])
def test_files_made_to_keep_a_reader_busy(unit):
    size = 1_000_000
    started = time.process_time()
    for start in ("<urlset>", "http://a.org/\n", ""):
        read_sitemap(gzip.compress((start + unit * (size // len(unit))).encode(), 1, mtime=0))
    assert time.process_time() - started < 5


def test_a_packed_bomb_is_not_unpacked():
    bomb = gzip.compress(b"<urlset>" + b" " * (4 * MAX_UNPACKED_BYTES), 1, mtime=0)
    assert read_sitemap(bomb).entries == []


@given(st.binary(max_size=500))
def test_any_bytes_get_an_answer(body):
    for start in (b"", b"<urlset>", b"<rss><item><link>", b"<feed><entry><link href='", b"\x1f\x8b\x08\x00"):
        links(start + body)


@given(
    st.lists(
        st.sampled_from(
            [
                "<url>",
                "</url>",
                "<loc>",
                "</loc>",
                "<lastmod>",
                "<![CDATA[",
                "]]>",
                "<!--",
                "-->",
                "http://a.org/",
                "&amp;",
                "<",
            ]
        )
    )
)
def test_any_order_of_tags_gets_an_answer(parts):
    assert links(("<urlset>" + "".join(parts)).encode()) is not None
