"""Which addresses a crawl may talk to, and the DNS that enforces it. Used by the HTTP client alone.

A name is looked up, each address is judged, and the judged addresses are those that are connected to: no second
look-up stands between check and connection, so a name cannot turn into an inner address on the way.
"""

from __future__ import annotations

import asyncio
import socket
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Protocol

from aiohttp.abc import AbstractResolver, ResolveResult

from honeyguide.errors import AddressForbidden, SettingsError

# By the IANA registries of special-purpose addresses. The tables are ours because `is_global` of the standard
# library has changed its mind from one Python to the next.
_INNER_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT
        "127.0.0.0/8",
        "168.63.129.16/32",  # looks public, but is the inner service of a large cloud
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",
    )
)
_GLOBAL_V6 = IPv6Network("2000::/3")
_INNER_V6 = tuple(IPv6Network(network) for network in ("2001::/23", "2001:db8::/32", "3fff::/20"))
# 64:ff9b:1::/48 is for inner use (RFC 8215), and where an address stands in it is known to its owner alone.
_NAT64 = IPv6Network("64:ff9b::/96")

_KEPT_HOSTS = 10_000
_KEPT_SECONDS = 300.0
_THREADS = 16
_MAX_ADDRESSES = 16
_Address = IPv4Address | IPv6Address
_Family = socket.AddressFamily


class LookUp(Protocol):
    """The system's DNS, with the signature of `socket.getaddrinfo`."""

    def __call__(  # noqa: D102
        self,
        host: str,
        port: int,
        *,
        family: int,
        type: int,  # noqa: A002 - named so by the socket module
    ) -> Iterable[tuple[Any, Any, int, str, Any]]: ...


class AddressGuard:
    """Lets through addresses of the public Internet, and networks that the crawl order allows by name.

    >>> AddressGuard().check("93.184.216.34")
    >>> AddressGuard(["127.0.0.0/8"]).check("::ffff:127.0.0.1")
    """

    def __init__(self, allow_networks: Sequence[str] = (), *, anywhere: bool = True) -> None:
        self._allowed = tuple(_network(text) for text in allow_networks)
        self._anywhere = anywhere  # False: nothing but the allowed networks
        self._let_through: set[str] = set()  # lately: a host that is an address is asked again for every page

    def check(self, address: str) -> None:
        """Raise AddressForbidden unless the address may be talked to."""
        if address in self._let_through:
            return
        try:
            parsed = ip_address(address)
        except ValueError:
            raise AddressForbidden(f"{address[:100]!a} is not an address in its plain form") from None
        if not self._permits(parsed):
            advice = "is not a public address; to crawl it, add its network to fetch.allow_networks"
            if not self._anywhere:
                advice = "may not be asked: fetch.allow_networks does not name it, and there is no politeness.contact"
            raise AddressForbidden(f"{address} {advice}")
        if len(self._let_through) >= _KEPT_HOSTS:
            self._let_through.clear()
        self._let_through.add(address)

    def _permits(self, address: _Address) -> bool:
        if any(address in network for network in self._allowed):
            return True
        if not self._anywhere:
            return False
        if isinstance(address, IPv4Address):
            return not any(address in network for network in _INNER_V4)
        inside = _inside(address)
        if inside:
            return all(self._permits(part) for part in inside)
        return address in _GLOBAL_V6 and not any(address in network for network in _INNER_V6)


class GuardedResolver(AbstractResolver):
    """DNS for the HTTP client: answers are checked, remembered for a while, and had in bounded time."""

    def __init__(self, guard: AddressGuard, *, seconds: float, look_up: LookUp | None = None) -> None:
        self._guard = guard
        self._seconds = seconds
        self._look_up = look_up or socket.getaddrinfo
        # Threads of its own: names that take long must not hold up what else the event loop has to do.
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="dns")
        self._kept: OrderedDict[tuple[str, int], tuple[float, list[tuple[_Family, str]]]] = OrderedDict()

    async def resolve(
        self, host: str, port: int = 0, family: _Family = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of a host that may be talked to; raises AddressForbidden, OSError or TimeoutError."""
        loop = asyncio.get_running_loop()
        kept = self._kept.get((host, family))
        if kept is None or kept[0] < loop.time():
            kept = loop.time() + _KEPT_SECONDS, await self._checked(host, family)
            self._keep((host, family), kept)
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=kind,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for kind, address in kept[1]
        ]

    async def close(self) -> None:
        """Give up what is still being looked up."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _checked(self, host: str, family: _Family) -> list[tuple[_Family, str]]:
        if _is_address(host):  # nobody is asked, so nobody is waited for
            found = self._ask(host, family)
        else:
            async with asyncio.timeout(self._seconds):
                loop = asyncio.get_running_loop()
                found = await loop.run_in_executor(self._threads, self._ask, host, family)
        permitted = [(kind, address) for kind, address in found if _passes(self._guard, address)]
        if found and not permitted:
            self._guard.check(found[0][1])
        return permitted[:_MAX_ADDRESSES]

    def _ask(self, host: str, family: _Family) -> list[tuple[_Family, str]]:
        try:
            infos = self._look_up(host, 0, family=family, type=socket.SOCK_STREAM)
        except UnicodeError as error:
            raise OSError(f"{host[:100]!a} is not a host name") from error
        found = [(info[0], str(info[4][0])) for info in infos]
        if not found:
            raise OSError(f"{host} has no address")
        return list(dict.fromkeys(found))

    def _keep(self, key: tuple[str, int], answer: tuple[float, list[tuple[_Family, str]]]) -> None:
        self._kept[key] = answer
        self._kept.move_to_end(key)
        if len(self._kept) > _KEPT_HOSTS:
            self._kept.popitem(last=False)


def _passes(guard: AddressGuard, address: str) -> bool:
    try:
        guard.check(address)
    except AddressForbidden:
        return False
    return True


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text)
    except ValueError as error:
        raise SettingsError(f"fetch.allow_networks: {error}; write a network as in 127.0.0.0/8") from error


def _inside(address: IPv6Address) -> tuple[IPv4Address, ...]:
    """The IPv4 addresses that a packet to this IPv6 address may end up at; none for most."""
    last = IPv4Address(int(address) & 0xFFFF_FFFF)
    if address.ipv4_mapped or address in _NAT64:
        return (last,)
    if address.sixtofour:
        return (address.sixtofour,)
    return address.teredo or ()
