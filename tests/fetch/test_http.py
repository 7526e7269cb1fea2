import asyncio
import gzip
import socket
from contextlib import suppress
from typing import Any

import brotli
import pytest
import zstandard

from honeyguide.errors import FetchError, FetchTimeout, HttpStatusError, NotText, TooLarge
from honeyguide.fetch import http as http_module
from honeyguide.model import Response, Validators
from honeyguide.urls import DEFAULT_POLICY

from .raw_server import Answer, client, fetch, page, plays, raw_server, repeats


def test_a_page_comes_back_whole_with_all_that_is_known_of_it() -> None:
    async def run() -> tuple[str, Response]:
        async with (
            raw_server(plays(page(b"<html>", "X-A: 1", "x-a: 2", "X-A: 1"))) as address,
            client() as asking,
        ):
            return address, await asking.get(f"http://{address}/a%7E/?q=%20b")

    address, response = asyncio.run(run())
    assert (response.status, response.body, response.address) == (200, b"<html>", "127.0.0.1")
    assert response.headers == {"content-length": "6", "x-a": "1, 2, 1", "content-type": "text/html"}
    assert response.url == f"http://{address}/a%7E/?q=%20b"
    assert 0 < response.seconds < 2
    assert response.request.decode().split("\r\n") == [
        "GET /a%7E/?q=%20b HTTP/1.1",
        f"Host: {address}",
        "User-Agent: test-crawler",
        "Accept: text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5",
        "Accept-Encoding: gzip, deflate, br, zstd",
        "",
        "",
    ]


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1:8080", "127.0.0.1"),
        ("127.0.0.2", "127.0.0.2"),
        ("192.168.0.1", ""),  # forbidden
        ("x" * 300, ""),  # no name at all
        ("[::1", ""),
    ],
)
def test_where_a_host_is(host: str, address: str) -> None:
    async def run() -> str:
        async with client() as http:
            return await http.address_of(host)

    assert asyncio.run(run()) == address


def test_the_request_is_the_one_that_was_sent() -> None:
    sent = []

    async def answer(request: bytes, writer: asyncio.StreamWriter) -> None:
        sent.append(request)
        writer.write(page(b"<p>"))

    response = fetch(answer, get={"validators": Validators('"a"', "Sat, 01 Nov 2025 00:00:00 GMT")})
    assert sent == [response.request]
    assert b'\r\nIf-None-Match: "a"\r\nIf-Modified-Since: Sat, 01 Nov 2025 00:00:00 GMT\r\n' in sent[0]


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(b"<p>honey", mtime=0)),
        ("br", brotli.compress(b"<p>honey")),
        ("zstd", zstandard.compress(b"<p>honey")),
        ("gzip", b"<p>honey"),
    ],
    ids=["gzip", "br", "zstd", "not packed"],
)
def test_packed_pages_are_unpacked(encoding: str, packed: bytes) -> None:
    assert fetch(page(packed, f"Content-Encoding: {encoding}")).body == b"<p>honey"


def test_a_page_by_gzip_is_brought_as_it_was_sent_too() -> None:
    text = b"<p>honey" * 100
    packed = gzip.compress(text)
    response = fetch(page(packed, "Content-Encoding: gzip"))
    assert (response.body, response.packed) == (text, packed)


def test_not_modified_is_a_response() -> None:
    response = fetch(b'HTTP/1.1 304 Not Modified\r\nETag: "b"\r\n\r\n', get={"validators": Validators('"a"')})
    assert (response.status, response.body, response.headers["etag"]) == (304, b"", '"b"')


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("location", ["/next", "file:///etc/passwd", "http://169.254.169.254/latest/"])
def test_redirects_come_back_and_are_not_followed(status: int, location: str) -> None:
    asked = []

    async def answer(request: bytes, writer: asyncio.StreamWriter) -> None:
        asked.append(request)
        writer.write(
            page(b"moved", f"Location: {location}", status=f"{status} Moved", content_type="image/png")
        )

    response = fetch(answer)
    assert (response.status, response.redirect, response.body, len(asked)) == (status, location, b"", 1)


@pytest.mark.parametrize("status", [400, 404, 410, 429, 500, 503, 999])
def test_error_statuses_are_raised_with_their_headers(status: int) -> None:
    with pytest.raises(HttpStatusError) as caught:
        fetch(page(b"x" * 1000, "Retry-After: 120", status=f"{status} No"))
    assert caught.value.status == status
    assert caught.value.headers["retry-after"] == "120"


