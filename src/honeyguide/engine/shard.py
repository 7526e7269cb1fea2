"""The loop of one shard of a divided crawl: as any other, but letters come in, and others may have better urls.

How much it may fetch follows from what all shards tell of their queues; that the crawl is over, only all together know.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from honeyguide.engine.arrival import Arrivals
from honeyguide.engine.engine import Engine
from honeyguide.engine.prepare import Around
from honeyguide.engine.reading import Reading
from honeyguide.engine.running import StopReason
from honeyguide.engine.whole_graph import take_scores
from honeyguide.errors import StoreError
from honeyguide.shards.corrections import Correction
from honeyguide.shards.ladder import ladder
from honeyguide.shards.letters import Letter
from honeyguide.shards.scores import Scores
from honeyguide.state.view import CrawlView
from honeyguide.store.base import Batch, Post, Standing
from honeyguide.strategies.base import Strategy

LETTERS_AT_ONCE = 32
LETTERS_EVERY_SECONDS = 0.5
"""A shard that has enough to do lets letters gather: many cost hardly more to take in than one. Twice as long one that
may fetch nothing now, as all others have better urls: its letters have a commit of their own."""
ALONE_AFTER_SECONDS = 3.0
"""So long letters wait for pages, with which they share a commit, if this shard may fetch some."""
SILENT_AT_MOST_SECONDS = 4.0
"""Then its own connection is asked something, also if nothing waits: it stays open, or is known to be lost."""
LEARN_EVERY_SECONDS = 5.0
SCORES_EVERY_SECONDS = 0.5
TELL_EVERY_SECONDS = 0.25
WAIT_SECONDS = 0.05
OF_ALL_SHARDS = (
    *(StopReason.PAGE_LIMIT, StopReason.REQUEST_LIMIT, StopReason.FAILURE_LIMIT),
    StopReason.TIME_LIMIT,
)
"""Limits that are the whole crawl's, whatever a shard has."""


class Peers(Protocol):
    """The other shards, as the worker sees them."""

    def reason(self) -> StopReason | None:
        """Why the crawl as a whole is to end, if it is."""

    def quota(self, shard: int) -> tuple[int, int]:
        """How many pages a shard may fetch from a moment on, and the number of that moment."""

    def look_again(self, *, is_urgent: bool = True) -> None:
        """Somebody has used up its quota, or has something to tell; or, which is not urgent, has no quota at all."""

    def budget(self, shard: int, needed: int) -> int | None:
        """How many pages a shard may have fetched in all, if it needs so many; None if there is no limit."""

    def give_back(self, shard: int) -> None:
        """A shard cannot use what it was granted."""

    def has_letters(self, shard: int, *, is_urgent: bool) -> bool:
        """Whether somebody has written to a shard, as of a moment ago; a short one if nothing else is to be done."""

    def has_posts(self) -> bool:
        """Whether there are commands, as of a moment ago."""

    def learning(self, but: int) -> Sequence[Mapping[str, NDArray[Any]]]:
        """What all other shards have learned."""


class Letters(Protocol):
    """The store of a shard, as far as only shards need it."""

    shard: int

    def letters(self, most: int) -> list[tuple[int, Letter | Correction]]:
        """What waits from other shards, with its numbers."""

    def scores(self) -> Scores | None:
        """What a job over the whole graph says of this shard's urls."""


