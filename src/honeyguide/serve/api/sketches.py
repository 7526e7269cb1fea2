"""Topics in the making: what words would find, where examples fit, which pages could be further examples."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, model_validator

from honeyguide.crawls import Crawl
from honeyguide.errors import TopicError
from honeyguide.serve.api.shapes import Part, Words
from honeyguide.serve.api.topics import TopicName, read_named
from honeyguide.serve.excerpts import glance_at
from honeyguide.serve.serving import Here, Serving
from honeyguide.store.archived_page import archived_text
from honeyguide.topics.examples import Example
from honeyguide.topics.expansion import expanded
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.phrase import check_phrase
from honeyguide.topics.taxonomy import TaxonomyTopic
from honeyguide.topics.taxonomy.advice import Proposal, propose_classes, suggest_examples
from honeyguide.topics.text import stem_phrase

router = APIRouter(tags=["topics"])
MOST_SAMPLED = 200
MOST_TEXTS, LONGEST_TEXT = 100, 100_000
GLANCED_AT = 30
"""Pages whose deciding words are told; to explain all would take longer than somebody types."""
MORE_WORDS = 20
PastedTexts = Annotated[
    list[Annotated[str, Field(max_length=LONGEST_TEXT)]],
    Field(max_length=MOST_TEXTS, examples=[["The beekeeper opens the hive."]]),
]


class Sketch(BaseModel):
    """A topic that is not made yet, to be tried on pages of a crawl or on texts."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"words": "beekeeping and honey", "crawl": "bees"}]}
    )

    words: Annotated[Words, Field(min_length=1)]
    language: Annotated[str, Field(pattern=r"^([a-z]{2})?$")] = ""
    crawl: Annotated[str, Field(max_length=100)] = ""
    texts: PastedTexts = []
    urls: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=4_000)]],
        Field(max_length=MOST_TEXTS, description="These pages of the crawl, rather than random ones."),
    ] = []
    most: Annotated[int, Field(ge=1, le=MOST_SAMPLED)] = 100

    @model_validator(mode="after")
    def has_pages(self) -> Sketch:
        """Something must be there to try it on."""
        if not self.crawl and not self.texts:
            raise ValueError("give a crawl, or texts")
        if self.urls and not self.crawl:
            raise ValueError("urls are those of a crawl; give its name, too")
        return self


class SketchedPage(BaseModel):
    """A page of the sample."""

    url: str
    title: str
    relevance: float
    is_relevant: bool
    words: list[tuple[str, float]] = Field(default=[], description="Words that decide; of the first pages.")
    pieces: list[tuple[str, bool]] = Field(default=[], description="Where they stand, as plain text.")


class DecidingWord(BaseModel):
    """A word of the topic, over the pages that would be found."""

    word: str = Field(examples=["honey"])
    pages: int
    share: float = Field(description="Of the relevance of these pages that is due to it.")


class Tried(Part[SketchedPage]):
    """What words would find."""

    relevant: int = 0
    sampled: int = 0
    deciding: list[DecidingWord] = Field(default=[])
    more: list[str] = Field(
        default=[], description="Words that the relevant pages share, and the topic lacks."
    )


class Examples(BaseModel):
    """Texts."""

    model_config = ConfigDict(extra="forbid")

    texts: Annotated[PastedTexts, Field(min_length=1)]


