"""Arrivals told apart by what has to be done with them. Called by the crawler before pages are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from honeyguide.engine.downloads import Arrival
from honeyguide.engine.prepare import Prepared
from honeyguide.errors import FetchError, HttpStatusError, TooLarge, Unreadable
from honeyguide.model import Response

NOT_MODIFIED = 304


@dataclass(frozen=True, slots=True)
class Sorted:
    """Pages, pages that have not changed, redirects and failures, each in the order of arrival."""

    pages: list[tuple[Arrival, Response]] = field(default_factory=list)
    unchanged: list[tuple[Arrival, Response]] = field(default_factory=list)
    moved: list[tuple[Arrival, Response]] = field(default_factory=list)
    failed: list[tuple[Arrival, FetchError]] = field(default_factory=list)

    def responses(self) -> list[Response]:
        """What is to be read and judged."""
        return [response for _, response in self.pages]

    def arrivals(self) -> list[Arrival]:
        """All of them."""
        return [
            arrival for kind in (self.pages, self.unchanged, self.moved, self.failed) for arrival, _ in kind
        ]

    def add(self, later: Sorted) -> None:
        """Take in what was sorted after this."""
        self.pages.extend(later.pages)
        self.unchanged.extend(later.unchanged)
        self.moved.extend(later.moved)
        self.failed.extend(later.failed)

    def after_reading(self, read: Sequence[Prepared | Unreadable]) -> tuple[Sorted, list[Prepared]]:
        """The same with the pages that could not be read among the failures, and what was read of the others."""
        pages, prepared, unreadable = [], [], []
        for page, outcome in zip(self.pages, read, strict=True):
            if isinstance(outcome, Unreadable):
                unreadable.append((page[0], outcome))
            else:
                pages.append(page)
                prepared.append(outcome)
        if not unreadable:
            return self, prepared
        return Sorted(pages, self.unchanged, self.moved, [*self.failed, *unreadable]), prepared

    def one_by_one(self, prepared: Sequence[Prepared]) -> Iterator[tuple[Sorted, list[Prepared]]]:
        """Each arrival as a batch of its own, in the order in which a batch is taken in."""
        yield from ((Sorted(failed=[one]), []) for one in self.failed)
        yield from ((Sorted(pages=[page]), [ready]) for page, ready in zip(self.pages, prepared, strict=True))
        yield from ((Sorted(unchanged=[one]), []) for one in self.unchanged)
        yield from ((Sorted(moved=[one]), []) for one in self.moved)


def sort_arrivals(arrivals: Sequence[Arrival], max_page_bytes: int) -> Sorted:
    """Tell pages, redirects, pages that have not changed, and failures apart."""
    found = Sorted()
    for arrival in arrivals:
        outcome = arrival.outcome
        if isinstance(outcome, FetchError):
            found.failed.append((arrival, outcome))
        elif problem := _problem(outcome, arrival.is_conditional, max_page_bytes):
            found.failed.append((arrival, problem))
        elif outcome.redirect is not None:
            found.moved.append((arrival, outcome))
        elif outcome.status == NOT_MODIFIED:
            found.unchanged.append((arrival, outcome))
        else:
            found.pages.append((arrival, outcome))
    return found


def _problem(response: Response, is_conditional: bool, max_page_bytes: int) -> FetchError | None:
    if response.status == NOT_MODIFIED:
        if is_conditional:
            return None
        return FetchError("HTTP status 304, not modified, to a request that did not ask whether it was")
    if not 200 <= response.status < 300 and response.redirect is None:
        return HttpStatusError(response.status)
    if len(response.body) > max_page_bytes:
        return TooLarge(f"{len(response.body)} bytes, limits.max_page_bytes is {max_page_bytes}")
    return None
