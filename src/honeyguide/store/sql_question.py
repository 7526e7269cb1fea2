"""Ask a crawl something in SQL: a process of its own answers it within limits. Called by `Crawl`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from honeyguide import errors
from honeyguide.errors import SettingsError

MOST_ROWS = 1_000
SECONDS = 30.0
MEMORY_MB = 512
LONGEST_QUESTION = 20_000
START_SECONDS = 5.0
"""For the process to start, and to stop by itself, on a machine that has much to do."""

Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class SqlAnswer:
    """A table: blobs as hexadecimal texts, and no two columns of one name."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    truncated: bool  # there are more rows than were asked for, or than 16 MB


@dataclass(frozen=True, slots=True)
class SqlLimits:
    """What one question may cost."""

    most_rows: int = MOST_ROWS
    seconds: float = SECONDS
    memory_mb: int = MEMORY_MB

    def __post_init__(self) -> None:
        for name, least, most in (
            ("most_rows", 0, 1_000_000), ("seconds", 0.001, 86_400), ("memory_mb", 16, 1 << 20)
        ):  # fmt: skip
            if not least <= getattr(self, name) <= most:
                raise SettingsError(
                    f"{name} of a question is {least:g} to {most:,}, not {getattr(self, name)}"
                )


def ask(
    folder: Path, question: str, threshold: float, values: Mapping[str, float], limits: SqlLimits
) -> SqlAnswer:
    """Answer a question about a crawl; `values` are those that its strategy keeps of urls."""
    if len(question) > LONGEST_QUESTION or "\0" in question or _has_half_characters(question):
        raise SettingsError(
            f"a question is text of at most {LONGEST_QUESTION:,} characters; ask for less at once"
        )
    asked = {
        "folder": str(folder),
        "question": question,
        "threshold": threshold,
        "values": dict(values),
        "most_rows": limits.most_rows,
        "seconds": limits.seconds,
        "memory": limits.memory_mb << 20,
    }
    command = [sys.executable, "-P", "-W", "ignore", "-m", "honeyguide.store.sql_process"]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(asked).encode(),
            capture_output=True,
            timeout=limits.seconds + START_SECONDS,
            check=False,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # each thread would take memory of its own
        )
    except subprocess.TimeoutExpired:
        raise too_long(limits.seconds) from None
    return _answer_of(done, limits)


def _has_half_characters(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def _answer_of(done: subprocess.CompletedProcess[bytes], limits: SqlLimits) -> SqlAnswer:
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it was ended"]
        if "MemoryError" in why[0]:
            raise too_large(limits.memory_mb)
        raise SettingsError(
            f"the process that answers the question has failed: {why[0]}; ask for less at once"
        )
    said = json.loads(done.stdout)
    if "error" in said:
        raise getattr(errors, said["error"])(said["message"])
    return SqlAnswer(tuple(said["columns"]), tuple(map(tuple, said["rows"])), said["truncated"])


def too_long(seconds: float) -> SettingsError:
    """What is said of a question that takes too long."""
    return SettingsError(
        f"the question takes longer than the {seconds:g} s it may take; ask for less, or give it more (--seconds)"
    )


def too_large(memory_mb: int) -> SettingsError:
    """What is said of a question that needs too much memory."""
    return SettingsError(
        f"the question needs more than the {memory_mb:,} MB of memory it may have; ask for less, or give it more"
        " (--memory)"
    )
