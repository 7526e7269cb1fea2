"""The topic that guides a crawl, in its revisions: the one it began with, and those that were learned since."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from honeyguide.errors import TopicError
from honeyguide.topics.base import TopicModel


class Guidance:
    """The revision in use; former ones are read when it must be known what they said."""

    def __init__(
        self, first: TopicModel, read: Callable[[int], TopicModel], relevant_above: float | None
    ) -> None:
        self._first = first
        self._read = read
        self._relevant_above = relevant_above
        self._known: dict[int, TopicModel] = {0: first}
        self.revision = 0

    @property
    def topic(self) -> TopicModel:
        """What judges pages now."""
        return self._known[self.revision]

    @property
    def relevant_above(self) -> float:
        """From which relevance on a page counts."""
        return self.threshold_of(self.revision)

    def threshold_of(self, revision: int) -> float:
        """The same by another revision; what the user has set is meant for the first topic alone."""
        if revision == 0 and self._relevant_above is not None:
            return self._relevant_above
        return self.of(revision).relevant_above

    def of(self, revision: int) -> TopicModel:
        """A revision; SettingsError or TopicError if there is none, or it cannot be read."""
        if revision not in self._known:
            self._known[revision] = self._read(revision)
        return self._known[revision]

    def once(self, revision: int) -> TopicModel:
        """A former revision, to tell what it had said; the first topic where it cannot be read any more."""
        with suppress(TopicError):
            return self.of(revision)
        return self._first

    def turn_to(self, revision: int) -> None:
        """Use a revision from here on."""
        self.of(revision)
        self.revision = revision
