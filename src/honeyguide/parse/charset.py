"""Bytes to text, the way browsers do it: what the page says about its charset, else what its bytes look like.

Called by `parse_page`; nothing here raises, whatever the bytes.
"""

from __future__ import annotations

import re
from functools import lru_cache

from resiliparse.parse.encoding import detect_encoding, map_encoding_to_html5  # type: ignore[import-untyped]
from w3lib.encoding import to_unicode

UTF_8 = "utf-8"

_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", UTF_8), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))
# Where the name of the WHATWG standard is not the name Python decodes it by. Python's own codecs of the same
# name are narrower than what the standard means: windows code pages and later editions are supersets.
_CODECS = {
    "big5": "big5hkscs",
    "euc-kr": "cp949",
    "gbk": "gb18030",
    "ibm866": "cp866",
    "iso-8859-8-i": "iso8859-8",
    "macintosh": "mac_roman",
    "shift_jis": "cp932",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac_cyrillic",
}
_NAMES = {"cp866": "ibm866", "iso8859-11": "windows-874", "mac-roman": "macintosh"}
_LABELS_ELSEWHERE_UNKNOWN = {
    **dict.fromkeys(("x-mac-cyrillic", "x-mac-ukrainian"), "x-mac-cyrillic"),
    **dict.fromkeys(("csiso88598i", "iso-8859-8-i", "logical"), "iso-8859-8-i"),
    **dict.fromkeys(("csiso2022kr", "hz-gb-2312", "iso-2022-cn", "iso-2022-cn-ext"), "replacement"),
    **dict.fromkeys(("iso-2022-kr", "replacement"), "replacement"),
    "x-user-defined": "windows-1252",
}
_DETECTED = {"cp949": "euc-kr", "mac-cyrillic": "x-mac-cyrillic"}
_MAX_LABEL = 40

_PRESCAN_BYTES = 1024
_HEAD_BYTES = 4096
_LONGEST_TYPE = 200
_DETECTION_BYTES = 16_384
_MIN_EVIDENCE_BYTES = 6  # a guess from fewer would be worse than the default of browsers
_ASCII = bytes(range(128))

_HEADER_CHARSET = re.compile(
    r"""(?:"[^"]*+"|[^"])*?;\s*charset=(?:"([^"]+)"\s*(?=[;,]|$)|([^\s;,"']++)(?!["']))""", re.I
)
_ATTRIBUTES = rb"""(?:[^>"'=]++|=\s*+"[^"]*+"|=\s*+'[^']*+'|["'=])*+"""
_MARKUP = re.compile(
    rb"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)"
    rb"|<(script|style|title)\b.*?(?:</\1|\Z)"
    rb"|<(?:html|head|link|base)\b" + _ATTRIBUTES + rb"|<meta(?=[\s/])(?P<meta>" + _ATTRIBUTES + rb")"
    rb"|<(?P<other>/?[a-z])" + _ATTRIBUTES,
    re.I | re.S,
)
_ATTRIBUTE = re.compile(rb"""([^\s/>=]+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?""")
_CONTENT_CHARSET = re.compile(rb"""charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))""", re.I)
_XML_ENCODING = re.compile(rb"""\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)""")


def decode(body: bytes, content_type: str = "") -> tuple[str, str]:
    """Return the text of a page and the name of its charset; bytes that do not fit it become U+FFFD.

    >>> decode("naïve".encode(), "text/html")
    ('naïve', 'utf-8')
    >>> decode("naïve".encode("latin-1"), "text/html; charset=iso-8859-1")
    ('naïve', 'windows-1252')
    """
    for mark, name in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return _decoded(body[len(mark) :], name), name
    name = _header_charset(content_type[:_LONGEST_TYPE]) or _declared_charset(body[:_HEAD_BYTES])
    if name in ("", UTF_8) and (text := _valid_utf_8(body, is_declared=bool(name))) is not None:
        return text, UTF_8
    name = name or _detected_charset(body)
    return _decoded(body, name), name


def _valid_utf_8(body: bytes, is_declared: bool) -> str | None:
    # ISO-2022-JP and UTF-16 are made of bytes that are valid UTF-8 too.
    if not is_declared and (b"\x1b" in body or b"\0" in body[:_HEAD_BYTES]):
        return None
    try:
        return body.decode()
    except UnicodeDecodeError:
        return None


