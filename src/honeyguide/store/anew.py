"""A crawl that never fetched a page makes way for a new one in its folder. Called by assembly."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from honeyguide.errors import StoreError
from honeyguide.store import drop, is_elsewhere, open_reader
from honeyguide.store.archive_files import OPEN, file_number
from honeyguide.store.archive_place import INDEX as INDEX_OF_FILE
from honeyguide.store.cdxj import INDEX_NAME
from honeyguide.store.disk import disk_errors
from honeyguide.store.folder import ARCHIVE, DATABASE, INDEX, LOCK, PLACE, is_ours
from honeyguide.store.lock import lock


def check_fruitless(folder: Path) -> None:
    """Raise StoreError if a page was fetched by the crawl in this folder: it is never overwritten."""
    if is_elsewhere(folder):
        with open_reader(folder) as reader:
            has_page = bool(reader.last_number())
    else:
        has_page = _has_page(folder)
    if has_page:
        raise StoreError(
            f"{folder} already holds a crawl; go on with it by `honeyguide resume {folder}`, or choose another "
            f"folder with --folder"
        )


def _has_page(folder: Path) -> bool:
    with disk_errors(folder), closing(_read_only(folder / DATABASE)) as db:
        has_begun = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'visits'").fetchone()
        return bool(has_begun and db.execute("SELECT 1 FROM visits LIMIT 1").fetchone())


def make_way(folder: Path) -> None:
    """Remove a crawl without a page, and nothing else."""
    archive = folder / ARCHIVE
    with disk_errors(folder), lock(folder):
        check_fruitless(folder)
        found = [path for path in folder.iterdir() if path not in (archive, folder / INDEX)]
        archived = list(_inside(archive))
        others = sorted(path.name for path in found if not is_ours(path.name))
        others += sorted(path.name for path in archived if not _is_archived(path.name))
        if others:
            raise StoreError(
                f"{folder} holds other files ({others[0]} ...); choose a new folder with --folder"
            )
        for path in archived:
            path.unlink()
        if archive.exists():
            archive.rmdir()
        if (folder / INDEX).exists():  # of no page: nothing that could not be made again
            shutil.rmtree(folder / INDEX)
        if is_elsewhere(folder):
            drop(folder)
        # The database late: until it is gone, this can be done again. The lock last, while it is held.
        for path in sorted(found, key=lambda path: (path.name == LOCK, path.name in (DATABASE, PLACE))):
            path.unlink(missing_ok=True)


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _inside(folder: Path) -> Iterator[Path]:
    if folder.exists():
        yield from folder.iterdir()


def _is_archived(name: str) -> bool:
    return INDEX_NAME in name or file_number(name.removesuffix(OPEN).removesuffix(INDEX_OF_FILE)) is not None
