"""One fetched page as WARC/1.1 records, and a record as a page again. Called by the page archive.

A page is a response record, or a revisit where its payload is archived already, then the request, then a
metadata record that says what the crawl knew of the page. What a server has packed by gzip stays as it was sent, under
`content-encoding`: to pack it again would cost more than all else that is done for the archive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha1
from http import HTTPStatus
from itertools import product
from os import urandom
from typing import NamedTuple

from fastwarc.warc import HeaderMap, WarcRecord, WarcRecordType
from isal import isal_zlib

from honeyguide.model import NOT_MODIFIED, Location, Response
from honeyguide.version import __version__

MAX_HEADER_BYTES = 1 << 20
"""Of an archived HTTP head; fetchers refuse far shorter ones."""

_RESPONSE = "application/http; msgtype=response"
_REQUEST = "application/http; msgtype=request"
_FIELDS = "application/warc-fields"
_PROFILES = "http://netpreserve.org/warc/1.1/revisit/"
_FORMAT = {
    "software": f"honeyguide/{__version__}",
    "format": "WARC File Format 1.1",
    "conformsTo": "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
}
# True of the bytes the server sent, which need not be those that are archived; kept under another name.
_ABOUT_SENT_BYTES = ("content-encoding", "content-length", "transfer-encoding")
_ABOUT_ARCHIVED_BYTES = ("content-encoding", "content-length")
_GZIP_WINDOW = 31
_GZIP_ERROR: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # a class, whatever its stubs say
_SENT = "x-archive-orig-"
_REASONS = {status.value: status.phrase for status in HTTPStatus}
_LINE_BREAKS = str.maketrans("\r\n\0", "   ")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"  # of base 32
_PAIRS = ["".join(pair) for pair in product(_LETTERS, repeat=2)]
_OF_PAIR = len(_PAIRS) - 1  # the ten bits that two letters stand for


class Record(NamedTuple):
    """The bytes of a record."""

    before: bytes
    packed: bytes = b""  # a part that need not be packed
    after: bytes = b""


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What the crawl knew of a page when it was archived."""

    relevance: float | None = None  # None: nobody judged it, as with redirects
    priority: float = 0.0
    depth: int = 0
    via: str = ""  # the page that led here; empty for a seed
    same_as: Location | None = None  # a page archived before with the same body, or that a 304 stands for
    digest: str = ""  # the `payload_digest` of the body, where it is known already


@dataclass(frozen=True, slots=True)
class Original:
    """An archived response whose payload others may refer to; empty is what would have to be read from elsewhere."""

    location: Location
    record_id: str
    url: str
    date: str
    digest: str  # of the payload
    body_digest: str  # of the page, which is not the same where the payload is packed
    length: int = 0  # of the payload
    is_packed: bool = False


def payload_digest(body: bytes) -> str:
    """The digest of a body as WARC writes it."""
    return _digest_text(sha1(body).digest())


def page_records(
    response: Response, date: datetime, facts: PageFacts, digest: str, original: Original | None
) -> list[Record]:
    """The records of one page, the response or revisit first; `digest` is the payload's, empty where there is none."""
    when, capture_id = _moment(date), _new_id()
    capture = {"WARC-Record-ID": capture_id, "WARC-Date": when, "WARC-Target-URI": response.url}
    if digest:
        capture["WARC-Payload-Digest"] = digest
    if response.address:
        capture["WARC-IP-Address"] = response.address
    if original is None:
        head = _http_head(response, len(response.packed or response.body), bool(response.packed))
        plain = b"" if response.packed else response.body
        records = [_record("response", _RESPONSE, capture, head + plain, response.packed)]
    else:  # whoever replays it puts its head before the payload of the original
        head = _http_head(response, original.length, original.is_packed)
        records = [_record("revisit", _RESPONSE, capture | _reference(response, original), head)]
    event = {"WARC-Date": when, "WARC-Target-URI": response.url, "WARC-Concurrent-To": capture_id}
    if response.request:
        request = response.request.rstrip(b"\r\n") + b"\r\n\r\n"
        records.append(_record("request", _REQUEST, {"WARC-Record-ID": _new_id()} | event, request))
    known = _fields(_known(response, facts))
    records.append(_record("metadata", _FIELDS, {"WARC-Record-ID": _new_id()} | event, known))
    return records


def info_record(name: str, date: datetime, info: Mapping[str, str]) -> Record:
    """The record at the start of a file: who wrote it, and how."""
    headers = {"WARC-Record-ID": _new_id(), "WARC-Date": _moment(date), "WARC-Filename": name}
    return _record("warcinfo", _FIELDS, headers, _fields(_FORMAT | dict(info)))


def read_capture(record: WarcRecord) -> Response:
    """Make a page of a response or revisit record. Raises OSError, EOFError or KeyError on a broken one."""
    record.parse_http(max_header_len=MAX_HEADER_BYTES)
    body = record.reader.read()
    if len(body) < record.content_length:
        raise EOFError("it is cut short")
    headers = record.http_headers
    if headers is None:
        raise EOFError("it is no page")
    address = record.headers.get("WARC-IP-Address") or ""
    url = record.headers["WARC-Target-URI"]
    packed = body if _is_packed(headers) else b""  # a revisit has no body, packed or not
    if packed:
        body = _unpacked(packed)
    return Response(url, headers.status_code or 0, body, _restored(headers), address, packed=packed)


