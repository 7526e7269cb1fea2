"""A process that answers questions to indexes, one at a time, until whoever started it is gone: see `serve.searchers`.

A question is JSON: the folder of a crawl, what is wanted, and the relevance from which a page is relevant. An answer is
two lines of JSON: what went wrong, or how many visits are not in the index; and the results.
"""

from __future__ import annotations

import json
import signal
import sys
from collections import OrderedDict
from contextlib import suppress
from dataclasses import asdict
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from honeyguide.errors import HoneyguideError
from honeyguide.search.results import Results, Wanted

if TYPE_CHECKING:
    from honeyguide.search.collection import Collection

MOST_OPEN = 64
"""Indexes that are kept open."""

_RESULTS = TypeAdapter(Results)
read_results = _RESULTS.validate_json
write_results = _RESULTS.dump_json


def question(crawl: Path, wanted: Wanted, threshold: float) -> bytes:
    """A question as it is sent."""
    return json.dumps([str(crawl), asdict(wanted), threshold]).encode()


class _Collections:
    """The collections that were asked lately."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, Collection] = OrderedDict()

    def of(self, crawl: str) -> Collection:
        from honeyguide.search.collection import Collection  # whoever asks does without the library

        found = self._open.get(crawl) or Collection(Path(crawl))
        self._open[crawl] = found
        self._open.move_to_end(crawl)
        while len(self._open) > MOST_OPEN:
            self._open.popitem(last=False)
        return found


def _answer(asked: bytes, collections: _Collections) -> bytes:
    crawl, wanted, threshold = json.loads(asked)
    try:
        found = collections.of(crawl).search(Wanted(**wanted), threshold)
    except HoneyguideError as error:
        told = {"kind": type(error).__name__, "detail": str(error)}
        return json.dumps(told).encode()
    return b"%d\n%b" % (found.waiting, write_results(found))


def main() -> None:
    """Answer what comes over the socket whose number is given."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it may be sent to all processes of a terminal
    asked, collections = Connection(int(sys.argv[1])), _Collections()
    with suppress(EOFError, ConnectionError):
        while True:
            asked.send_bytes(_answer(asked.recv_bytes(), collections))


if __name__ == "__main__":
    main()
