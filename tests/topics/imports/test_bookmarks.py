import html
import json

import pytest

from honeyguide.errors import ImportFailed
from honeyguide.topics.imports import ImportLimits, read_bookmarks
from honeyguide.urls import DEFAULT_POLICY

SHAARLI = (
    "chromium_flat",
    "chromium_nested",
    "delicious",
    "delicious_sanitize",
    "empty",
    "firefox_flat",
    "firefox_nested",
    "google_bookmarks_nested",
    "internet_explorer_11_flat",
    "internet_explorer_11_nested",
    "netscape_basic",
    "netscape_extended",
    "netscape_multiline",
    "netscape_nested",
    "safari_folded",
    "scuttle",
    "scuttle_new_line",
    "shaarli",
    "shaarli_legacy",
    "shaarli_markdown",
    "shaarli_with_tabs_and_spaces",
    "shaarli_with_whitespace_tags",
)
PERL = (
    "Bookmarks.html",
    "Bookmarks4.7.html",
    "Bookmarks_tmp.xml",
    "Favorites.html",
    "iCab.Hotlist.html",
    "mozilla.html",
)
FILES = [*(f"shaarli/{name}.htm" for name in SHAARLI), *(f"netscape_perl/{name}" for name in PERL)]


@pytest.fixture
def bookmarks(tmp_path):
    def read(text: str | bytes, limits: ImportLimits | None = None):
        path = tmp_path / "bookmarks.html"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_bookmarks(path, limits or ImportLimits())

    return read


def listed(collected):
    pages = zip(collected.examples, collected.places, strict=True)
    return [(collected.tree.path(place), one.url, one.title, one.text) for one, place in pages]


@pytest.mark.parametrize("name", FILES)
def test_every_bookmark_and_folder_of_real_files(shared, name):
    folder = shared / "fixtures" / "bookmarks"
    counts = {one["file"]: one for one in json.loads((folder / "counts.json").read_text())}
    assert set(counts) == set(FILES)
    collected = read_bookmarks(folder / name)
    pages = [example for example in collected.examples if example.url]
    assert len(pages) + sum(collected.skipped.values()) == counts[name]["anchors"]
    assert len(collected.tree) - 1 <= counts[name]["folders"]
    assert (len(collected.tree) > 1) == (counts[name]["folders"] > 0)
    assert not any("\ufffd" in example.title for example in pages)


@pytest.mark.parametrize("name", SHAARLI)
def test_titles_and_urls_as_another_reader_finds_them(shared, name):
    folder = shared / "fixtures" / "bookmarks" / "shaarli"
    expected = json.loads((folder / "expected.json").read_text()).get(f"{name}.htm", [])
    items = [item for test in expected for item in test["items"].values() if item.get("uri")]
    # That reader keeps entities as they are; and where a url says "true", the expectations have "True".
    found = {one.url.lower(): one.title for one in read_bookmarks(folder / f"{name}.htm").examples}
    for item in items:
        url = DEFAULT_POLICY.canonical(html.unescape(item["uri"]))
        if url and item.get("title"):
            title = " ".join(html.unescape(item["title"]).split())
            assert found[url.lower()] in title or title in found[url.lower()]


def test_folders_titles_and_descriptions(shared):
    folder = shared / "fixtures" / "bookmarks" / "shaarli"
    found = listed(read_bookmarks(folder / "netscape_nested.htm"))
    assert ("", "http://nest.ed/1", "Nested 1", "") in found
    assert ("Folder1, the first,folder to encounter", "http://nest.ed/1-2", "Nested 1-2", "") in found
    assert ("Folder2", "", "Folder2", "This second folder contains wonderful links!") in found
    assert ("Folder2", "http://nest.ed/2-1", "Nested 2-1", "First link of the second section") in found
    assert ("Folder3/Folder3-1", "http://nest.ed/3-2", "Nested 3-2", "") in found
    assert ("", "http://nest.ed/2", "Nested 2", "") in found
    multiline = listed(read_bookmarks(folder / "netscape_multiline.htm"))
    assert multiline[0][3] == "List:\n- item1\n- item2\n- item3"
    assert multiline[2][3].endswith("number\ntwo.")


