"""The topic that guides a crawl, in its revisions: the one it began with, and those that were learned since."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from honeyguide.commands import UseRevision, read_command
from honeyguide.errors import SettingsError, TopicError
from honeyguide.store.base import Post, Store
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

    def follow(self, store: Store) -> None:
        """Turn to the revision in use; where that cannot be read, to the one that somebody wants in its place."""
        try:
            self.turn_to(store.revision())
        except TopicError:
            wanted = _wanted(store.posts())
            if wanted is None:
                raise
            self.turn_to(wanted)

    def turn_to(self, revision: int) -> None:
        """Use a revision from here on."""
        self.of(revision)
        self.revision = revision


def _wanted(posts: Sequence[Post]) -> int | None:
    """The revision that the last of these commands asks for; None if none does."""
    wanted = None
    for post in posts:
        with suppress(SettingsError):  # what cannot be read is refused in its turn
            command = read_command(post.command)
            wanted = command.revision if isinstance(command, UseRevision) else wanted
    return wanted
