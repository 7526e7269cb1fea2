"""The list of plug-ins that `strategies` and `topics` print: built-in ones, then those of other packages."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator

from honeyguide.cli import terminal
from honeyguide.plugins import outside_plugins


def print_plugins(kind: str, built_in: Iterable[type]) -> None:
    """Print name, purpose and settings of each; `kind` is also the entry point group, e.g. "strategies"."""
    table = terminal.table("name", "what it does", "settings", fold=("settings",))
    for plugin in built_in:
        table.add_row(*_row(str(getattr(plugin, "name", "")), plugin))
    for row in _outside(kind):
        table.add_row(*map(terminal.clean, row))
    terminal.print_table(table)


def _outside(kind: str) -> Iterator[tuple[str, str, str]]:
    for point in outside_plugins(kind).values():
        try:
            yield _row(point.name, point.load())
        except Exception as error:  # another package's code: anything may be wrong with it
            yield point.name, f"cannot be loaded: {error}", ""


def _row(name: str, plugin: type) -> tuple[str, str, str]:
    purpose = (inspect.getdoc(plugin) or "").partition("\n")[0]
    return name, purpose, ", ".join(_settings(plugin))


def _settings(plugin: type) -> Iterator[str]:
    for parameter in inspect.signature(plugin).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        unset = parameter.default is parameter.empty
        yield parameter.name if unset else f"{parameter.name} = {parameter.default!r}"
