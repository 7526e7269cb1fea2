"""JSON back to the dataclasses it was made of. Called by `crawl`."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from honeyguide.errors import ServerError
from honeyguide.model import Explanation, Part, Visit
from honeyguide.store.base import Post

Json = Any
Kind = TypeVar("Kind")


class Told(dict[str, Json]):
    """An object of JSON, of which nothing that is asked for is missing."""

    def __missing__(self, key: str) -> Json:
        raise ServerError(f"the server's answer has no {key!r}; is it of the same version?")


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def as_kind(kind: type[Kind], told: Json) -> Kind:
    """JSON as one of our dataclasses; ServerError if it is none."""
    try:
        return cast(Kind, _adapter(cast(Any, kind)).validate_python(told))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise ServerError(
            f"the server answers with what is no {kind}: {where}: {first['msg']}; is it of the same version?"
        ) from None


def visit_of(row: Json) -> Visit:
    """A visit of which no priority is known was never ranked."""
    return as_kind(Visit, {**row, "priority": -math.inf if row["priority"] is None else row["priority"]})


def explanation_of(told: Json, names: dict[int, str]) -> Explanation | None:
    """Why a number is what it is; urls get numbers, which go into `names`."""
    if told is None:
        return None
    parts, refers_to = ([_part(part, names) for part in told[some]] for some in ("parts", "refers_to"))
    return Explanation(told["summary"], parts, refers_to)


def _part(told: Json, names: dict[int, str]) -> Part:
    number = math.nan if told["number"] is None else told["number"]
    if told["url"] is None:
        return Part(told["label"], number)
    names[len(names)] = told["url"]
    return Part(told["label"], number, len(names) - 1)


def post_of(row: Json) -> Post:
    """A command and its receipt."""
    command = json.dumps(row["command"], ensure_ascii=False, separators=(",", ":"))
    return Post(row["number"], row["time"], command, row["receipt"])
