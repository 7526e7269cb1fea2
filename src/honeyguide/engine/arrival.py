"""A url on its way from the frontier to the store: one record that grows as more becomes known of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from honeyguide.engine.prepare import Prepared
from honeyguide.errors import FetchError, HttpStatusError, TooLarge, Unreadable
from honeyguide.model import NOT_MODIFIED, Response


@dataclass(slots=True)
class Arrival:
    """What came of one url that was handed out."""

    url_id: int
    url: str
    via: str  # the url that led to it; empty for a seed
    outcome: Response | FetchError
    time: float
    is_conditional: bool = False  # whether it was asked for only if it has changed
    prepared: Prepared | None = None  # once its page has been read and judged
    digest: str = ""  # of its body, once it is taken in
    copy_of: int | None = None
    body_bytes: int = field(init=False)  # held in memory until it has been taken in

    def __post_init__(self) -> None:
        self.body_bytes = len(self.outcome.body) if isinstance(self.outcome, Response) else 0

    @property
    def response(self) -> Response:
        """What was brought; only of arrivals that are no failures."""
        assert isinstance(self.outcome, Response)
        return self.outcome

    @property
    def error(self) -> FetchError:
        """Why nothing was brought; only of failures."""
        assert isinstance(self.outcome, FetchError)
        return self.outcome

    @property
    def read(self) -> Prepared:
        """The page as it was read and judged; only of pages."""
        assert self.prepared is not None
        return self.prepared

    @property
    def may_be_kept(self) -> bool:
        """Whether the page lets itself be indexed; otherwise it is judged for its links only."""
        return self.read.parsed.robots.isdisjoint(("noindex", "none"))


@dataclass(frozen=True, slots=True)
class Arrivals:
    """A batch of them: pages, pages that have not changed, redirects and failures, each in the order of arrival."""

    pages: list[Arrival] = field(default_factory=list)
    unchanged: list[Arrival] = field(default_factory=list)
    moved: list[Arrival] = field(default_factory=list)
    failed: list[Arrival] = field(default_factory=list)

    @classmethod
    def sorted(cls, arrivals: Sequence[Arrival], max_page_bytes: int) -> Arrivals:
        """Tell them apart by what has to be done with them."""
        found = cls()
        for arrival in arrivals:
            if isinstance(arrival.outcome, Response):
                arrival.outcome = _problem(arrival, max_page_bytes) or arrival.outcome
            found._kind_of(arrival.outcome).append(arrival)
        return found

    def _kind_of(self, outcome: Response | FetchError) -> list[Arrival]:
        if isinstance(outcome, FetchError):
            return self.failed
        if outcome.redirect is not None:
            return self.moved
        return self.unchanged if outcome.status == NOT_MODIFIED else self.pages

    def requests(self) -> int:
        """How many of them somebody was asked for."""
        return len(self) - sum(not arrival.error.is_request for arrival in self.failed)

    def responses(self) -> list[Response]:
        """What is to be read and judged."""
        return [arrival.response for arrival in self.pages]

    def __iter__(self) -> Iterator[Arrival]:
        for kind in (self.failed, self.pages, self.unchanged, self.moved):
            yield from kind

    def __len__(self) -> int:
        return sum(map(len, (self.failed, self.pages, self.unchanged, self.moved)))

    def add(self, later: Arrivals) -> None:
        """Take in a later batch."""
        self.pages.extend(later.pages)
        self.unchanged.extend(later.unchanged)
        self.moved.extend(later.moved)
        self.failed.extend(later.failed)

    def after_reading(self, read: Sequence[Prepared | Unreadable]) -> Arrivals:
        """The same with what was read of the pages; those that could not be read are among the failures."""
        for arrival, outcome in zip(self.pages, read, strict=True):
            if isinstance(outcome, Unreadable):
                arrival.outcome = outcome
            else:
                arrival.prepared = outcome
        return Arrivals(
            [arrival for arrival in self.pages if arrival.prepared],
            self.unchanged,
            self.moved,
            [*self.failed, *(arrival for arrival in self.pages if not arrival.prepared)],
        )

    def one_by_one(self) -> Iterator[Arrivals]:
        """Each as a batch of its own, in the order in which a batch is taken in."""
        for arrival in self:
            alone = Arrivals()
            alone._kind_of(arrival.outcome).append(arrival)
            yield alone


def _problem(arrival: Arrival, max_page_bytes: int) -> FetchError | None:
    response = arrival.response
    if response.status == NOT_MODIFIED:
        if arrival.is_conditional:
            return None
        return FetchError("HTTP status 304, not modified, to a request that did not ask whether it was")
    if not 200 <= response.status < 300 and response.redirect is None:
        return HttpStatusError(response.status)
    if len(response.body) > max_page_bytes:
        return TooLarge(f"{len(response.body)} bytes, limits.max_page_bytes is {max_page_bytes}")
    return None
