"""What is kept of a crawl. Of which kind a crawl's store is, is known here and below alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.errors import CrawlLocked
from honeyguide.store.folder import HARVEST_LOG, PLACE, revision_file

if TYPE_CHECKING:
    from honeyguide.store.base import Store
    from honeyguide.store.reader import Reader


def open_store(folder: Path) -> Store:
    """Open or create a crawl, which nobody else can open now."""
    if is_elsewhere(folder):
        from honeyguide.store.postgres.store import PostgresStore

        return PostgresStore(folder)
    from honeyguide.store.sqlite.store import SqliteStore

    return SqliteStore(folder)


def open_reader(folder: Path) -> Reader:
    """Open a crawl for reading, also while it runs."""
    if is_elsewhere(folder):
        from honeyguide.store.postgres.reader import PostgresReader

        return PostgresReader(folder)
    from honeyguide.store.sqlite.reader import SqliteReader

    return SqliteReader(folder)


def choose_place(address: str, folder: Path) -> None:
    """Have a new crawl's database in PostgreSQL; StoreError if it cannot be there."""
    from honeyguide.store.postgres.place import Place

    place = Place.choose(address, folder)
    place.connect().close()
    place.write(folder)


def divide(folder: Path, shards: int) -> None:
    """Divide a new crawl in PostgreSQL, for workers to share."""
    from honeyguide.store.postgres.council import divide_crawl
    from honeyguide.store.postgres.place import Place

    divide_crawl(folder, Place.read(folder), shards)


def is_divided(folder: Path) -> bool:
    """Whether a crawl is one that workers share."""
    if not is_elsewhere(folder):
        return False
    from honeyguide.store.postgres.council import workers_of
    from honeyguide.store.postgres.place import Place

    return workers_of(Place.read(folder)) is not None


def check_one_process(folder: Path) -> None:
    """Raise CrawlLocked if a crawl is not for one process to run."""
    if is_divided(folder):
        raise CrawlLocked(
            f"{folder}: this crawl is divided; `honeyguide worker` works on it, on any number of machines, and all"
            " that only reads works as for any crawl"
        )


def has_begun(folder: Path) -> bool:
    """Whether anybody has ever run a crawl."""
    if (folder / HARVEST_LOG).exists() or not is_divided(folder):
        return (folder / HARVEST_LOG).exists()
    with open_reader(folder) as reader:  # workers have logs of their own
        return reader.last_number() > 0


def share_revision(folder: Path, revision: int) -> None:
    """Let all workers of a divided crawl have a revision of the topic; StoreError if theirs is another."""
    from honeyguide.store.postgres.council import put_revision
    from honeyguide.store.postgres.place import Place

    put_revision(revision_file(folder, revision), Place.read(folder))


def bring_revisions(folder: Path) -> None:
    """Have the revisions of the topic of a divided crawl in its folder, whoever has learned them."""
    from honeyguide.store.postgres.council import get_revisions
    from honeyguide.store.postgres.place import Place

    get_revisions(folder, Place.read(folder))


def at_work(folder: Path) -> int | None:
    """The process that crawls, one of several if the crawl is divided; None if there is none, 0 if it is not ready."""
    if is_elsewhere(folder):
        from honeyguide.store.postgres.council import workers_of
        from honeyguide.store.postgres.place import Place

        if (workers := workers_of(Place.read(folder))) is not None:
            return int(workers[0].rpartition(":")[2]) if workers else None
    from honeyguide.store.lock import process_at_work

    return process_at_work(folder)


def drop(folder: Path) -> None:
    """Remove what a crawl has in PostgreSQL, for good."""
    from honeyguide.store.postgres.place import Place

    Place.read(folder).drop()


def is_elsewhere(folder: Path) -> bool:
    """Whether the database of a crawl is not in its folder, but PostgreSQL's."""
    return (folder / PLACE).exists()
