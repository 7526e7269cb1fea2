"""The OpenAPI description: what FastAPI makes of the code, with words and examples for those who read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI

from honeyguide.serve.problems import MEDIA_TYPE, TITLES, Problem

Schema = dict[str, Any]

_PROBLEM = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": title, "content": _PROBLEM} for status, title in TITLES.items()
}
"""What every operation may answer when something is wrong."""

_URL = "https://example.org/hives"
USUAL: Schema = {
    **{"url": _URL, "urls": [_URL], "like": _URL, "seeds": [_URL], "priorities": {_URL: 0.9}},
    **{"name": "bees", "crawl": "bees", "other": "bees-again", "topic_name": "beekeeping", "cursor": "bees"},
    **{"topic": "beekeeping and honey", "words": "beekeeping, honey bees", "title": "Bees", "under": "Home"},
    **{"text": "The beekeeper opens the hive.", "texts": ["The beekeeper opens the hive."]},
    **{"html": "<title>Hives</title><p>The beekeeper opens the hive.", "match": "calendar"},
    **{"site": "example.org", "host": "example.org", "pattern": "shop.example.org", "language": "en"},
    **{"topic_class": "Home/Beekeeping", "year": 2026, "since": 1767225600.0, "offset": 10, "wait": 1.0},
    **{
        "note": "about hives of wood",
        "by": "ann",
        "asked": "best",
        "said_at": 1767225600.0,
        "relevant": True,
        "good": True,
    },
    **{
        "pages": 1000,
        "max_pages": 5000,
        "max_requests": 9000,
        "max_seconds": 3600.0,
        "max_failures": 100,
        "rule": 3,
    },
    **{"revision": 1, "limit": 0.3, "rest": 0.1, "weights": [1.0, 0.8, 0.5, 0.1], "numbers": [3, 7]},
    **{"recording": "crawls/bees", "contact": "https://example.org/our-crawler", "path": "labels.csv"},
    **{"paths": ["examples/hives.html"], "ontology": "maps/bees.xtm", "focus": ["Honey bee"]},
    **{"hierarchy": ["part of"], "combine": ["bees", "hives"], "remove_example": [3]},
    **{"measures": ["harvest_rate@100"], "against": "breadth-first"},
}
"""Examples of what several operations take by the same name."""


def described(app: FastAPI) -> Schema:
    """The whole description; made once."""
    if app.openapi_schema is None:
        made = FastAPI.openapi(app)
        made["components"]["schemas"]["Problem"] = Problem.model_json_schema()
        for operation in operations(made):
            operation["summary"] = operation["description"].partition("\n")[0].rstrip(".")
        for name, field in fields(made):
            _show(name, field)
        _without_tuples(made)
    assert app.openapi_schema is not None
    return app.openapi_schema


def operations(description: Schema) -> Iterator[Schema]:
    """Every operation."""
    for path in description["paths"].values():
        yield from path.values()


def fields(description: Schema) -> Iterator[tuple[str, Schema]]:
    """Whatever can be given, by name: parameters, and fields of bodies at any depth; only what is no object itself."""
    for operation in operations(description):
        yield from ((one["name"], one["schema"]) for one in operation.get("parameters", ()))
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        yield from _fields_of(body.get("schema", {}), description["components"]["schemas"])


def _fields_of(schema: Schema, known: Schema) -> Iterator[tuple[str, Schema]]:
    for choice in (schema, *schema.get("anyOf", ()), *schema.get("oneOf", ()), schema.get("items", {})):
        named = known[choice["$ref"].rpartition("/")[2]] if "$ref" in choice else {}
        shown: Schema = next(iter(named.get("examples", ())), {})
        for name, field in named.get("properties", {}).items():
            if _is_object(field):
                yield from _fields_of(field, known)
                continue
            if name in shown:
                field.setdefault("examples", [shown[name]])
            yield name, field


def _is_object(field: Schema) -> bool:
    """Whether it is told by fields of its own."""
    inner = field.get("items", field)
    return "$ref" in inner or any("$ref" in choice for choice in inner.get("anyOf", ()))


def _show(name: str, field: Schema) -> None:
    """Give an example to a field that has none of its own."""
    items = field.get("items", {})
    if "examples" in field:
        return
    if "examples" in items:
        field["examples"] = [items["examples"][:1]]
    elif choices := [one for one in (field.get("const"), *field.get("enum", ())) if one]:
        field["examples"] = choices[:1]
    elif field.get("type") == "boolean":
        field["examples"] = [True]
    elif field.get("default"):
        field["examples"] = [field["default"]]
    elif name in USUAL:
        field["examples"] = [USUAL[name]]


def _without_tuples(schema: Any) -> None:
    """Lists whose places have types of their own become lists of any of these: few tools know the former."""
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        _without_tuples(inner)
    if isinstance(schema, dict) and isinstance(schema.get("prefixItems"), list):
        schema["items"] = {"anyOf": schema.pop("prefixItems")}
