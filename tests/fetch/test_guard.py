import asyncio
import socket
import threading
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.errors import AddressForbidden, SettingsError
from honeyguide.fetch import guard as guard_module
from honeyguide.fetch.guard import AddressGuard, GuardedResolver
from honeyguide.urls import DEFAULT_POLICY, host_of

PUBLIC = [
    "1.1.1.1",
    "93.184.216.34",
    "100.63.255.255",
    "100.128.0.1",
    "172.15.255.255",
    "172.32.0.1",
    "198.17.255.255",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001:82a::200e",
    "::ffff:1.1.1.1",
    "64:ff9b::1.1.1.1",
    "2002:101:101::1",
    "2001:0:101:101:0:0:fefe:fefe",  # Teredo by way of 1.1.1.1 to 1.1.1.1
]
INNER = [
    "0.0.0.0",
    "0.1.2.3",
    "10.1.2.3",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:0:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::10.0.0.1",
    "64:ff9b:1::1.1.1.1",
    "64:ff9b:1:7f00:0:100:101:101",  # 127.0.0.1 where RFC 6052 has it in a prefix of 48 bits
    "64:ff9b:2::1.1.1.1",
    "100::1",
    "2001::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2001:0:101:101:0:0:80ff:fffe",  # Teredo to 127.0.0.1
    "2001:0:7f00:1:0:0:fefe:fefe",  # Teredo by way of 127.0.0.1
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2002:c0a8:101::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_pass(address: str) -> None:
    AddressGuard().check(address)


@pytest.mark.parametrize("address", INNER)
def test_inner_addresses_are_refused(address: str) -> None:
    with pytest.raises(AddressForbidden, match="allow_networks"):
        AddressGuard().check(address)


@pytest.mark.parametrize(
    "text", ["", "127.1", "0x7f.0.0.1", "2130706433", "example.org", "1.1.1.1.", "\x1b[31m", "٣.1.1.1"]
)
def test_what_is_no_plain_address_is_refused(text: str) -> None:
    with pytest.raises(AddressForbidden) as caught:
        AddressGuard().check(text)
    assert str(caught.value).isprintable()


@given(st.ip_addresses(v=6))
def test_no_address_passes_that_python_knows_as_special(address: IPv6Address) -> None:
    if address.is_private and not (address.ipv4_mapped or address.teredo or address.sixtofour):
        with pytest.raises(AddressForbidden):
            AddressGuard().check(str(address))


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_judged_alike_in_every_wrapping(address: IPv4Address) -> None:
    number = int(address)
    wrapped = [
        IPv6Address((0xFFFF << 32) | number),
        IPv6Address((0x64FF9B << 96) | number),
        IPv6Address((0x2002 << 112) | (number << 80) | 1),
        IPv6Address((0x20010000 << 96) | (number << 64) | (number ^ 0xFFFFFFFF)),
    ]
    assert {_passes(str(form)) for form in wrapped} == {_passes(str(address))}


def _passes(address: str) -> bool:
    try:
        AddressGuard().check(address)
    except AddressForbidden:
        return False
    return True


@pytest.mark.parametrize("address", ["127.0.0.1", "127.9.8.7", "::ffff:127.0.0.1", "fd12::1"])
def test_networks_of_the_order_are_allowed(address: str) -> None:
    AddressGuard(["127.0.0.0/8", "fd12::/16"]).check(address)


def test_only_the_networks_of_the_order_are_allowed() -> None:
    with pytest.raises(AddressForbidden):
        AddressGuard(["127.0.0.1/32"]).check("127.0.0.2")


@pytest.mark.parametrize("network", ["127.0.0.0/33", "localhost", "127.0.0.1/8", ""])
def test_a_wrong_network_is_named(network: str) -> None:
    with pytest.raises(SettingsError, match="allow_networks") as caught:
        AddressGuard(["10.0.0.0/8", network])
    assert network in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "http://2130706433/",
        "http://0x7f000001/",
        "http://017700000001/",
        "http://0177.0.0.1/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://127.0.0.1./",
        "http://0/",
        "http://%31%32%37.0.0.1/",
        "http://①②⑦.0.0.1/",
        "http://127。0。0。1/",
        "http://[::ffff:7f00:1]/",
        "http://[0:0:0:0:0:ffff:127.0.0.1]/",
        "http://0xa9fea9fe/latest/meta-data/",
        "http://user:password@2852039166/",
    ],
)
def test_disguised_addresses_are_refused_once_canonical(text: str) -> None:
    url = DEFAULT_POLICY.canonical(text)
    assert url is not None
    with pytest.raises(AddressForbidden):
        AddressGuard().check(host_of(url).strip("[]"))


