"""Pages are read by what they are served as; other packages add to that."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from honeyguide.engine.prepare import Preparer
from honeyguide.errors import NotText, SettingsError
from honeyguide.model import Response
from honeyguide.parse import ParseOptions, parse_page
from honeyguide.parse.registry import mime_type, parsers
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.urls import DEFAULT_POLICY
from tests.fetch.raw_server import client, page, plays, raw_server

LIVE = ParseOptions(with_listings=True)
SITEMAP = b"<urlset><url><loc>http://a.example/1</loc></url></urlset>"
FEED = b"<rss><channel><item><link>http://a.example/1</link></item></channel></rss>"
LIST = b"http://a.example/1\nhttp://a.example/2\n"
MARKUP = b"<p>words <a href=/1>link</a>"


@pytest.mark.parametrize(
    ("body", "path", "content_type", "kind"),
    [
        (MARKUP, "", "text/html; charset=utf-8", "html"),
        (MARKUP, "", "application/xhtml+xml", "html"),
        (MARKUP, "", "", "html"),
        (MARKUP, "", "nonsense", "html"),
        (MARKUP, "", "image/png", "html"),
        (MARKUP, "", "Text/Plain", "text"),
        (MARKUP, "", "text/html, text/plain", "text"),
        (MARKUP, "", "text/plain, text/html", "html"),
        (MARKUP, "", "application/xml", "html"),  # no sitemap, whatever its type
        (MARKUP, "sitemap.xml", "text/html", "html"),
        (MARKUP, "sitemap.txt", "text/plain", "text"),
        (SITEMAP, "", "application/xml", "listing"),
        (SITEMAP, "", "text/xml; charset=utf-8", "listing"),
        (SITEMAP, "sitemap.xml", "", "listing"),
        (SITEMAP, "sitemap.xml", "text/html", "listing"),
        (SITEMAP, "", "application/xhtml+xml", "html"),
        (SITEMAP, "", "", "html"),
        (FEED, "", "application/rss+xml", "listing"),
        (FEED, "news.rss", "application/octet-stream", "listing"),
        (LIST, "sitemap.txt", "text/plain", "listing"),
        (LIST, "list.txt", "text/plain", "text"),
    ],
)
def test_type_url_and_bytes_tell_what_it_is(body, path, content_type, kind):
    assert kind_of(parse_page(body, f"http://a.example/{path}", content_type, LIVE), body) == kind
    # Who reads a page that he has, and not a crawl, has no use for a list of links.
    assert kind_of(parse_page(body, f"http://a.example/{path}", content_type), body) != "listing"


def kind_of(page, body):
    if page.is_listing:
        return "listing"
    return "text" if page.text == body.decode() else "html"


PDF = "application/pdf"
PARSER = """
from honeyguide.model import ParsedPage, ParsedLinks

def parse(body, url, content_type, options):
    if not body.startswith(b"%PDF"):
        return None
    links = [options.policy.canonical("/next", url)]
    return ParsedPage(title="A book", text=body.decode(), links=ParsedLinks(links, [""], [False]))
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Installs a package that registers a parser, as pip would."""

    def installed(code: str, content_type: str = "Application/PDF") -> None:
        (tmp_path / "book_parser.py").write_text(code)
        metadata = tmp_path / "book_parser-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: book-parser\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(
            f"[honeyguide.parsers]\n{content_type} = book_parser:parse\n"
        )
        monkeypatch.syspath_prepend(str(tmp_path))
        parsers.cache_clear()

    yield installed
    parsers.cache_clear()
    sys.modules.pop("book_parser", None)


def fetched(content_type: str, **settings: object) -> bytes:
    async def run() -> bytes:
        answer = plays(page(b"%PDF bees", content_type=content_type))
        async with raw_server(answer) as address, client(**settings) as asking:
            return (await asking.get(f"http://{address}/book")).body

    return asyncio.run(run())


def test_a_parser_of_another_package_is_used_and_its_type_fetched(install):
    with pytest.raises(NotText):
        fetched(PDF)
    install(PARSER)
    assert fetched(PDF) == b"%PDF bees"
    assert parse_page(b"%PDF bees", "http://a.example/book", PDF).title == "A book"
    assert kind_of(parse_page(MARKUP, "http://a.example/book", PDF), MARKUP) == "html", "it declined"
    preparer = Preparer(KeywordTopic("bees"), DEFAULT_POLICY, frozenset(), 100, is_live=True)
    response = Response("http://a.example/book", 200, b"%PDF honey bees", {"content-type": PDF})
    (read,) = preparer.prepare([response])
    assert (read.relevance > 0, list(read.parsed.links.urls)) == (True, ["http://a.example/next"])


def test_content_types_that_are_set_are_the_only_ones(install):
    install(PARSER)
    with pytest.raises(NotText):
        fetched(PDF, content_types=("text/html",))
    with pytest.raises(NotText):
        fetched("text/html", content_types=())


def test_what_we_read_ourselves_is_not_taken_over(install):
    install(PARSER.replace("%PDF", ""), "text/html")
    assert parse_page(MARKUP, "http://a.example/", "text/html").title == ""


def test_a_parser_that_cannot_be_loaded_is_named(install):
    install("import no_such_module_anywhere")
    with pytest.raises(SettingsError, match=r"the parser of Application/PDF, book_parser:parse, cannot be"):
        fetched(PDF)


def test_content_types_given_twice_are_read_as_browsers_do(shared: Path) -> None:
    for case in json.loads((shared / "fixtures/http/wpt/content-types.json").read_text()):
        header = ", ".join(case["contentType"])
        expected = case["documentContentType"].partition(";")[0]
        assert mime_type(header) == expected, header


def test_mime_types_are_read_as_browsers_do(shared: Path) -> None:
    cases = json.loads((shared / "fixtures/http/wpt/mime-types.json").read_text())
    known = [case for case in cases if isinstance(case, dict) and "," not in case["input"]]
    wrong = [case["input"] for case in known if not _agrees(case["input"], case["output"])]
    assert (len(known) > 40, wrong) == (True, [])


def _agrees(text: str, expected: str | None) -> bool:
    # A header never holds what this test cannot send: characters above one byte, and control characters.
    if not text.isascii() or not text.isprintable():
        return True
    return mime_type(text) == (expected or "").partition(";")[0].lower().replace("*/*", "")
