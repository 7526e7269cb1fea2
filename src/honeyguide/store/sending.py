"""Finished files of the page archive on their way to where they belong, on a thread of their own.

A crawl never waits for it but at its end, and then not for long. What has arrived is noted in the store by whoever
commits, and only then removed from the folder. So after any death a file is in the folder, or there, or both; what is
neither is known to be lost, and its pages are asked for again.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from honeyguide.errors import HoneyguideError, StoreError
from honeyguide.files import whole_file
from honeyguide.model import Ids
from honeyguide.store.archive_files import finished_files
from honeyguide.store.archive_place import INDEX, place_at
from honeyguide.store.archived_files import ArchivedFile, ArchivedFiles
from honeyguide.store.cdxj import file_lines

SEND_SECONDS = 300.0
"""A file is finished after so long, however short it is: so much is asked for again when a machine is lost."""
OF_ARCHIVE = "of the archive"
"""In every notice."""
RETRY_SECONDS, LONGEST_RETRY_SECONDS = 5.0, 300.0
CLOSE_SECONDS = 30.0
"""How long the end of a crawl waits for its last files; what is not sent by then is sent when it is opened again."""


class Sender:
    """Sends one crawl's files, in the order they were finished."""

    def __init__(self, folder: Path, address: str, files: ArchivedFiles) -> None:
        self._folder = folder
        self._address = address
        self._place = place_at(address)
        self._files = files
        self.shard = files.shard
        self._queue: deque[str] = deque()
        self._arrived: list[ArchivedFile] = []
        self._lost: list[str] | None = None  # None: nobody has looked yet
        self._unsure: set[str] = (
            set()
        )  # files of other machines, while nobody can be asked whether they are there
        self._notices: list[str] = []
        self._changed = threading.Condition()
        self._is_ending = self._is_failing = False
        self._thread = threading.Thread(target=self._run, name="sending the archive", daemon=True)

    def pages_to_fetch_again(self) -> Ids:
        """Pages that were lost with a machine; looks for what former lives left, once, and begins to send."""
        if self._lost is None:
            self._lost = self._look()
            self._thread.start()
        return self._files.pages_in(self._lost)

    def begin(self, name: str) -> None:
        """A file is about to be written. Raises StoreError."""
        self._files.begin([name])

    def forget(self, name: str) -> None:
        """Nothing was committed of a file that was begun."""
        with suppress(
            HoneyguideError
        ):  # then it is found to be nowhere at the next opening, with no page in it
            self._files.lost([name])

    def offer(self, name: str, lines: Sequence[bytes]) -> None:
        """A file is finished; these lines are its index."""
        _write_index(self._folder / name, lines)
        with self._changed:
            self._queue.append(name)
            self._changed.notify()

    def is_readable(self, name: str) -> bool:
        """Whether a file that is not in the folder is surely where it was sent to."""
        return name not in self._unsure

    def note(self) -> None:
        """Have the store know what has arrived and what is lost; called when a batch is committed."""
        with self._changed:
            arrived = [*self._arrived]
        with suppress(HoneyguideError):  # if nothing can be stored, the next commit will say so
            if self._lost:
                self._files.lost(self._lost)
                self._lost = []
            if arrived:
                self._files.sent(arrived)
                for file in arrived:
                    self._remove(file.name)
                with self._changed:
                    del self._arrived[: len(arrived)]

    def take_notices(self) -> list[str]:
        """What the user should hear of."""
        with self._changed:
            notices, self._notices = self._notices, []
            return notices

    def close(self) -> None:
        """Send what is there, unless that takes too long or fails."""
        with self._changed:
            self._is_ending = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(self._place.patience(CLOSE_SECONDS))
        self.note()

    def _look(self) -> list[str]:
        """Find what is to be sent; gives the files that are nowhere."""
        local = set(finished_files(self._folder))
        self._files.begin(sorted(local))  # such as there were before the archive had an address
        unsent = self._files.unsent()
        for name in local - set(unsent):
            self._remove(name)
        missing = [name for name in unsent if name not in local]
        try:
            lost = [name for name in missing if not self._found(name)]
        except StoreError as error:
            self._tell_failure(error)
            lost, self._queue, self._unsure = [], deque(unsent), set(missing)
        else:
            self._queue = deque(name for name in unsent if name in local)
        if lost:
            self._notices.append(
                f"{len(lost):,} files {OF_ARCHIVE} were lost with the machine that had written them; their pages are"
                " asked for again"
            )
        return lost

    def _found(self, name: str) -> bool:
        size = self._place.size(name)
        if size is not None:
            with self._changed:
                self._arrived.append(ArchivedFile(name, size, self._address))
                self._unsure.discard(name)
        return size is not None

    def _run(self) -> None:
        wait = RETRY_SECONDS
        while name := self._next():
            try:
                self._send(name)
            except StoreError as error:
                if self._is_ending:
                    return
                self._tell_failure(error)
                self._sleep(wait)
                wait = min(2 * wait, LONGEST_RETRY_SECONDS)
                continue
            wait = RETRY_SECONDS
            with self._changed:
                self._queue.popleft()
                if self._is_failing:
                    self._is_failing = False
                    self._notices.append(f"files {OF_ARCHIVE} are sent to {self._address} again")

    def _next(self) -> str | None:
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._is_ending)
            return self._queue[0] if self._queue else None

    def _sleep(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._is_ending, seconds)

    def _send(self, name: str) -> None:
        path = self._folder / name
        if not path.exists():  # of another machine, and nobody could be asked when the crawl was opened
            self._found(name)
            return
        index = path.with_name(name + INDEX)
        if not index.exists():
            _write_index(path, file_lines(self._folder, name))
        for file in (index, path):  # so that whoever finds the file finds its index
            if self._place.size(file.name) != file.stat().st_size:
                self._place.put(file)
        with self._changed:
            self._arrived.append(ArchivedFile(name, path.stat().st_size, self._address))

    def _tell_failure(self, error: StoreError) -> None:
        with self._changed:
            if not self._is_failing:
                self._is_failing = True
                self._notices.append(
                    f"files {OF_ARCHIVE} cannot be sent and stay here meanwhile; it is tried again: {error}"
                )

    def _remove(self, name: str) -> None:
        for path in (self._folder / name, self._folder / (name + INDEX)):
            with suppress(OSError):  # then it is removed when the crawl is opened again
                path.unlink(missing_ok=True)


def _write_index(path: Path, lines: Sequence[bytes]) -> None:
    try:
        with whole_file(path.with_name(path.name + INDEX)) as part, part.open("wb") as file:
            file.writelines(sorted(lines))
    except OSError as error:
        raise StoreError(f"{path}: its index cannot be written: {error.strerror}") from error
