"""Reading and judging: from a response to a parsed page and its relevance. Pure work, done here or elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import Self

import numpy as np

from honeyguide.engine.worded_pages import WordedPage, WordFinder
from honeyguide.errors import Unreadable, in_one_line
from honeyguide.model import ParsedPage, Passages, Response, Sent
from honeyguide.parse import ParseOptions, parse_pages, readable, tidied
from honeyguide.parse.content import NOTHING_SAID, content_signature
from honeyguide.parse.duplicates import NO_SIGNATURE, looks_missing, signature
from honeyguide.topics.base import TopicModel
from honeyguide.topics.worded import Worded
from honeyguide.urls import UrlPolicy
from honeyguide.version import __version__

CONTEXT_WORDS = 20
WORDS_AROUND = frozenset(("context", "context relevance"))
"""Needs of strategies for which words around links are looked for: those who judge them do not want them all."""


class Around(StrEnum):
    """How the words around links are given."""

    WORDS = "words"
    NUMBERS = "numbers"  # judged, unless the strategy needs the words: that is less to hand over
    KEPT = "kept"  # found, with all words of the page, so that another topic can judge these


@dataclass(frozen=True, slots=True)
class Prepared(Sent):
    """A page read and judged."""

    parsed: ParsedPage
    relevance: float
    accepted: bool = False  # by the topic's hard rule
    signature: int = NO_SIGNATURE
    is_missing: bool = False  # it says that there is no such page
    revision: int = 0  # of the topic it was judged by
    topic_class: str = ""  # where in a taxonomy it belongs
    content: int = NOTHING_SAID  # of what it says, where changes are looked for
    words: WordedPage | None = None  # all of them, where they are to be kept

    @property
    def is_listing(self) -> bool:
        """Whether it is a sitemap or feed."""
        return self.parsed.is_listing


@dataclass(frozen=True)
class Preparer:
    """Parses and judges batches of responses. Small and picklable, so that `Worker` can do it elsewhere."""

    topic: TopicModel
    policy: UrlPolicy
    needs: frozenset[str]
    max_links: int
    is_live: bool  # then copies, missing pages and sitemaps are looked for
    revision: int = field(default=0, kw_only=True)  # of the topic
    tells_changes: bool = field(default=False, kw_only=True)

    def revised(self, topic: TopicModel, revision: int) -> Self:
        """The same with another revision of the topic."""
        return replace(self, topic=topic, revision=revision)

    @property
    def keeps_words(self) -> bool:
        """Whether words are all that is needed of a page to judge it again."""
        return self.topic.judges_words and not self.needs & {"text", "context"}

    @property
    def manner(self) -> str:
        """How pages are read: those that were read in the same manner have the same words and links."""
        has_words_around = bool(self.needs & WORDS_AROUND)
        return f"{__version__} {self.policy!r} {self.max_links} {self.is_live} {has_words_around} {self.tells_changes}"

    def prepare(
        self, responses: Sequence[Response], around: Around = Around.WORDS
    ) -> Sequence[Prepared | Unreadable]:
        """Read and judge a batch. A page on which that fails is named, and costs nobody else anything."""
        try:
            if around is Around.KEPT and self.keeps_words:
                return self._prepare_kept(responses)
            return self._prepare(responses, around is Around.NUMBERS and "context" not in self.needs)
        except Exception as error:
            if len(responses) == 1:
                return [Unreadable(f"parsing or judging it failed: {in_one_line(error)}")]
            return [one for response in responses for one in self.prepare([response], around)]

    def _prepare_kept(self, responses: Sequence[Response]) -> list[Prepared | Unreadable]:
        finder = word_finder()
        pages = self._parse(responses)
        found = [
            None if page.is_listing else finder.find(page, self._is_missing(page, response.url))
            for page, response in zip(pages, responses, strict=True)
        ]
        judged = iter(self.judged([page for page in found if page]))
        return [next(judged) if own else Prepared(page, 0.0) for own, page in zip(found, pages, strict=True)]

    def judged(self, pages: Sequence[WordedPage]) -> list[Prepared | Unreadable]:
        """Judge pages by their words, as if they were read."""
        if not pages:
            return []
        judgment = self.topic.classify(Worded.together([page.text for page in pages]))
        verdicts = zip(judgment.relevance.tolist(), judgment.accepted.tolist(), pages, strict=True)
        return [
            Prepared(
                page.parsed,
                0.0 if page.is_missing else relevance,
                accepted and not page.is_missing,
                is_missing=page.is_missing,
                revision=self.revision,
                words=page,
            )
            if 0 <= relevance <= 1
            else self._nonsense
            for relevance, accepted, page in verdicts
        ]

    def _prepare(self, responses: Sequence[Response], in_numbers: bool) -> list[Prepared | Unreadable]:
        parsed = self._parse(responses)
        if not parsed:
            return []
        if in_numbers:
            parsed = self._words_judged(parsed)
        judged = self.topic.classify([readable(page) for page in parsed])
        classes = judged.classes or [""] * len(parsed)
        verdicts = zip(judged.relevance.tolist(), judged.accepted.tolist(), classes, strict=True)
        return [
            Prepared(page, 0.0)
            if page.is_listing
            else self._marked(response, self._prepared(page, response, *verdict))
            for page, response, verdict in zip(parsed, responses, verdicts, strict=True)
        ]

    def _marked(self, response: Response, read: Prepared | Unreadable) -> Prepared | Unreadable:
        """With the signature of what the page says, which costs as much as half of judging it."""
        if not self.tells_changes or isinstance(read, Unreadable):
            return read
        return replace(read, content=content_signature(response.body, response.url, response.content_type))

    def _prepared(
        self, page: ParsedPage, response: Response, relevance: float, accepted: bool, topic_class: str
    ) -> Prepared | Unreadable:
        if not 0 <= relevance <= 1:
            return self._nonsense
        if not self.is_live:
            read = self._slim(page)
            return Prepared(read, relevance, accepted, revision=self.revision, topic_class=topic_class)
        if is_missing := self._is_missing(page, response.url):
            relevance, accepted, topic_class = 0.0, False, ""
        read = self._slim(page)
        marks = signature(page.text), is_missing, self.revision, topic_class
        return Prepared(read, relevance, accepted, *marks)

    @property
    def _nonsense(self) -> Unreadable:
        return Unreadable(f"the topic model {self.topic.name!r} gave a relevance that is not from 0 to 1")

    def _is_missing(self, page: ParsedPage, url: str) -> bool:
        return self.is_live and looks_missing(page.title, page.text, url)

    def _parse(self, responses: Sequence[Response]) -> list[ParsedPage]:
        options = ParseOptions(
            policy=self.policy,
            context_words=CONTEXT_WORDS if self.needs & WORDS_AROUND else 0,
            max_links=self.max_links,
            with_listings=self.is_live,
            with_feed=self.is_live and self.tells_changes,
        )
        return [tidied(page) for page in parse_pages(responses, options)]

    def _words_judged(self, pages: Sequence[ParsedPage]) -> list[ParsedPage]:
        contexts = [Passages.of(page.links.contexts) for page in pages]
        judged = self.topic.judge(Passages.joined(contexts))
        ends = np.cumsum([len(own) for own in contexts])
        return [
            replace(page, links=replace(page.links, contexts=(), around=judged[end - len(own) : end]))
            if len(own)
            else page
            for page, own, end in zip(pages, contexts, ends.tolist(), strict=True)
        ]

    def _slim(self, page: ParsedPage) -> ParsedPage:
        # The text is the bulk of what would travel between processes, and few strategies read it.
        return page if "text" in self.needs else replace(page, text="")


@cache
def word_finder() -> WordFinder:
    """One of each process: most words of a page have been met on others."""
    return WordFinder()
