"""What is kept of a crawl. Of which kind a crawl's store is, is known here and below alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from honeyguide.store.base import Store
    from honeyguide.store.reader import Reader


def open_store(folder: Path) -> Store:
    """Open or create a crawl, which nobody else can open now."""
    from honeyguide.store.sqlite import SqliteStore

    return SqliteStore(folder)


def open_reader(folder: Path) -> Reader:
    """Open a crawl for reading, also while it runs."""
    from honeyguide.store.sqlite_reader import SqliteReader

    return SqliteReader(folder)
