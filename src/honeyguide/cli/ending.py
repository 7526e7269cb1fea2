"""How every verb ends: errors in one line with an exit code, those of the command line itself too. Used by main."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from honeyguide.cli import running, terminal
from honeyguide.errors import DiskFull, HoneyguideError

# Typer has its own copy of click or uses the one installed, depending on its version; this is the class of either.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]

_IN_PLAIN_WORDS = (
    (r"^Invalid value for '?(.*?)'?: (Input |Value error, )?", r"\1: "),
    (r"should be a valid integer\b.*", "should be a whole number"),
    (r"greater than or equal to", "at least"),
    (r"^Missing (?:argument|option) '(.*)'\..*", r"\1 is missing"),
    (r"^Got unexpected extra arguments?(?:\(s\))? \((.*)\)$", r"\1: more arguments than expected"),
    (r"^No such command '(.*?)'\.", r"there is no verb '\1';"),
    (r"^No such option: (.*)", r"there is no option \1"),
    (r" \(Possible options: (.*)\)$", r"; did you mean \1?"),
    (r"; Did you", "; did you"),
    (r"^Option '(.*)' requires an argument\.", r"\1 needs a value"),
)


class Verb(TyperCommand):
    """One verb; an option that may be given once is refused when given twice, not taken from the last place."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line of this verb."""
        given: list[Any] = self.make_parser(ctx).parse_args(args=list(args))[2]
        for option in given:
            is_single = not getattr(option, "multiple", True) and not getattr(option, "is_flag", True)
            if is_single and given.count(option) > 1:
                raise typer.BadParameter("given twice; give it once", ctx=ctx, param=option)
        return super().parse_args(ctx, args)


class Verbs(TyperGroup):
    """The verbs, none of which ends in a traceback when the user or the machine is to blame."""

    def invoke(self, ctx: Any) -> Any:
        """Run the verb that was asked for."""
        with _told():
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result

    def main(self, *args: Any, **options: Any) -> NoReturn:
        """Run the program, and end it with its exit code."""
        try:
            code = super().main(*args, **{**options, "standalone_mode": False})
        except _UsageError as error:
            _tell_usage(error)
            code = running.WRONG_INPUT
        except typer.Abort:
            code = running.STOPPED
        sys.exit(code or 0)


@contextmanager
def _told() -> Iterator[None]:
    """Turn what may go wrong into a line and an exit code."""
    try:
        yield
    except HoneyguideError as error:
        terminal.error(_message(error))
        raise typer.Exit(_code(error)) from None
    except BrokenPipeError:
        _forget_output()
        raise typer.Exit(running.PIPE_CLOSED) from None
    except OSError as error:
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        if error.filename is None and not is_full:
            raise
        _forget_output()
        remedy = "; make room, or write elsewhere" if is_full else ""
        terminal.error(f"{error.filename or 'the result cannot be written'}: {error.strerror}{remedy}")
        raise typer.Exit(running.DISK_FULL if is_full else running.WRONG_INPUT) from None
    except KeyboardInterrupt:
        terminal.error("stopped by Ctrl-C")
        raise typer.Exit(running.STOPPED) from None


def _message(error: HoneyguideError) -> str:
    """Give the message; the system's own text of an error in it would name the file a second time."""
    cause = error.__context__
    if isinstance(cause, OSError) and cause.strerror:
        return str(error).replace(str(cause), cause.strerror)
    return str(error)


def _code(error: HoneyguideError) -> int:
    return running.DISK_FULL if isinstance(error, DiskFull) else running.WRONG_INPUT


def _forget_output() -> None:
    """Let what is still in the buffer of standard output go nowhere, or it would fail again at the very end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _tell_usage(error: Any) -> None:
    message = error.format_message()
    if "\n" in message.strip():  # the whole help page: no verb was given
        typer.echo(message, err=True)
        return
    for pattern, words in _IN_PLAIN_WORDS:
        message = re.sub(pattern, words, message)
    verb = error.ctx.command_path.partition(" ")[2] if error.ctx else ""
    separator = "" if message.endswith("?") else ";"
    terminal.error(f"{message.rstrip('.;')}{separator} see `honeyguide {f'{verb} ' if verb else ''}--help`")
