"""Each attack of a hostile host on the HTTP client ends with a named outcome, within a bound of seconds."""

import asyncio
import gzip
import shutil
import socket
import ssl
import struct
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import aiohttp.client_proto
import aiohttp.http_parser
import brotli
import pytest
import zstandard

from honeyguide.errors import (
    AddressForbidden,
    FetchError,
    FetchTimeout,
    HostUnreachable,
    HttpStatusError,
    TooLarge,
)
from honeyguide.fetch import guard as guard_module
from honeyguide.fetch import wire
from honeyguide.fetch.wire import SPARE_BYTES
from honeyguide.model import Response

from .raw_server import Answer, client, fetch, page, plays, raw_server, repeats

OK = b"HTTP/1.1 200 OK\r\n"
HTML = OK + b"Content-Type: text/html\r\n"
CHUNKED = HTML + b"Transfer-Encoding: chunked\r\n\r\n"
NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 999\r\n\r\n"
ZEROS = bytes(5_000_000)
LIMIT_BYTES = 20_000
# The time a page may take: much where the first bytes already show the attack, little where only time does.
PATIENT = 60.0
IMPATIENT = 0.6
BOUND_SECONDS = 30.0  # for every attack; far below the patient limit, and allowing for a busy machine


def _packed(encoding: str, pack: Callable[[bytes], bytes]) -> Answer:
    return plays(page(pack(ZEROS), f"Content-Encoding: {encoding}"))


async def _resets(request: bytes, writer: asyncio.StreamWriter) -> None:
    _reset(writer)