@pytest.mark.parametrize("status", [101, 206])
def test_statuses_nobody_asked_for_are_refused(status: int) -> None:
    with pytest.raises(FetchError, match=str(status)):
        fetch(page(b"<p>", "Upgrade: websocket", "Connection: upgrade", status=f"{status} Odd"))


def test_a_body_within_the_limit_is_taken_and_one_byte_more_is_not() -> None:
    assert len(fetch(page(b"x" * 1000), max_body_bytes=1000).body) == 1000
    with pytest.raises(TooLarge, match="1001"):
        fetch(page(b"x" * 1001), max_body_bytes=1000)
    with pytest.raises(TooLarge):
        fetch(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + b"x" * 1001, max_body_bytes=1000)
    assert len(fetch(page(b"x" * 1001), max_body_bytes=10, get={"max_body_bytes": 1001}).body) == 1001


def test_a_body_that_may_be_cut_is_cut_however_long_it_is() -> None:
    cut = {"max_body_bytes": 1000, "cut_body": True}
    assert fetch(page(b"x" * 5000), get=cut).body == b"x" * 1000
    assert fetch(page(b"x" * 10), get=cut).body == b"x" * 10
    endless = repeats(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", b"y" * 300)
    assert fetch(endless, get=cut).body == b"y" * 1000


@pytest.mark.parametrize(
    "content_type", ["image/png", "Application/PDF", "text/htmlx", "text/html, image/png"]
)
def test_other_content_types_are_refused_before_the_body(content_type: str) -> None:
    endless = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n".encode()
    with pytest.raises(NotText):  # and no time-out: the body never comes
        fetch(plays(endless, closes=False))


@pytest.mark.parametrize(
    "content_type", ["TEXT/HTML;charset=utf-8", "text/plain", "image/png, text/html", "", "x"]
)
def test_texts_are_taken(content_type: str) -> None:
    assert fetch(page(b"<p>", content_type=content_type)).body == b"<p>"


def test_without_a_content_type_the_bytes_decide() -> None:
    with pytest.raises(NotText):
        fetch(page(b"\x89PNG\r\n\x1a\n\x00\x00", content_type=""))
    assert fetch(page(b"", content_type="")).body == b""


SITEMAP_TYPES = (
    "application/xml",
    "text/xml",
    "application/rss+xml",
    "application/x-gzip",
    "application/octet-stream",
)
OTHER_TYPES = ("image/png", "image/svg+xml", "application/pdf", "application/zip", "video/mp4")


@pytest.mark.parametrize("path", ["/sitemap.xml", "/news.rss", "/feed.atom", "/sitemap_1.xml.gz?page=2"])
def test_sitemaps_and_feeds_come_as_what_they_are_served_as_and_nothing_else_does(path: str) -> None:
    async def run(body: bytes, content_type: str) -> bytes:
        raw = plays(page(body, content_type=content_type))
        async with raw_server(raw) as address, client() as asking:
            return (await asking.get(f"http://{address}{path}")).body

    for content_type in (*SITEMAP_TYPES, ""):
        assert asyncio.run(run(b"\x1f\x8b\x08", content_type)) == b"\x1f\x8b\x08"
    for content_type in (*OTHER_TYPES, ""):
        with pytest.raises(NotText):
            asyncio.run(run(b"\x89PNG\r\n\x1a\n\x00", content_type))


def test_any_type_is_taken_when_asked_for() -> None:
    for content_type in ("application/xml", ""):
        assert fetch(page(b"\x00\x01", content_type=content_type), get={"any_type": True}).body == b"\x00\x01"


def _counting(raw: bytes, connections: set[object]) -> Answer:
    """Sends the body some time after the headers, as most hosts of the Web do."""
    headers, _, body = raw.partition(b"\r\n\r\n")

    async def answer(request: bytes, writer: asyncio.StreamWriter) -> None:
        connections.add(writer.get_extra_info("peername"))
        writer.write(headers + b"\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(0.03)
        writer.write(body)

    return answer


@pytest.mark.parametrize(
    "raw",
    [page(b"<p>"), page(b"no", status="404 No"), page(b"moved", "Location: /", status="301 Moved")],
    ids=["page", "error", "redirect"],
)
def test_connections_are_kept(raw: bytes) -> None:
    connections: set[object] = set()

    async def run() -> None:
        async with raw_server(_counting(raw, connections)) as address, client() as asking:
            for _ in range(3):
                with suppress(HttpStatusError):
                    await asking.get(f"http://{address}/")

    asyncio.run(run())
    assert len(connections) == 1


def test_idle_connections_are_not_kept_without_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_module, "_KEPT_CONNECTIONS", 1)

    async def run() -> list[bytes]:
        async with (
            raw_server(plays(page(b"<p>"))) as one,
            raw_server(plays(page(b"<p>"))) as other,
            client() as asking,
        ):
            return [(await asking.get(f"http://{address}/")).request for address in (one, other, one)]

    assert [b"Connection: close" in request for request in asyncio.run(run())] == [False, True, False]


def test_one_connection_to_a_host_at_a_time() -> None:
    busy = peak = 0

    async def answer(request: bytes, writer: asyncio.StreamWriter) -> None:
        nonlocal busy, peak
        busy += 1
        peak = max(peak, busy)
        await asyncio.sleep(0.02)
        writer.write(page(b"<p>"))
        busy -= 1

    async def run() -> None:
        async with raw_server(answer) as address, client() as asking:
            await asyncio.gather(*(asking.get(f"http://{address}/{number}") for number in range(5)))

    asyncio.run(run())
    assert peak == 1


def _with_cookies(**options: Any) -> list[bytes]:
    async def run() -> list[bytes]:
        raw = page(b"<p>", "Set-Cookie: id=1; Path=/", "Set-Cookie: other=2; Domain=example.org")
        async with raw_server(plays(raw)) as address, client(**options) as asking:
            elsewhere = address.replace("127.0.0.1", "localhost")
            hosts = (address, address, elsewhere)
            return [(await asking.get(f"http://{host}/")).request for host in hosts]

    return asyncio.run(run())


def test_no_cookies_unless_wanted() -> None:
    assert not any(b"Cookie" in request for request in _with_cookies())


def test_cookies_stay_with_their_site() -> None:
    first, second, elsewhere = _with_cookies(cookies=True, allow_networks=("127.0.0.0/8", "::1/128"))
    assert b"Cookie" not in first
    assert b"\r\nCookie: id=1\r\n" in second
    assert b"Cookie" not in elsewhere


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1/")
    assert fetch(page(b"<p>")).body == b"<p>"


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "gopher://127.0.0.1/",
        "/relative",
        "",
        "http://",
        "http:///a",
        "http://127.0.0.1/ a",
        "http://127.0.0.1/\r\nX: 1",
        "http://127.0.0.1/é",
        "http://127.0.0.1:99999/",
        "http://[::1/",
        "http://user:password@127.0.0.1/",
        "http://user@127.0.0.1/",
        "http://:@127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001:1/",
    ],
)
def test_what_is_no_canonical_url_is_not_asked(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*arguments: object, **options: object) -> None:
        raise socket.gaierror("nobody is asked in this test")

    async def run() -> None:
        async with client() as asking:
            await asking.get(url)

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(FetchError) as caught:
        asyncio.run(run())
    assert str(caught.value).isprintable()
    assert "password@" not in str(caught.value)


