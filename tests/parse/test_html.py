"""Pages as they are on the Web: links, text, what they declare; and pages made to do harm."""

import gzip
import json
import random
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.model import ParsedPage
from honeyguide.parse import ParseOptions, first_words, parse_page, tidied
from honeyguide.parse.duplicates import MAX_DISTANCE, distance, looks_missing, signature
from honeyguide.parse.html import parse_html
from honeyguide.parse.links import one_line, refresh_target

URL = "https://example.org/dir/page.html"


def page_of(html: str, **options: object) -> ParsedPage:
    page = parse_html(html.encode(), URL, "text/html", ParseOptions(**options))  # type: ignore[arg-type]
    return replace(page, text=one_line(page.text))


def links_of(html: str) -> dict[str, str]:
    links = page_of(html).links
    return dict(zip(links.urls, links.anchors, strict=True))


def test_whole_page() -> None:
    page = page_of(
        """<!doctype html><html lang="en-GB"><head><title> A
        title </title><meta name="robots" content="NoIndex, follow"><meta name="honeyguide" content="noarchive">
        <link rel="canonical" href="/canonical?utm_source=x"><link rel="stylesheet" href="/style.css">
        <style>p {}</style><script>var x = "<a href='/script'>no</a>"</script></head>
        <body><p>First<p>Second <a href="a.html" rel="nofollow">the   anchor</a><div>Third</div></body>"""
    )
    assert page == ParsedPage(
        title="A title",
        text="First Second the anchor Third",
        links=page.links,
        language="en",
        robots=frozenset({"noindex", "follow", "noarchive"}),
    )
    assert list(page.links.urls) == ["https://example.org/canonical", "https://example.org/dir/a.html"]
    assert list(page.links.anchors) == ["", "the anchor"]
    assert list(page.links.nofollow) == [False, True]
    assert not page.links.contexts


def test_empty_body() -> None:
    assert parse_page(b"", URL) == ParsedPage(links=page_of("").links)
    assert len(page_of("").links) == 0


def test_where_links_are_found() -> None:
    html = """<link rel="next" href="2"><link rel="PREV nofollow" href="0"><link rel="icon" href="icon">
        <area href="area" alt="an area"><iframe src="frame" title="a frame">hidden</iframe><a name="here">no</a>
        <meta http-equiv="Refresh" content="5; url=later"><noscript><a href="noscript">no</a></noscript>
        <svg><a href="svg">no</a></svg><template><a href="template">no</a></template><iframe></iframe>"""
    assert links_of(html) == {
        "https://example.org/dir/2": "",
        "https://example.org/dir/0": "",
        "https://example.org/dir/area": "an area",
        "https://example.org/dir/frame": "a frame",
        "https://example.org/dir/later": "",
    }
    assert "hidden" not in page_of(html).text


def test_attributes_where_nobody_expects_them() -> None:
    """A url on an element that links to nothing is no link, and neither that nor a link without url spoils a page."""
    made_up = "".join(f"<x-{number} href=made-up></x-{number}>" for number in range(50))
    html = f"<head><base><meta href=meta property=og:url><link rel=next></head><body>{made_up}<a name=here>text</a>"
    assert links_of(html) == {}
    assert page_of(html).text.strip() == "text"


def test_frames() -> None:
    html = "<frameset><frame src=menu title=Menu><frame src=main><noframes><a href=no>no</a></noframes></frameset>"
    assert links_of(html) == {"https://example.org/dir/menu": "Menu", "https://example.org/dir/main": ""}
    assert page_of(html).text == ""


def test_links_that_lead_nowhere_are_counted() -> None:
    page = page_of(
        "<a href='mailto:a@b.c'>a<a href='javascript:void(0)'>b<a href='http://[bad'>c<a href=''>d<a href='#top'>e"
    )
    assert page.bad_links == 3
    assert list(page.links.urls) == [URL]


def test_one_entry_per_target() -> None:
    page = page_of(
        "<a href=x rel=nofollow><img src=i></a> <a href=y>why</a> <a href=x#part rel=nofollow>ex</a>"
        "<a href=x>other</a><a href=z rel='ugc'>zed</a><a href=z rel='x sponsored'>zed</a>",
        context_words=2,
    )
    assert [url[-1] for url in page.links.urls] == ["x", "y", "z"]
    assert list(page.links.anchors) == ["ex", "why", "zed"]
    assert list(page.links.nofollow) == [False, False, True]
    assert list(page.links.contexts) == ["why ex other", "why ex", "other zed zed"]


