"""Hosts that have not answered yet: how long each is waited for, and where none is tried. Used by live."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

RECENT_CONTACTS = 30
LEAST_PATIENCE = 0.25
SILENCES_OF_AN_ADDRESS = 4
FIRST_REST_SECONDS = 60.0
LONGEST_REST_SECONDS = 3600.0
_MOST_ADDRESSES = 10_000


class Patience:
    """How long to wait for hosts that have not answered yet: the more of them were silent lately, the less.

    >>> patience = Patience()
    >>> for n in range(200): patience.note(has_answered=False)
    >>> round(patience.share, 2)
    0.25
    """

    def __init__(self) -> None:
        self._silent = 0.0  # share of the last contacts, of which the latest counts most

    def note(self, has_answered: bool) -> None:
        """Take note of how a stranger was found."""
        self._silent += ((not has_answered) - self._silent) / RECENT_CONTACTS

    @property
    def share(self) -> float:
        """Of the usual waits, so much for a stranger."""
        return 1.0 - (1.0 - LEAST_PATIENCE) * self._silent


@dataclass(slots=True)
class _Silence:
    """What is known of an address where nobody has answered since."""

    hosts: set[str] = field(default_factory=set)  # the first of them
    rest_seconds: float = 0.0
    until: float = 0.0  # no other host is tried before


class SilentAddresses:
    """Addresses at which one host after the other was silent: names are endless, addresses are not.

    After a few of them no other host there is tried for a minute, then one, and after its silence none for two ...

    >>> addresses = SilentAddresses()
    >>> for host in "abcd": addresses.note("192.0.2.1", host, False, now=0.0)
    >>> [addresses.may_try("192.0.2.1", "e", now) for now in (59.0, 60.0)]
    [False, True]
    """

    def __init__(self) -> None:
        self._silent: OrderedDict[str, _Silence] = OrderedDict()

    def note(self, address: str, host: str, has_answered: bool, now: float) -> None:
        """Take note of how a stranger at an address was found."""
        if has_answered:
            self._silent.pop(address, None)
            return
        silence = self._silent.setdefault(address, _Silence())
        self._silent.move_to_end(address)
        is_new = host not in silence.hosts
        if len(silence.hosts) < SILENCES_OF_AN_ADDRESS:
            silence.hosts.add(host)
        # What was under way while it rests tells nothing new.
        if is_new and len(silence.hosts) >= SILENCES_OF_AN_ADDRESS and now >= silence.until:
            longer = max(2 * silence.rest_seconds, FIRST_REST_SECONDS)
            silence.rest_seconds = min(longer, LONGEST_REST_SECONDS)
            silence.until = now + silence.rest_seconds
        if len(self._silent) > _MOST_ADDRESSES:
            self._silent.popitem(last=False)

    def may_try(self, address: str, host: str, now: float) -> bool:
        """Whether a stranger at an address may be asked; those asked before have rests of their own."""
        silence = self._silent.get(address)
        return silence is None or host in silence.hosts or now >= silence.until
