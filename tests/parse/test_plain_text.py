"""Plain text is text, whatever it looks like."""

from honeyguide.parse import ParseOptions
from honeyguide.parse.plain_text import parse_text

URL = "https://example.org/a.txt"


def test_plain_text_is_not_markup():
    page = parse_text(b"1 < 2\n\n<a href=/x>no\0link</a>", URL, "Text/Plain; charset=utf-8", ParseOptions())
    assert page.text == "1 < 2\n\n<a href=/x>no link</a>"
    assert len(page.links) == 0


def test_the_charset_of_the_header_and_the_limit_hold():
    body = "Пчёлы и мёд, ".encode("koi8-r") * 20
    page = parse_text(body, URL, "text/plain; charset=koi8-r", ParseOptions(max_text_chars=26))
    assert page.text == "Пчёлы и мёд, " * 2