def test_what_stands_for_a_link() -> None:
    html = """<a href=1><b>bo</b>ld <i>text</i></a><a href=2><img alt=" a  picture "></a><a href=3 title="a title"></a>
        <a href=4><div>two</div><div>blocks</div></a><a href=5><img alt=""></a>"""
    assert list(links_of(html).values()) == ["bo ld text", "a picture", "a title", "two blocks", ""]


@pytest.mark.parametrize(
    ("content", "anchor"),
    [
        ("two  words", "two words"),
        ("a &lt;b&gt; &amp;c", "a <b> &c"),
        ("<i>whole</i>", "whole"),
        ("with <i>a part</i>", "with a part"),
        ("<i>a part</i> before", "a part before"),
        ("<!-- nothing -->", ""),
        ("before<!-- nothing -->after", "before after"),
        ("<style>p {}</style>", ""),
        (" <img alt=picture> ", "picture"),
    ],
)
def test_anchors_are_the_words_of_all_that_a_link_holds(content: str, anchor: str) -> None:
    assert [*links_of(f"<p>See <a href=x>{content}</a> there").values()] == [anchor]


def test_sizes_are_capped() -> None:
    html = f"<title>{'t' * 999}</title><p>{'w' * 99}<a href=x>{'a' * 999}</a>" + "".join(
        f"<a href={number}>n</a>" for number in range(50)
    )
    page = page_of(html, max_links=10, max_text_chars=50)
    assert (len(page.title), len(page.text), len(page.links)) == (500, 50, 10)
    assert len(page.links.anchors[0]) == 300


def test_control_characters_are_replaced() -> None:
    html = "<title>a\x00b\x07c&#1;d</title><p>e\x00f\x1bg&#x80;\x85h\u2028i</p><a href=x>j\x00\x08k&#0;</a>"
    page = page_of(html, context_words=6)
    assert page.title == "a b c d"
    assert page.text == "e f g€ h i j k\ufffd" == page_of(html).text
    assert list(page.links.anchors) == ["j k\ufffd"]
    assert list(page.links.contexts) == ["g€ h i j k\ufffd"]


@pytest.mark.parametrize("number", [*range(1, 9), *range(0x0E, 0x1C), 0x7F])
def test_no_control_character_is_in_the_words_around_a_link_of_a_page_in_ascii(number: int) -> None:
    page = page_of(f"<p>one{chr(number)}two <a href=x>three</a>", context_words=6)
    assert list(page.links.contexts) == ["one two three"]


@pytest.mark.parametrize(
    "html",
    [
        "<title>one</title><title>two</title>",
        "<p>text<title>one</title>",
        "<svg><title>icon</title></svg><title>one</title>",
        "<math><iframe><title>hidden</title></iframe></math><title>one</title>",
    ],
)
def test_the_first_title_that_is_not_hidden(html: str) -> None:
    assert page_of(html).title == "one"
    assert page_of(f"<title></title>{html}").title == ""


def test_contexts() -> None:
    html = "<p>one two three <a href=x>an anchor</a> four <b>five</b> six <a href=y><img alt=pic></a></p>"
    page = page_of(html, context_words=4)
    assert list(page.links.contexts) == ["two three an anchor four five", "five six pic"]
    assert page.text == page_of(html).text


@pytest.mark.parametrize(
    "junk", ["\0", "\ue000", "\ufdd0", "&#0;", "&#xe000;", "\x00\x30\x00", "&#x0;9&#x0;"]
)
def test_pages_cannot_forge_contexts(junk: str) -> None:
    html = (
        f"<p>one {junk} two <a href=x>anchor {junk}</a> three <textarea>{junk}</textarea><math>{junk}</math>"
    )
    page = page_of(html, context_words=100)
    assert page.text == page_of(html).text == page.links.contexts[0]


def test_contexts_of_links_in_links_and_in_the_head() -> None:
    page = page_of(
        "<link rel=next href=n>a <a href=1>b <object>c <a href=2>d</a> e</object> f</a> g", context_words=2
    )
    assert list(page.links.contexts) == ["", "a b c d e f g", "c d e"]


def test_language_of_the_page() -> None:
    assert page_of('<html xml:lang="fr"><p>').language == "fr"
    assert page_of('<meta http-equiv="Content-Language" content="de, en">').language == "de"
    assert page_of('<html lang="sv"><meta http-equiv="content-language" content="de">').language == "sv"


