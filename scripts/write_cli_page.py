"""Writes docs/reference/cli.md from the help texts of the command line."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from honeyguide.cli.main import app
from honeyguide.cli.running import EXIT_CODES_HELP
from honeyguide.store.export import COLUMNS

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "cli.md"

INTRODUCTION = """# Command line

<!-- Written by scripts/write_cli_page.py; do not edit. -->

`honeyguide VERB --help` shows the same. Results go to standard output; progress bars, warnings and errors go
to standard error. An error is one line, `error: ...`, that says what was wrong, where, and what to do next.

The first Ctrl-C (or SIGTERM) ends a crawl once the pages under way are stored; the second ends it at once.
Either way `honeyguide resume` goes on.

## Exit codes

| code | meaning |
|---|---|
"""
EXPORTS = """
Times are UTC; in CSV and JSON lines written as in 2025-06-01T12:00:00.000+00:00. `priority` is that at which the
page was fetched, `digest` is of its bytes, unpacked, and `archive_file` and `archive_offset` say where its WARC record
starts. `label` is yes, no or unsure, and empty where nobody said anything; `honeyguide label --file` reads tables of
labels and of pages in every format. A link from nowhere leads to a seed. In CSV, control characters become
spaces and a text that a spreadsheet would take for a formula gets a leading apostrophe. Texts are written as
they are, except to a terminal: there characters that hide or turn the reading direction are escaped (JSON) or
replaced (CSV).

| table | columns |
|---|---|
"""
_CODE = re.compile(r"^  (\d+) +(.*)$", re.MULTILINE)
_TERMS = re.compile(r"\b[a-z]+_[a-z_]+\b")


def page() -> str:
    """Write the whole page."""
    codes = _CODE.findall(_TERMS.sub(r"`\g<0>`", EXIT_CODES_HELP))
    rows = "".join(f"| {code} | {text} |\n" for code, text in codes)
    verbs: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    return INTRODUCTION + rows + "".join(_verb(name, verb) for name, verb in verbs.items())


def _verb(name: str, verb: Any, heading: str = "##") -> str:
    inner: dict[str, Any] = getattr(verb, "commands", {})
    below = (_verb(f"{name} {own}", each, f"{heading}#") for own, each in inner.items())
    return f"\n{heading} {name}\n\n{_described(name, verb)}{''.join(below)}"


def _described(name: str, verb: Any) -> str:
    described = "\n\n".join(" ".join(part.split()) for part in verb.help.split("\n\n"))
    rows = "".join(f"| {spelling} | {meaning} |\n" for spelling, meaning in map(_parameter, verb.params))
    table = f"\n| argument or option | meaning |\n|---|---|\n{rows}" if rows else ""
    more = _exports() if name == "export" else ""
    return f"{described}\n{table}{''.join(_paragraphs(verb.epilog or ''))}{more}"


def _exports() -> str:
    listed = {what: ", ".join(f"`{name}`" for name in columns) for what, columns in COLUMNS.items()}
    return EXPORTS + "".join(f"| {what} | {names} |\n" for what, names in listed.items())


def _parameter(parameter: Any) -> tuple[str, str]:
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar}`", parameter.help
    value = (parameter.metavar or "").replace("|", "\\|")
    spelling = ", ".join(parameter.opts) + (f" {value}" if value else "")
    default = (
        ""
        if parameter.default in (None, False)
        else f" Default: {getattr(parameter.default, 'value', parameter.default)}."
    )
    return f"`{spelling}`", parameter.help + default


def _paragraphs(epilog: str) -> Iterator[str]:
    for paragraph in epilog.split("\n\n"):
        text = paragraph.removeprefix("\b\n")
        if text.startswith(("Examples:", "Start with:")):
            lines = (line.removeprefix("  ") for line in text.splitlines()[1:])
            yield "\n```sh\n" + "\n".join(lines) + "\n```\n"
        elif text and not text.startswith("Exit codes:"):
            yield f"\n{text}\n"


if __name__ == "__main__":
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
