"""What is kept of an arrival: its row of the visit log and its place in the archive, and whether it is a copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from honeyguide.engine.copies import Copies
from honeyguide.engine.downloads import Arrival
from honeyguide.engine.prepare import Prepared
from honeyguide.fetch.robots import robots_directives
from honeyguide.model import Page, ParsedLinks, ParsedPage, Response, Visit
from honeyguide.parse.duplicates import NO_SIGNATURE
from honeyguide.state.state import State
from honeyguide.store.archive import PageArchive
from honeyguide.store.base import Location, Store
from honeyguide.store.warc_records import PageFacts, payload_digest

LONGEST_TYPE = 100
LONGEST_VALIDATOR = 300


@dataclass(frozen=True, slots=True)
class Taken:
    """A page that has arrived and been read, with all that is decided about it before its links are looked at."""

    arrival: Arrival
    response: Response
    prepared: Prepared
    parsed: ParsedPage  # without links when they must not be followed
    digest: str
    copy_of: int | None

    @property
    def may_be_kept(self) -> bool:
        """Whether the page lets itself be indexed; otherwise it is judged for its links only."""
        return self.parsed.robots.isdisjoint(("noindex", "none"))


class Keeper:
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
        self._archived: dict[str, Location] = {}  # of this batch, as are the urls that led to its pages
        self._vias: dict[int, str] = {}

    def take(self, pages: Sequence[tuple[Arrival, Response]], prepared: Sequence[Prepared]) -> list[Taken]:
        """Decide which pages of a batch are copies, and where their bodies are archived already."""
        taken = [self._taken(*page, ready) for page, ready in zip(pages, prepared, strict=True)]
        if self._archive:
            self._archived = self._store.archived([page.digest for page in taken])
            ids = np.array([arrival.url_id for arrival, _ in pages], dtype=np.int32)
            vias = self._store.url_texts(self._state.urls["via"][ids])
            self._vias = dict(zip(ids.tolist(), vias, strict=True))
        return taken

    def _taken(self, arrival: Arrival, response: Response, prepared: Prepared) -> Taken:
        digest = payload_digest(response.body)
        copy_of = None
        if self._copies is not None and not prepared.is_listing:
            copy_of = self._copies.original_of(arrival.url_id, digest, prepared.signature)
        parsed = prepared.parsed
        if "x-robots-tag" in response.headers:
            said = robots_directives(response.headers, arrival.time)
            parsed = replace(parsed, robots=parsed.robots | said)
        if prepared.is_missing or copy_of is not None:
            parsed = replace(parsed, links=ParsedLinks())
        return Taken(arrival, response, prepared, parsed, digest, copy_of)

    def keep(self, taken: Taken, page: Page, new_urls: int) -> tuple[Visit, Location | None]:
        """The visit of a page, and where it was archived."""
        visit = self._visit(
            taken.arrival,
            taken.response,
            page,
            taken.digest,
            language=taken.parsed.language,
            copy_of=taken.copy_of,
            signature=taken.prepared.signature,
            new_urls=new_urls,
        )
        location = None
        if taken.may_be_kept:
            facts = self._facts(taken.arrival, page.relevance, self._archived.get(taken.digest), taken.digest)
            location = self._append(taken.arrival, taken.response, facts)
        if location:
            self._archived.setdefault(taken.digest, location)
        return visit, location

    def keep_unchanged(self, arrival: Arrival, response: Response) -> tuple[Visit, Location | None]:
        """The visit of a page that is as it was: what was known of it stands."""
        url_id = arrival.url_id
        relevance = float(self._state.urls["relevance"][url_id])
        before = self._store.last_visit(url_id)
        digest, title = (before.digest, before.title) if before else ("", "")
        depth = int(self._state.urls["depth"][url_id])
        page = Page(url_id, arrival.url, relevance, depth, self._state.links.outlinks(url_id), title)
        facts = self._facts(arrival, relevance, self._store.last_location(url_id), digest)
        return self._visit(arrival, response, page, digest), self._append(arrival, response, facts)

    def keep_listing(self, taken: Taken) -> None:
        """Archive a sitemap or feed; nobody judged it, so it is no visit."""
        if taken.may_be_kept:
            self._append(taken.arrival, taken.response, self._facts(taken.arrival, None, None, taken.digest))

    def keep_redirect(self, arrival: Arrival, response: Response) -> None:
        """Archive a redirect; nobody judged it, so it is no visit."""
        self._append(arrival, response, self._facts(arrival, None, None, ""))

    def end(self) -> Location | None:
        """Up to where the archive is written."""
        return self._archive.end() if self._archive else None

    def _append(self, arrival: Arrival, response: Response, facts: PageFacts) -> Location | None:
        if self._archive is None:
            return None
        return self._archive.append(response, datetime.fromtimestamp(arrival.time, UTC), facts)

    def _facts(
        self, arrival: Arrival, relevance: float | None, same_as: Location | None, digest: str
    ) -> PageFacts:
        return PageFacts(
            relevance=relevance,
            priority=float(self._state.urls["priority"][arrival.url_id]),
            depth=int(self._state.urls["depth"][arrival.url_id]),
            via=self._vias.get(arrival.url_id, ""),
            same_as=same_as,
            digest=digest,
        )

    def _visit(
        self,
        arrival: Arrival,
        response: Response,
        page: Page,
        digest: str,
        *,
        language: str = "",
        copy_of: int | None = None,
        signature: int = NO_SIGNATURE,
        new_urls: int = 0,
    ) -> Visit:
        headers = response.headers
        return Visit(
            url_id=page.id,
            url=page.url,
            time=arrival.time,
            status=response.status,
            relevance=page.relevance,
            priority=float(self._state.urls["priority"][page.id]),
            depth=page.depth,
            bytes=len(response.body),
            title=page.title,
            language=language,
            content_type=storable(response.content_type, LONGEST_TYPE),
            digest=digest,
            links=len(page.targets),
            etag=storable(headers.get("etag", ""), LONGEST_VALIDATOR),
            last_modified=storable(headers.get("last-modified", ""), LONGEST_VALIDATOR),
            seconds=response.seconds,
            copy_of=copy_of,
            signature=signature,
            new_urls=new_urls,
        )


def storable(text: str, longest: int) -> str:
    """A text of a server's or a library's making, cut and without anything but printable characters."""
    cut = text[:longest]
    return cut if cut.isprintable() else "".join(c if c.isprintable() else " " for c in cut)
