"""The interface of a store: the durable copy of a crawl's state, committed once per batch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from honeyguide.model import Failure, Floats, Gone, Ids, Location, Validators, Visit
from honeyguide.patterns import Rule
from honeyguide.shards.corrections import Correction
from honeyguide.shards.letters import Letter
from honeyguide.state.state import Changes, State
from honeyguide.store.archived_files import ArchivedFiles


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The links of one fetched page (or of the root, or of a redirect), with their anchor texts."""

    page: int
    targets: Ids
    anchors: Sequence[str]
    replaces: bool = False  # those of the last version, which are history from here on


@dataclass(frozen=True, slots=True)
class Post:
    """A command in the inbox of a crawl."""

    number: int
    time: float
    command: str
    receipt: str | None = None  # what the crawl answered


@dataclass(frozen=True, slots=True)
class LabelRow:
    """What somebody said of a page."""

    url: str
    time: float
    relevant: bool | None
    note: str = ""
    is_unsure: bool = False  # then it is neither
    by: str = ""
    asked: str = ""  # the questions it answers; empty if nobody asked
    of_hub: bool = False  # not of the page: whether it is worth following what it links to


@dataclass(frozen=True, slots=True)
class Judgments:
    """Pages fetched before, judged again by a later revision of the topic."""

    ids: Ids
    relevance: Floats
    more: float  # the sum of relevance, compared with what it was
    revision: int


@dataclass(frozen=True, slots=True)
class Standing:
    """What a shard tells all others of itself: how good what waits is, what it has learned, whether it is at rest."""

    ladder: bytes
    learning: bytes | None  # None: what was told before holds
    is_idle: bool
    is_judging: bool  # pages again, by another revision of the topic


@dataclass(frozen=True, slots=True)
class Batch:
    """Everything one commit writes, in one transaction."""

    changes: Changes
    links: Sequence[PageLinks] = ()
    visits: Sequence[Visit] = ()
    failures: Sequence[Failure] = ()
    gone: Sequence[Gone] = ()  # pages that leave the collection
    requests: int = 0  # what was asked for, whatever came of it
    yields: Mapping[int, tuple[int, int]] = field(default_factory=dict)  # host -> what `HostYield` counts
    trust: Mapping[int, int] = field(default_factory=dict)  # host -> how sure it is to answer, if changed
    host_records: Mapping[str, str] = field(default_factory=dict)  # what the fetcher must remember of hosts
    counts: Mapping[str, int] = field(default_factory=dict)  # to be added to the crawl's counters
    archive_end: Location | None = None
    receipts: Mapping[int, str] = field(default_factory=dict)  # answers to commands, by their numbers
    labels: Sequence[LabelRow] = ()
    judgments: Judgments | None = None
    revision: int | None = None  # of the topic that guides the crawl from here on; None: as it was
    is_paused: bool | None = None  # None: as it was
    rule: Rule | None = None  # that steers the crawl from here on
    ended_rule: int | None = None  # the number of one that steers it no longer
    letters: Mapping[int, Letter] = field(default_factory=dict)  # to other shards of the crawl
    corrections: Sequence[tuple[int, Correction]] = ()  # of what they were told, by a later revision
    received: Sequence[int] = ()  # numbers of letters that are taken in
    foreign: Mapping[int, int] = field(
        default_factory=dict
    )  # new urls of other shards, by their numbers there
    scores_taken: bool = False  # what a job over the whole graph says of this shard's urls
    standing: Standing | None = None  # of this shard among the others


class Store(ABC):
    """One crawl. Opening it locks it; a second opener is refused."""

    @abstractmethod
    def load(self, state: State) -> None:
        """Fill an empty state with what was committed."""

    @abstractmethod
    def commit(self, batch: Batch, state: State) -> None:
        """Write a batch, all or nothing. Raises DiskFull or StoreError and leaves the last commit in place."""

    @abstractmethod
    def url_texts(self, ids: Ids) -> list[str]:
        """Texts of urls, in the order of the ids."""

    @abstractmethod
    def validators(self, ids: Ids) -> dict[int, Validators]:
        """What servers said of pages at their last visits, where they said anything."""

    @abstractmethod
    def archived(self, digests: Sequence[str]) -> dict[str, Location]:
        """Where pages with these digests were first archived."""

    @abstractmethod
    def last_visit(self, url_id: int) -> Visit | None:
        """The latest visit of a url."""

    @abstractmethod
    def host_records(self) -> dict[str, str]:
        """What the fetcher kept of hosts."""

    @abstractmethod
    def harvested(self) -> Iterator[tuple[float, float]]:
        """Time and harvest (relevance, but 0 for copies) of every page's first visit so far, in order."""

    @abstractmethod
    def originals(self, latest: int) -> Iterator[tuple[int, str, int]]:
        """Page, digest and signature of those of the latest visits that were no copies, in order."""

    @abstractmethod
    def failures(self) -> int:
        """How many fetches have failed so far."""

    @abstractmethod
    def requests(self) -> int:
        """How many requests have been made so far, whatever came of them."""

    @abstractmethod
    def given_up(self, settings: Sequence[str]) -> Ids:
        """Urls that were given up, once or more, with a message that names one of these settings as the remedy."""

    @abstractmethod
    def posts(self) -> list[Post]:
        """The first commands that nobody has answered yet, in order; so few that a crawl can be stopped meanwhile."""

    @abstractmethod
    def revision(self) -> int:
        """The revision of the topic that guides the crawl; 0 is the topic it began with."""

    @abstractmethod
    def rules(self) -> list[Rule]:
        """The rules that steer the crawl."""

    @abstractmethod
    def urls_with(self, text: str, first: int, last: int) -> Iterator[tuple[int, str]]:
        """The urls with a text in them, with their ids, of those whose ids lie between two; the root is none."""

    @abstractmethod
    def judged_otherwise(self, revision: int) -> Ids:
        """Pages that were judged by another revision of the topic, the best first; no copies."""

    @abstractmethod
    def archive_end(self) -> Location | None:
        """Up to where the page archive is committed."""

    @abstractmethod
    def archived_files(self) -> ArchivedFiles:
        """The files of an archive that is kept elsewhere."""

    @abstractmethod
    def close(self) -> None:
        """Release the crawl."""
