"""Numbers and times in words, the same wherever people read them."""

from __future__ import annotations

from datetime import UTC, datetime


def count(number: int, noun: str) -> str:
    """Write a number of things.

    >>> count(1, "link"), count(2000, "page")
    ('1 link', '2,000 pages')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def moment(time: float | None) -> str:
    """Write a time, in UTC."""
    return "-" if time is None else datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
