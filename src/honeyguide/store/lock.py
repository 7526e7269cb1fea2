"""One process a crawl: an advisory lock that the operating system drops when the process dies, however it dies."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO

from honeyguide.errors import CrawlLocked

LOCK_NAME = "crawl.lock"


def lock(folder: Path) -> IO[str]:
    """Lock a crawl's folder; closing the returned file unlocks it."""
    file = (folder / LOCK_NAME).open("a+", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        owner = file.read(20).strip() or "unknown"
        file.close()
        raise CrawlLocked(
            f"{folder} is in use by process {owner}; wait for it or stop it (`honeyguide status` works meanwhile)"
        ) from None
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file
