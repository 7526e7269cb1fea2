"""Wrong settings in words: the place, the key, what is wrong with it and the nearest valid name."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from honeyguide.errors import SettingsError
from honeyguide.settings.toml_text import key_text, quoted

MOST_SHOWN = 20
_LONGEST_SHOWN = 60
_EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a smaller whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
}


def settings_error(origin: str, problems: Iterable[str]) -> SettingsError:
    """Make one error of all problems of one origin, a line each."""
    # Looking for near names is slow and a hostile file may hold any number of unknown keys: take few.
    lines = list(islice(problems, MOST_SHOWN + 1))
    if len(lines) > MOST_SHOWN:
        lines[MOST_SHOWN:] = ["and more"]
    return SettingsError("\n".join(f"{origin}: {line}" for line in lines))


def describe(error: ValidationError, valid_keys: Collection[str]) -> Iterator[str]:
    """Put each problem found by pydantic into a sentence."""
    for detail in error.errors(include_url=False, include_context=False):
        yield _sentence(detail, valid_keys)


def _sentence(detail: ErrorDetails, valid_keys: Collection[str]) -> str:
    names = [part for part in detail["loc"] if isinstance(part, str)]
    key = key_text(*map(_shortened, names))
    if detail["type"] == "extra_forbidden":
        return f"{key}: unknown setting{suggestion(names, valid_keys)}"
    if detail["type"] == "model_type":
        return f"{key}: is a section; write its settings below a line [{key}]"
    items = "".join(f"[{part}]" for part in detail["loc"] if isinstance(part, int))
    return f"{key}{items}: {wrong_value(detail)}"


def wrong_value(detail: ErrorDetails) -> str:
    """Say what a value should be, and what it is.

    >>> wrong_value({"type": "int_type", "msg": "Input should be a valid integer", "input": "x", "loc": ()})
    'should be a whole number, not "x"'
    """
    expected = _EXPECTED.get(detail["type"])
    message = f"should be {expected}" if expected else detail["msg"].removeprefix("Input ")
    return f"{message}, not {shown(detail['input'])}"


def shown(value: object) -> str:
    """Write a value as messages show it: short, and with nothing a terminal would obey."""
    if isinstance(value, str):
        return quoted(_shortened(value))
    if isinstance(value, bool):
        return str(value).lower()
    try:
        return reprlib.repr(value)
    except ValueError:  # Python refuses to write out a number of thousands of digits
        return "a far larger number"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


def suggestion(names: Sequence[str], valid_keys: Collection[str]) -> str:
    """End the sentence about an unknown key.

    >>> suggestion(["limits", "max_pagse"], ["limits", "limits.max_pages"])
    '; did you mean limits.max_pages?'
    """
    near = nearest(names, valid_keys)
    return f"; did you mean {near}?" if near else "; `honeyguide settings` lists all that exist"


def nearest(names: Sequence[str], valid_keys: Collection[str]) -> str | None:
    """Find the valid key most like an unknown one: in its own section, else of that name in any other.

    >>> nearest(["crawl", "max_pages"], ["crawl.batch", "limits", "limits.max_pages"])
    'limits.max_pages'
    """
    section, name = ".".join(names[:-1]), names[-1]
    own = {key.rpartition(".")[2]: key for key in valid_keys if key.rpartition(".")[0] == section}
    elsewhere = {key.rpartition(".")[2]: key for key in valid_keys}
    for keys, cutoff in ((own, 0.6), (elsewhere, 0.8)):
        matches = difflib.get_close_matches(name, keys, n=1, cutoff=cutoff)
        if matches:
            return keys[matches[0]]
    return None
