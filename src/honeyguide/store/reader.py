"""The interface of reading a crawl, also while it runs: for programs, status, reports, explanations and exports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from honeyguide.model import Failure, Gone, Ids, Location, Response, Status, Visit
from honeyguide.patterns import Pattern, Rule
from honeyguide.state.state import State
from honeyguide.store.archive import read_page
from honeyguide.store.archived_files import ArchivedFile
from honeyguide.store.base import LabelRow, PageLinks, Post
from honeyguide.store.folder import ARCHIVE
from honeyguide.store.queued import Queued


@dataclass(frozen=True, slots=True)
class Numbers:
    """A crawl counted, without reading it all."""

    pages: int  # distinct ones, as of their last visits
    visits: int  # with those that were visited again
    relevant: int
    mean_relevance: float
    requests: int  # with those for pages that were visited before, and those that failed
    failures: int
    urls: int
    urls_by_status: dict[Status, int]
    hosts: int
    first_time: float | None
    last_time: float | None
    counts: dict[str, int]
    is_paused: bool  # of a crawl that nobody has open it means nothing
    relevant_above: float  # by which the relevant ones were counted
    judged_again: int  # how often a visit was judged anew, which changes what was counted before


@dataclass(frozen=True, slots=True)
class HostSummary:
    """A host by what it brought."""

    host: str
    pages: int
    relevant: int
    mean_relevance: float


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One link."""

    source: str
    target: str
    anchor: str


@dataclass(frozen=True, slots=True)
class UrlRow:
    """A url, and how it was found."""

    id: int
    url: str
    host: str
    depth: int
    via: str  # the page it was first found on; empty for a seed


@dataclass(frozen=True, slots=True)
class TypeShare:
    """Pages of one content type."""

    content_type: str
    pages: int
    bytes: int


@dataclass(frozen=True, slots=True)
class ReasonShare:
    """Failures for one reason."""

    error: str
    status: int  # of HTTP; 0 if there was no answer
    failures: int
    example: str  # one of the messages


@dataclass(frozen=True, slots=True)
class HostLately:
    """How a host did with the last requests."""

    host: str
    pages: int
    failures: int
    seconds: float  # that a page took, on average
    last_time: float
    last_error: str
    blocked_until: float | None  # it has asked for a rest until then, or has fallen silent


@dataclass(frozen=True, slots=True)
class Lately:
    """The last pages and failures of a crawl."""

    pages: int
    bytes: int
    per_second: float
    types: list[TypeShare]
    failures: list[ReasonShare]
    hosts: list[HostLately]  # those with most failures first, then the slowest