def test_base_elements_of_wpt(shared: Path) -> None:
    for case in json.loads((shared / "fixtures/html/base_href_wpt.json").read_text()):
        html = case["html"].replace("<img src", "<a href")
        assert list(parse_page(html.encode(), case["document_url"]).links.urls) == [case["expected"]], case[
            "why"
        ]


def test_base_is_not_read_where_nothing_is_shown() -> None:
    html = "<!-- <base href=http://a.test> --><noscript><base href=http://b.test></noscript><a href=x>x</a>"
    assert list(links_of(html)) == ["https://example.org/dir/x"]


def test_meta_refresh_of_wpt(shared: Path) -> None:
    for case in json.loads((shared / "fixtures/html/meta_refresh_wpt.json").read_text()):
        expected = case["expected"]["url"] if case["expected"] else None
        found = refresh_target(case["content"])
        # Parsing a url removes these, so they may stay here.
        assert (found and found.translate(dict.fromkeys(map(ord, "\t\n"))).rstrip()) == expected, case


def test_malformed_pages_of_others(shared: Path) -> None:
    for path in (shared / "fixtures/html/malformed_pages").rglob("*"):
        if path.is_file():
            parse_page(path.read_bytes(), URL, "", ParseOptions(context_words=10))


def test_text_holds_what_articles_say(shared: Path) -> None:
    folder = shared / "fixtures/html/boilerplate/trafilatura_eval"
    found = wanted = 0
    for name, entry in json.loads((folder / "expected_segments.json").read_text()).items():
        page = parse_page(gzip.decompress((folder / name).read_bytes()), entry["url"], "text/html")
        wanted += len(entry["with"])
        found += sum("".join(segment.split()) in "".join(page.text.split()) for segment in entry["with"])
    assert found >= 0.97 * wanted


def test_naughty_strings(shared: Path) -> None:
    for text in json.loads((shared / "fixtures/naughty/blns.json").read_text()):
        page = page_of(
            f"<title>{text}</title><a href='{text}'>{text}</a><a href=x title='{text}'></a>", context_words=4
        )
        for seen in (page.title, page.text, *page.links.anchors, *page.links.contexts):
            assert seen == " ".join(seen.split())
            seen.encode()


FRAGMENTS = st.sampled_from(
    [
        *(
            "<a href=x>",
            "</a>",
            "<a href='/y'>",
            "<b id=1>",
            "</b>",
            "<p>",
            "<table>",
            "<td>",
            "</table>",
            "<div>",
        ),
        *(
            "</div>",
            "<svg>",
            "<math>",
            "<template>",
            "<noscript>",
            "<iframe src=z>",
            "<select>",
            "<!--",
            "-->",
        ),
        *(
            "<script>",
            "</script>",
            "<title>",
            "</title>",
            "<base href=/q/>",
            "<frameset>",
            "<frame src=f>",
            "<body>",
        ),
        *(
            "<meta http-equiv=refresh content='1;url=r'>",
            "</body>",
            "<html lang=en>",
            "&#0;",
            "&amp;",
            "&lt",
            "word",
        ),
        *("\x00", "\ue000", "'", '"', "<", ">"),
    ]
)


@given(st.lists(FRAGMENTS | st.text(max_size=5), max_size=40).map(" ".join))
def test_any_markup_gives_consistent_pages(html: str) -> None:
    plain = page_of(html)
    full = page_of(html, context_words=6)
    assert (full.text, full.title, list(full.links.urls)) == (plain.text, plain.title, list(plain.links.urls))
    assert len(full.links.anchors) == len(full.links.nofollow) == len(full.links)
    assert len(full.links.contexts) == len(full.links)
    assert "\0" not in plain.text + plain.title + "".join([*plain.links.anchors, *full.links.contexts])


@given(
    st.binary(max_size=400),
    st.sampled_from(["", "text/html", "text/plain", "image/png", "text/html; charset=utf-16"]),
)
def test_any_bytes_give_a_page(body: bytes, content_type: str) -> None:
    parse_page(body, URL, content_type, ParseOptions(context_words=4))
    parse_page(body, "not a url", content_type)


def in_rows(template: str, count: int) -> str:
    return "".join(template.format(number) for number in range(count))


