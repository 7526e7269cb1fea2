"""Replies that other clients are tested with, and replies made of any bytes."""

import asyncio
import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import FetchError, HttpStatusError
from honeyguide.model import Response

from .raw_server import client, plays, raw_server


async def _outcome(raw: bytes, closes: bool) -> Response | FetchError:
    # What stays open without being whole is waited for; of the others a busy machine must not look like one.
    patience = {} if closes else {"total_seconds": 1.0, "read_seconds": 0.5}
    async with (
        raw_server(plays(raw, closes)) as address,
        client(**patience) as asking,
    ):
        try:
            return await asking.get(f"http://{address}/", any_type=True)
        except FetchError as error:
            return error


async def _outcomes(cases: list[tuple[bytes, bool]]) -> list[Response | FetchError]:
    return await asyncio.gather(*(_outcome(raw, closes) for raw, closes in cases))


# What we refuse although curl takes it: two lengths, even equal ones, and packing for the transfer, which we never
# ask for; bare line feeds between chunks; headers of 18 KB; and packing twice.
STRICTER_THAN_CURL = {
    *("curl-365", "curl-395", "curl-767", "curl-770", "curl-269"),
    *("curl-1122", "curl-1123", "curl-1124", "curl-1277", "curl-1205", "curl-230"),
}
# curl was told limits of its own here, or looks into trailers and second Location headers, which we do not use.
LAXER_THAN_CURL = {"curl-274", "curl-29", "curl-293", "curl-457", "curl-2106", "curl-772"}


def test_replies_curl_is_tested_with(shared: Path) -> None:
    cases = json.loads((shared / "fixtures/http/curl_http_cases.json").read_text())
    outcomes = asyncio.run(_outcomes([(base64.b64decode(case["raw_base64"]), True) for case in cases]))
    stricter, laxer = set(), set()
    for case, outcome in zip(cases, outcomes, strict=True):
        taken = isinstance(outcome, Response | HttpStatusError)
        if case["curl_exit_code"] in (0, 22) and not taken:
            stricter.add(case["id"])
        if case["curl_exit_code"] not in (0, 22) and taken:
            laxer.add(case["id"])
    assert (stricter, laxer) == (STRICTER_THAN_CURL, LAXER_THAN_CURL)


# Tolerated by wpull, an error for others too: see the README of the cases.
STRICTER_THAN_WPULL = {
    *("chunked_non_standard_delim", "chunked_with_extension", "overrun", "content_length_and_chunked"),
    *("no_colon_header", "malformed_content_length", "negative_content_length", "bad_cookie"),
}


def test_replies_wpull_is_tested_with(shared: Path) -> None:
    cases = json.loads((shared / "fixtures/http/wpull_bad_responses.json").read_text())
    cases = [case for case in cases if "raw_base64" in case and case["wpull_expected"]]
    played = [(base64.b64decode(case["raw_base64"]), case["server_closes"]) for case in cases]
    wrong = {
        case["name"]
        for case, outcome in zip(cases, asyncio.run(_outcomes(played)), strict=True)
        if not _as_wpull_expects(case["wpull_expected"], outcome)
    }
    assert wrong == STRICTER_THAN_WPULL


def _as_wpull_expects(expected: dict[str, Any], outcome: Response | FetchError) -> bool:
    if "error" in expected:
        # Two of these are Location headers, which are not ours to judge.
        return isinstance(outcome, FetchError) or outcome.status == 303
    if isinstance(outcome, FetchError):
        return False
    return (
        outcome.body == expected.get("body_text", outcome.body.decode("latin-1")).encode("latin-1")
        and len(outcome.body) == expected.get("body_length", len(outcome.body))
        and hashlib.sha256(outcome.body).hexdigest()
        == expected.get("body_sha256", hashlib.sha256(outcome.body).hexdigest())
    )


def test_status_lines_never_escape_as_other_errors(shared: Path) -> None:
    cases = json.loads((shared / "fixtures/http/wpt/status_line.json").read_text())
    played = [(case["status_line"].encode() + b"\r\nContent-Length: 0\r\n\r\n", True) for case in cases]
    for case, outcome in zip(cases, asyncio.run(_outcomes(played)), strict=True):
        if case["expected"] is None:
            assert isinstance(outcome, FetchError), case


def test_lengths_that_disagree_are_refused(shared: Path) -> None:
    cases = json.loads((shared / "fixtures/http/wpt/content-lengths.json").read_text())
    body = b"x" * 42
    played = [(b"HTTP/1.1 200 OK\r\n" + case["input"].encode() + b"\r\n\r\n" + body, True) for case in cases]
    for case, outcome in zip(cases, asyncio.run(_outcomes(played)), strict=True):
        if case["output"] is None:
            assert isinstance(outcome, FetchError), case
        elif isinstance(outcome, Response):
            assert len(outcome.body) == case["output"], case


PIECES = st.sampled_from(
    [
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 304 x\r\n",
        b"HTTP/1.0 301 \r\n",
        b"HTTP/9.9 999 \xff\r\n",
        b"Content-Length: 5\r\n",
        b"Content-Length: -1\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"Content-Encoding: gzip\r\n",
        b"Content-Type: text/html; charset=\xff\r\n",
        b"Set-Cookie: \x01=\xfe; Domain==\r\n",
        b"Location: http://[\r\n",
        b"ETag: \xed\xa0\x80\r\n",
        b"\r\n",
        b"\n",
        b"\x00",
        b"5\r\nhoney\r\n",
        b"0\r\n\r\n",
        b"ffffffffffffffffff\r\n",
    ]
)


@given(st.lists(PIECES | st.binary(max_size=20), max_size=12).map(b"".join))
@settings(max_examples=120, deadline=None)
def test_no_bytes_bring_anything_but_a_page_or_a_fetch_error(raw: bytes) -> None:
    outcome = asyncio.run(_outcome(b"HTTP/1.1 200 OK\r\n" + raw if raw[:1] != b"H" else raw, closes=True))
    if isinstance(outcome, Response):
        for name, value in outcome.headers.items():
            assert (name + value).isprintable() or not (name + value).isascii()
            (name + value).encode()
    else:
        assert str(outcome).isprintable()
