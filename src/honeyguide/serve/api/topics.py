"""Topics: which there are, what they say of a text, what is inside them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from honeyguide.crawls import Crawl
from honeyguide.errors import TopicError
from honeyguide.serve.api.shapes import Cursor, Most, Part, leads_to, offset_part
from honeyguide.serve.serving import Here, Serving
from honeyguide.serve.workspace import NAME, NotFound
from honeyguide.topics.base import TopicModel
from honeyguide.topics.ontology import OntologyTopic
from honeyguide.topics.taxonomy import TaxonomyTopic
from honeyguide.topics.topic_file import read_topic

router = APIRouter(tags=["topics"])
MOST_TEXTS, LONGEST_TEXT = 200, 1_000_000
MOST_PARTS = 200

TopicName = Annotated[
    str,
    Path(pattern=f"^{NAME}$", max_length=100, description="The name of a topic.", examples=["beekeeping"]),
]


class TopicRow(BaseModel):
    """A topic."""

    name: str = Field(examples=["beekeeping"])
    kind: str = Field(examples=["keywords"])
    relevant_above: float = Field(examples=[0.3])
    bytes: int
    changed: float


class Texts(BaseModel):
    """Texts to judge."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"texts": ["the beekeeper opens the hive"]}]}
    )

    texts: Annotated[
        list[Annotated[str, Field(max_length=LONGEST_TEXT)]], Field(min_length=1, max_length=MOST_TEXTS)
    ]


class Judged(BaseModel):
    """What a topic says of texts."""

    relevance: list[float]
    is_relevant: list[bool]
    follow: list[bool] = Field(
        description="Whether strategies that keep to the topic follow such a page's links."
    )
    classes: list[str]
    relevant_above: float