async def _resets_in_a_page_without_length(request: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(HTML + b"\r\n<html>half a page")
    await writer.drain()
    await asyncio.sleep(0.1)
    _reset(writer)


def _reset(writer: asyncio.StreamWriter) -> None:
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def _is_silent(request: bytes, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60.0)


MANY_HEADERS = b"".join(b"X-%d: 1\r\n" % number for number in range(10_000))
BIG_HEADERS = b"".join(b"X-%d: %s\r\n" % (number, b"a" * 8000) for number in range(50))

ATTACKS: dict[str, tuple[Answer, type[FetchError], float]] = {
    "gzip bomb": (_packed("gzip", lambda data: gzip.compress(data, 9)), TooLarge, PATIENT),
    "br bomb": (_packed("br", lambda data: brotli.compress(data, quality=1)), TooLarge, PATIENT),
    "zstd bomb": (_packed("zstd", zstandard.compress), TooLarge, PATIENT),
    "packed twice": (plays(page(b"x", "Content-Encoding: gzip, gzip")), FetchError, PATIENT),
    "endless body": (repeats(HTML + b"\r\n", b"x" * 4096), TooLarge, PATIENT),
    "endless chunks": (repeats(CHUNKED, b"1000\r\n" + b"x" * 4096 + b"\r\n"), TooLarge, PATIENT),
    "endless chunks of one byte": (repeats(CHUNKED, b"1\r\nx\r\n" * 1000), TooLarge, PATIENT),
    "promised gigabytes": (plays(HTML + b"Content-Length: 9999999999\r\n\r\n", False), TooLarge, PATIENT),
    "endless chunk extension": (repeats(CHUNKED + b"5;", b"a" * 4096), TooLarge, PATIENT),
    "chunks that are all extension": (repeats(CHUNKED, b"1;" + b"a" * 4000 + b"\r\nx\r\n"), TooLarge, PATIENT),
    "endless trailers": (repeats(CHUNKED + b"0\r\n", b"X: 1\r\n" * 100), TooLarge, PATIENT),
    "endless status line": (repeats(b"HTTP/1.1 200 ", b"a" * 4096), TooLarge, PATIENT),
    "endless blank lines": (repeats(b"", b"\r\n" * 1000), TooLarge, PATIENT),
    "endless 100 Continue": (repeats(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100), TooLarge, PATIENT),
    "endless early hints": (repeats(b"", b"HTTP/1.1 103 Early\r\nX: " + b"a" * 8000 + b"\r\n\r\n"), TooLarge, PATIENT),
    "slow-loris headers": (repeats(OK, b"X: 1\r\n", 0.1), FetchTimeout, IMPATIENT),
    "slow-loris header letters": (repeats(OK + b"X: ", b"a", 0.1), FetchTimeout, IMPATIENT),
    "tarpit body": (repeats(HTML + b"\r\n", b"x", 0.1), FetchTimeout, IMPATIENT),
    "tarpit chunks": (repeats(CHUNKED, b"1\r\nx\r\n", 0.1), FetchTimeout, IMPATIENT),
    "silence": (_is_silent, FetchTimeout, IMPATIENT),
    "silence after the headers": (plays(HTML + b"\r\n", False), FetchTimeout, IMPATIENT),
    "10,000 headers": (plays(OK + MANY_HEADERS + b"\r\n"), TooLarge, PATIENT),
    "400 KB of headers": (plays(HTML + BIG_HEADERS + b"\r\n<html>"), TooLarge, PATIENT),
    "endless headers": (repeats(OK, b"X: 1\r\n" * 100), TooLarge, PATIENT),
    "header without end": (repeats(OK + b"X: ", b"a" * 4096), TooLarge, PATIENT),
    "header name without end": (repeats(OK, b"a" * 4096), TooLarge, PATIENT),
    "NUL in a header": (plays(HTML + b"X: a\0b\r\nContent-Length: 0\r\n\r\n"), FetchError, PATIENT),
    "connection reset": (_resets, HostUnreachable, PATIENT),
    "reset in a page without length": (_resets_in_a_page_without_length, HostUnreachable, PATIENT),
    "empty reply": (plays(b""), HostUnreachable, PATIENT),
    "death in the headers": (plays(OK + b"Content-Le"), HostUnreachable, PATIENT),
    "death in the body": (plays(HTML + b"Content-Length: 100\r\n\r\n<html>"), HostUnreachable, PATIENT),
    "death between chunks": (plays(CHUNKED + b"6\r\n<html>\r\n"), HostUnreachable, PATIENT),
    "length too small": (plays(HTML + b"Content-Length: 2\r\n\r\n<html>"), FetchError, PATIENT),
    "two lengths": (plays(HTML + b"Content-Length: 2\r\nContent-Length: 6\r\n\r\n<html>"), FetchError, PATIENT),
    "slow error page": (repeats(NOT_FOUND, b"x", 0.1), HttpStatusError, 2.0),
    "TLS bytes": (plays(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"), FetchError, PATIENT),
}  # fmt: skip


FLOODS = [name for name in ATTACKS if name.startswith(("endless", "chunks"))]


@pytest.mark.parametrize("parser", ["HttpResponseParser", "HttpResponseParserPy"])
@pytest.mark.parametrize("flood", FLOODS)
def test_no_flood_sends_more_than_a_body_and_some_spare_bytes(
    flood: str, parser: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aiohttp.client_proto, "HttpResponseParser", getattr(aiohttp.http_parser, parser))
    received = []
    count = aiohttp.client_proto.ResponseHandler.data_received

    def counted(self: object, data: bytes) -> None:
        received.append(len(data))
        count(self, data)

    monkeypatch.setattr(aiohttp.client_proto.ResponseHandler, "data_received", counted)
    _, error = asyncio.run(_attacked(ATTACKS[flood][0], PATIENT))
    assert isinstance(error, FetchError)
    assert sum(received) <= LIMIT_BYTES + SPARE_BYTES


@pytest.mark.parametrize("attack", list(ATTACKS))
def test_an_attack_has_a_named_outcome_in_time(attack: str) -> None:
    answer, outcome, total_seconds = ATTACKS[attack]
    took, error = asyncio.run(_attacked(answer, total_seconds))
    assert type(error) is outcome, error
    assert str(error).isprintable()
    assert took < BOUND_SECONDS
    if "bomb" in attack:
        assert "unpacks to more than" in str(error)


async def _attacked(answer: Answer, total_seconds: float) -> tuple[float, FetchError | Response]:
    patience = {"read_seconds": total_seconds, "total_seconds": total_seconds}
    async with raw_server(answer) as address, client(max_body_bytes=LIMIT_BYTES, **patience) as asking:
        started = time.monotonic()
        try:
            result: FetchError | Response = await asking.get(f"http://{address}/")
        except FetchError as error:
            result = error
        return time.monotonic() - started, result


def test_silence_is_given_up_before_the_whole_time_has_passed() -> None:
    started = time.monotonic()
    with pytest.raises(FetchTimeout, match="read_seconds"):
        fetch(plays(HTML + b"\r\n<html>", closes=False), read_seconds=0.2, total_seconds=PATIENT)
    assert time.monotonic() - started < BOUND_SECONDS


def test_every_answer_on_a_connection_is_counted_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "SPARE_BYTES", 200)

    async def run() -> None:
        async with (
            raw_server(plays(page(b"x" * 1000), closes=False)) as address,
            client(max_body_bytes=1000) as asking,
        ):
            for _ in range(5):
                assert len((await asking.get(f"http://{address}/")).body) == 1000

    asyncio.run(run())


def test_control_characters_are_removed_from_headers() -> None:
    raw = HTML + b"X-A: a\x1b[31m\x07b\tc\x7f\r\nX-B: \xc2\x9b\xff\r\nContent-Length: 0\r\n\r\n"
    headers = fetch(raw).headers
    assert (headers["x-a"], headers["x-b"]) == ("a[31mbc", "\ufffd")


def test_no_connection_is_made_to_a_port_that_swallows_everything() -> None:
    async def run() -> float:
        # A full queue of a socket that nobody accepts from: further connections are neither made nor refused.
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            listening.listen(0)
            with socket.socket() as first, socket.socket() as second:
                for filler in (first, second):
                    filler.setblocking(False)
                    filler.connect_ex(listening.getsockname())
                await asyncio.sleep(0.05)
                started = time.monotonic()
                async with client(connect_seconds=0.3, total_seconds=PATIENT) as asking:
                    with pytest.raises(FetchTimeout):
                        await asking.get(f"http://127.0.0.1:{listening.getsockname()[1]}/")
                return time.monotonic() - started

    assert asyncio.run(run()) < BOUND_SECONDS


def test_a_redirect_to_an_inner_address_is_refused_when_asked() -> None:
    async def run() -> None:
        raw = page(b"", "Location: http://169.254.169.254/latest/meta-data/", status="302 Found")
        async with raw_server(plays(raw)) as address, client() as asking:
            response = await asking.get(f"http://{address}/")
            assert response.redirect is not None
            with pytest.raises(AddressForbidden):
                await asking.get(response.redirect)

    asyncio.run(run())


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "[::1]", "[::ffff:7f00:1]", "0.0.0.0", "[::]", "[64:ff9b::7f00:1]"]
)
def test_addresses_in_urls_are_checked_before_anything_is_sent(host: str) -> None:
    asked = []

    async def answer(request: bytes, writer: asyncio.StreamWriter) -> None:
        asked.append(request)

    async def run() -> None:
        async with raw_server(answer) as address, client(allow_networks=()) as asking:
            with pytest.raises(AddressForbidden):
                await asking.get(f"http://{host}:{address.rpartition(':')[2]}/")

    asyncio.run(run())
    assert asked == []


