"""Rules carried out: what changes for urls that are known when a rule begins or ends. Called by `Inbox`.

A pattern may hit any url, and there may be millions: they are looked at some at a time, and the crawl goes on between.
Until all have been looked at nothing is changed, so nothing has to be kept of it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence

import numpy as np

from honeyguide.admission.rules import RULE, Rules
from honeyguide.errors import SettingsError
from honeyguide.frontier.frontier import Frontier
from honeyguide.model import Bools, Floats, Ids, Status
from honeyguide.patterns import Pattern, Rule
from honeyguide.state.state import State
from honeyguide.store.base import Store
from honeyguide.urls import fingerprints, host_of
from honeyguide.wording import count

MOST_RULES = 1_000
URLS_AT_ONCE = 20_000
"""That a pattern is looked for in before the crawl goes on."""

LookUp = Generator[None, None, tuple[Ids, str]]
"""Stops after every few urls; in the end it gives those that wait again, and what is answered."""

_DONE = {"raise": "come first", "lower": "come last", "exclude": "are excluded"}


class Steering:
    """Begins and ends rules. Both give urls that wait again because no rule excludes them any more.

    One is to be carried out after the other: the newest rule decides.
    """

    def __init__(self, state: State, store: Store, frontier: Frontier, rules: Rules) -> None:
        self._state = state
        self._store = store
        self._frontier = frontier
        self._rules = rules

    def begin(self, rule: Rule) -> LookUp:
        """Have a rule decide everything it hits."""
        if len([*self._rules]) >= MOST_RULES:
            raise SettingsError(
                f"{MOST_RULES:,} rules are in force, no more are kept; take some back with `--undo`"
            )
        hit = yield from self._hit(Pattern.read(rule.pattern), rule.pattern)
        waiting = hit[self._state.status_is(hit, Status.QUEUED)]
        hosts = len(np.unique(self._state.urls["host"][waiting]))
        answer = f"{count(len(waiting), 'waiting url')} of {count(hosts, 'host')} {_DONE[rule.action]}"
        numbers = np.full(len(hit), rule.number, dtype=np.float64)
        return self._turn([*self._rules, rule], hit, numbers), f"rule {rule.number}: {answer}"

    def end(self, number: int) -> LookUp:
        """Take a rule back; what it decided is decided by the next older one, if any."""
        if self._rules.get(number) is None:
            raise SettingsError(
                f"there is no rule {number} in force; `honeyguide steer CRAWL --list` shows them"
            )
        left = [rule for rule in self._rules if rule.number != number]
        hit, decided = yield from self._decided(number, left)
        again = self._turn(left, hit, decided)
        back = f"; {count(len(again), 'url')} that it excluded wait again" if len(again) else ""
        return again, f"rule {number} is taken back{back}"

    def _turn(self, rules: Iterable[Rule], hit: Ids, numbers: Floats) -> Ids:
        self._state.declare_value(RULE)
        was_excluded = self._excluded(hit)
        self._rules.turn_to(rules)
        changed = self._state.urls[RULE][hit] != numbers
        self._state.set(RULE, hit[changed], numbers[changed])
        self._frontier.rebuild()
        urls = self._state.urls
        is_free = was_excluded & ~self._excluded(hit)
        wanted = (urls["status"][hit] == Status.KNOWN) & np.isfinite(urls["priority"][hit])
        again: Ids = hit[is_free & wanted]
        return again

    def _excluded(self, ids: Ids) -> Bools:
        return self._rules.excluded(self._state.urls[RULE][ids])

    def _decided(self, number: int, rules: Sequence[Rule]) -> Generator[None, None, tuple[Ids, Floats]]:
        """The urls that a rule has decided, and which of other rules decides each."""
        if not rules:
            hit = self._decided_by(number)
            return hit, np.zeros(len(hit))
        others, at_once = Rules(rules), max(1, URLS_AT_ONCE // len(rules))
        known: Ids = np.empty(0, dtype=np.int32)
        decided: list[int] = []
        while len(left := np.setdiff1d(self._decided_by(number), known)):  # more may be found meanwhile
            some = left[:at_once]
            decided += [others.decide(text, host_of(text)) for text in self._store.url_texts(some)]
            known = np.concatenate([known, some])
            if len(left) > at_once:
                yield
        return known, np.array(decided, dtype=np.float64)

    def _decided_by(self, number: int) -> Ids:
        return np.flatnonzero(self._state.urls[RULE] == number).astype(np.int32)

    def _hit(self, pattern: Pattern, text: str) -> Generator[None, None, Ids]:
        """All known urls that a pattern hits."""
        if pattern.kind == "url":
            found = self._state.find(fingerprints([text]))
            return found[found >= 0]
        if pattern.kind == "host":
            names = enumerate(self._state.host_names)
            hosts = [host for host, name in names if pattern.hits("", name)]
            return np.flatnonzero(np.isin(self._state.urls["host"], hosts)).astype(np.int32)
        ids: list[int] = []
        first = 1
        while first < len(self._state):  # more may be found meanwhile
            texts = self._store.urls_with(pattern.literal, first, first + URLS_AT_ONCE - 1)
            ids += [url_id for url_id, url in texts if pattern.hits(url, "")]
            first += URLS_AT_ONCE
            if first < len(self._state):
                yield
        return np.array(ids, dtype=np.int32)
