"""CRC-32 of all words of a text at once, without an object a word. Called for the signatures of pages.

The checksum is linear: what a byte adds to that of its word depends on its distance from the end of the word alone,
and what the length adds is the checksum of so many zeros.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np
from numpy.typing import NDArray

_LONGEST = 64  # bytes of a word; a text with longer ones is read word by word
_BYTES = 256
_BLANK = ord(" ")
_BLANKS = bytes(_BLANK if bytes((byte,)).isspace() else byte for byte in range(_BYTES))


def _shares() -> NDArray[np.uint32]:
    """A row a distance, from the blank behind a word, which adds nothing, to the first byte of the longest."""
    rows = np.zeros((_LONGEST + 1, _BYTES), dtype=np.uint32)
    rows[1] = [crc32(bytes((byte,))) ^ crc32(bytes(1)) for byte in range(_BYTES)]
    for distance in range(2, _LONGEST + 1):
        nearer = rows[distance - 1]
        rows[distance] = rows[1][nearer & 0xFF] ^ (nearer >> 8)
    return rows.ravel()


_SHARES = _shares()
_OF_ZEROS = np.array([crc32(bytes(length)) for length in range(_LONGEST + 1)], dtype=np.uint32)


def word_checksums(text: bytes) -> NDArray[np.uint32]:
    """The CRC-32 of each word, in order.

    >>> word_checksums(b" honey  bees").tolist() == [crc32(b"honey"), crc32(b"bees")]
    True
    """
    # Backwards, so that the distance from the end of a word grows from byte to byte.
    letters = np.frombuffer(b" " + text[::-1].translate(_BLANKS) + b" ", dtype=np.uint8)
    blanks = np.flatnonzero(letters == _BLANK)
    lengths = blanks[1:] - blanks[:-1] - 1
    if lengths.max() > _LONGEST:
        words = text.split()
        return np.fromiter(map(crc32, words), dtype=np.uint32, count=len(words))
    places = np.full(len(letters), _BYTES)
    places[0] = 0
    places[blanks[1:]] = -_BYTES * lengths  # back to the row of blanks
    places.cumsum(out=places)
    places += letters
    added = np.bitwise_xor.accumulate(_SHARES.take(places))[blanks]
    checksums: NDArray[np.uint32] = added[1:] ^ added[:-1] ^ _OF_ZEROS[lengths]
    return checksums[lengths > 0][::-1]