class RebindingDns:
    """A name that is 127.0.0.1, which stands for a public address here, and then turns to 127.0.0.2."""

    def __init__(self) -> None:
        self.look_ups = 0

    def __call__(self, host: str, port: int, **options: int) -> list[tuple[object, object, int, str, object]]:
        self.look_ups += 1
        address = "127.0.0.1" if self.look_ups == 1 else "127.0.0.2"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]


async def _ask_twice() -> list[str]:
    async with (
        raw_server(plays(page(b"<p>", "Connection: close"))) as address,
        client(allow_networks=("127.0.0.1/32",)) as asking,
    ):
        url = f"http://rebinding.example:{address.rpartition(':')[2]}/"
        return [(await asking.get(url)).address for _ in range(2)]


def test_between_check_and_connection_no_name_is_looked_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    dns = RebindingDns()
    monkeypatch.setattr(socket, "getaddrinfo", dns)
    assert asyncio.run(_ask_twice()) == ["127.0.0.1", "127.0.0.1"]
    assert dns.look_ups == 1


def test_a_name_that_turns_to_an_inner_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    dns = RebindingDns()
    monkeypatch.setattr(socket, "getaddrinfo", dns)
    monkeypatch.setattr(guard_module, "_KEPT_SECONDS", -1.0)
    with pytest.raises(AddressForbidden, match=r"127\.0\.0\.2"):
        asyncio.run(_ask_twice())
    assert dns.look_ups == 2


@pytest.fixture(scope="module")
def self_signed(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    folder: Path = tmp_path_factory.mktemp("certificate")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    options = ["-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1"]
    command = ["openssl", "req", *options, "-keyout", key, "-out", certificate]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def test_a_certificate_nobody_vouches_for_is_refused(self_signed: ssl.SSLContext) -> None:
    asked = []

    async def answer(request: bytes, writer: asyncio.StreamWriter) -> None:
        asked.append(request)

    async def run() -> None:
        async with raw_server(answer, ssl=self_signed) as address, client() as asking:
            with pytest.raises(HostUnreachable, match=r"certificate is not valid.*self.signed"):
                await asking.get(f"https://{address}/")

    asyncio.run(run())
    assert asked == []


def test_a_host_that_speaks_no_tls_is_unreachable() -> None:
    async def run() -> None:
        async with raw_server(plays(page(b"<p>"))) as address, client(connect_seconds=0.3) as asking:
            with pytest.raises((HostUnreachable, FetchTimeout)):
                await asking.get(f"https://{address}/")

    asyncio.run(run())


def test_a_hostile_host_delays_nobody_else() -> None:
    async def run() -> None:
        async with (
            raw_server(ATTACKS["tarpit body"][0]) as slow,
            raw_server(plays(page(b"<p>"))) as quick,
            client() as asking,
        ):
            waiting = asyncio.create_task(asking.get(f"http://{slow}/"))
            await asyncio.sleep(0.1)
            for _ in range(5):
                await asking.get(f"http://{quick}/")
            assert not waiting.done()
            waiting.cancel()

    asyncio.run(run())
