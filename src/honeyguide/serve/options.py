"""What the operator says when the server is started."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address

DEFAULT_PORT = 8765


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """How a workspace is served."""

    host: str = "127.0.0.1"  # the address that is listened on
    port: int = DEFAULT_PORT
    copies_port: int = 0  # archived copies have an origin of their own; 0: the port after `port`
    names: tuple[str, ...] = ()  # host names that browsers may know the server by, besides its address
    proxies: tuple[str, ...] = ()  # addresses that may say how they were asked, besides this machine's own
    public: bool = False  # anybody may search and read the portal
    portal_only: bool = False  # and there is nothing else
    allow_networks: tuple[str, ...] = field(default=())  # that crawls started here may ask though not public

    @property
    def is_loopback(self) -> bool:
        """Whether nobody but this machine can reach the server."""
        return self.host == "localhost" or (is_address(self.host) and ip_address(self.host).is_loopback)

    @property
    def is_open(self) -> bool:
        """Whether reading needs no login."""
        return self.public or self.portal_only


def is_address(text: str) -> bool:
    """Tell a literal address from a name."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
