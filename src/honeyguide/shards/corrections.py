"""What shards tell each other of pages that a later revision of the topic judges otherwise than they were told."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import StoreError
from honeyguide.model import Floats
from honeyguide.shards.letters import Letter

_HEAD = struct.Struct("<4siII")
_MAGIC = b"hgc1"


@dataclass(frozen=True, eq=False)
class Correction:
    """A letter of pages as they are judged now, with what was told of them before."""

    letter: Letter
    revision: int  # of the topic, by which they were judged before
    relevance: Floats  # of each page, by that
    around: NDArray[np.float32]  # how relevant the words around each link were; NaN: there are none

    def pack(self) -> bytes:
        """As bytes, for `unpacked`."""
        head = _HEAD.pack(_MAGIC, self.revision, len(self.relevance), len(self.around))
        numbers = self.relevance.astype("<f8").tobytes(), self.around.astype("<f4").tobytes()
        return b"".join((head, *numbers, self.letter.pack()))


def unpacked(packed: bytes) -> Letter | Correction:
    """What was packed, a letter or a correction; StoreError if it is damaged."""
    if not packed.startswith(_MAGIC):
        return Letter.unpack(packed)
    try:
        _, revision, pages, links = _HEAD.unpack_from(packed)
        relevance = np.frombuffer(packed, "<f8", pages, _HEAD.size)
        around = np.frombuffer(packed, "<f4", links, _HEAD.size + relevance.nbytes)
        letter = Letter.unpack(packed[_HEAD.size + relevance.nbytes + around.nbytes :])
        if (pages, links) != (len(letter), len(letter.targets)):
            raise ValueError("it corrects other pages than it names")
    except (ValueError, struct.error) as error:
        raise StoreError(f"a letter between shards cannot be read: {error}") from error
    return Correction(letter, revision, relevance, around)