def test_user_names_and_passwords_are_never_sent() -> None:
    asked = []

    async def answer(request: bytes, writer: asyncio.StreamWriter) -> None:
        asked.append(request)
        writer.write(page(b"<p>"))

    async def run() -> None:
        async with raw_server(answer) as address, client() as asking:
            with pytest.raises(FetchError, match="password"):
                await asking.get(f"http://user:secret@{address}/")
            url = DEFAULT_POLICY.canonical(f"http://user:secret@{address}/")
            assert url is not None
            await asking.get(url)

    asyncio.run(run())
    assert len(asked) == 1
    assert b"Authorization" not in asked[0]
    assert b"secret" not in asked[0]


def test_closing_twice_or_unused_is_fine() -> None:
    async def run() -> None:
        async with client() as asking:
            await asking.close()
            await asking.close()

    asyncio.run(run())


def test_less_patience_ends_the_wait_for_a_silent_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_module, "SHORTEST_WAIT_SECONDS", 0.05)

    async def run() -> None:
        async with (
            asyncio.timeout(20.0),
            raw_server(repeats(b"", b"", 0.1)) as address,
            client(read_seconds=600.0, total_seconds=600.0) as asking,
        ):
            with pytest.raises(FetchTimeout):
                await asking.get(f"http://{address}/", patience=0.0001)

    asyncio.run(run())