class FakeDns:
    """Answers with one list of addresses after another, the last one for ever."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, host: str, port: int, **options: int) -> list[tuple[object, object, int, str, object]]:
        self.asked.append(host)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [(_family(address), socket.SOCK_STREAM, 6, "", (address, port)) for address in answer]


def _family(address: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def _resolve(
    dns: object, *hosts: str, networks: tuple[str, ...] = (), seconds: float = 60.0
) -> list[list[str]]:
    async def run() -> list[list[str]]:
        resolver = GuardedResolver(AddressGuard(networks), seconds=seconds, look_up=dns)  # type: ignore[arg-type]
        try:
            found = [await resolver.resolve(host, 80, socket.AF_UNSPEC) for host in hosts]
        finally:
            await resolver.close()
        return [[result["host"] for result in results] for results in found]

    return asyncio.run(run())


def test_forbidden_addresses_are_left_out() -> None:
    assert _resolve(FakeDns(["10.0.0.1", "1.1.1.1", "::1", "2606:4700::1"]), "a.example") == [
        ["1.1.1.1", "2606:4700::1"]
    ]


def test_a_host_with_inner_addresses_only_is_refused() -> None:
    with pytest.raises(AddressForbidden, match=r"10\.0\.0\.1"):
        _resolve(FakeDns(["10.0.0.1", "::1"]), "a.example")


def test_answers_are_remembered_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard_module, "_KEPT_HOSTS", 2)
    dns = FakeDns(["1.1.1.1"])
    _resolve(dns, "a.example", "b.example", "a.example", "c.example", "b.example", "a.example")
    assert dns.asked == ["a.example", "b.example", "c.example", "a.example"]


def test_a_name_that_turns_inner_is_not_believed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    dns = FakeDns(["1.1.1.1"], ["127.0.0.1"])
    assert _resolve(dns, "a.example", "a.example") == [["1.1.1.1"], ["1.1.1.1"]]
    monkeypatch.setattr(guard_module, "_KEPT_SECONDS", -1.0)
    with pytest.raises(AddressForbidden):
        _resolve(FakeDns(["1.1.1.1"], ["127.0.0.1"]), "a.example", "a.example")


def test_very_many_addresses_are_cut() -> None:
    many = [f"1.1.{number // 256}.{number % 256}" for number in range(4000)]
    assert len(_resolve(FakeDns(many), "a.example")[0]) == 16


def test_slow_dns_is_given_up_in_time() -> None:
    woken, answered = threading.Event(), []

    def sleeps(host: str, port: int, **options: int) -> list[tuple[object, object, int, str, object]]:
        woken.wait(60.0)
        answered.append(host)
        return []

    with pytest.raises(TimeoutError):
        _resolve(sleeps, "a.example", seconds=0.1)
    assert answered == []
    woken.set()


def test_an_address_waits_for_no_name() -> None:
    caller = threading.get_ident()
    asked: dict[str, bool] = {}

    def look_up(host: str, port: int, **options: int) -> list[tuple[object, object, int, str, object]]:
        asked[host] = threading.get_ident() == caller
        return [(_family(host), socket.SOCK_STREAM, 6, "", (host if host[0].isdigit() else "1.1.1.2", port))]

    assert _resolve(look_up, "1.1.1.1", "a.example") == [["1.1.1.1"], ["1.1.1.2"]]
    assert asked == {"1.1.1.1": True, "a.example": False}
    with pytest.raises(AddressForbidden):
        _resolve(look_up, "10.0.0.1")


def _fails(error: Exception) -> object:
    def look_up(host: str, port: int, **options: int) -> None:
        raise error

    return look_up


@pytest.mark.parametrize(
    "dns",
    [FakeDns([]), _fails(socket.gaierror(-2, "unknown")), _fails(UnicodeError("label too long"))],
    ids=["empty", "unknown", "unicode"],
)
def test_a_name_without_address_is_an_os_error(dns: object) -> None:
    with pytest.raises(OSError):  # noqa: PT011 - what matters is the class
        _resolve(dns, "a.example")


def test_without_a_contact_nothing_but_the_allowed_networks():
    guard = AddressGuard(["127.0.0.0/8"], anywhere=False)
    guard.check("127.3.2.1")
    for address in ("93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "10.0.0.1"):
        with pytest.raises(AddressForbidden, match=r"politeness\.contact"):
            guard.check(address)


def test_addresses_let_through_are_remembered_within_bounds_and_refused_ones_never(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard_module, "_KEPT_HOSTS", 3)
    kept = AddressGuard()
    for number in range(1, 20):
        kept.check(f"8.8.8.{number}")
        for _ in range(2):
            with pytest.raises(AddressForbidden):
                kept.check(f"10.0.0.{number}")
        kept.check(f"8.8.8.{number}")
        assert len(kept._let_through) <= 3
