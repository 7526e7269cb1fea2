"""Topic maps: the whole of one to look at, and which of its topics are in focus."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import combinations, islice
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from honeyguide.errors import HoneyguideError, TopicError
from honeyguide.serve.api.topics import TopicName, read_named
from honeyguide.serve.serving import Here, Serving
from honeyguide.topics.ontology import Footprint, OntologyTopic, TopicMap, compare, read_topic_map
from honeyguide.topics.ontology.topic import OntologySettings
from honeyguide.topics.ontology.weights import WeightClasses, neighbors
from honeyguide.topics.topic_file import write_topic

router = APIRouter(tags=["topics"])
LONGEST_MAP = 3_000_000
MOST_NODES, MOST_EDGES = 2_000, 10_000
MOST_TOUCHED = 200
Kind = Literal["focal", "hierarchy", "other", "rest"]
Weight = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Focus = Annotated[list[Annotated[str, Field(min_length=1, max_length=2_000)]], Field(max_length=200)]


class MapNode(BaseModel):
    """A topic of the map."""

    number: int
    key: str = Field(description="What names it in a focus.")
    label: str
    weight: float
    kind: Kind


class MapEdge(BaseModel):
    """Two topics that belong together."""

    source: int = Field(description="The lower one, of two in a hierarchy.")
    target: int
    label: str
    is_hierarchy: bool


class MapView(BaseModel):
    """A topic map with the weights around its focus."""

    nodes: list[MapNode]
    edges: list[MapEdge]
    topics: int = Field(description="How many there are in all.")
    weights: dict[str, float | None] = Field(
        description="Of each class; null: chosen by the size of the map."
    )
    relevant_above: float


class Weights(BaseModel):
    """Weights of the four classes."""

    model_config = ConfigDict(extra="forbid")

    focal: Weight = 1.0
    hierarchy: Weight = 0.8
    other: Weight = 0.5
    rest: Weight | None = None


class Focusing(BaseModel):
    """Which topics are meant, and how much those around them count."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"focus": ["Honey bee"]}]})

    focus: Annotated[Focus, Field(min_length=1)]
    weights: Weights = Weights()


class GivenMap(BaseModel):
    """A map in the request itself."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[
        str,
        Field(
            min_length=1,
            max_length=LONGEST_MAP,
            description="XTM, or SKOS, OWL or RDFS in RDF/XML, Turtle, N-Triples or JSON-LD.",
        ),
    ]
    focus: Focus = Field(default=[], description="Without any, the topic that most others are joined to.")


class Touching(BaseModel):
    """Pages of a crawl that are laid on the map."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"crawl": "beekeeping", "urls": ["https://example.org/hives"]}]},
    )

    crawl: Annotated[str, Field(min_length=1, max_length=100)]
    urls: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=4_000)]], Field(min_length=1, max_length=50)
    ]
    alike: Annotated[
        str,
        Field(
            max_length=4_000,
            description="A page that all others are compared with.",
            examples=["https://example.org/hives"],
        ),
    ] = ""


class PageFootprint(BaseModel):
    """The part of the map that a page touches."""

    url: str = Field(examples=["https://example.org/hives"])
    mentioned: list[tuple[str, float]] = Field(description="Topics with their tf-idf, the greatest first.")
    above: list[tuple[str, int]] = Field(description="Classes above them, with the steps up to each.")
    similarity: list[float] = Field(
        description="To the page compared with: by what both mention, then with classes one step above, ..."
    )


@router.post("/topics/{topic}/footprints")
def footprints(topic: TopicName, given: Touching, here: Here) -> list[PageFootprint]:
    """The parts of a map that pages of a crawl touch, and how alike they are by these; unkept pages are left out."""
    crawl = here.workspace.crawl(given.crawl)
    with here.heavy():
        model = _ontology(here, topic)
        texts = {url: text for url in given.urls if (text := crawl.text(url))}
        other = model.footprint(crawl.text(given.alike)) if given.alike else None
        return [_footprint(model, url, model.footprint(text), other) for url, text in texts.items()]


def _footprint(model: OntologyTopic, url: str, found: Footprint, other: Footprint | None) -> PageFootprint:
    labels = model.map.topics
    mentioned = sorted(found.touched.items(), key=lambda one: -one[1])[:MOST_TOUCHED]
    above = sorted((steps, number) for number, steps in found.levels.items() if steps)[:MOST_TOUCHED]
    return PageFootprint(
        url=url,
        mentioned=[(labels[number].label, tfidf) for number, tfidf in mentioned],
        above=[(labels[number].label, steps) for steps, number in above],
        similarity=[*compare(found, other).similarity] if other else [],
    )


