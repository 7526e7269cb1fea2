"""HCLA: words and links in one latent space (Almpanidis, Kotropoulos, Pitas 2005), with the update put right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import TopicError
from honeyguide.graph.hypertext import Space, folded_space, hypertext_space, similarities
from honeyguide.model import ROOT, Explanation, Floats, Ids, Pages, Part, Priorities
from honeyguide.state.view import CrawlView
from honeyguide.strategies import hcla_texts as texts_of
from honeyguide.strategies.base import Strategy, explain_whole, largest_first
from honeyguide.strategies.folds import Fold
from honeyguide.strategies.hcla_texts import Corpus, Texts
from honeyguide.topics.base import TopicModel
from honeyguide.topics.text import count_stems

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Places = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class _Model:
    """One moment's latent space, and what is to be placed in it."""

    space: Space
    stems: list[str]  # of the query
    query: Floats
    query_words: Places  # places of the query's stems among the words
    pages: Ids  # rows of the links
    frontier: Ids  # columns of words and links
    words: csr_array
    links: csr_array


class Hcla(Strategy):
    """Priority of a frontier page = its cosine with the topic's words in the latent space of words and links.

    Terms are words and fetched pages, documents are the corpus, fetched pages and the frontier; a document has the
    pages that link to it as terms. Every `every` pages the latest `pages` are appended to the corpus' factors by the
    full update. Without a `corpus` (a text file, a document a line) the first `corpus_pages` pages fetched are it.
    """

    name: ClassVar[str] = "hcla"
    fold = Fold("first")
    needs = frozenset({"text"})

    def __init__(
        self,
        k: int = 50,
        every: int = 50,
        query: str = "",
        corpus: str = "",
        corpus_pages: int = 500,
        words: int = 3000,
        pages: int = 1000,
        frontier: int = 2000,
        residual_rank: int = 50,
        update: Literal["full", "fold-in"] = "full",
        weighting: Literal["count", "log"] = "count",
        both_ways: bool = False,
        itself: float = 1.0,
        anchors: bool = False,
    ) -> None:
        self.k = k
        self.query = query
        self.corpus = corpus
        self.corpus_pages = min(corpus_pages, pages)
        self.words = words
        self.pages = pages
        self.frontier = frontier
        self.residual_rank = residual_rank
        self.update = update
        self.weighting = weighting
        self.both_ways = both_ways
        self.itself = itself
        self.anchors = anchors
        self.refresh_every = self.batch = self.whole_every = every
        # Words of links are kept where the links are, and not where their pages are.
        self.in_shards = "no" if anchors else "by job"

    def check(self, topic: TopicModel) -> None:
        """There must be words to look for."""
        self._query_stems(topic)

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Remember the words; what is new waits for the next refresh behind what is promising."""
        own = Pages([page for page in pages if page.id != ROOT and not page.is_foreign])
        if len(own):
            counts = [texts_of.count_words(own.ids, [f"{page.title}\n{page.text}" for page in own])]
            if self.anchors:
                counts.append(texts_of.count_words(own.targets, own.anchors()))
            texts_of.remember(own.ids, np.hstack(counts), self.pages, crawl)
        return self.fold.take(pages, np.zeros(len(pages.targets)), crawl)

    def refresh(self, crawl: CrawlView) -> Priorities:
        """Place everything that the latest pages link to."""
        model = None if crawl.is_part else self._model(crawl)
        if model is None:
            return Priorities.none()
        return Priorities(model.frontier, similarities(model.space, model.query, model.words, model.links))

    def gathered(
        self, crawl: CrawlView, shards: Sequence[Mapping[str, NDArray[Any]]]
    ) -> dict[str, NDArray[Any]]:
        """The latest pages of all shards, with their words."""
        return texts_of.gathered(shards, self.pages, crawl)

    def _query_stems(self, topic: TopicModel) -> list[str]:
        text = self.query or getattr(topic, "text", "")
        stems, _ = count_stems([text])
        if not stems:
            raise TopicError(
                f"hcla looks for words and the topic model {topic.name!r} gives none; set strategy.query to some"
            )
        return stems

    def _model(self, crawl: CrawlView) -> _Model | None:
        texts = texts_of.recall(crawl)
        stems = self._query_stems(crawl.topic)
        query_words = texts_of.hashed(stems)
        if not len(texts.pages):
            return None
        corpus = self._corpus(texts, query_words, crawl)
        pages = np.unique(texts.pages)
        rows, linked = crawl.outlinks_of(pages)
        is_frontier = ~crawl.is_fetched(linked)
        frontier, times = np.unique(linked[is_frontier], return_counts=True)
        if not len(corpus.factors.scales) or not len(frontier):
            return None
        known = np.sort(frontier[np.argsort(-times, kind="stable")[: self.frontier]])
        space = self._space(corpus, texts, pages, known, crawl)
        places = np.searchsorted(corpus.words, query_words)
        query = np.zeros(len(corpus.words))
        query[places] = 1.0
        return _Model(
            space=space,
            stems=stems,
            query=query,
            query_words=places,
            pages=pages,
            frontier=frontier,
            words=texts.matrix(corpus.words, frontier, self.weighting == "log"),
            links=_links(
                rows[is_frontier], np.searchsorted(frontier, linked[is_frontier]), len(pages), len(frontier)
            ),
        )

    def _corpus(self, texts: Texts, query: Ids, crawl: CrawlView) -> Corpus:
        """The factors of the corpus: learned once, or, while it is made of pages, whenever it has doubled."""
        kept = texts_of.kept_corpus(crawl)
        if kept and (self.corpus or len(texts.pages) < min(2 * kept.documents, self.corpus_pages)):
            return kept
        if kept and kept.documents >= self.corpus_pages:
            return kept
        sources = texts_of.read_texts(Path(self.corpus)) if self.corpus else texts
        corpus = texts_of.learn_corpus(sources, query, self.k, self.words, self.weighting == "log")
        texts_of.keep_corpus(corpus, crawl)
        return corpus

    def _space(self, corpus: Corpus, texts: Texts, pages: Ids, frontier: Ids, crawl: CrawlView) -> Space:
        """Append pages, and what they link to, to the corpus."""
        documents = np.union1d(pages, frontier).astype(np.int32)
        words = texts.matrix(corpus.words, documents, self.weighting == "log")
        rows, linked = crawl.outlinks_of(pages)
        wanted = np.isin(linked, documents)
        rows, columns = rows[wanted], np.searchsorted(documents, linked[wanted])
        own = np.searchsorted(documents, pages)
        links = _links(rows, columns, len(pages), len(documents))
        if self.both_ways:
            back = np.isin(documents[columns], pages)
            links = links + _links(
                np.searchsorted(pages, documents[columns[back]]), own[rows[back]], len(pages), len(documents)
            )
            links.data[:] = 1.0
        if self.itself:
            links = links + self.itself * _links(np.arange(len(pages)), own, len(pages), len(documents))
        if self.update == "fold-in":
            return folded_space(corpus.factors, words, links)
        return hypertext_space(corpus.factors, words, links, self.k, residual_rank=self.residual_rank)

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """Which words and which links make the cosine, by the pages fetched up to now."""
        if crawl.is_part:
            return explain_whole(self.name, url_id, crawl)
        model = self._model(crawl)
        place = np.flatnonzero(model.frontier == url_id) if model else ()
        if model is None or not len(place):
            return Explanation(
                "hcla: none of the latest pages links to it, or it is fetched; its place stands"
            )
        links, words = model.links[:, place], model.words[:, place]
        score = float(similarities(model.space, model.query, words, links)[0])
        position = (words.T @ model.space.words + links.T @ model.space.pages)[0]
        length = float(np.linalg.norm(position) * np.linalg.norm(model.query)) or 1.0
        by_word = model.space.words[model.query_words] @ position / length
        wanted = model.space.words.T @ model.query
        parents = links.nonzero()[0]
        by_link = model.space.pages[parents] @ wanted / length
        parts = [
            Part(f"the word {stem}", float(share)) for stem, share in zip(model.stems, by_word, strict=True)
        ]
        parts += [
            Part("linked from", float(share), page)
            for page, share in zip(model.pages[parents].tolist(), by_link, strict=True)
        ]
        summary = f"hcla: cosine {score:.3f}, once as a sum over the topic's words, once over the links to it"
        return Explanation(summary, largest_first(parts))


def _links(rows: Places, columns: Places, height: int, width: int) -> csr_array:
    """Ones where pages link, however often."""
    from scipy.sparse import csr_array

    matrix = csr_array((np.ones(len(rows)), (rows, columns)), shape=(height, width))
    matrix.sum_duplicates()
    matrix.data[:] = 1.0
    return matrix
