"""Ontology topic: relevance by the topics of a map that a text mentions, weighted by their distance to the focus."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
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
from honeyguide.topics.ontology.weights import WeightClasses, topic_weights
from honeyguide.topics.text import common_language

LIMIT = 0.01
"""Relevance that separates relevant pages from others; the thesis tried 0.01 and 0.02."""


@dataclass(frozen=True, slots=True)
class OntologySettings:
    """All that is chosen about an ontology topic besides its map and focus."""

    language: str = ""
    all_languages: bool = False
    idf: Literal["background", "running"] = "background"
    limit: float = LIMIT
    weights: WeightClasses = field(default_factory=WeightClasses)
    hierarchy: Mapping[str, str] = field(default_factory=dict)


class OntologyTopic(TopicModel):
    """relevance(d) = sum over topics f of w_f * tf(f,d) / maxtf(d) * idf_f, divided by the sum of all w; at most 1.

    `focus` names topics by identifier or name; `hierarchy` names association types of the map's own that mean
    superclass-subclass, each with the role of the upper class. Only topics that have a name in the model's language
    (or in none) count; `all_languages` takes every name. Pages below `limit` are not accepted by the hard rule.

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
        limit: float = LIMIT,
        focal_weight: float = 1.0,
        hierarchy_weight: float = 0.8,
        other_weight: float = 0.5,
        rest_weight: float = 0.1,
        hierarchy: Mapping[str, str] | None = None,
    ) -> None:
        weights = WeightClasses(focal_weight, hierarchy_weight, other_weight, rest_weight)
        settings = OntologySettings(language, all_languages, idf, limit, weights, hierarchy or {})
        topic_map = read_topic_map(Path(file))
        self._prepare(topic_map, [topic_map.find(one) for one in focus], settings)

    @classmethod
    def of_map(
        cls, topic_map: TopicMap, focus: Sequence[str], settings: OntologySettings | None = None
    ) -> Self:
        """The same for a map that was already read."""
        made = cls.__new__(cls)
        numbers = [topic_map.find(one) for one in focus]
        made._prepare(topic_map, numbers, settings or OntologySettings())
        return made

    def _prepare(
        self, topic_map: TopicMap, focus: Sequence[int], settings: OntologySettings, idf: Floats | None = None
    ) -> None:
        if not focus:
            raise TopicError("an ontology topic needs a focus: name one or more topics of the map")
        if not 0 <= settings.limit <= 1:
            raise TopicError(f"the limit must be from 0 to 1, not {settings.limit}")
        self.map, self.focus, self.settings = topic_map, tuple(dict.fromkeys(focus)), settings
        self.relevant_above = settings.limit
        self.language = settings.language or _language_of(topic_map)
        self.hierarchy = Hierarchy(topic_map, settings.hierarchy)
        names = self._stemmed_names()
        for number in self.focus:
            if not names[number]:
                raise TopicError(self._no_names(number))
        self._finder = NameFinder(
            ((topic, one) for topic, some in enumerate(names) for one in some), self.language
        )
        self.weights = topic_weights(topic_map, self.focus, self.hierarchy, settings.weights)
        self._total = math.fsum(self.weights[[bool(some) for some in names]].tolist())
        if not self._total > 0:
            raise TopicError("all weights are 0; give the focal topics one above 0")
        self.idf = background_idf(names, self.language) if idf is None else idf
        self._running = RunningIdf(len(names)) if settings.idf == "running" else None

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
        """The topics a text mentions, with weight and tf-idf, by what they contribute."""
        mentions, tfidf, shares = self._tfidf(text)
        parts = [
            Part(self._described(topic, count, value), float(share))
            for topic, count, value, share in zip(
                mentions.topics.tolist(),
                mentions.counts.tolist(),
                tfidf.tolist(),
                shares.tolist(),
                strict=True,
            )
        ]
        total = min(1.0, sum(part.number for part in parts))
        side = "at or above" if total >= self.relevant_above else "below"
        focus = ", ".join(self.map.topics[number].label for number in self.focus[:5])
        return Explanation(
            f"ontology: relevance {total:.4f}, {side} the limit of {self.relevant_above:g}; "
            f"{len(parts)} of {len(self.map.topics)} topics occur; in focus: {focus}",
            sorted(parts, key=lambda part: -part.number),
        )

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
        settings = {**asdict(self.settings), "language": self.language, "focus": list(self.focus)}
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


def _language_of(topic_map: TopicMap) -> str:
    """The language most names are in; English where nothing tells."""
    names = [pair for number in range(len(topic_map.topics)) for pair in topic_map.named(number)]
    tagged = Counter(language for _, language in names if language)
    if tagged:
        return max(tagged, key=lambda language: (tagged[language], language == "en"))
    return common_language([". ".join(name for name, _ in names)[:5_000]]) or "en"
