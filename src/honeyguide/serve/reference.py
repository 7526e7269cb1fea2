"""The OpenAPI description as a page that people read. Also written to docs/reference by a script."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h2 { margin-top: 3rem; }
article { border-top: 1px solid #8888; padding: .5rem 0; }
code, pre { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
pre { overflow: auto; background: #8882; padding: .5rem; }
table { border-collapse: collapse; display: block; overflow: auto; }
td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; }
"""
_METHODS = ("get", "post", "put", "patch", "delete")


def reference_page(description: Mapping[str, Any]) -> str:
    """The whole page."""
    info = description["info"]
    by_tag: dict[str, list[str]] = {}
    for path, operations in description["paths"].items():
        for method in _METHODS:
            if method in operations:
                told = "".join(_operation(method, path, operations[method], description))
                by_tag.setdefault((operations[method].get("tags") or ["other"])[0], []).append(told)
    parts = "".join(
        f'<h2 id="{escape(tag)}">{escape(tag)}</h2>{"".join(told)}' for tag, told in by_tag.items()
    )
    listed = " ".join(f'<a href="#{escape(tag)}">{escape(tag)}</a>' for tag in by_tag)
    about = "".join(f"<p>{escape(one)}</p>" for one in info["description"].split("\n\n"))
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(info['title'])} API</title>"
        '<link rel="stylesheet" href="reference.css"></head>'
        f"<body><main><h1>{escape(info['title'])} API {escape(info['version'])}</h1>{about}"
        f"<nav><p>{listed}</p></nav>{parts}</main></body></html>"
    )


def _operation(method: str, path: str, told: Mapping[str, Any], whole: Mapping[str, Any]) -> Iterator[str]:
    yield f"<article><h3><code>{method.upper()} {escape(path)}</code></h3>"
    yield f"<p>{escape(told.get('description', ''))}</p>"
    if parameters := told.get("parameters"):
        yield "<table><tr><th>parameter</th><th>in</th><th>type</th><th>meaning</th></tr>"
        for one in parameters:
            cells = (one["name"], one["in"], _type(one["schema"]), one.get("description", ""))
            yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
        yield "</table>"
    if body := told.get("requestBody"):
        content = body["content"]["application/json"]
        yield "<p>Body:</p>" + _shape(content["schema"], whole)
        yield from _examples(content, whole)
    for status, answer in told["responses"].items():
        if status.startswith("2"):
            kinds = answer.get("content", {})
            yield f"<p>Answers {escape(status)}{escape(': ' + ', '.join(kinds) if kinds else '')}</p>"
            yield "".join(_shape(kind["schema"], whole) for kind in kinds.values() if kind.get("schema"))
    yield "</article>"


def _examples(content: Mapping[str, Any], whole: Mapping[str, Any]) -> Iterator[str]:
    named = [one["value"] for one in content.get("examples", {}).values()]
    for example in named or _resolved(content["schema"], whole).get("examples", []):
        yield f"<pre>{escape(json.dumps(example, indent=1))}</pre>"


def _resolved(schema: Mapping[str, Any], whole: Mapping[str, Any]) -> Mapping[str, Any]:
    for choice in schema.get("anyOf", ()):
        if "$ref" in choice:
            return _resolved(choice, whole)
    if "$ref" not in schema:
        return schema
    found: Mapping[str, Any] = whole["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return found


def _shape(schema: Mapping[str, Any], whole: Mapping[str, Any]) -> str:
    """The fields of an object, one level deep."""
    fields = _resolved(schema, whole).get("properties", {})
    needed = set(_resolved(schema, whole).get("required", ()))
    rows = "".join(
        f"<tr><td><code>{escape(name)}</code>{' *' if name in needed else ''}</td><td>{escape(_type(one))}</td>"
        f"<td>{escape(one.get('description', ''))}</td></tr>"
        for name, one in fields.items()
    )
    return f"<table><tr><th>field</th><th>type</th><th>meaning</th></tr>{rows}</table>" if rows else ""


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(dict.fromkeys(_type(choice) for choice in choices))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))