HOSTILE = {
    "ten megabytes of paragraphs": lambda: "<p>some words of a long text</p>\n" * 320_000,
    "ten megabytes of one word": lambda: "x" * 10_000_000,
    "a hundred thousand links": lambda: in_rows("<li><a href=/{0}>link {0}</a>", 100_000),
    "links in links": lambda: in_rows("<a href=/{0}>words <object>", 30_000),
    "a book in nested links": lambda: in_rows("<a href=/{0}><object>", 480) + "word " * 600_000,
    "a million deep": lambda: "<div>" * 1_000_000 + "<a href=x>bottom</a>",
    "a million deep in svg": lambda: "<svg>" + "<g>" * 1_000_000 + "</x>" * 1000,
    "formatting reopened": lambda: in_rows("<p><b id={0}>x", 50_000),
    "formatting closed out of scope": lambda: in_rows("<p><b id={0}><table></b></table>x", 30_000),
    "formatting closed in comments": lambda: in_rows("<p><b id={0}><!--</b>--><!-->x", 30_000),
    "a hundred thousand attributes": lambda: "<a " + in_rows("a{0} ", 100_000) + "href=x>bottom</a>",
    "attributes after a fake quote": lambda: '<a ="' + in_rows("a{0} ", 100_000) + '" href=x>bottom</a>',
    "names never heard of": lambda: in_rows("<x{0} y{0}></x{0}>", 200_000),
    "attributes for the body": lambda: in_rows("<body a{0}=1>", 100_000),
    "entities": lambda: "&CounterClockwiseContourIntegral;&#x41;&amp" * 200_000,
    "unclosed everything": lambda: "<a href='x<!--<script" * 200_000,
    "nothing but brackets": lambda: "<" * 2_000_000 + "&" * 2_000_000,
    "zeros": lambda: "\0" * 5_000_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_read_in_bounded_time(name: str) -> None:
    html = HOSTILE[name]()
    start = time.process_time()
    page = page_of(html, context_words=20)
    assert time.process_time() - start < 15
    assert len(page.links) <= 10_000
    assert ("bottom" in html) <= ("bottom" in page.text)


@pytest.mark.parametrize("seed", range(5))
def test_binary_junk(seed: int) -> None:
    body = random.Random(seed).randbytes(100_000)
    assert len(parse_page(body, URL).text) <= 200_000


def test_pages_are_told_apart_however_they_are_indented() -> None:
    """Copies and missing pages are looked for in what `tidied` leaves, not in the page's own spacing."""
    rows = [
        "".join(f"<tr><td>\n{' ' * 40}{word}{n}</td></tr>" for n in range(300)) for word in ("bee", "car")
    ]
    one, other = (tidied(parse_page(f"<table>{row}</table>".encode(), URL)) for row in rows)
    assert distance(signature(one.text), signature(other.text)) > MAX_DISTANCE
    missing = tidied(parse_page(f"<p>{' ' * 300}Sorry, page not found</p>".encode(), URL))
    assert looks_missing(missing.title, missing.text, URL)


BLANKS = st.text(st.sampled_from(" \t\n\x0b\x1c\x85\xa0\u2003"), min_size=1, max_size=3)
WORDS = st.text(st.sampled_from("aé\x00\u2019蜂"), min_size=1, max_size=3)


@given(st.lists(st.tuples(BLANKS, WORDS), max_size=20), BLANKS | st.just(""), st.sampled_from((1, 100, 3000)))
def test_first_words_with_one_space_between_them(pairs: list[tuple[str, str]], end: str, times: int) -> None:
    text = "".join(f"{blank}{word}" for blank, word in pairs) * times + end
    assert first_words(text) == " ".join(text.split()[:2000])


@pytest.mark.parametrize("words", [1999, 2000, 2001])
@pytest.mark.parametrize("word", ["bee", "ruche", "längere", "a-word-so-long-that-fewer-fit", "蜜蜂"])
@pytest.mark.parametrize("blank", [" ", "\n\t"])
def test_first_words_are_two_thousand(words: int, word: str, blank: str) -> None:
    assert first_words(blank.join([word] * words)).split(" ") == [word] * min(words, 2000)


def test_the_first_feed_of_the_head_is_a_link_where_it_is_wanted() -> None:
    feed = "<link rel='alternate' type='application/{}' href={}>"
    head = feed.format("json", "data") + feed.format("RSS+xml", "feed") + feed.format("atom+xml", "comments")
    html = f"<head>{head}<link rel=alternate hreflang=de href=de></head><body><a href=x>words</a>"
    assert list(page_of(html, with_feed=True, context_words=2).links.urls) == [
        "https://example.org/dir/feed",
        "https://example.org/dir/x",
    ]
    assert list(links_of(html)) == ["https://example.org/dir/x"]
