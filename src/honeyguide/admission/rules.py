"""The rules that a crawl is steered by: which one decides a url, and what that does to its place in the queue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Bools, Floats
from honeyguide.patterns import Action, Pattern, Rule, names_over

RULE = "steered by"
"""The value of a url that is the number of the rule which decides it; 0 if none does, and only in steered crawls."""

RAISED, LOWERED, EXCLUDED = 1, -1, -2
_SHIFTS: dict[Action, int] = {"raise": RAISED, "lower": LOWERED, "exclude": EXCLUDED}

_LARGEST = 2.0**1000
_BEYOND = np.array(2.0**1002).view(np.int64) + (1 << 55)
_LOST_BITS = 8


class Rules:
    """All rules in force. False if there is none; then nothing is looked up, and the queue is the strategy's own.

    Exact urls, hosts and patterns that name their host are looked up in tables; only patterns for any host are tried
    one by one.

    >>> rules = Rules([Rule(1, "exclude", "example.org", 0.0), Rule(2, "raise", "https://example.org/bees/*", 0.0)])
    >>> [rules.decide(f"https://example.org/{path}", "example.org") for path in ("bees/1", "cats/1")]
    [2, 1]
    >>> rules.excludes(1), rules.excludes(2)
    (True, False)
    """

    def __init__(self, rules: Iterable[Rule] = ()) -> None:
        self._rules: dict[int, Rule] = {}
        self.turn_to(rules)

    def turn_to(self, rules: Iterable[Rule]) -> None:
        """Have these rules in force and no others."""
        self._rules = {rule.number: rule for rule in sorted(rules, key=lambda rule: rule.number)}
        self._urls: dict[str, int] = {}
        self._hosts: dict[str, int] = {}
        self._of_host: dict[str, list[tuple[int, Pattern]]] = {}  # the newest first, as below
        self._anywhere: list[tuple[int, Pattern]] = []
        for rule in self:
            pattern = Pattern.read(rule.pattern)
            if pattern.kind == "url":
                self._urls[rule.pattern] = rule.number
            elif pattern.kind == "host":
                self._hosts[pattern.text] = rule.number
            elif pattern.host:
                self._of_host.setdefault(pattern.host, []).insert(0, (rule.number, pattern))
            else:
                self._anywhere.insert(0, (rule.number, pattern))
        self._numbers = np.array([0, *self._rules])
        self._shifts = np.array([0, *(_SHIFTS[rule.action] for rule in self)])

    def __bool__(self) -> bool:
        return bool(self._rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules.values())

    def get(self, number: int) -> Rule | None:
        """A rule in force."""
        return self._rules.get(number)

    def decide(self, url: str, host: str) -> int:
        """The number of the newest rule that hits a canonical url; 0 if none does."""
        found = self._urls.get(url, 0)
        if self._hosts:
            found = max(found, *(self._hosts.get(name, 0) for name in names_over(host)))
        for patterns in (self._of_host.get(host, ()), self._anywhere):
            for number, pattern in patterns:
                if number < found:
                    break
                if pattern.literal in url and pattern.hits(url, host):
                    found = number
                    break
        return found

    def excludes(self, number: int) -> bool:
        """Whether the rule of a number keeps urls out."""
        rule = self._rules.get(number)
        return rule is not None and rule.action == "exclude"

    def excluded(self, numbers: Floats) -> Bools:
        """Which of these rules keep urls out."""
        is_excluded: Bools = self.shifts(numbers) == EXCLUDED
        return is_excluded

    def ranks(self, priorities: Floats, numbers: Floats) -> Floats:
        """The places in the queue of urls that have these priorities, and are decided by these rules."""
        return ranks(priorities, self.shifts(numbers))

    def shifts(self, numbers: Floats) -> NDArray[np.int64]:
        """What is done to urls that these rules decide: `RAISED`, `LOWERED`, `EXCLUDED`, or 0."""
        places = np.searchsorted(self._numbers, numbers).clip(max=len(self._numbers) - 1)
        is_known = self._numbers[places] == numbers
        return np.where(is_known, self._shifts[places], 0)


def ranks(priorities: Floats, shifts: NDArray[np.int64]) -> Floats:
    """Numbers in the order of the priorities, but all raised ones above all others, and all lowered ones below.

    Priorities that are not shifted stay as they are. The others keep their order, up to the last 8 of 53 bits: their
    bits, which as integers are ordered as the numbers are, become those of numbers larger than any priority.
    """
    limited = np.clip(priorities, -_LARGEST, _LARGEST)
    bits = np.abs(limited).view(np.int64)
    steps = np.where(limited < 0, -bits, bits) >> _LOST_BITS
    beyond = (_BEYOND + np.where(shifts > 0, steps, -steps)).view(np.float64)
    return np.where(shifts == 0, limited, np.where(shifts > 0, beyond, -beyond))