def charset_of_label(label: str) -> str:
    """Return the name of the charset a page means by a label, or an empty string when nobody knows it.

    >>> charset_of_label(" Latin1 "), charset_of_label("x-sjis"), charset_of_label("rot13")
    ('windows-1252', 'shift_jis', '')
    """
    label = label.strip("\t\n\f\r ").lower()
    if label in _LABELS_ELSEWHERE_UNKNOWN:
        return _LABELS_ELSEWHERE_UNKNOWN[label]
    codec = map_encoding_to_html5(label, False) if len(label) <= _MAX_LABEL else None
    return _name_of(codec) if codec else ""


def _name_of(codec: str) -> str:
    codec = codec.lower()
    if codec in _NAMES:
        return _NAMES[codec]
    if codec.startswith("cp"):
        return f"windows-{codec[2:]}"
    if codec.startswith(("iso", "euc", "utf")):
        codec = re.sub(r"^iso-?(8859|2022)", r"iso-\1", codec.replace("_", "-"))
        return re.sub(r"^utf-16-", "utf-16", codec)
    return codec


def _decoded(body: bytes, name: str) -> str:
    if name == "replacement":
        return "\ufffd" if body else ""
    return to_unicode(body, _CODECS.get(name, name))


@lru_cache(256)  # of short strings: what is remembered is bounded in bytes, too
def _header_charset(content_type: str) -> str:
    found = _HEADER_CHARSET.match(content_type) if "=" in content_type else None
    return charset_of_label(found[1] or found[2]) if found else ""


def _declared_charset(head: bytes) -> str:
    lower = head.lower()
    name = _meta_charset(head) if b"charset" in lower else ""
    if not name and (found := _XML_ENCODING.match(head)):
        name = charset_of_label(found[1].decode("latin-1"))
    # A page that can be read as ASCII so far cannot be UTF-16.
    return UTF_8 if name.startswith("utf-16") else name


def _meta_charset(head: bytes) -> str:
    is_in_head = True
    for found in _MARKUP.finditer(head):
        if not is_in_head and found.start() >= _PRESCAN_BYTES:
            break
        if found["meta"] is not None and (name := _charset_of_meta(found["meta"])):
            return name
        is_in_head = is_in_head and found["other"] is None
    return ""


def _charset_of_meta(attributes: bytes) -> str:
    values: dict[bytes, bytes] = {}
    for name, *value in _ATTRIBUTE.findall(attributes):
        values.setdefault(name.lower(), b"".join(value))
    label = values.get(b"charset", b"")
    if b"charset" not in values and values.get(b"http-equiv", b"").lower() == b"content-type":
        found = _CONTENT_CHARSET.search(values.get(b"content", b""))
        label = b"".join(part or b"" for part in found.groups()) if found else b""
    return charset_of_label(label.decode("latin-1"))


def _detected_charset(body: bytes) -> str:
    sample = body[:_DETECTION_BYTES]
    if name := _utf_16_by_zeros(sample):
        return name
    beyond_ascii = len(sample.translate(None, delete=_ASCII))
    codec = "ascii"
    if beyond_ascii >= _MIN_EVIDENCE_BYTES or b"\x1b" in sample:
        codec = detect_encoding(sample, html5_compatible=False) or "ascii"
    name = _DETECTED.get(codec) or charset_of_label(codec)
    if name in ("", UTF_8, "windows-1252"):
        return UTF_8 if _is_nearly_utf_8(sample) else "windows-1252"
    return name


def _utf_16_by_zeros(sample: bytes) -> str:
    """Tell UTF-16 without a byte order mark by the zeros that every second byte of western text is."""
    even, odd, half = sample[::2].count(0), sample[1::2].count(0), len(sample) // 2
    if odd > half * 0.7 and even < half * 0.1:
        return "utf-16le"
    return "utf-16be" if even > half * 0.7 and odd < half * 0.1 else ""


def _is_nearly_utf_8(sample: bytes) -> bool:
    text = sample.decode(UTF_8, "replace")
    wrong = text.count("\ufffd")
    return wrong * 10 <= len(text.encode(UTF_8)) - len(text) - 2 * wrong