class ShardEngine(Engine):
    """One run of a shard."""

    _around = Around.NUMBERS  # judged once, and not for each shard that links lead to

    def __init__(self, *, peers: Peers, letters: Letters, strategy: Strategy, **parts: Any) -> None:
        super().__init__(**parts)
        self._peers = peers
        self._letters = letters
        self._strategy = strategy
        self._letters_at = self._asked_letters_at = 0.0
        self._letters_come_alone = False
        self._learn_at = self._tell_at = self._tell_learning_at = self._scores_at = 0.0
        self._told: tuple[bool, bool] | None = None
        self._moment = -1
        self._handed_out_before = self._may_fetch = 0
        self._quota = self._due = 0
        self._has_spent = False  # its quota, and will probably get another
        self._granted: int | None = None
        self._holds_grant = True  # perhaps: whoever died with this shard has given nothing back
        self._refused_at = -1

    def _stop_reason(self) -> StopReason | None:
        reason = self._peers.reason()
        if reason is None:
            self._take_letters()
            self._learn_from_others()
            self._take_scores()
        own = super()._stop_reason()
        return reason or (None if own in OF_ALL_SHARDS else own)

    def _posts(self) -> list[Post]:
        return super()._posts() if self._peers.has_posts() else []

    # -- what others say

    def _take_letters(self) -> None:
        """One round at a time: however much others write, this shard goes on with its own pages."""
        letters: list[tuple[int, Letter]] = []
        wait = 0.0
        if len(self._memory.frontier) and not self._letters_come_alone:
            has_pages_soon = self._may_fetch > 0 or self._has_spent
            wait = ALONE_AFTER_SECONDS if has_pages_soon else LETTERS_EVERY_SECONDS
        for number, told in self._waiting_letters(self._letters_at + wait):
            if isinstance(told, Letter):
                letters.append((number, told))
                continue
            self._receive(letters)
            letters = []
            self._correct(number, told)
        self._receive(letters)

    def _waiting_letters(self, since: float) -> list[tuple[int, Letter | Correction]]:
        """What others have written, if it is time for it."""
        now, has_nothing = time.monotonic(), not len(self._memory.frontier)
        is_silent = now >= self._asked_letters_at + SILENT_AT_MOST_SECONDS
        if now < since or not (
            is_silent or self._peers.has_letters(self._letters.shard, is_urgent=has_nothing)
        ):
            return []
        self._asked_letters_at, self._letters_come_alone = now, False
        waiting = self._letters.letters(LETTERS_AT_ONCE)
        self._letters_at = now if len(waiting) == LETTERS_AT_ONCE else now + LETTERS_EVERY_SECONDS
        return waiting

    def _take_in_all(self, arrived: Arrivals) -> None:
        """Take letters in with pages: one commit costs less than two. Where that fails, each is taken in alone."""
        waiting = [] if self._letters_come_alone else self._waiting_letters(self._letters_at)
        letters = [*takewhile(lambda one: isinstance(one[1], Letter), waiting)]
        self._letters_come_alone |= len(letters) < len(waiting)  # a correction comes after these
        if letters:
            numbers = [number for number, _ in letters]
            letter = Letter.joined([told for _, told in letters if isinstance(told, Letter)])
            before = self.harvest.pages
            problem = self._attempt(
                lambda: replace(self._memory.ingest.take(arrived, before, letter), received=numbers)
            )
            if problem is None:
                self._note_unreadable(arrived.failed)
                return
            self._go_back([*arrived])
            self._letters_come_alone = True
        super()._take_in_all(arrived)

    def _receive(self, waiting: Sequence[tuple[int, Letter]]) -> None:
        """Take letters in at once; where that fails, each alone, and only the culprit is given up."""
        if not waiting:
            return
        numbers = [number for number, _ in waiting]
        letter = Letter.joined([letter for _, letter in waiting])
        problem = self._attempt(lambda: replace(self._memory.ingest.receive(letter), received=numbers))
        if problem is None:
            return
        if len(waiting) == 1:
            self._give_up(numbers[0], problem)
            return
        self._go_back_from(problem)
        for one in waiting:
            self._receive([one])

    def _correct(self, number: int, correction: Correction) -> None:
        """Take in that pages are judged again; by then this shard has turned to the topic that judges them so."""
        for post in self._inbox.backlog():
            self._obey(post)
        problem = self._attempt(lambda: replace(self._memory.ingest.correct(correction), received=[number]))
        if problem is not None:
            self._give_up(number, problem)

    def _give_up(self, number: int, problem: Exception) -> None:
        """A letter that cannot be taken in is as good as lost."""
        self._go_back_from(problem)
        lost = {"letters_unreadable": 1}
        self._commit(replace(self._memory.ingest.nothing(), received=[number], counts=lost))

    def _go_back_from(self, problem: Exception) -> None:
        if isinstance(problem, StoreError):
            raise problem  # the shard is perhaps another's by now
        self._go_back(())

    def _learn_from_others(self) -> None:
        now = time.monotonic()
        if now < self._learn_at:
            return
        self._learn_at = now + LEARN_EVERY_SECONDS
        wanted = self._strategy.take_learning(self._view(), self._peers.learning(but=self._letters.shard))
        if len(wanted):
            self._commit(self._memory.ingest.refill(wanted))

    def _take_scores(self) -> None:
        """Take in what the last job over the whole graph says, if the strategy needs one."""
        now = time.monotonic()
        if self._strategy.in_shards != "by job" or now < self._scores_at:
            return
        self._scores_at = now + SCORES_EVERY_SECONDS
        scores = self._letters.scores()
        if scores is None or (problem := self._attempt(lambda: self._scored(scores))) is None:
            return
        if isinstance(problem, StoreError):
            raise problem
        self._go_back(())
        lost = {"scores_unreadable": 1}
        self._commit(replace(self._memory.ingest.nothing(), scores_taken=True, counts=lost))

    def _scored(self, scores: Scores) -> Batch:
        wanted, ingest = take_scores(scores, self._strategy, self._view()), self._memory.ingest
        return replace(ingest.refill(wanted) if len(wanted) else ingest.nothing(), scores_taken=True)

    def _view(self) -> CrawlView:
        return CrawlView(self._memory.state, self._guidance.topic)

    # -- how far it may go

    def _handed_out(self, waiting: int = 0) -> int:
        return self._reporter.requests + len(self._downloads.under_way) + waiting

    def _room(self, most: int, waiting: int = 0) -> int:
        quota, moment = self._peers.quota(self._letters.shard)
        if moment != self._moment:
            self._moment, self._handed_out_before = moment, self._handed_out(waiting)
            self._quota = self._whole_batches(quota)
        left = self._quota - (self._handed_out(waiting) - self._handed_out_before)
        self._has_spent = self._quota > 0 >= left
        if left <= 0:
            self._peers.look_again(is_urgent=self._has_spent)
        if self._quota == 0:
            self._give_back()
        room = min(super()._room(most, waiting), left)
        self._may_fetch = min(room, self._within_budget(room, waiting)) if room > 0 else 0
        return self._may_fetch

    def _whole_batches(self, quota: int) -> int:
        """A quota without a last batch of a few pages, which would cost as much as a full one.

        By how much it is more or less than it should be is made good in the next. Less than a batch is left as it is.
        """
        if quota < self._batch:
            return quota
        due = quota + self._due
        whole = max(round(due / self._batch), 1) * self._batch
        self._due = due - whole
        return whole

    def _within_budget(self, wanted: int, waiting: int) -> int:
        """How many of so many pages the limit of the whole crawl leaves this shard."""
        under_way = len(self._downloads.under_way) + waiting
        needed = self.harvest.pages + under_way + wanted
        if (self._granted or 0) < needed and self._refused_at != self._moment:
            granted = self._peers.budget(self._letters.shard, needed)
            if granted is None:
                return wanted
            self._granted, self._holds_grant = granted, True
            if granted < needed:  # and what is not granted now is not before something has changed, either
                self._refused_at = self._moment
        return (self._granted or 0) - self.harvest.pages - under_way

    def _give_back(self) -> None:
        """Leave to others what this shard, or whoever had it before, was granted and does not use now.

        Also if something waits here: it may be worse than what shards have that were granted nothing.
        """
        if self._downloads.under_way or self._in_hand or not self._holds_grant:
            return
        if self._granted is None or self._granted > self.harvest.pages:
            self._peers.give_back(self._letters.shard)
            self._granted = None
        self._holds_grant = False

    def _refilled(self) -> bool:
        return False if len(self._memory.frontier) else super()._refilled()

    def _patience(self) -> float:
        return max(super()._patience(), WAIT_SECONDS) if self._room(1) <= 0 else super()._patience()

    async def _waited(self) -> bool:
        """Nothing to do now: say so, and wait for what the others bring."""
        if not self._has_spent:
            self._give_back()
        if self._is_idle():
            self._tell_if_changed()
        has_nothing = not len(self._memory.frontier)
        self._peers.look_again(is_urgent=has_nothing)
        if has_nothing:
            self._letters_at, self._letters_come_alone = 0.0, True
        await asyncio.sleep(WAIT_SECONDS)
        return True

    # -- what it tells

    def _follow_topic(self, reading: Reading | None = None) -> None:
        super()._follow_topic(reading)
        if self._told and self._told[1] != self._is_judging():
            self._tell_if_changed()  # that there is nothing to judge again: nobody else commits for that

    def _tell_if_changed(self) -> None:
        if self._told != (self._is_idle(), self._is_judging()):
            self._commit(self._memory.ingest.nothing())

    def _is_judging(self) -> bool:
        """Whether pages are to be judged again; from the very commit on that turns to another topic."""
        return self._rereading.is_busy or self._rereading.revision != self._guidance.revision

    def _is_idle(self) -> bool:
        return not (len(self._memory.frontier) or self._downloads.under_way or self._in_hand)

    def _stored(self, batch: Batch) -> Batch:
        now, stands = time.monotonic(), (self._is_idle(), self._is_judging())
        if now >= self._tell_at or stands != self._told:
            self._tell_at = now + TELL_EVERY_SECONDS
            batch = replace(batch, standing=self._standing(*stands))
        stored = super()._stored(batch)
        if batch.standing:
            self._told = stands
        return stored

    def _standing(self, is_idle: bool, is_judging: bool) -> Standing:
        rungs = ladder(self._memory.frontier.contenders())
        learned, now = None, time.monotonic()
        if is_idle or now >= self._tell_learning_at:
            self._tell_learning_at = now + LEARN_EVERY_SECONDS / 2
            learned = packed(self._strategy.own_learning(self._view()))
        return Standing(rungs.tobytes(), learned, is_idle, is_judging)


def packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """What a shard has learned, as bytes."""
    numbers = {name: [array.shape, array.ravel().tolist()] for name, array in arrays.items()}
    return json.dumps(numbers).encode()


def unpacked(told: bytes) -> dict[str, NDArray[Any]]:
    """What `packed` has written."""
    return {
        name: np.array(numbers).reshape(shape) for name, (shape, numbers) in json.loads(told or b"{}").items()
    }
