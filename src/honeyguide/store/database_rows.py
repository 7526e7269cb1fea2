"""A crawl's database opened to be read: whatever is wrong with it is told in our words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from honeyguide.commands import Command, read_command
from honeyguide.errors import SettingsError, StoreError
from honeyguide.store.folder import holds_crawl
from honeyguide.store.loading import damage_told
from honeyguide.store.reader import Reader


class DatabaseRows(Reader):
    """One crawl's database, opened read-only."""

    troubles: ClassVar[tuple[type[Exception], ...]] = (OSError,)

    def __init__(self, folder: Path) -> None:
        if not holds_crawl(folder):
            raise StoreError(f"{folder} holds no crawl; name the folder that `honeyguide crawl` made")
        self.folder = folder
        with self._told():
            self._db = self._connect()

    @abstractmethod
    def _connect(self) -> Any:
        """The database, asked in the words of SQLite."""

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in our words what is wrong."""
        try:
            with damage_told(self.folder):
                yield
        except self.troubles as error:
            raise StoreError(f"{self.folder}: the crawl cannot be read: {error}") from error

    def _rows(self, query: str, *parameters: object) -> Iterator[tuple[Any, ...]]:
        with self._told():
            for row in self._db.execute(query, parameters):  # noqa: UP028 - it would close the cursor, perhaps too late
                yield row

    def _all(self, query: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Rows that are few, in a fraction of the time of one by one."""
        with self._told():
            found: list[tuple[Any, ...]] = self._db.execute(query, parameters).fetchall()
            return found

    def _row(self, query: str, *parameters: object) -> tuple[Any, ...]:
        with self._told():
            found: tuple[Any, ...] = self._db.execute(query, parameters).fetchone()
            return found

    def _last(self, column: str, table: str) -> int:
        """How many rows a table has whose rows are numbered; to count them would take as long as to read them."""
        return self._row(f"SELECT max({column}) FROM {table}")[0] or 0

    @contextmanager
    def _one_moment(self) -> Iterator[None]:
        """Whatever is read within is of the same commit."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    def close(self) -> None:
        """Close the database."""
        self._db.close()


def waiting_command(text: bytes) -> Command | None:
    """A command that waits; None for one that the crawl will refuse."""
    with suppress(SettingsError):
        return read_command(text.decode("utf-8", "replace"))
    return None
