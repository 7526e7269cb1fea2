"""What the files of a crawl's folder are called, in one place."""

from __future__ import annotations

from pathlib import Path

ORDER = "order.toml"
TOPIC = "crawl.topic"
"""The crawl's own copy of its topic file: it can be judged by the same topic whatever becomes of the original."""
DATABASE = "crawl.db"
LOCK = "crawl.lock"
ARCHIVE = "archive"
HARVEST_LOG = "harvest.log"
CRAWL_LOGS = ("crawl.log", "crawl.jsonl")

_DATABASE_PARTS = ("", "-journal", "-wal", "-shm")
_FORMER = ("pause.wish", "stop.wish")
FILES = frozenset({ORDER, TOPIC, LOCK, HARVEST_LOG, *CRAWL_LOGS, *_FORMER}) | {
    DATABASE + part for part in _DATABASE_PARTS
}
"""All that a crawl has ever put there, but for its archive."""


def is_ours(name: str) -> bool:
    """Whether a file is one of a crawl's, or was about to become one when its writer died."""
    return name in FILES or any(
        name.startswith(f".{own}.") and name.endswith(".part") for own in (ORDER, TOPIC)
    )


def holds_crawl(folder: Path) -> bool:
    """Tell whether a crawl stands in the folder."""
    return (folder / DATABASE).exists()
