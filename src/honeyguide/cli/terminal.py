"""What every verb prints with: text from the Web made harmless, tables, and the consoles for output and errors."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TextIO

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDE = 1000


def clean(text: str) -> str:
    r"""Make a text one line that a terminal can only show, never obey.

    >>> clean("Bees\n\x1b[31mred")
    'Bees �[31mred'
    """
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)


def out() -> Console:
    """Give the console for results."""
    return _console(sys.stdout)


def err() -> Console:
    """Give the console for progress bars."""
    return _console(sys.stderr)


def _console(file: TextIO) -> Console:
    from rich.console import Console

    # No markup: "[red]" in a page's title is text. Piped tables are as wide as they need to be, for grep.
    width = None if file.isatty() else WIDE
    return Console(file=file, width=width, markup=False, emoji=False, highlight=False, soft_wrap=False)


def error(message: str) -> None:
    """Print what went wrong."""
    _note("error", message)


def warn(message: str) -> None:
    """Print what the user should know though the work goes on."""
    _note("warning", message)


def _note(kind: str, message: str) -> None:
    for line in message.splitlines():
        typer.echo(f"{kind}: {clean(line)}", err=True)


def table(*columns: str, right: tuple[str, ...] = (), fold: tuple[str, ...] = ()) -> Table:
    """Start a table; numbers stand right, and urls are folded, not cut, so that they can be copied."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    made = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for name in columns:
        made.add_column(
            name,
            justify="right" if name in right else "left",
            overflow="fold" if name in fold else "ellipsis",
            no_wrap=name in right,
        )
    return made


def percent(share: float) -> str:
    """Write a share.

    >>> percent(0.4567)
    '45.7 %'
    """
    return f"{100 * share:.1f} %"


def moment(time: float | None) -> str:
    """Write a time, in UTC."""
    return "-" if time is None else datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
