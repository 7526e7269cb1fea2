"""Link context: what the page and the words around a link promise (Pant and Srinivasan 2006; baseline of OTIE)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Explanation, Floats, Pages, Part, Passages
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Combine, Strategy, largest_first
from honeyguide.strategies.folds import Fold, contributing_links
from honeyguide.strategies.soft_focus import explain_by_parents
from honeyguide.topics.base import TopicModel
from honeyguide.topics.worded import Worded


class LinkContext(Strategy):
    """Priority of u -> v = `beta * sim(page u) + (1 - beta) * sim(words around the link)`; the best parent counts."""

    name: ClassVar[str] = "link-context"
    needs = frozenset({"context relevance"})

    def __init__(self, beta: float = 0.25, combine: Combine = "max") -> None:
        self.beta = beta
        self.combine = combine
        self.fold = Fold(combine)
        self.values = self.fold.values

    def contributions(self, pages: Pages, crawl: CrawlView) -> Floats:
        """Judge the words around all links that lead to something new."""
        promised = np.full(len(pages.targets), np.nan)
        wanted = np.flatnonzero(~crawl.is_fetched(pages.targets))
        promised[wanted] = predicted_similarity(pages, wanted, self.beta, crawl)
        return promised

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """The share of each linking page, and what the words around its link must have brought."""
        return explain_prediction(self.name, self.beta, url_id, crawl)


def predicted_similarity(pages: Pages, wanted: NDArray[np.int64], beta: float, crawl: CrawlView) -> Floats:
    """What the batch's links promise, for those at the places `wanted` among its targets."""
    page = pages.per_link(pages.relevance)[wanted]
    around = judge_contexts(pages, wanted, crawl.topic)
    # A link without words around it, as that of the root to a seed, is as good as its page.
    return beta * page + (1 - beta) * np.where(np.isnan(around), page, around)


def judge_contexts(pages: Pages, wanted: NDArray[np.int64], topic: TopicModel) -> Floats:
    """Relevance of the words around each wanted link, NaN where there are none; most were judged with the page."""
    unknown = [np.full(len(page.targets), np.nan) if page.around is None else page.around for page in pages]
    judged: Floats = np.concatenate([*unknown, np.empty(0)])[wanted]
    rest = np.flatnonzero(np.isnan(judged))
    judged[rest] = judge_texts(pages, (page.contexts for page in pages), wanted[rest], topic)
    return judged


def judge_texts(
    pages: Pages, texts_of_pages: Iterable[Sequence[str]], wanted: NDArray[np.int64], topic: TopicModel
) -> Floats:
    """Relevance of the text of each wanted link, NaN where its page's texts were not kept."""
    texts = list(texts_of_pages)
    is_kept = np.array([len(own) for own in texts], dtype=np.int64) == pages.link_counts
    kept = [Passages.of(own) for own, is_there in zip(texts, is_kept.tolist(), strict=True) if is_there]
    worded = [own for own in kept if isinstance(own, Worded)]
    together = Worded.together(worded) if len(worded) == len(kept) else Passages.joined(kept)
    has_text = np.repeat(is_kept, pages.link_counts)
    places = np.cumsum(has_text) - 1
    judged = np.full(len(wanted), np.nan)
    judged[has_text[wanted]] = topic.judge(together.take(places[wanted[has_text[wanted]]]))
    return judged


def explain_prediction(name: str, beta: float, url_id: int, crawl: CrawlView) -> Explanation:
    """For strategies that mix the relevance of linking pages with that of the words around the links."""
    by_parents = explain_by_parents(name, url_id, crawl)
    if by_links := contributing_links(url_id, crawl):
        return replace(by_parents, parts=by_links)
    priority = crawl.priority[url_id]
    shares = [replace(part, number=beta * part.number) for part in by_parents.parts]
    if not shares or not np.isfinite(priority):
        return by_parents
    around = float(priority) - shares[0].number
    parts = [*shares, Part("words around the link on the most relevant page, at least", around)]
    summary = f"{by_parents.summary}; the page counts {beta:g}, the words around the link {1 - beta:g}"
    return Explanation(summary, largest_first(parts))