def read_original(record: WarcRecord, location: Location) -> Original:
    """Tell how others refer to a response record. Raises OSError, EOFError or KeyError on a broken one."""
    headers = record.headers
    names = ("WARC-Record-ID", "WARC-Target-URI", "WARC-Date", "WARC-Payload-Digest")
    record_id, url, date, digest = (headers[name] for name in names)
    page = read_capture(record)
    body_digest = payload_digest(page.body) if page.packed else digest
    length = len(page.packed or page.body)
    return Original(location, record_id, url, date, digest, body_digest, length, bool(page.packed))


def _is_packed(headers: HeaderMap) -> bool:
    return (headers.get("content-encoding") or "").lower() == "gzip"


def _unpacked(packed: bytes) -> bytes:
    try:
        return isal_zlib.decompress(packed, _GZIP_WINDOW)
    except _GZIP_ERROR as error:
        raise EOFError(f"its payload is damaged: {error}") from error


def referred_location(record: WarcRecord) -> Location | None:
    """Where the payload of a revisit record stands; None for other records. Raises ValueError or KeyError."""
    if record.record_type != WarcRecordType.revisit:
        return None
    offset = int(record.headers["WARC-Refers-To-File-Offset"])
    return Location(record.headers["WARC-Refers-To-Filename"], offset)


def _reference(response: Response, original: Original) -> dict[str, str]:
    not_modified = response.status == NOT_MODIFIED
    known = {
        "WARC-Profile": _PROFILES + ("server-not-modified" if not_modified else "identical-payload-digest"),
        "WARC-Refers-To": original.record_id,
        "WARC-Refers-To-Target-URI": original.url,
        "WARC-Refers-To-Date": original.date,
        # Not in the standard, but known to other replay tools: the way back without an index.
        "WARC-Refers-To-Filename": original.location.file,
        "WARC-Refers-To-File-Offset": str(original.location.offset),
    }
    return {name: value for name, value in known.items() if value}


def _known(response: Response, facts: PageFacts) -> dict[str, str]:
    known = {
        "via": facts.via,
        "seedDistance": str(facts.depth),
        "fetchTimeMs": str(round(response.seconds * 1000)),
        "relevance": "" if facts.relevance is None else f"{facts.relevance:.6g}",
        "priority": f"{facts.priority:.6g}",
    }
    return {name: value for name, value in known.items() if value}


# Written by hand: fastwarc, which reads all this, takes three times as long for the small records.
def _record(
    kind: str, content_type: str, headers: Mapping[str, str], block: bytes, packed: bytes = b""
) -> Record:
    """A record with a block that may end with what is packed already."""
    digest = sha1(block)
    digest.update(packed)
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\n{_lines(headers.items())}Content-Type: {content_type}\r\n"
        f"WARC-Block-Digest: {_digest_text(digest.digest())}\r\nContent-Length: {len(block) + len(packed)}\r\n\r\n"
    )
    return Record(head.encode("utf-8", "replace") + block, packed, b"\r\n\r\n")


def _new_id() -> str:
    """A random UUID (version 4) as a urn, in a third of the time that `uuid` takes for three ids a page."""
    digits = urandom(16).hex()
    variant = "89ab"[int(digits[16], 16) & 3]
    numbers = (digits[:8], digits[8:12], f"4{digits[13:16]}", f"{variant}{digits[17:20]}", digits[20:])
    return f"<urn:uuid:{'-'.join(numbers)}>"


def _moment(date: datetime) -> str:
    return date.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _digest_text(digest: bytes) -> str:
    """A digest of 20 bytes in base 32, in a quarter of the time that `base64` takes."""
    n, of, mask = int.from_bytes(digest, "big"), _PAIRS, _OF_PAIR
    return (
        f"sha1:{of[n >> 150]}{of[n >> 140 & mask]}{of[n >> 130 & mask]}{of[n >> 120 & mask]}"
        f"{of[n >> 110 & mask]}{of[n >> 100 & mask]}{of[n >> 90 & mask]}{of[n >> 80 & mask]}"
        f"{of[n >> 70 & mask]}{of[n >> 60 & mask]}{of[n >> 50 & mask]}{of[n >> 40 & mask]}"
        f"{of[n >> 30 & mask]}{of[n >> 20 & mask]}{of[n >> 10 & mask]}{of[n & mask]}"
    )


def _fields(values: Mapping[str, str]) -> bytes:
    return _lines(values.items()).encode("utf-8", "replace")


def _lines(values: Iterable[tuple[str, str]]) -> str:
    """A line for each value, whatever it is made of."""
    lines = [f"{name}: {value}" for name, value in values]
    if not "".join(lines).isprintable():
        lines = [line.translate(_LINE_BREAKS) for line in lines]
    return "\r\n".join((*lines, ""))


def _http_head(response: Response, length: int, is_packed: bool) -> bytes:
    """The head of an answer, with what is true of a payload of this length."""
    sent = [
        (f"{_SENT}{name}" if name in _ABOUT_SENT_BYTES else name, value)
        for name, value in response.headers.items()
    ]
    if response.status != NOT_MODIFIED:  # which has no body, but may tell the length of the page's
        sent += [("content-encoding", "gzip")] if is_packed else []
        sent.append(("content-length", str(length)))
    head = f"HTTP/1.1 {response.status} {_REASONS.get(response.status, 'Unknown')}\r\n{_lines(sent)}\r\n"
    return head.encode("utf-8", "replace")


def _restored(archived: HeaderMap) -> dict[str, str]:
    """Undo `_http_head`: what it says of the payload goes, what the server said comes back."""
    pairs = ((name.decode("utf-8"), value.decode("utf-8")) for name, value in archived.items_bytes())
    return {name.removeprefix(_SENT): value for name, value in pairs if name not in _ABOUT_ARCHIVED_BYTES}
