import http.client
import socket
import time
from collections.abc import Iterator

import pytest

from honeyguide.errors import SettingsError
from honeyguide.sample_web.server import SampleServer, serve
from honeyguide.sample_web.web import SampleWeb

WEB = SampleWeb(pages=1_500, seed=4)


@pytest.fixture(scope="module")
def server() -> Iterator[SampleServer]:
    with serve(WEB, slow_seconds=0.3) as running:
        yield running


def get(server: SampleServer, address: str, path: str) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection(address, server.port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def get_url(server: SampleServer, url: str) -> tuple[http.client.HTTPResponse, bytes]:
    _, _, rest = url.partition("//")
    place, _, path = rest.partition("/")
    return get(server, place.partition(":")[0], f"/{path}")


def test_pages_of_many_hosts_are_served(server: SampleServer) -> None:
    for number in range(0, WEB.pages, 150):
        answer, body = get_url(server, server.url(number))
        assert answer.status == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert b".example" not in body
        assert body.count(b"<a ") == WEB.html(number).count(b"<a ")


def test_hosts_have_addresses_of_their_own(server: SampleServer) -> None:
    addresses = {server.address_of(name) for name in WEB.hosts.names}
    assert len(addresses) == WEB.hosts.count
    with pytest.raises(SettingsError, match="no host"):
        server.address_of("elsewhere.example")


def test_robots_sitemaps_redirects_and_errors(server: SampleServer) -> None:
    address = server.address_of(WEB.hosts.names[3])
    place = f"http://{address}:{server.port}"
    assert f"Sitemap: {place}/sitemap.xml".encode() in get(server, address, "/robots.txt")[1]
    assert f"<loc>{place}/".encode() in get(server, address, "/sitemap.xml")[1]
    moved, _ = get(server, address, "/old/1")
    assert moved.status == 301
    assert moved.headers["location"] == server.url(WEB.hosts.first(3) + 1)
    assert get(server, address, "/nothing")[0].status == 404
    assert get(server, address, "/broken/1.html")[0].status == 500


def test_the_log_tells_who_was_asked_when(server: SampleServer) -> None:
    before = time.monotonic()
    address = server.address_of(WEB.hosts.names[5])
    get(server, address, "/nothing?x=1")
    deadline = time.monotonic() + 5
    while server.log[-1].path != "/nothing?x=1" and time.monotonic() < deadline:
        time.sleep(0.01)
    line = server.log[-1]
    assert (line.host, line.path, line.status) == (address, "/nothing?x=1", 404)
    assert before <= line.started <= line.ended <= time.monotonic()


def test_some_hosts_are_slow(server: SampleServer) -> None:
    started = time.monotonic()
    get(server, server.address_of(WEB.hosts.names[19]), "/")
    assert time.monotonic() - started >= 0.3


def test_four_hundred_addresses_and_none_but_loopback() -> None:
    web = SampleWeb(pages=24_500)
    assert web.hosts.count > 400
    with serve(web) as server:
        for address in server.addresses[::80]:
            assert get(server, address, "/")[0].status == 200
        bound = {listening.getsockname()[0] for listening in server._sockets}
        assert bound == set(server.addresses)
        assert all(address.startswith("127.") for address in bound)
        assert not is_open("127.0.0.1", server.port)


def test_the_server_ends_with_its_block_or_its_lifetime() -> None:
    with serve(WEB) as server:
        assert is_open(server.addresses[0], server.port)
    assert not is_open(server.addresses[0], server.port)
    with serve(WEB, lifetime_seconds=0.1) as server:
        server._thread.join(timeout=10)
        assert not is_open(server.addresses[0], server.port)


def test_a_taken_port_is_explained(server: SampleServer) -> None:
    with pytest.raises(SettingsError, match="cannot listen"), serve(WEB, port=server.port):
        pass


def is_open(address: str, port: int) -> bool:
    try:
        socket.create_connection((address, port), timeout=5).close()
    except OSError:
        return False
    return True
