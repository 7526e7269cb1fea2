"""Charsets against the tables and cases of the WHATWG, WPT, html5lib, w3lib and chardet."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.parse.charset import charset_of_label, decode

CYRILLIC = "<p>Медоуказчики ведут людей к меду диких пчел и получают воск."


def cases(shared: Path, name: str) -> list[dict[str, Any]]:
    return json.loads((shared / "fixtures" / name).read_text())


def declared(body: bytes) -> str:
    """What a page declares, seen through a body whose tail fits neither UTF-8 nor any other guess."""
    return decode(body + b"\n" + b"\xff" * 8)[1]


@pytest.mark.parametrize(
    ("body", "content_type", "charset"),
    [
        (b"", "", "utf-8"),
        (b"plain ascii", "text/html", "utf-8"),
        (b'<meta charset="utf-8">\xe2\x82\xac', "text/html", "utf-8"),
        (b'\xef\xbb\xbf<meta charset="koi8-r">', "text/html; charset=koi8-r", "utf-8"),
        (b'<meta charset="koi8-r">', "text/html; charset=windows-1251", "windows-1251"),
        (b'<?xml version="1.0" encoding="iso-8859-2"?><html>', "application/xhtml+xml", "iso-8859-2"),
        (b'<meta charset="x-euc-jp">', "text/html", "euc-jp"),
        (b'<meta charset="utf-16le">', "text/html", "utf-8"),
        (b'<meta charset="no-such-thing">caf\xe9', "text/html", "windows-1252"),
        (b"<p>caf\xe9", "text/html; charset=rot13", "windows-1252"),
        (b"<p>text", "text/html; charset=hz-gb-2312", "replacement"),
        ("<p>text".encode("utf-16le"), "text/html", "utf-16le"),
        ("<p>text".encode("utf-16be"), "text/html", "utf-16be"),
    ],
)
def test_order_of_trust(body: bytes, content_type: str, charset: str) -> None:
    assert decode(body, content_type)[1] == charset


@pytest.mark.parametrize(
    ("encoding", "charset"), [("utf-8", "utf-8"), ("cp1251", "windows-1251"), ("koi8-r", "koi8-r")]
)
def test_undeclared_charset_is_recognized(encoding: str, charset: str) -> None:
    assert decode(CYRILLIC.encode(encoding)) == (CYRILLIC, charset)


def test_declared_charset_wins_over_what_the_bytes_look_like() -> None:
    assert decode("é".encode(), "text/html; charset=latin1") == ("Ã©", "windows-1252")


def test_undecodable_bytes_become_replacement_characters() -> None:
    assert decode(b"a\xffb", "text/html; charset=utf-8") == ("a\ufffdb", "utf-8")
    assert decode(b"\x80 \xa8D", "text/html; charset=gb2312") == ("€ ―", "gbk")


@given(st.binary(max_size=300), st.sampled_from(["", "text/html; charset=", "\0;charset=\0", "a=b;" * 9]))
def test_any_bytes_can_be_decoded(body: bytes, content_type: str) -> None:
    text, charset = decode(body, content_type)
    assert charset
    text.encode()


@given(st.binary(max_size=60))
def test_any_label_and_declaration_is_survived(junk: bytes) -> None:
    decode(b"<meta charset='" + junk + b"'>\xff", "text/html; charset=" + junk.decode("latin-1"))


def test_labels_of_the_whatwg(shared: Path) -> None:
    # A page cannot mean x-user-defined, browsers take windows-1252 then.
    for group in cases(shared, "html/encoding_sniffing/whatwg_encodings.json"):
        for encoding in group["encodings"]:
            name = encoding["name"].lower().replace("x-user-defined", "windows-1252")
            assert {label: charset_of_label(label) for label in encoding["labels"]} == dict.fromkeys(
                encoding["labels"], name
            )


def test_python_only_codecs_are_no_charsets() -> None:
    for label in ("utf-7", "base64", "zlib", "idna", "unicode_escape", "utf-32", "cp037", "x" * 10_000):
        assert charset_of_label(label) == ""


WPT_DIFFERENCES = {"ncr.html"}  # a character reference in the label; the prescan of the standard knows none


def test_declarations_of_wpt(shared: Path) -> None:
    folder = shared / "fixtures/html/encoding_sniffing/wpt_charset"
    different = set()
    for case in json.loads((folder / "expected.json").read_text()):
        expected = case["expected_encoding"].lower()
        found = decode((folder / case["file"]).read_bytes())[1]
        if (found == expected.removeprefix("not ")) == expected.startswith("not "):
            different.add(case["file"])
    assert different == WPT_DIFFERENCES


HTML5LIB_DIFFERENCES = (
    b"8192 characters",  # a declaration after 8 KB: we read 4 KB
    b"8193 characters",
    b"multi-script test",  # scripts that write declarations: we run none
    b"<script>document.write",
    b'<script type="text/plain">',  # within script and style, where browsers (see WPT) do not look
    b'<style type="text/plain">',
    b"<meta charset=euc-jp\n",  # a tag that never ends
)


@pytest.mark.parametrize("name", ["tests1.dat", "tests2.dat", "test-yahoo-jp.dat"])
def test_declarations_of_html5lib(shared: Path, name: str) -> None:
    content = (shared / "fixtures/html/encoding_sniffing/html5lib" / name).read_bytes()
    for case in re.split(rb"(?:^|\n\n?)#data\n", content)[1:]:
        body, expected = case.rsplit(b"\n#encoding\n", 1)
        if not any(sign in body + b"\n" for sign in HTML5LIB_DIFFERENCES):
            assert declared(body) == expected.strip().decode().lower(), body


def test_headers_of_w3lib(shared: Path) -> None:
    for case in cases(shared, "html/w3lib/http_content_type_encoding.json"):
        expected = (case["expected"] or "koi8-r").replace("iso8859", "iso-8859")
        assert decode(b"<meta charset=koi8-r>", case["args"][0])[1] == expected, case


W3LIB_DIFFERENCES = (
    "<body>\n            this isn't searched",  # the standard searches the first 1024 bytes, body or not
    "< meta",  # no tag, says the standard
    "httpequiv",  # no such attribute
    "Fake-Content-Type-Header",  # no such header
)


def test_declarations_of_w3lib(shared: Path) -> None:
    for case in cases(shared, "html/w3lib/html_body_declared_encoding.json"):
        body = case["args"][0] if isinstance(case["args"][0], str) else case["args"][0]["bytes"]
        if not any(sign in body for sign in W3LIB_DIFFERENCES):
            assert declared(body.encode("latin-1")) == (case["expected"] or "windows-1252"), body


def test_texts_of_w3lib(shared: Path) -> None:
    # The WHATWG has no UTF-32, and means UTF-16LE by "utf-16".
    for case in cases(shared, "html/w3lib/html_to_unicode.json"):
        header, body = case["args"]
        content = base64.b64decode(body["bytes_base64"]) if "bytes_base64" in body else body["bytes"].encode()
        is_different = case["expected"][0].startswith("utf-32") or content == b"\0h\0i"
        if not is_different:
            assert decode(content, header or "")[0] == case["expected"][1], case


CHARDET_DIFFERENCES = (
    *("EUC-TW", "IBM855", "Johab", "UTF-32", "iso-2022-kr"),  # not in the WHATWG standard
    # Read as the wider windows-874 and cp932, so that a few characters differ from Python's narrow codecs.
    *("TIS-620__pharmacy", "SHIFT_JIS___chromium", "SHIFT_JIS__nextbeaut"),
    "windows-1250-romanian___ude_1",  # taken for iso-8859-16
)


def test_undeclared_charsets_of_chardet(shared: Path) -> None:
    for case in cases(shared, "charset_language/chardet/expected.json"):
        body = (shared / "fixtures/charset_language/chardet" / case["file"]).read_bytes()
        text = decode(body)[0]
        if not case["file"].startswith(CHARDET_DIFFERENCES):
            assert text.lstrip("\ufeff") == body.decode(case["encoding"]).lstrip("\ufeff"), case["file"]