@router.get("/topics/{topic}/map")
def topic_map(
    topic: TopicName,
    here: Here,
    most: Annotated[
        int, Query(ge=1, le=MOST_NODES, description="So many topics, the weightiest first.")
    ] = 300,
) -> MapView:
    """The map of an ontology topic: its topics with their weights, and what joins them."""
    return _view(_ontology(here, topic), most)


@router.put("/topics/{topic}/map", status_code=201)
def new_map(topic: TopicName, given: GivenMap, here: Here) -> MapView:
    """Make a topic of a map."""
    file = here.workspace.new_topic_file(topic)
    if file.exists():
        raise TopicError(f"there is a topic {topic!r} already; choose another name, or remove it first")
    with here.heavy():
        found = _read_map(given.text)
        model = OntologyTopic.of_map(found, given.focus) if given.focus else _with_any_focus(found)
        write_topic(file, model)
        return _view(model, MOST_NODES)


@router.post("/topics/{topic}/focus")
def focus(topic: TopicName, given: Focusing, here: Here) -> MapView:
    """Change which topics of a map are in focus, and the weights around them."""
    with here.heavy():
        model = _ontology(here, topic)
        weights = WeightClasses(**given.weights.model_dump())
        changed = OntologyTopic.of_map(model.map, given.focus, replace(model.settings, weights=weights))
        write_topic(here.workspace.topic_file(topic), changed)
        return _view(changed, MOST_NODES)


def _read_map(text: str) -> TopicMap:
    """From a folder of its own, so that a map that wants others merged into it finds none."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map"
        path.write_text(text, encoding="utf-8")
        try:
            return read_topic_map(path)
        except HoneyguideError as error:
            raise type(error)(str(error).replace(str(path), "the map")) from None


def _with_any_focus(found: TopicMap) -> OntologyTopic:
    """Focused on the topic that most others are joined to, until somebody chooses."""
    around: dict[int, int] = {}
    for association in found.associations:
        for role in association.roles:
            around[role.player] = around.get(role.player, 0) + 1
    named = [number for number, one in enumerate(found.topics) if one.names]
    for number in islice(sorted(named, key=lambda one: (-around.get(one, 0), one)), 20):
        try:
            return OntologyTopic.of_map(found, [_key(found, number)], OntologySettings())
        except TopicError:
            continue  # it has no name that could be found in a text
    raise TopicError("none of the map's topics has a name by which a text could mention it")


def _key(found: TopicMap, number: int) -> str:
    one = found.topics[number]
    return next(iter(one.identifiers()), one.label)


def _ontology(here: Serving, name: str) -> OntologyTopic:
    model = read_named(here, name)
    if not isinstance(model, OntologyTopic):
        raise TopicError(f"{name} is a {model.name} topic and has no map")
    return model


def _view(model: OntologyTopic, most: int) -> MapView:
    named = [number for number, one in enumerate(model.map.topics) if one.names]
    shown = sorted(named, key=lambda number: (-float(model.weights[number]), number))[:most]
    above_or_below, joined = neighbors(model.map, model.focus, model.hierarchy)

    def kind(number: int) -> Kind:
        if number in model.focus:
            return "focal"
        return "hierarchy" if number in above_or_below else "other" if number in joined else "rest"

    return MapView(
        nodes=[
            MapNode(
                number=number,
                key=_key(model.map, number),
                label=model.map.topics[number].label,
                weight=float(model.weights[number]),
                kind=kind(number),
            )
            for number in shown
        ],
        edges=[*islice(_edges(model, set(shown)), MOST_EDGES)],
        topics=len(named),
        weights=asdict(model.settings.weights),
        relevant_above=model.relevant_above,
    )


def _edges(model: OntologyTopic, shown: set[int]) -> Iterator[MapEdge]:
    for lower, upper in model.hierarchy.pairs():
        if lower in shown and upper in shown:
            yield MapEdge(source=lower, target=upper, label="", is_hierarchy=True)
    for association in model.map.associations:
        if model.hierarchy.joins(association):
            continue
        players = [role.player for role in association.roles if role.player in shown][:10]
        label = model.map.topics[association.type].label if association.type >= 0 else ""
        for source, target in combinations(dict.fromkeys(players), 2):
            yield MapEdge(source=source, target=target, label=label, is_hierarchy=False)
