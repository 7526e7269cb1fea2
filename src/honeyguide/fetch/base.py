"""The interface of a fetcher: where pages come from. The one place where code is asynchronous."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from honeyguide.model import Response, Validators

NEVER_SEEN = Validators()


class Fetcher(ABC):
    """Brings pages, from the live Web or a recorded one."""

    @abstractmethod
    async def fetch(self, url: str, validators: Validators = NEVER_SEEN) -> Response:
        """Bring one page, whole. Raises FetchError; a redirect is brought back like a page, never followed."""

    is_live: ClassVar[bool] = False
    """Whether it asks real hosts, which must be spared."""

    tells_contacts: ClassVar[bool] = False
    """Whether `take_contacts` tells who answers; otherwise all hosts are taken for hosts that do."""

    @property
    def resting(self) -> int:
        """How many of the requests under way are not on the wire: they wait for a rested host, or for room."""
        return 0

    def body_done(self, size: int) -> None:  # noqa: B027 - recorded webs have all the room they need
        """A body that was brought has been read and is gone."""

    def turn_to(self, now: float) -> None:  # noqa: B027 - most recorded webs stand still
        """What time it is, in a web that changes by a clock of its own."""

    @abstractmethod
    async def close(self) -> None:
        """Release what is open, at the end of a run; there may be another run."""

    def rest_until(self, url: str, now: float) -> float:
        """The moment from which the url's host may politely be asked again."""
        return now

    def take_contacts(self) -> Sequence[tuple[str, bool]]:
        """Hosts asked since the last call, for a page or robots.txt, and whether they answered anything at all."""
        return ()

    def take_sitemaps(self) -> Sequence[tuple[str, Sequence[str]]]:
        """Sitemaps found since the last call: the url of a robots.txt and the urls it lists."""
        return ()

    def take_host_records(self) -> Mapping[str, str]:
        """A text for each host (robots, delays, blocks) that must survive a restart, where it has changed."""
        return {}

    def restore_host_records(self, records: Mapping[str, str]) -> float:
        """Take back what was kept before a restart. Returns the seconds by which the clock was set back since then."""
        return 0.0
