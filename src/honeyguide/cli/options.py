"""Arguments and options that several verbs share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from honeyguide.errors import SettingsError

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of a crawl.")]
Assignments = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Change any setting, as in scope.max_depth=3. Repeatable."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print warnings and errors only.")]


def changes(
    options: Mapping[str, tuple[str, object]], assignments: Sequence[str] | None
) -> dict[str, object]:
    """Put the options that were given and `--set` together: the settings to change, by key.

    `options` has the key and value of each option; None and empty texts count as not given.
    """
    from honeyguide.settings import parse_assignments

    changed = parse_assignments(assignments or ())
    for option, (key, value) in options.items():
        if value is None or value == "":
            continue
        if key in changed:
            raise SettingsError(f"{option} and --set {key} mean the same setting; give one of them")
        changed[key] = value
    return changed