class Nearby(BaseModel):
    """Where further examples are looked for."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"crawl": "bees", "path": "Home/Beekeeping"}]}
    )

    crawl: Annotated[str, Field(max_length=100)]
    path: Annotated[str, Field(max_length=1_000, description="The class; empty: each good one.")] = ""
    most: Annotated[int, Field(ge=1, le=100)] = 10


class Suggested(BaseModel):
    """A page that may be one more example."""

    path: str
    url: str
    title: str
    score: float
    shared: list[str] = Field(description="Words of the class that its title has.")


@router.post("/check/topic")
def try_words(sketch: Sketch, here: Here) -> Tried:
    """Judge a sample of pages by words that are no topic yet, the most relevant first, with the words that decide."""
    check_phrase(sketch.words, sketch.language)
    model = KeywordTopic(sketch.words, sketch.language)
    pages = _pages(here, sketch)
    relevance = model.judge([page.readable for page in pages]).tolist() if pages else []
    order = sorted(range(len(pages)), key=lambda at: -relevance[at])
    shown: list[SketchedPage] = []
    times: Counter[str] = Counter()
    shares: dict[str, float] = {}
    for rank, at in enumerate(order):
        page, number = pages[at], relevance[at]
        is_relevant = number >= model.relevant_above
        found = SketchedPage(url=page.url, title=page.title, relevance=number, is_relevant=is_relevant)
        if rank < GLANCED_AT and number:
            glance = glance_at(model, page.readable)
            found.words, found.pieces = [*glance.words], [*glance.pieces]
            for word, share in glance.words:
                times[word] += is_relevant
                shares[word] = shares.get(word, 0.0) + share * is_relevant
        shown.append(found)
    relevant = [pages[at] for at in order if relevance[at] >= model.relevant_above]
    total = sum(shares.values()) or 1.0
    return Tried(
        items=shown,
        relevant=len(relevant),
        sampled=len(pages),
        deciding=[
            DecidingWord(word=word, pages=times[word], share=share / total)
            for word, share in sorted(shares.items(), key=lambda item: -item[1])
            if share
        ],
        more=_more_words(model, relevant),
    )


def _pages(here: Serving, sketch: Sketch) -> list[Example]:
    pasted = [Example(text, title=" ".join(text[:500].split())[:80]) for text in sketch.texts if text.strip()]
    if not sketch.crawl:
        return pasted
    crawl = here.workspace.crawl(sketch.crawl)
    if not sketch.urls:
        return [*pasted, *_sample(crawl, sketch.most)]
    kept = (page for url in sketch.urls if (page := crawl.page(url)) is not None and page.is_kept)
    return [*pasted, *(Example(page.text(), title=page.title, url=page.url) for page in kept)]


def _sample(crawl: Crawl, most: int) -> Iterator[Example]:
    """Random pages of a crawl; the same ones until it has fetched more."""
    with crawl.reader() as reader:
        last = reader.last_number()
        numbers = random.Random(last).sample(range(1, last + 1), min(last, most))
        for visit in reader.numbered(numbers):
            if visit.location:
                yield Example(archived_text(reader, visit.location), title=visit.title, url=visit.url)


def _more_words(model: KeywordTopic, relevant: list[Example]) -> list[str]:
    if not relevant:
        return []
    own = set(stem_phrase(model.text, model.language))
    words = expanded("", relevant, words=MORE_WORDS + len(own)).split()
    return [word for word in words if own.isdisjoint(stem_phrase(word, model.language))][:MORE_WORDS]


@router.post("/topics/{topic}/proposals")
def proposals(topic: TopicName, given: Examples, here: Here) -> list[Proposal]:
    """Tell where in a taxonomy examples fit."""
    with here.heavy():
        model = _taxonomy(here, topic)
        return propose_classes(model.taxonomy, [Example(text) for text in given.texts])


@router.post("/topics/{topic}/suggestions")
def suggestions(topic: TopicName, given: Nearby, here: Here) -> list[Suggested]:
    """Pages of a crawl that could be further examples of a class, by their titles."""
    with here.heavy():
        taxonomy = _taxonomy(here, topic).taxonomy
        nearby = [*_sample(here.workspace.crawl(given.crawl), MOST_SAMPLED)]
        paths = (
            [given.path] if given.path else [taxonomy.tree.path(node) for node in sorted(taxonomy.tree.good)]
        )
        found = [
            (path, one) for path in paths for one in suggest_examples(taxonomy, path, nearby, given.most)
        ]
    return [
        Suggested(
            path=path,
            url=one.example.url,
            title=one.example.title,
            score=one.score,
            shared=[*one.shared],
        )
        for path, one in found
    ]


def _taxonomy(here: Serving, name: str) -> TaxonomyTopic:
    model = read_named(here, name)
    if not isinstance(model, TaxonomyTopic):
        raise TopicError(f"{name} is a {model.name} topic and has no classes")
    return model