def test_charsets_that_no_standard_names(shared):
    titles = [
        example.title
        for example in read_bookmarks(shared / "fixtures/bookmarks/netscape_perl/iCab.Hotlist.html").examples
    ]
    assert "First Internet Bank - Online Banking, Checking,ä" in titles


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        ("charset=windows-1251", "cp1251"),
        ("charset='shift_jis'", "shift_jis"),
        ("charset=utf-8", "cp1252"),
        ("charset=punycode", "utf-8"),
        ("charset=rot13", "utf-8"),
        ("charset=unheard-of", "utf-8"),
        ("charset=UTF-8", "utf-16"),
        ("", "utf-8-sig"),
    ],
)
def test_bytes_are_read_as_they_were_meant(bookmarks, head, codec):
    title = {"cp1251": "мёд", "shift_jis": "蜂蜜"}.get(codec, "Café")
    text = f'<META CONTENT="text/html; {head}"><DL><DT><A HREF="http://a.org/">{title}</A></DL>'
    assert bookmarks(text.encode(codec)).examples[0].title == title


def test_nothing_needs_to_be_closed_or_quoted(bookmarks):
    found = bookmarks(
        "<DL><DT><H3>One<DL><DT><A HREF=http://a.org/ >A &amp; B<DD>the <b>first</b>\n<DT><A HREF='b.org'>"
    )
    assert listed(found) == [("One", "http://a.org/", "A & B", "the first")]
    assert found.skipped == {"not a web page": 1}


def test_lists_closed_too_often_do_no_harm(bookmarks):
    assert listed(bookmarks("</DL></DL><DL><DT><A HREF='http://a.org/'>A</A></DL></DL>"))[0][0] == ""


def test_folders_of_one_name_are_one_topic_and_slashes_no_separators(bookmarks):
    text = "<DL>" + 2 * "<DT><H3>TCP/IP</H3><DL><DT><A HREF='http://a.org/'>A</A></DL>" + "</DL>"
    found = bookmarks(text)
    assert listed(found) == [("TCP-IP", "http://a.org/", "A", "")]
    assert found.skipped == {"there twice": 1}


def test_folders_in_folders_without_end(bookmarks):
    text = (
        "".join(f"<DT><H3>f{number}</H3><DL>" for number in range(20_000))
        + "<DT><A HREF='http://a.org/'>A</A>"
    )
    found = bookmarks(text)
    assert listed(found)[0][0].count("/") == 15
    assert len(found.tree) == 17


@pytest.mark.parametrize(
    "text", ['<a href="' * 300_000, "<a <a " * 300_000, "<!--" * 300_000, "<dl x='" * 200_001]
)
def test_hostile_markup_takes_no_time(bookmarks, text):
    assert len(bookmarks(f"<dl>{text}").examples) == 0


def test_a_file_of_another_kind_is_refused(bookmarks):
    with pytest.raises(ImportFailed, match="no bookmark file"):
        bookmarks('{"bookmarks": []}')


def test_a_large_file_is_refused(bookmarks):
    with pytest.raises(ImportFailed, match="larger than 1,000 bytes"):
        bookmarks("<DL>" * 1000, ImportLimits(bytes=1000))


def test_a_title_in_very_many_pieces(tmp_path):
    """Each piece costs the same however many there were; half a million took minutes when they were added up."""
    path = tmp_path / "bookmarks.html"
    path.write_text("<DL><DT><A HREF='http://example.org/'>" + "a<b>" * 500_000 + "</A></DL>")
    assert [example.title for example in read_bookmarks(path).examples] == ["a" * 10_000]
