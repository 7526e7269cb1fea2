"""What a collection answered, ours or another portal's. Of foreign answers nothing is believed but texts and order."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from honeyguide.search.results import Hit
from honeyguide.serve.portal.shown import MOST_ADDRESS, MOST_TITLE, plain, web_link
from honeyguide.urls import DEFAULT_POLICY, host_of, site_of

MOST_HITS = 20
"""Of each collection; whoever wants more searches there."""
_MOST_PIECES = 60
_MOST_PIECE = 400


@dataclass(frozen=True, slots=True)
class Answer:
    """Hits in the order of whoever gave them; or why there are none."""

    name: str
    page: str  # where people ask the same
    hits: tuple[Hit, ...] = ()
    total: int = 0
    problem: str = ""
    is_ours: bool = False
    path: str = ""  # of a collection of ours
    suggestion: str = ""  # what may have been meant
    ignored: tuple[str, ...] = ()  # what did not count as it was asked


def read_answer(body: bytes) -> tuple[tuple[Hit, ...], int, int]:
    """Hits, total, and how many of the hits were unusable. ValueError if it is no answer at all."""
    try:
        told = json.loads(body)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    if not isinstance(told, dict) or not isinstance(told.get("hits"), list):
        raise ValueError("it has no list of hits")
    given = told["hits"][:MOST_HITS]
    hits = tuple(hit for one in given if (hit := _hit(one)))
    return hits, max(int(_number(told.get("total"), 1e12)), len(hits)), len(given) - len(hits)


def _hit(given: Any) -> Hit | None:
    if not isinstance(given, dict):
        return None
    url = DEFAULT_POLICY.canonical(web_link(_text(given, "url", 4096)) or "")
    if url is None:
        return None
    host = host_of(url)
    return Hit(
        number=0,
        url=url,
        title=plain(_text(given, "title", 8 * MOST_TITLE)),
        host=host,
        site=site_of(host),
        language=_text(given, "language", 12),
        time=_number(given.get("time"), 1e11),
        relevance=_number(given.get("relevance"), 1.0),
        authority=_number(given.get("authority"), 1.0),
        topic_class=plain(_text(given, "topic_class", MOST_ADDRESS)),
        label=None,
        snippet=_snippet(given.get("snippet")),
        score=0.0,
        parts={},
        copies=0,
    )


def _text(given: dict[str, Any], name: str, most: int) -> str:
    value = given.get(name)
    return value[:most] if isinstance(value, str) else ""


def _number(value: object, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return 0.0
    return float(min(max(value, 0), most))


def _snippet(given: object) -> tuple[tuple[str, bool], ...]:
    pieces = given[:_MOST_PIECES] if isinstance(given, list) else []
    return tuple(
        (piece[0][:_MOST_PIECE], piece[1] is True)
        for piece in pieces
        if isinstance(piece, list) and len(piece) == 2 and isinstance(piece[0], str)
    )
