"""Costly markup is told from merely large or untidy markup, and keeps what a crawler wants."""

import pytest

from honeyguide.parse.flatten import harmless

UNTIDY = {
    "rows with unclosed fonts": "<table>" + "<tr><td><font size=2>cell<td><b>bold</b>" * 3000 + "</table>",
    "unclosed paragraphs": "<p>one<br>two<li>three<hr>" * 5000,
    "crossed formatting": "<b><i>x</b></i><div><p>text</div>" * 5000,
    "directory": "<ul>" + "<li><a href=/x class='c'>x</a> <span title='>'>y</span></li>" * 5000 + "</ul>",
    "icons": "<div><svg class=icon><path d='M0 0'/></svg></div>" * 1000,
    "image as text": "<img src='data:image/png;base64," + "A" * 500_000 + "'>",
    "long text": "<p>" + "word " * 100_000,
    "script of markup": "<script>" + "document.write('<div><b>')" * 5000 + "</script><p>text",
}


@pytest.mark.parametrize("name", UNTIDY)
def test_large_untidy_markup_stays_as_it_is(name: str) -> None:
    assert harmless(UNTIDY[name]) == UNTIDY[name]


COSTLY = {
    "deep": "<div>" * 50_000,
    "reopened": "".join(f"<p><b id={number}>" for number in range(2000)),
    "closed in vain": "".join(f"<p><b id={number}><object></b></object>" for number in range(2000)),
    "deep cells in svg": "<svg>" + "<td>" * 50_000,
    "crowded": "<div " + " ".join(f"a{number}" for number in range(20_000)) + ">",
    "crowded behind brackets": "<div " + " ".join(f"a{number}='<>'" for number in range(20_000)) + ">",
    "parts of no table": "text<td a=b>" * 30_000,
    "heads in the text": "text<head a=b>" * 30_000,
    "many names": "".join(f"<n{number}></n{number}>" for number in range(60_000)),
}


@pytest.mark.parametrize("name", COSTLY)
def test_costly_markup_keeps_words_titles_and_links(name: str) -> None:
    link = "<A junk=1 HREF=\"/x?a=1&amp;b=>\" rel=nofollow title='t'>"
    markup = f"<title>T</title>{COSTLY[name]}one<br/>{link}two</A><em>three</em>"
    flat = harmless(markup)
    assert flat.startswith("<title >T</title >")
    assert flat.endswith("one<br ><a HREF=\"/x?a=1&amp;b=>\" rel=nofollow title='t'>two</a > three ")
    assert "id=" not in flat
    assert "a77" not in flat
