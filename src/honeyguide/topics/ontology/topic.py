"""Ontology topic: relevance by the topics of a map that a text mentions, weighted by their distance to the focus."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import TopicError
from honeyguide.model import Explanation, Floats, Part
from honeyguide.topics.base import TopicModel, TopicParts
from honeyguide.topics.ontology.footprint import Footprint, footprint_of
from honeyguide.topics.ontology.hierarchy import Hierarchy
from honeyguide.topics.ontology.idf import RunningIdf, background_idf
from honeyguide.topics.ontology.matching import Mentions, NameFinder, findable
from honeyguide.topics.ontology.reading import read_topic_map
from honeyguide.topics.ontology.storage import map_from_json, map_to_json
from honeyguide.topics.ontology.topic_map import TopicMap
from honeyguide.topics.ontology.weights import WeightClasses, neighbors, topic_weights
from honeyguide.topics.text import common_language

LIMIT = 0.01
"""Relevance that separates relevant pages from others while idf is counted; the thesis tried 0.01 and 0.02."""
FOCAL_SHARE = 0.1
"""With a frozen idf, pages are relevant from this share of what one gets that mentions the focus and nothing else."""
MOST_OTHERS = 5


@dataclass(frozen=True, slots=True)
class OntologySettings:
    """All that is chosen about an ontology topic besides its map and focus."""

    language: str = ""
    all_languages: bool = False
    idf: Literal["background", "running"] = "background"
    limit: float | None = None  # chosen from the map
    weights: WeightClasses = field(default_factory=WeightClasses)
    hierarchy: Mapping[str, str] = field(default_factory=dict)


class OntologyTopic(TopicModel):
    """relevance(d) = sum over topics f of w_f * tf(f,d) / maxtf(d) * idf_f, divided by the sum of all w; at most 1.

    `focus` names topics by identifier or name; `hierarchy` names association types of the map's own that mean
    superclass-subclass, each with the role of the upper class. Only topics that have a name in the model's language
    (or in none) count; `all_languages` takes every name. Links of pages below `limit` are not worth following; without
    a limit it is a share of what a page gets that mentions a topic in focus and nothing else.

    Topics that nothing joins to the focus weigh `rest_weight`, 0.1 as published. Unless it is given, it is less where
    these are many: in a thesaurus of thousands every page would otherwise be relevant by what it says of anything.

    `idf="background"` is frozen: a page gets the same number in every crawl. `idf="running"` counts the pages judged so
    far, as the thesis did: the same pages in the same order get the same numbers, but the same page alone does not, so
    such a model does not pass the conformance checks; its counts live in the judging process and restart with it.
    """

    name: ClassVar[str] = "ontology"

    def __init__(
        self,
        file: Path,
        focus: Sequence[str],
        *,
        language: str = "",
        all_languages: bool = False,
        idf: Literal["background", "running"] = "background",
        limit: float | None = None,
        focal_weight: float = 1.0,
        hierarchy_weight: float = 0.8,
        other_weight: float = 0.5,
        rest_weight: float | None = None,
        hierarchy: Mapping[str, str] | None = None,
    ) -> None:
        weights = WeightClasses(focal_weight, hierarchy_weight, other_weight, rest_weight)
        settings = OntologySettings(language, all_languages, idf, limit, weights, hierarchy or {})
        topic_map = read_topic_map(Path(file))
        self._focus_on(topic_map, focus, settings)

    @classmethod
    def of_map(
        cls, topic_map: TopicMap, focus: Sequence[str], settings: OntologySettings | None = None
    ) -> Self:
        """The same for a map that was already read."""
        made = cls.__new__(cls)
        made._focus_on(topic_map, focus, settings or OntologySettings())
        return made

    def _focus_on(self, topic_map: TopicMap, focus: Sequence[str], settings: OntologySettings) -> None:
        numbers = [topic_map.find(one) for one in focus]
        language = settings.language or _language_of(topic_map, dict(zip(focus, numbers, strict=True)))
        self._prepare(topic_map, numbers, replace(settings, language=language))

    def _prepare(
        self, topic_map: TopicMap, focus: Sequence[int], settings: OntologySettings, idf: Floats | None = None
    ) -> None:
        if not focus:
            raise TopicError("an ontology topic needs a focus: name one or more topics of the map")
        if settings.limit is not None and not 0 <= settings.limit <= 1:
            raise TopicError(f"the limit must be from 0 to 1, not {settings.limit}")
        self.map, self.focus, self.settings = topic_map, tuple(dict.fromkeys(focus)), settings
        self.language = settings.language or _language_of(topic_map, {})
        self.hierarchy = Hierarchy(topic_map, settings.hierarchy)
        names = self._stemmed_names()
        for number in self.focus:
            if not names[number]:
                raise TopicError(self._no_names(number))
        self._finder = NameFinder(
            ((topic, one) for topic, some in enumerate(names) for one in some), self.language
        )
        self.weights = topic_weights(topic_map, self.focus, self.hierarchy, settings.weights)
        self._is_near = np.zeros(len(topic_map.topics), dtype=np.bool_)
        self._is_near[[*self.focus, *chain(*neighbors(topic_map, self.focus, self.hierarchy))]] = True
        self._total = math.fsum(self.weights[[bool(some) for some in names]].tolist())
        if not self._total > 0:
            raise TopicError("all weights are 0; give the focal topics one above 0")
        self.idf = background_idf(names, self.language) if idf is None else idf
        self._running = RunningIdf(len(names)) if settings.idf == "running" else None
        self.relevant_above = self._chosen_limit() if settings.limit is None else settings.limit

    def _chosen_limit(self) -> float:
        if self._running:
            return LIMIT
        focus = list(self.focus)
        return FOCAL_SHARE * float(np.minimum(1.0, self.weights[focus] * self.idf[focus] / self._total).min())

    def _stemmed_names(self) -> list[list[list[str]]]:
        """For each topic the names it can be found by, stemmed."""
        wanted = ("", self.language)
        return [
            [
                stems
                for name, language in dict.fromkeys(self.map.named(number))
                if (self.settings.all_languages or language in wanted)
                and (stems := findable(name, self.language))
            ]
            for number in range(len(self.map.topics))
        ]

    def _no_names(self, number: int) -> str:
        return (
            f"the focal topic {self.map.topics[number].label!r} has no name in the language {self.language!r} that can "
            "be found in a text; add a name to the map, set language or all_languages, or choose another topic"
        )

    def judge(self, texts: Sequence[str]) -> Floats:
        """Relevance of each text."""
        mentions = self._finder.find(texts)
        idf = (
            self._running.of_next_pages(mentions, len(texts)) if self._running else self.idf[mentions.topics]
        )
        shares = self._shares(mentions, idf, len(texts))
        return np.minimum(1.0, np.bincount(mentions.texts, shares, minlength=len(texts)))

    def _shares(self, mentions: Mentions, idf: Floats, texts: int) -> Floats:
        """What each mention contributes to the relevance of its text."""
        most = np.ones(texts, dtype=np.int64)
        np.maximum.at(most, mentions.texts, mentions.counts)
        shares: Floats = (
            self.weights[mentions.topics] * (mentions.counts / most[mentions.texts] * idf) / self._total
        )
        return shares

    def _tfidf(self, text: str) -> tuple[Mentions, Floats, Floats]:
        mentions = self._finder.find([text])
        idf = self._running.of_one_more_page(mentions) if self._running else self.idf[mentions.topics]
        tfidf: Floats = mentions.counts / mentions.counts.max(initial=1) * idf
        return mentions, tfidf, self._shares(mentions, idf, 1)

    def explain(self, text: str) -> Explanation:
        """The topics in focus and next to it that a text mentions, by what they contribute; all others together."""
        mentions, tfidf, shares = self._tfidf(text)
        order = np.argsort(-shares, kind="stable")
        is_near = self._is_near[mentions.topics[order]]
        near, others = order[is_near], order[~is_near]
        parts = [
            Part(self._described(topic, count, value), float(share))
            for topic, count, value, share in zip(
                mentions.topics[near].tolist(),
                mentions.counts[near].tolist(),
                tfidf[near].tolist(),
                shares[near].tolist(),
                strict=True,
            )
        ]
        if len(others):
            parts.append(Part(self._others(mentions.topics[others].tolist()), float(shares[others].sum())))
        total = min(1.0, sum(part.number for part in parts))
        side = "at or above" if total >= self.relevant_above else "below"
        focus = ", ".join(self.map.topics[number].label for number in self.focus[:5])
        return Explanation(
            f"ontology: relevance {total:.4f}, {side} the limit of {self.relevant_above:.4g}; {len(near)} of "
            f"{int(self._is_near.sum())} topics in focus or next to it occur; in focus: {focus}",
            sorted(parts, key=lambda part: -part.number),
        )

    def _others(self, topics: Sequence[int]) -> str:
        named = ", ".join(self.map.topics[number].label for number in topics[:MOST_OTHERS])
        more = ", ..." if len(topics) > MOST_OTHERS else ""
        return f"elsewhere in the map: {named}{more} (weight {self.weights[topics[0]]:.2g} each)"

    def mentioned(self, text: str) -> tuple[int, ...]:
        """The topics in focus and next to it that a text mentions, those that contribute most first."""
        mentions, _, shares = self._tfidf(text)
        topics = mentions.topics[np.argsort(-shares, kind="stable")]
        return tuple(topics[self._is_near[topics]].tolist())

    def _described(self, topic: int, count: int, tfidf: float) -> str:
        label = self.map.topics[topic].label
        return f"{label} x{count} (weight {self.weights[topic]:g}, tf-idf {tfidf:.3f})"

    def footprint(self, text: str) -> Footprint:
        """The part of the map that a text touches."""
        mentions, tfidf, _ = self._tfidf(text)
        touched = dict(zip(mentions.topics.tolist(), tfidf.tolist(), strict=True))
        return footprint_of(self.map, self.hierarchy, touched)

    def __reduce__(self) -> tuple[Any, tuple[TopicParts]]:
        return type(self).from_parts, (self.parts(),)

    def parts(self) -> TopicParts:
        """The map, the focus, the settings and the frozen idf; counts of a running idf are not kept."""
        chosen = {"language": self.language, "limit": self.relevant_above, "focus": list(self.focus)}
        settings = {**asdict(self.settings), **chosen}
        stored = np.frombuffer(map_to_json(self.map), dtype=np.uint8)
        return TopicParts(settings, {"map": stored, "idf": self.idf})

    @classmethod
    def from_parts(cls, parts: TopicParts) -> Self:
        """The same topic again."""
        settings = dict(parts.settings)
        try:
            focus = [int(number) for number in settings.pop("focus")]
            weights = WeightClasses(**settings.pop("weights"))
            chosen = OntologySettings(**settings, weights=weights)
            topic_map = map_from_json(parts.arrays["map"].tobytes())
            idf = _checked_idf(parts.arrays["idf"], len(topic_map.topics))
        except (KeyError, TypeError, ValueError) as error:
            raise TopicError(f"this is no ontology topic, or it is damaged ({error}); make it anew") from None
        if any(not 0 <= number < len(topic_map.topics) for number in focus):
            raise TopicError("the focus of the topic file names topics its map does not have; make it anew")
        made = cls.__new__(cls)
        made._prepare(topic_map, focus, chosen, idf)
        return made


def _checked_idf(array: NDArray[Any], topics: int) -> Floats:
    if array.shape != (topics,) or array.dtype != np.float64 or not (np.isfinite(array) & (array >= 0)).all():
        raise ValueError("idf must be one number a topic")
    return array


def _language_of(topic_map: TopicMap, focus: Mapping[str, int]) -> str:
    """The language the focus was typed in, of several the one most names are in; English where nothing tells."""
    names = [pair for number in range(len(topic_map.topics)) for pair in topic_map.named(number)]
    tagged = Counter(language for _, language in names if language)
    typed = Counter(
        code for text, number in focus.items() for code in topic_map.languages_called(number, text)
    )
    if tagged:
        return max(tagged, key=lambda language: (typed[language], tagged[language], language == "en"))
    return common_language([". ".join(name for name, _ in names)[:5_000]]) or "en"
