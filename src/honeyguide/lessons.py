"""What the labels of a crawl teach, and why some of them teach nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from honeyguide.model import Location, Visit
from honeyguide.store.reader import Reader
from honeyguide.wording import count


@dataclass(frozen=True, slots=True)
class Lesson:
    """A label of a page that is in the archive."""

    url: str
    location: Location
    is_relevant: bool
    is_random: bool  # it answers a question about any page


@dataclass(frozen=True, slots=True)
class Lessons:
    """Labels by what can be learned from them."""

    labels: int
    taught: Sequence[Lesson]
    unsure: int
    unfetched: int
    unkept: int  # fetched, but not in the archive

    @property
    def verdicts(self) -> dict[str, bool]:
        """What is learned, by url."""
        return {one.url: one.is_relevant for one in self.taught}

    def lost(self) -> Iterator[str]:
        """What is not learned from although somebody has decided, and why."""
        if self.unkept:
            is_of = "is of a page that is" if self.unkept == 1 else "are of pages that are"
            yield f"{self._share(self.unkept)} {is_of} not kept, so nothing is learned from {self._them(self.unkept)}"
        if self.unfetched:
            is_of = "is of a page that was" if self.unfetched == 1 else "are of pages that were"
            yield (
                f"{self._share(self.unfetched)} {is_of} not fetched yet, so nothing is learned from"
                f" {self._them(self.unfetched)} until then"
            )

    def untaught(self) -> str:
        """All that is not learned from, and why; empty if there is no such label."""
        is_unsure = f"{self._share(self.unsure)} {'is' if self.unsure == 1 else 'are'} unsure"
        return "; ".join(chain([is_unsure] * bool(self.unsure), self.lost()))

    def _share(self, some: int) -> str:
        return f"{some:,} of {count(self.labels, 'label')}"

    def _them(self, some: int) -> str:
        return "it" if some == 1 else "them"


def read_lessons(reader: Reader) -> Lessons:
    """What can be learned from the labels that a crawl has now."""
    rows = reader.labels()
    decided = {url: row for url, row in rows.items() if row.relevant is not None}
    fetched = [*labelled_visits(reader, decided)]
    taught = [
        Lesson(
            visit.url, visit.location, bool(decided[visit.url].relevant), decided[visit.url].asked == "random"
        )
        for visit in fetched
        if visit.location
    ]
    return Lessons(
        labels=len(rows),
        taught=taught,
        unsure=len(rows) - len(decided),
        unfetched=len(decided) - len(fetched),
        unkept=len(fetched) - len(taught),
    )


def labelled_visits(reader: Reader, urls: Iterable[str]) -> Iterator[Visit]:
    """The last visits of those urls that were fetched."""
    for url in urls:
        url_id = reader.find_url(url)
        visit = None if url_id is None else reader.last_visit(url_id)
        if visit:
            yield visit
