"""Topic files as the verbs use them: never replaced unasked, and every one written names the next step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.cli import terminal
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from honeyguide.topics.base import TopicModel


def check_is_new(path: Path, force: bool) -> None:
    """Raise SettingsError before any work is done for a file that must not be replaced."""
    if path.exists() and not force:
        raise SettingsError(f"{path} is there already; give another name, or --force to replace it")
    if not path.parent.is_dir():
        raise SettingsError(f"{path}: there is no folder {path.parent}; make it first")


def save(path: Path, topic: TopicModel) -> None:
    """Write a topic and tell how to go on."""
    from honeyguide.topics.topic_file import write_topic

    write_topic(path, topic)
    terminal.note(f"{topic.name} topic written to {path}")
    terminal.note(f"try it:  {terminal.command('topic', 'explain', path, '--text', 'some words of a page')}")
    terminal.note(f"use it:  {terminal.command('crawl', '--topic-file', path, '--seed', 'URL')}")
