"""A plug-in's own settings: the keys of a section, checked against the keywords its constructor takes."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

from pydantic import TypeAdapter, ValidationError

from honeyguide.errors import SettingsError
from honeyguide.settings.order import valid_keys
from honeyguide.settings.problems import nearest, settings_error, wrong_value
from honeyguide.settings.toml_text import key_text


def plugin_keywords(
    constructor: Callable[..., object], given: Mapping[str, object], where: str
) -> dict[str, object]:
    """Return keywords to call a constructor with; SettingsError tells what is unknown, wrong or missing.

    `where` is the section the keys are from.

    >>> def strategy(*, decay: float = 0.5) -> None: ...
    >>> plugin_keywords(strategy, {"decay": 1}, "strategy")
    {'decay': 1.0}
    """
    parameters = dict(_keyword_parameters(constructor))
    required = [name for name, parameter in parameters.items() if parameter.default is parameter.empty]
    problems = [f"{name}: missing; it has no default" for name in required if name not in given]
    accepted: dict[str, object] = {}
    for key in (key for key in given if key in parameters):
        try:
            accepted[key] = _converted(given[key], parameters[key].annotation)
        except ValidationError as error:
            problems.append(f"{key}: {wrong_value(error.errors()[0])}")
    unknown = [key for key in given if key not in parameters]
    if problems or unknown:
        advice = (_advice(key, list(parameters), where) for key in unknown)
        raise settings_error(f"[{where}]", chain(problems, advice))
    return accepted


def keywords_of(plugin: object) -> dict[str, object]:
    """The keywords an object was made with, as long as it keeps them by their names; SettingsError if it does not.

    >>> class Fading:
    ...     def __init__(self, decay: float = 0.5) -> None:
    ...         self.decay = decay
    >>> keywords_of(Fading(0.25))
    {'decay': 0.25}
    """
    names = [name for name, _ in _keyword_parameters(type(plugin))]
    if missing := [name for name in names if not hasattr(plugin, name)]:
        raise SettingsError(
            f"a {type(plugin).__name__} does not keep {missing[0]!r}, so that nobody can tell how it was made; "
            f"have its constructor set self.{missing[0]}"
        )
    return {name: getattr(plugin, name) for name in names}


def _keyword_parameters(constructor: Callable[..., object]) -> Iterator[tuple[str, inspect.Parameter]]:
    for name, parameter in inspect.signature(constructor, eval_str=True).parameters.items():
        if parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            yield name, parameter


def _converted(value: object, annotation: Any) -> object:
    kind = Any if annotation is inspect.Parameter.empty else annotation
    # Strict rules for JSON are the right ones: a list may become a tuple, a text a Path, never "1" a number.
    return TypeAdapter(kind).validate_json(json.dumps(value), strict=True)


def _advice(unknown: str, names: list[str], section: str) -> str:
    own = [key.partition(".")[2] for key in valid_keys() if key.startswith(f"{section}.")]
    near = nearest([unknown], [*names, *own])
    takes = f"it takes {', '.join(names)}" if names else "it has no settings of its own"
    return f"{key_text(unknown)}: unknown setting; " + (f"did you mean {near}?" if near else takes)