class Question(BaseModel):
    """A text, or a page of a crawl."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "the beekeeper opens the hive"}]}
    )

    text: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    crawl: Annotated[str, Field(max_length=100)] = ""
    url: Annotated[str, Field(max_length=4_000)] = ""


class Told(BaseModel):
    """What a topic says of one text, and why."""

    relevance: float
    is_relevant: bool
    follow: bool
    topic_class: str
    relevant_above: float
    summary: str
    parts: list[tuple[str, float]] = Field(description="What it is made of, the largest first.")


class Node(BaseModel):
    """A class of a taxonomy, or a name of an ontology."""

    path: str = Field(examples=["Home/Beekeeping"])
    is_good: bool
    examples: int
    weight: float | None = None


class ExampleRow(BaseModel):
    """An example that a taxonomy has learned from."""

    number: int
    path: str
    title: str
    url: str


def read_named(here: Serving, name: str) -> TopicModel:
    """A topic of the workspace."""
    return read_topic(here.workspace.topic_file(name))


_OF_TOPIC = (
    "topic",
    "judge",
    "explain_text",
    "tree",
    "examples",
    "topic_map",
    "export_topic",
    "delete_topic",
)


@router.get("/topics", responses=leads_to(200, "items/0", "topic", *_OF_TOPIC))
def list_topics(here: Here, cursor: Cursor = 0, most: Most = 100) -> Part[str]:
    """The names of the topics of the workspace."""
    return offset_part(here.workspace.topic_names(), cursor, most)


@router.get("/topics/{topic}")
def topic(topic: TopicName, here: Here) -> TopicRow:
    """A topic."""
    model, found = read_named(here, topic), here.workspace.topic_file(topic).stat()
    return TopicRow(
        name=topic,
        kind=model.name,
        relevant_above=model.relevant_above,
        bytes=found.st_size,
        changed=found.st_mtime,
    )


@router.delete("/topics/{topic}", status_code=204)
def delete_topic(topic: TopicName, here: Here) -> None:
    """Remove a topic; crawls have copies of their own."""
    here.workspace.topic_file(topic).unlink()


@router.post("/topics/{topic}/judge")
def judge(topic: TopicName, given: Texts, here: Here) -> Judged:
    """Tell the relevance of texts."""
    with here.heavy():
        model = read_named(here, topic)
        said = model.classify(given.texts)
    return Judged(
        relevance=said.relevance.tolist(),
        is_relevant=(said.relevance >= model.relevant_above).tolist(),
        follow=said.accepted.tolist(),
        classes=[*said.classes],
        relevant_above=model.relevant_above,
    )


@router.post("/topics/{topic}/explain")
def explain_text(topic: TopicName, given: Question, here: Here) -> Told:
    """Tell the relevance of a text, or of a page of a crawl, and which words or topics decided."""
    text = (
        given.text
        if given.text or not given.crawl
        else _text_of(here.workspace.crawl(given.crawl), given.url)
    )
    with here.heavy():
        model = read_named(here, topic)
        said, why = model.classify([text]), model.explain(text)
    relevance = float(said.relevance[0])
    return Told(
        relevance=relevance,
        is_relevant=relevance >= model.relevant_above,
        follow=bool(said.accepted[0]),
        topic_class=said.classes[0] if said.classes else "",
        relevant_above=model.relevant_above,
        summary=why.summary,
        parts=[(part.label, part.number) for part in why.parts[:MOST_PARTS]],
    )


def _text_of(crawl: Crawl, url: str) -> str:
    text = crawl.text(url)
    if not text:
        raise NotFound(f"{url[:200]} is not in the archive of this crawl")
    return text


@router.get("/topics/{topic}/tree")
def tree(topic: TopicName, here: Here, cursor: Cursor = 0, most: Most = 500) -> Part[Node]:
    """The classes of a taxonomy, each before those below it; or the names of an ontology by weight."""
    model = read_named(here, topic)
    if isinstance(model, TaxonomyTopic):
        return offset_part([*_classes(model)], cursor, most)
    if isinstance(model, OntologyTopic):
        return offset_part([*_weighted(model)], cursor, most)
    raise TopicError(f"{topic} is a {model.name} topic and has no tree")


def _classes(model: TaxonomyTopic) -> Iterator[Node]:
    shape, places = model.taxonomy.tree, model.taxonomy.documents.places
    examples: dict[int, int] = {}
    for place in places.tolist():
        examples[place] = examples.get(place, 0) + 1
    for path, node in sorted((shape.path(node), node) for node in range(1, len(shape))):
        yield Node(path=path, is_good=node in shape.good, examples=examples.get(node, 0))


def _weighted(model: OntologyTopic) -> Iterator[Node]:
    """Names of the map, the weightiest first."""
    named = [number for number, one in enumerate(model.map.topics) if one.names]
    for number in sorted(named, key=lambda number: (-float(model.weights[number]), number)):
        weight = float(model.weights[number])
        label = model.map.topics[number].label
        yield Node(path=label, is_good=number in model.focus, examples=0, weight=weight)


@router.get("/topics/{topic}/examples")
def examples(
    topic: TopicName,
    here: Here,
    path: Annotated[
        str, Query(max_length=1_000, description="At or below this class.", examples=["Home"])
    ] = "",
    cursor: Cursor = 0,
    most: Most = 100,
) -> Part[ExampleRow]:
    """The examples of a taxonomy with their numbers."""
    model = read_named(here, topic)
    if not isinstance(model, TaxonomyTopic):
        raise TopicError(f"{topic} is a {model.name} topic and has no examples")
    documents, shape = model.taxonomy.documents, model.taxonomy.tree
    numbers = model.taxonomy.examples_of(path)
    rows = [
        ExampleRow(
            number=number,
            path=shape.path(int(documents.places[number])),
            title=documents.titles[number],
            url=documents.urls[number],
        )
        for number in islice(numbers, cursor, cursor + most)
    ]
    return Part(items=rows, next=cursor + most if cursor + most < len(numbers) else None)
