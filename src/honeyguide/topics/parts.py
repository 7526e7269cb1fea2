"""Taking values out of a topic's parts, which may come from a damaged or hostile file. Used by `from_parts`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import TopicError
from honeyguide.model import Floats


def array_of(arrays: Mapping[str, NDArray[Any]], name: str, shape: tuple[int, ...]) -> Floats:
    """The array of this name as float64, of this shape and finite."""
    array = arrays.get(name)
    if array is None or array.shape != shape or array.dtype.kind not in "biuf":
        found = "missing" if array is None else f"{array.dtype} {array.shape}"
        raise TopicError(f"the array {name!r} should hold numbers in the shape {shape}; it is {found}")
    numbers = array.astype(np.float64)
    if not np.isfinite(numbers).all():
        raise TopicError(f"the array {name!r} holds something that is no number")
    return numbers


def number_of(settings: Mapping[str, Any], name: str) -> float:
    """The finite number of this name."""
    value = settings.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < math.inf:
        raise TopicError(f"the setting {name!r} is no number")
    return float(value)


def text_of(settings: Mapping[str, Any], name: str, max_chars: int) -> str:
    """The text of this name."""
    value = settings.get(name)
    if not isinstance(value, str) or len(value) > max_chars:
        raise TopicError(f"the setting {name!r} is no text of at most {max_chars:,} characters")
    return value


def strings_of(settings: Mapping[str, Any], name: str, at_most: int) -> list[str]:
    """The list of distinct texts of this name."""
    values = settings.get(name)
    if (
        not isinstance(values, list)
        or len(values) > at_most
        or not all(isinstance(value, str) for value in values)
    ):
        raise TopicError(f"the setting {name!r} is no list of at most {at_most:,} texts")
    if len(set(values)) < len(values):
        raise TopicError(f"the setting {name!r} holds a text twice")
    return values
