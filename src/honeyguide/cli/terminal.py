"""What every verb prints with: text from the Web made harmless, tables, and the consoles for output and errors."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

PROGRAM = "honeyguide"
WIDE = 1000


def clean(text: str) -> str:
    r"""Make a text one line that a terminal can only show, never obey.

    >>> clean("Bees\n\x1b[31mred")
    'Bees �[31mred'
    """
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)


def program() -> str:
    """Tell how to call this program again: by its name if the shell finds it, else as it was called."""
    called = Path(sys.argv[0])
    if called.name != PROGRAM:  # run by an interpreter or from a test
        return PROGRAM
    found = shutil.which(PROGRAM)
    is_found = found is not None and Path(found).resolve() == called.resolve()
    return PROGRAM if is_found else shlex.quote(sys.argv[0])


def command(*arguments: object) -> str:
    """Write a command of this program so that it can be copied into a shell."""
    return " ".join((program(), *(shlex.quote(clean(str(argument))) for argument in arguments)))


def out() -> Console:
    """Give the console for results."""
    return _console(sys.stdout, WIDE)


def err() -> Console:
    """Give the console for progress bars."""
    return _console(sys.stderr, WIDE)


def _console(file: TextIO, piped_width: int) -> Console:
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise  # called while the error is handled; how the program ends is decided where a verb ends

    # No markup: "[red]" in a page's title is text. Piped tables are as wide as they need to be, for grep.
    width = None if file.isatty() else piped_width
    return Output(file=file, width=width, markup=False, emoji=False, highlight=False, soft_wrap=False)


def say(text: str, style: str | None = None) -> None:
    """Print a line of a result; a long one is left to the terminal, so that a url can be copied whole."""
    out().print(clean(text), style=style, soft_wrap=True)


def note(message: str) -> None:
    """Print beside the results what was done."""
    _tell("", message)


def error(message: str) -> None:
    """Print what went wrong."""
    _tell("error: ", message)


def warn(message: str) -> None:
    """Print what the user should know though the work goes on."""
    _tell("warning: ", message)


def _tell(prefix: str, message: str) -> None:
    # Messages from every part name commands as `honeyguide VERB`; only here is known how to call it.
    runnable = message.replace(f"`{PROGRAM} ", f"`{program()} ")
    for line in runnable.splitlines():
        typer.echo(f"{prefix}{clean(line)}", err=True)


def table(*columns: str, right: tuple[str, ...] = (), fold: tuple[str, ...] = ()) -> Table:
    """Start a table; numbers stand right, and urls are folded, not cut, so that they can be copied."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    made = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for name in columns:
        made.add_column(
            name,
            justify="right" if name in right else "left",
            overflow="fold" if name in fold else "ellipsis",
            no_wrap=name in right,
        )
    return made


def print_table(made: Table, piped_width: int = WIDE) -> None:
    """Print a table; into a file or pipe without the blanks that pad it."""
    console = _console(sys.stdout, piped_width)
    if console.is_terminal:
        console.print(made)
        return
    with console.capture() as captured:
        console.print(made)
    typer.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


def percent(share: float) -> str:
    """Write a share.

    >>> percent(0.4567)
    '45.7 %'
    """
    return f"{100 * share:.1f} %"


def process(number: int | None) -> str:
    """Name the process that has a crawl open."""
    return f"process {number or 'unknown'}"
