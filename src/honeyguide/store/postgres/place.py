"""Where the database of a crawl is, kept in the crawl's folder."""

from __future__ import annotations

import json
import re
import secrets
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.errors import StoreError
from honeyguide.store.disk import disk_errors, write_atomically
from honeyguide.store.folder import PLACE
from honeyguide.store.postgres.dialect import quoted

if TYPE_CHECKING:
    from honeyguide.store.postgres.connection import Connection

LONGEST_FILE = 10_000
_PLAIN = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Place:
    """A PostgreSQL database, and the schema in it that is the crawl's."""

    address: str
    schema: str

    @classmethod
    def choose(cls, address: str, folder: Path) -> Place:
        """A schema of its own for a new crawl, by whose name people can tell it."""
        if not address.startswith(("postgresql://", "postgres://")):
            raise StoreError(
                f"output.store is {address[:100]!r}; it must be like postgresql://me@db.example/crawls"
            )
        name = _PLAIN.sub("_", folder.name.lower()).strip("_")[:40]
        return cls(address, f"crawl_{name}_{secrets.token_hex(4)}")

    @classmethod
    def read(cls, folder: Path) -> Place:
        """As the folder says."""
        with disk_errors(folder):
            text = (folder / PLACE).read_bytes()[:LONGEST_FILE]
        try:
            told = json.loads(text)
            return cls(str(told["address"]), str(told["schema"]))
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise StoreError(
                f'{folder / PLACE}: it must be {{"address": "postgresql://...", "schema": "..."}}: {error}'
            ) from error

    def connect(self) -> Connection:
        """Somebody who asks questions there."""
        try:
            from honeyguide.store.postgres.connection import Connection
        except ImportError as error:
            raise StoreError(
                "a crawl in PostgreSQL needs the extra `postgres`: pip install 'honeyguide[postgres]'"
            ) from error
        return Connection(self.address, self.schema)

    def drop(self) -> None:
        """Remove the schema with all that is in it."""
        with closing(self.connect()) as database:
            database.script(f"DROP SCHEMA IF EXISTS {quoted(self.schema)} CASCADE")

    def write(self, folder: Path) -> None:
        """Keep it, for the eyes of whoever owns the folder: an address may have a password."""
        with disk_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / PLACE).touch(mode=0o600)
        write_atomically(folder / PLACE, json.dumps(asdict(self)) + "\n")