class Reader(ABC):
    """One crawl, as of its last commit. Whatever goes wrong is a StoreError."""

    folder: Path

    @abstractmethod
    def numbers(self, relevant_above: float, before: Numbers | None = None) -> Numbers:
        """Count the crawl; what was counted `before`, by the same threshold, is not counted again."""

    @abstractmethod
    def visits(
        self, since: int = 0, relevant_above: float | None = None, *, last_only: bool = False
    ) -> Iterator[Visit]:
        """The crawl log in order, after the visit with the number `since`.

        With a threshold only pages at or above it, and no copies. Or only the last visit of each page that is not gone.
        """

    @abstractmethod
    def latest(self, most: int) -> list[Visit]:
        """The last visits, in order."""

    @abstractmethod
    def harvest(self, most: int) -> list[float]:
        """The harvest of the last visits, in order: relevance, but 0 for copies."""

    @abstractmethod
    def changed(self, since: float, most: int) -> list[Visit]:
        """Of visits since a moment the latest that found a new page, or one that says something else than before."""

    @abstractmethod
    def visit_before(self, visit: Visit) -> Visit | None:
        """The visit of the same page before this one."""

    @abstractmethod
    def gone(self, since: float, most: int) -> list[Gone]:
        """Of pages that are gone since a moment the latest."""

    @abstractmethod
    def best(self) -> Iterator[Visit]:
        """Pages by their relevance, the best first, each by its last visit; no copies."""

    @abstractmethod
    def nearest(self, relevance: float, most: int) -> list[Visit]:
        """The pages whose relevance is nearest to this, nearest first; no copies."""

    @abstractmethod
    def numbered(self, numbers: Sequence[int]) -> list[Visit]:
        """The visits with these numbers, where there are any, in order."""

    @abstractmethod
    def last_number(self) -> int:
        """The number of the last visit."""

    @abstractmethod
    def hosts(self, most: int, relevant_above: float) -> list[HostSummary]:
        """The hosts with most relevant pages."""

    @abstractmethod
    def starved_hosts(self, after: int, most_times: int) -> int:
        """How many hosts are starved by themselves, not with their sites, as `HostYield` counts."""

    @abstractmethod
    def counted_hosts(self) -> State:
        """A state of nothing but the hosts of which `HostYield` has counted something; their ids are others."""

    @abstractmethod
    def failures(self, url_id: int | None = None, since: int = 0) -> Iterator[Failure]:
        """Every failure in order, counted from 1, after the one with the number `since`; or those of one url."""

    @abstractmethod
    def judged(self, numbers: Sequence[int]) -> list[tuple[int, float, float]]:
        """Number, time and relevance of the visits with these numbers, and nothing else of them, in order."""

    @abstractmethod
    def cells(self, since: int, last: int, width: int, rows: int) -> list[tuple[int, int, int, int]]:
        """The visits after `since` up to `last` on a grid, `width` visits to a column, relevance in so many rows.

        Column, row, number of visits and the newest of them, for each cell that has any; copies are left out.
        """

    @abstractmethod
    def links(self, page: int | None = None) -> Iterator[LinkRow]:
        """Every link of the last version of every page, as they were fetched; or those of one page."""

    @abstractmethod
    def inlinks(self, url_id: int, most: int) -> list[LinkRow]:
        """Links to a url, in the order their pages were fetched; found among the pages fetched soon after the first."""

    @abstractmethod
    def link_lists(self) -> Iterator[PageLinks]:
        """The same as ids, a list for each page: for what looks at all of them."""

    @abstractmethod
    def judged_again(self) -> tuple[int, int]:
        """The revision of the topic that guides the crawl, and how often a visit was judged again so far, by any."""

    @abstractmethod
    def is_paused(self) -> bool:
        """Whether the crawl was last told to pause; of one that nobody has open it means nothing."""

    @abstractmethod
    def labels_of(self, urls: Sequence[str]) -> dict[str, bool]:
        """Which of these urls somebody called relevant or not, by the last word."""

    @abstractmethod
    def find_url(self, url: str) -> int | None:
        """The id of a canonical url."""

    @abstractmethod
    def url_text(self, url_id: int) -> str:
        """The text of a url; of the root, an empty one."""

    @abstractmethod
    def path_from_seed(self, url_id: int) -> list[int]:
        """The urls by which a url was first found, from the seed to it."""

    @abstractmethod
    def anchor(self, page: int, target: int) -> str:
        """The anchor text of the latest link from a page to a url."""

    @abstractmethod
    def last_visit(self, url_id: int) -> Visit | None:
        """The latest visit of a url."""

    @abstractmethod
    def labels(self) -> dict[str, LabelRow]:
        """The last word on every url that people said something of, unless they took it back.

        What waits in the inbox has been said as well.
        """

    @abstractmethod
    def hub_marks(self) -> dict[str, LabelRow]:
        """The same of what people said of pages as hubs."""

    @abstractmethod
    def revisions(self) -> list[tuple[int, float]]:
        """Which revisions of the topic have guided the crawl, and since when; it began with 0."""

    @abstractmethod
    def rules(self) -> list[Rule]:
        """The rules that steer the crawl; those that wait in the inbox are among them, and marked."""

    @abstractmethod
    def queued(self, known: Queued | None = None) -> Queued:
        """What is needed of every url to see the queue; what is `known` from an earlier call is not read again."""

    @abstractmethod
    def urls_with(
        self, text: str, any_case: bool = False, seconds: float = 60.0
    ) -> tuple[list[tuple[int, str]], bool]:
        """All urls with a text in them, with their ids; false if there was no time to look at every url."""

    @abstractmethod
    def url_rows(self, ids: Sequence[int]) -> list[UrlRow]:
        """Urls by their ids, in the order asked."""

    @abstractmethod
    def host_names(self, ids: Sequence[int]) -> list[str]:
        """Hosts by their ids, in the order asked."""

    @abstractmethod
    def host_ids(self, pattern: Pattern) -> list[int]:
        """The hosts that a pattern hits, as far as they are known to the crawl."""

    @abstractmethod
    def lately(self, most: int) -> Lately:
        """How the crawl does, by its last visits and its last failures, so many of each."""

    @abstractmethod
    def archive_end(self) -> Location | None:
        """Up to where the page archive is committed; None while it is empty."""

    @abstractmethod
    def archive_files(self) -> Mapping[str, ArchivedFile]:
        """Files of an archive that is kept elsewhere, by their names; those still to be sent have no address."""

    @abstractmethod
    def address_of(self, file: str) -> str:
        """Where a file of the archive was sent; empty if it was not."""

    @abstractmethod
    def posts(self, since: int = 0) -> list[Post]:
        """Commands with what was answered, after the one with the number `since`."""

    @abstractmethod
    def state(
        self,
        values: Mapping[str, float] | None = None,
        tables: Mapping[str, Mapping[str, float]] | None = None,
    ) -> State:
        """The whole state in memory, for what needs all of it; with what the strategy declares."""

    def ranked_in(
        self, url_id: int, values: Mapping[str, float], tables: Mapping[str, Mapping[str, float]]
    ) -> tuple[State, int, Ids] | None:
        """In a divided crawl the state of the shard that ranks a url, its number there, the crawl's of all there."""
        return None

    @abstractmethod
    def close(self) -> None:
        """Close what is open."""

    def response(self, location: Location) -> Response:
        """A page as it was archived."""
        return read_page(self.folder / ARCHIVE, location, self.address_of)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
