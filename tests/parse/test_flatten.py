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
    "tidy cells": "<table>" + "<tr>\n <td>one</td>\n <td>two</td>\n</tr><!-- row -->\n" * 10_000 + "</table>",
    "forms": "<form action=x><input name=y>text</form>" * 5_000,
    "notes after the body": "<p>text" * 3_000 + "</body></html>" + "<!-- note -->" * 3_000,
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
    "end tags with attributes": "text</x a=b>" * 30_000,
    "texts between cells": "<table>" + "text<tr><td>x</td></tr>" * 20_000,
    "comments after the body": "text</body><!--c-->" * 20_000,
    "blanks in a set of frames": "<frameset>" + "          <p a=b>" * 10_000,
    "attributes of raw text": "".join(f"<style a{number}></style>" for number in range(20_000)),
    "attributes of all tags": "<p a b c d e f g h i j>" * 210_000,
    "tags": "<p>" * 2_000_001,
    "many names": "".join(f"<n{number}></n{number}>" for number in range(60_000)),
}


@pytest.mark.parametrize("name", COSTLY)
def test_costly_markup_keeps_words_titles_and_links(name: str) -> None:
    link = "<A junk=1 HREF=\"/x?a=1&amp;b=>\" rel=nofollow title='t'>"
    markup = f"<title>T</title>{COSTLY[name]}one<br/>{link}two</A><em>three</em>"
    flat = harmless(markup)
    assert flat.startswith("<title >T</title >")
    assert flat.endswith("one <a HREF=\"/x?a=1&amp;b=>\" rel=nofollow title='t'>two</a > three ")
    assert "id=" not in flat
    assert "a77" not in flat


def test_whatever_was_hidden_is_no_tag_in_what_is_kept() -> None:
    hidden = (
        "<!-- <a title='--><div><div>' href=/x>"
        + "<x>" * 2_000
        + "<title><i></title><xmp><b></xmp><frame src=/y>"
    )
    flat = harmless("<div>" * 50_000 + hidden + "</a href=/z>")
    assert {tag.partition(" ")[0] for tag in flat.split("<")[1:]} == {
        "title",
        "/title",
        "iframe",
        "/iframe",
        "/a",
    }
    assert "/y" in flat
    assert "/z" not in flat
