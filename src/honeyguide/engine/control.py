"""Wishes from another terminal: `honeyguide pause` and `stop` leave a file in the crawl's folder, the crawler looks."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path


class Wish(StrEnum):
    """What may be asked of a running crawl; each is a file's name."""

    PAUSE = "pause.wish"
    STOP = "stop.wish"


class Control:
    """Both ends: the command that asks, and the crawler that is asked."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def ask(self, wish: Wish) -> None:
        """Leave a wish."""
        (self._folder / wish).touch()

    def is_asked(self, wish: Wish) -> bool:
        """Whether somebody has left it."""
        return (self._folder / wish).exists()

    def forget(self, *wishes: Wish) -> None:
        """Take wishes back."""
        for wish in wishes:
            (self._folder / wish).unlink(missing_ok=True)
