"""Finding strategies, topic models and parsers by name: the built-in table, then entry points of other packages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import ClassVar, Protocol, TypeVar

from honeyguide.errors import UnknownPlugin


class Named(Protocol):
    """Anything with a name to be found by."""

    name: ClassVar[str]


Plugin = TypeVar("Plugin", bound=Named)
_ONE_OF = {"strategies": "strategy", "topics": "topic model"}


def outside_plugins(kind: str) -> dict[str, EntryPoint]:
    """What other packages register, by name."""
    return {point.name: point for point in entry_points(group=f"honeyguide.{kind}")}


def find_plugin(kind: str, name: str, built_in: Iterable[type[Plugin]]) -> type[Plugin]:
    """The class registered under this name; `kind` is also the entry point group, e.g. "strategies"."""
    known: Mapping[str, type[Plugin]] = {plugin.name: plugin for plugin in built_in}
    if name in known:
        return known[name]
    outside = outside_plugins(kind)
    if name in outside:
        found: type[Plugin] = outside[name].load()
        return found
    names = sorted({*known, *outside})
    nearest = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {nearest[0]}? There are" if nearest else "there are"
    raise UnknownPlugin(
        f"no {_ONE_OF.get(kind, f'{kind} plug-in')} is called {name!r}; {hint} {', '.join(names)}"
    )
