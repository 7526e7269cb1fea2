"""One WARC record as a response: its status, headers and decoded body. Called by recording and warc_index."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

from fastwarc.stream_io import ChunkedReader
from fastwarc.warc import ArchiveIterator, HeaderMap, WarcRecord, WarcRecordType

from honeyguide.errors import FetchError, TooLarge
from honeyguide.fetch.unpacking import unpacked
from honeyguide.model import Response

MAX_BODY_BYTES = 10 << 20
"""A body of more bytes, before or after decompression, is refused."""


def read_capture(path: Path, offset: int, url: str) -> Response:
    """Read the page whose record starts at an offset. Raises FetchError if it is not there any more."""
    try:
        with path.open("rb") as file:
            file.seek(offset)
            for record in ArchiveIterator(file, parse_http=False, quirks_mode=True):
                parse_head(record)
                return read_response(record, url)
    except OSError as error:
        raise FetchError(f"{path} cannot be read any more: {error.strerror or error}") from error
    raise FetchError(f"{path} has changed: no record starts at byte {offset} any more")


def parse_head(record: WarcRecord) -> int:
    """Read up to the body; the http status, or 0 when there is none. Raises OSError on endless headers."""
    if record.is_http:
        record.parse_http(quirks_mode=True)
    return _status(record)


def read_response(record: WarcRecord, url: str) -> Response:
    """Read the response of a record whose head was parsed, never half of it. Raises FetchError."""
    body = record.reader.read(MAX_BODY_BYTES + 1)
    if len(body) > MAX_BODY_BYTES:
        raise TooLarge(f"the recorded body has more than {MAX_BODY_BYTES} bytes")
    if len(body) < record.content_length:
        raise FetchError("the record is cut short")
    if not record.is_http:
        content_type = record.headers.get("Content-Type") or ""
        return Response(url, _status(record), body, {"content-type": content_type})
    headers = _headers(record.http_headers)
    return Response(url, _status(record), _decoded(body, headers), headers)


def _status(record: WarcRecord) -> int:
    if record.is_http:
        return record.http_headers.status_code or 0
    return 200 if record.record_type == WarcRecordType.resource else 0


def _headers(recorded: HeaderMap) -> dict[str, str]:
    headers: dict[str, str] = {}
    for raw_name, raw_value in recorded.items_bytes():
        name, value = _text(raw_name).lower(), _text(raw_value)
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _decoded(body: bytes, headers: Mapping[str, str]) -> bytes:
    codings = [
        *headers.get("content-encoding", "").split(","),
        *headers.get("transfer-encoding", "").split(","),
    ]
    for coding in reversed(codings):
        body = _undo(coding.strip().lower(), body)
    return body


def _undo(coding: str, body: bytes) -> bytes:
    try:
        if coding == "chunked":
            return ChunkedReader(io.BytesIO(body)).read(MAX_BODY_BYTES + 1)
        return unpacked(body, coding, MAX_BODY_BYTES)
    except TooLarge:
        raise
    except (FetchError, OSError):
        return body  # many recorders keep the decoded body under the headers of the encoded one
