"""What an index knows of itself: how far it is, and how well known the pages of its crawl were when it last looked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from honeyguide.files import whole_file
from honeyguide.model import Floats
from honeyguide.search.library import tantivy
from honeyguide.search.schema import STATE

_AUTHORITY = "authority.npy"


@dataclass(frozen=True, slots=True)
class State:
    """How far an index is; committed with the pages."""

    done: int = 0  # the number of the last visit that was taken in
    looked_at: int = 0  # how many visits there were when the links were last looked at
    revision: int = 0  # of the topic, at that time
    judged_again: int = 0  # how often visits had been judged again

    def document(self) -> tantivy.Document:
        """The document to be kept in the index, in place of the one before."""
        document: tantivy.Document = tantivy.Document()
        document.add_text("kind", STATE)
        document.add_bytes("known", json.dumps(asdict(self)).encode())
        return document


def state_of(index: tantivy.Index, searcher: tantivy.Searcher) -> State:
    """How far an index is."""
    found = searcher.search(tantivy.Query.term_query(index.schema, "kind", STATE), 1).hits
    if not found:
        return State()
    said: Mapping[str, int] = json.loads(searcher.doc(found[0][1])["known"][0])
    return State(**said)


def write_authority(folder: Path, authority: Floats) -> None:
    """Keep the authority of every url beside an index. Raises OSError."""
    with whole_file(folder / _AUTHORITY) as part, part.open("wb") as file:
        np.save(file, authority.astype(np.float32), allow_pickle=False)


def read_authority(folder: Path) -> Floats:
    """The authority of urls by their ids; it may end before the last ones. Empty if it cannot be read."""
    try:
        read = np.load(folder / _AUTHORITY, allow_pickle=False, mmap_mode="r")
        # As a plain array: one number of a mapped one takes several times as long.
        return np.asarray(read) if read.ndim == 1 and read.dtype == np.float32 else np.zeros(0)
    except (OSError, ValueError, EOFError):
        return np.zeros(0)


def authority_of(page: int, authority: Floats) -> float:
    """The authority of one url; that of one nobody knew of then is 0."""
    return float(authority[page]) if page < len(authority) else 0.0
