"""What is kept of an arrival: its row of the visit log and its place in the archive, and whether it is a copy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from honeyguide.engine.arrival import Arrival
from honeyguide.engine.copies import Copies
from honeyguide.errors import FetchError, HttpStatusError
from honeyguide.fetch.robots import robots_directives
from honeyguide.model import Failure, Location, Page, ParsedLinks, Visit
from honeyguide.state.state import State
from honeyguide.store.archive import PageArchive
from honeyguide.store.base import Store
from honeyguide.store.warc_records import PageFacts, payload_digest

LONGEST_TYPE = 100
LONGEST_VALIDATOR = 300
LONGEST_CLASS = 300
LONGEST_MESSAGE = 300


class VisitWriter:
    """Writes the archive and makes the visits of a batch."""

    def __init__(
        self,
        *,
        state: State,
        store: Store,
        archive: PageArchive | None,
        copies: Copies | None,
    ) -> None:
        self._state = state
        self._store = store
        self._archive = archive
        self._copies = copies

    def look_at(self, pages: Sequence[Arrival]) -> dict[str, Location]:
        """Tell which pages are copies and what must not be followed; gives where their bodies are archived already."""
        for page in pages:
            self._look_at(page)
        return self._store.archived([page.digest for page in pages]) if self._archive else {}

    def _look_at(self, arrival: Arrival) -> None:
        response, read = arrival.response, arrival.read
        arrival.digest = payload_digest(response.body)
        if self._copies is not None and not read.is_listing:
            arrival.copy_of = self._copies.original_of(arrival.url_id, arrival.digest, read.signature)
        parsed = read.parsed
        if "x-robots-tag" in response.headers:
            said = robots_directives(response.headers, arrival.time)
            parsed = replace(parsed, robots=parsed.robots | said)
        if read.is_missing or arrival.copy_of is not None:
            parsed = replace(parsed, links=ParsedLinks())
        if parsed is not read.parsed:
            arrival.prepared = replace(read, parsed=parsed)

    def write(self, arrival: Arrival, page: Page, new_urls: int, archived: dict[str, Location]) -> Visit:
        """The visit of a page, which is archived unless it asks not to be."""
        location = None
        if arrival.may_be_kept:
            location = self._append(arrival, page.relevance, archived.get(arrival.digest), arrival.digest)
        if location:
            archived.setdefault(arrival.digest, location)
        response, headers = arrival.response, arrival.response.headers
        before = self._store.last_visit(page.id) if _is_held(page) else None
        return Visit(
            url_id=page.id,
            url=page.url,
            time=arrival.time,
            status=response.status,
            relevance=page.relevance,
            priority=self._priority(arrival),
            depth=page.depth,
            bytes=len(response.body),
            title=page.title,
            language=arrival.read.parsed.language,
            content_type=storable(response.content_type, LONGEST_TYPE),
            digest=arrival.digest,
            links=len(page.targets),
            etag=storable(headers.get("etag", ""), LONGEST_VALIDATOR),
            last_modified=storable(headers.get("last-modified", ""), LONGEST_VALIDATOR),
            seconds=response.seconds,
            copy_of=arrival.copy_of,
            signature=arrival.read.signature,
            new_urls=new_urls,
            revision=arrival.read.revision,
            topic_class=storable(arrival.read.topic_class, LONGEST_CLASS),
            noindex=not arrival.may_be_kept,
            is_revisit=before is not None,
            content=arrival.read.content,
            changed=_has_changed(before, arrival),
            via=arrival.via,
            location=location,
        )

    def write_unchanged(self, arrival: Arrival) -> Visit:
        """The visit of a page that is as it was: what was known of it stands."""
        before = self._store.last_visit(arrival.url_id)
        if before is None:
            raise FetchError("not modified since a visit that nobody knows of")
        response = arrival.response
        self._append(arrival, before.relevance, before.location, before.digest)
        return replace(
            before,
            time=arrival.time,
            status=response.status,
            priority=self._priority(arrival),
            bytes=len(response.body),
            seconds=response.seconds,
            new_urls=0,
            is_revisit=True,
            changed=False,
            via=arrival.via,  # its page stands where it stood: the answer that was archived has none
        )

    def write_failure(self, arrival: Arrival, tries: int, final: bool) -> Failure:
        """What is kept of a url that could not be had."""
        error = arrival.error
        return Failure(
            url_id=arrival.url_id,
            url=arrival.url,
            time=arrival.time,
            error=type(error).__name__,
            message=storable(str(error), LONGEST_MESSAGE),
            tries=tries,
            final=final,
            status=error.status if isinstance(error, HttpStatusError) else 0,
            depth=int(self._state.urls["depth"][arrival.url_id]),
            via=arrival.via,
        )

    def archive(self, arrival: Arrival) -> None:
        """Archive a redirect, a sitemap or a feed; nobody judged it, so it is no visit."""
        if arrival.prepared is None or arrival.may_be_kept:
            self._append(arrival, None, None, arrival.digest)

    def end(self) -> Location | None:
        """Up to where the archive is written."""
        return self._archive.end() if self._archive else None

    def _append(
        self, arrival: Arrival, relevance: float | None, same_as: Location | None, digest: str
    ) -> Location | None:
        if self._archive is None:
            return None
        facts = PageFacts(
            relevance=relevance,
            priority=self._priority(arrival),
            depth=int(self._state.urls["depth"][arrival.url_id]),
            via=arrival.via,
            same_as=same_as,
            digest=digest,
        )
        return self._archive.append(arrival.response, datetime.fromtimestamp(arrival.time, UTC), facts)

    def _priority(self, arrival: Arrival) -> float:
        return float(self._state.urls["priority"][arrival.url_id])


def _is_held(page: Page) -> bool:
    """Whether the collection has it already; a page that was gone, or pointed elsewhere, is new when it is back."""
    return page.former is not None and not math.isnan(page.former.relevance)


def _has_changed(before: Visit | None, arrival: Arrival) -> bool | None:
    """Whether a page says something else than before; the same bytes never do."""
    if before is None:
        return None
    if before.digest == arrival.digest:
        return False
    known = before.content and arrival.read.content
    return before.content != arrival.read.content if known else None


def storable(text: str, longest: int) -> str:
    """A text of a server's or a library's making, cut and without anything but printable characters."""
    cut = text[:longest]
    return cut if cut.isprintable() else "".join(c if c.isprintable() else " " for c in cut)
