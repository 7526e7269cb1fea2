"""Several topic models as one, by a stated rule: an ontology and examples, or words and a taxonomy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import SettingsError, TopicError
from honeyguide.model import Bools, Explanation, Floats, Part
from honeyguide.plugins import find_plugin
from honeyguide.topics.base import Judgment, TopicModel, TopicParts

RULES: Mapping[str, Callable[[Floats], Floats]] = {
    "any": lambda each: each.max(axis=0),
    "all": lambda each: each.min(axis=0),
    "mean": lambda each: each.mean(axis=0),
}
MOST_MEMBERS = 20


class CombinedTopic(TopicModel):
    """Relevance by `any` (the highest), `all` (the lowest) or `mean` of its members.

    Models use different parts of the scale, so each member's own threshold is first moved to 0.5: below it relevance
    r becomes r / 2t, above it 1 - (1 - r) / 2(1 - t). A page on the threshold of every member is at 0.5 by any rule.
    """

    name: ClassVar[str] = "combined"
    relevant_above = 0.5

    def __init__(self, members: Sequence[TopicModel], rule: str = "mean") -> None:
        if not 2 <= len(members) <= MOST_MEMBERS:
            raise TopicError(
                f"2 to {MOST_MEMBERS} topics can be combined, not {len(members)}; "
                f"make one with `honeyguide topic new FILE --combine A.topic --combine B.topic`"
            )
        if any(isinstance(member, CombinedTopic) for member in members):
            raise TopicError("combined topics cannot be combined again; name all members in one")
        if rule not in RULES:
            raise TopicError(f"there is no rule {rule!r} to combine topics by; there are {', '.join(RULES)}")
        self.members = tuple(members)
        self.rule = rule

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.members, self.rule)

    @property
    def judges_words(self) -> bool:
        """If all members do."""
        return all(member.judges_words for member in self.members)

    def judge(self, texts: Sequence[str]) -> Floats:
        """Combine what the members say."""
        return RULES[self.rule](self._each(member.judge(texts) for member in self.members))

    def classify(self, texts: Sequence[str]) -> Judgment:
        """Also by what the members accept: with `all` every one must, otherwise one is enough."""
        judged = [member.classify(texts) for member in self.members]
        accepted = np.array([verdict.accepted for verdict in judged])
        is_accepted: Bools = (np.logical_and if self.rule == "all" else np.logical_or).reduce(
            accepted, axis=0
        )
        classes = next((verdict.classes for verdict in judged if verdict.classes), ())
        return Judgment(
            RULES[self.rule](self._each(verdict.relevance for verdict in judged)),
            is_accepted,
            classes,
        )

    def _each(self, relevances: Any) -> Floats:
        return np.array(
            [
                leveled(relevance, member.relevant_above)
                for relevance, member in zip(relevances, self.members, strict=True)
            ]
        )

    def explain(self, text: str) -> Explanation:
        """What each member says, then their own reasons."""
        each = self._each(member.judge([text]) for member in self.members)[:, 0].tolist()
        own = [member.explain(text) for member in self.members]
        parts = [
            Part(f"{member.name}: {why.summary}", number)
            for member, why, number in zip(self.members, own, each, strict=True)
        ]
        reasons = [
            replace(part, label=f"{member.name}: {part.label}")
            for member, why in zip(self.members, own, strict=True)
            for part in why.parts
        ]
        total = float(self.judge([text])[0])
        return Explanation(
            f"combined: {total:.3f}, the {_NAMES[self.rule]} of {len(each)} topics", parts + reasons
        )

    def parts(self) -> TopicParts:
        """The members' parts side by side."""
        own = [(member.name, member.parts()) for member in self.members]
        return TopicParts(
            {
                "rule": self.rule,
                "members": [{"kind": kind, "settings": dict(parts.settings)} for kind, parts in own],
            },
            {
                f"{at}.{name}": array
                for at, (_, parts) in enumerate(own)
                for name, array in parts.arrays.items()
            },
        )

    @classmethod
    def from_parts(cls, parts: TopicParts) -> CombinedTopic:
        """Take the members apart again."""
        listed, rule = parts.settings.get("members"), parts.settings.get("rule")
        if not isinstance(listed, list) or not isinstance(rule, str):
            raise TopicError("the settings 'members' and 'rule' are missing")
        members = [
            nested_topic(f"member {at}", entry, parts.arrays, f"{at}.")
            for at, entry in enumerate(listed[: MOST_MEMBERS + 1])
        ]
        return cls(members, rule)


_NAMES = {"any": "highest", "all": "lowest", "mean": "mean"}


def nested_topic(what: str, entry: object, arrays: Mapping[str, NDArray[Any]], prefix: str) -> TopicModel:
    """A topic within another: its kind and settings, and the arrays whose names begin with the prefix."""
    from honeyguide.topics import TOPIC_MODELS

    if not isinstance(entry, dict) or not isinstance(entry.get("settings"), dict):
        raise TopicError(f"{what} has no settings")
    try:
        kind = find_plugin("topics", str(entry.get("kind")), TOPIC_MODELS)
    except SettingsError as error:
        raise TopicError(f"{what}: {error}") from error
    own = {name.removeprefix(prefix): of for name, of in arrays.items() if name.startswith(prefix)}
    return kind.from_parts(TopicParts(entry["settings"], own))


def leveled(relevance: Floats, threshold: float) -> Floats:
    """Relevance with its threshold moved to 0.5, and 0 and 1 where they were.

    >>> leveled(np.array([0.0, 0.05, 0.1, 0.55, 1.0]), 0.1).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    below = relevance / (2 * threshold) if threshold > 0 else np.ones_like(relevance)
    above = 1 - (1 - relevance) / (2 * (1 - threshold)) if threshold < 1 else below
    leveled_relevance: Floats = np.where(relevance < threshold, below, above)
    return np.clip(leveled_relevance, 0.0, 1.0)
