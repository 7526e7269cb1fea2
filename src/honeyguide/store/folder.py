"""What the files of a crawl's folder are called, in one place."""

from __future__ import annotations

import re
from pathlib import Path

ORDER = "order.toml"
TOPIC = "crawl.topic"
"""The crawl's own copy of its topic file: it can be judged by the same topic whatever becomes of the original."""
DATABASE = "crawl.db"
PLACE = "crawl.store"
"""Says where the database is, if it is not in the folder."""
LOCK = "crawl.lock"
ARCHIVE = "archive"
INDEX = "index"
"""A folder: the full text of the pages. It can be made again of archive and database."""
WORDS = "words.cache"
"""Words of pages that were judged again. It can be made again of the archive."""
ARCHIVED = "archived"
"""An empty file: whoever keeps many crawls has put this one aside."""
HARVEST_LOG = "harvest.log"
CRAWL_LOGS = ("crawl.log", "crawl.jsonl")
PROCESS_LOCK, PROCESS_LOG, PROCESS_END = "process.lock", "process.log", "process.json"
"""Of a process that nobody watches: what it holds, what it said, and how it ended."""

_REVISION = re.compile(r"revision-(\d{1,9})\.topic")
DATABASE_PARTS = ("", "-journal", "-wal", "-shm")
_FORMER = ("pause.wish", "stop.wish")
_PROCESS = (PROCESS_LOCK, PROCESS_LOG, PROCESS_END)
FILES = frozenset({ORDER, PLACE, TOPIC, LOCK, ARCHIVED, HARVEST_LOG, *CRAWL_LOGS, *_PROCESS, *_FORMER}) | {
    name + part for name in (DATABASE, WORDS) for part in DATABASE_PARTS
}
"""All that a crawl has ever put there, but for its archive."""


def is_ours(name: str) -> bool:
    """Whether a file is one of a crawl's, or was about to become one when its writer died."""
    return (
        name in FILES
        or bool(_REVISION.fullmatch(name))
        or any(
            name.startswith(f".{own}.") and name.endswith(".part")
            for own in (ORDER, TOPIC, PLACE, PROCESS_END)
        )
    )


def revision_file(folder: Path, revision: int) -> Path:
    """Where a later revision of the topic is kept."""
    return folder / f"revision-{revision}.topic"


def kept_revisions(folder: Path) -> list[int]:
    """The later revisions of the topic that are there, in order."""
    names = (_REVISION.fullmatch(path.name) for path in folder.iterdir())
    return sorted(int(found[1]) for found in names if found)


def holds_crawl(folder: Path) -> bool:
    """Tell whether a crawl stands in the folder."""
    return (folder / DATABASE).exists() or (folder / PLACE).exists()
