"""Pages that are not worth their place: copies, near-copies, and "not found" pages that claim to be fine.

`signature` and `looks_missing` are called where pages are parsed, `Duplicates` where they are counted.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from honeyguide.parse.checksums import word_checksums
from honeyguide.urls import fingerprint, fingerprints

LEAST_WORDS = 50
"""Shorter texts are alike by chance, so they have no signature."""

MAX_DISTANCE = 3
"""Signatures that differ in more bits are those of different pages."""

NO_SIGNATURE = 0

MEMORY = 1_000_000
"""Pages that are remembered at least; at most twice as many."""

_BANDS = 4  # one more than MAX_DISTANCE: of four parts of near signatures, one is the same
_BAND_BITS = 16
_BAND_MASK = (1 << _BAND_BITS) - 1
_MASK = (1 << 64) - 1
_RESTORED_AT_ONCE = 100_000
_MOST_LOOKED_AT = 200  # of a chain; pages made to share one must not slow a crawl down

_SAMPLED_CHARS = 1_500  # at the beginning, in the middle and at the end
_LONG_WORD = 20
_MOST_IN_A_BYTE = 255
_ODD = [np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)]

_MISSING = (
    *("not found", "404 error", "error 404", "t be found", "no such page", "does not exist", "doesn't exist"),
    *("nicht gefunden", "existiert nicht", "introuvable", "n'existe pas", "no encontrad", "no existe"),
    *("não encontrad", "não existe", "non trovat", "non esiste", "niet gevonden", "bestaat niet"),
    *("hittades inte", "finns inte", "ikke fundet", "ikke funnet", "finnes ikke", "ei löydy", "ei löytynyt"),
    *("nie znalezion", "nie została znaleziona", "nie istnieje", "nenalezen", "neexistuje", "nem található"),
    *("nu a fost găsit", "nu există", "bulunamad", "не найден", "не существует", "не знайден", "δεν βρέθηκε"),
    *("找不到", "未找到", "不存在", "見つかりません", "찾을 수 없", "ไม่พบ", "غير موجود", "לא נמצא"),
)
_OWN_ADDRESS = re.compile(r"/(?:error[-_/]?)?(?:404|not[-_]?found)(?:\.[a-z]{3,5})?/?\Z", re.IGNORECASE)
_NOT_WORDS = re.compile(r"[\W_]+")
_MOST_MISSING_WORDS = 300  # with navigation; an article about missing pages has more
_MOST_BARE_WORDS = 40
_MISSING_HEAD_CHARS = 200


def signature(text: str) -> int:
    """A number whose bits tell near-copies: the simhash of the text's runs of three words, as a signed 64-bit number.

    The same on every machine and for ever, so that stored signatures stay good. Long texts are sampled, so
    that the cost is bounded. NO_SIGNATURE for short texts.

    >>> text = " ".join(f"{count} bottles," for count in range(99, 0, -1))
    >>> distance(signature(text), signature(text + " Print this page")), signature("Too short.")
    (3, 0)
    """
    units = _units(_sample(text))
    if len(units) < LEAST_WORDS:
        return NO_SIGNATURE
    first, second, third = _ODD
    runs = units[:-2] * first + units[1:-1] * second + units[2:] * third
    runs ^= runs >> np.uint64(29)
    runs *= second
    runs ^= runs >> np.uint64(32)
    runs.sort()
    # Each run counts once: a table of zeros would outvote the rest of its page.
    is_new = np.ones(len(runs), dtype=np.bool_)
    np.not_equal(runs[1:], runs[:-1], out=is_new[1:])
    return simhash(runs[is_new])


def simhash(hashes: NDArray[np.uint64]) -> int:
    """The number with the bits that more than half of the hashes have, signed."""
    bits = np.unpackbits(hashes.astype("<u8", copy=False).view(np.uint8))
    # Eight counts in a number, side by side, as long as none can be more than a byte holds: a third of the time.
    starts = np.arange(0, len(hashes), _MOST_IN_A_BYTE)
    counts = np.add.reduceat(bits.view(np.uint64).reshape(-1, 8), starts).view(np.uint8)
    majority = 2 * counts.reshape(-1, 64).sum(axis=0, dtype=np.int64) > len(hashes)
    return int.from_bytes(np.packbits(majority).tobytes(), "little", signed=True)


def distance(first: int, second: int) -> int:
    """In how many bits two signatures differ."""
    return ((first ^ second) & _MASK).bit_count()


def _sample(text: str) -> str:
    if len(text) <= 3 * _SAMPLED_CHARS:
        return text
    middle = (len(text) - _SAMPLED_CHARS) // 2
    return text[:_SAMPLED_CHARS] + text[middle : middle + _SAMPLED_CHARS] + text[-_SAMPLED_CHARS:]


def _units(text: str) -> NDArray[np.uint64]:
    """Hashes of words, or letters where words are not kept apart, as in Chinese."""
    words = word_checksums(text.encode(errors="replace"))
    if len(text) > _LONG_WORD * len(words):
        letters = text[:_SAMPLED_CHARS].encode("utf-32-le", errors="replace")
        return np.frombuffer(letters, dtype="<u4").astype(np.uint64)
    return words.astype(np.uint64)


class Duplicates:
    """Finds the earlier page that a page copies, at a cost and in memory that do not grow with the crawl.

    Remembers at least the last `memory` pages, some 50 bytes each, and at most twice as many. A copy
    need not be added.

    >>> pages = Duplicates()
    >>> pages.add(1, "00ab", 0b1011)
    >>> pages.find("00ab", NO_SIGNATURE), pages.find("77ff", 0b0001), pages.find("77ff", 0b10100)
    (1, 1, None)
    """

    def __init__(self, memory: int = MEMORY) -> None:
        self._memory = memory
        self._older = _Generation()
        self._newer = _Generation()

    def find(self, digest: str, signature: int) -> int | None:
        """The page with the same digest of its body, or a near signature; None for a new page."""
        key = _key(digest)
        for generation in (self._newer, self._older):
            if not len(generation):
                continue
            found = generation.find_exact(key)
            if found is None and signature != NO_SIGNATURE:
                found = generation.find_near(signature)
            if found is not None:
                return found
        return None

    def add(self, page_id: int, digest: str, signature: int) -> None:
        """Remember a page."""
        self._room()
        self._newer.add(page_id, _key(digest), signature)

    def restore(self, pages: Iterable[tuple[int, str, int]]) -> None:
        """Remember pages in the order in which they were added: id, digest, signature."""
        rows = iter(pages)
        while some := list(islice(rows, min(_RESTORED_AT_ONCE, self._room()))):
            ids, digests, signatures = zip(*some, strict=True)
            self._newer.extend(ids, fingerprints(digests), np.array(signatures, dtype=np.int64))

    def _room(self) -> int:
        """How many pages more may be remembered before older ones are forgotten; makes room if there is none."""
        if len(self._newer) >= self._memory:
            self._older, self._newer = self._newer, _Generation()
        return self._memory - len(self._newer)


class _Generation:
    """Pages as rows of numbers, with a chain through the rows for every part of a signature and for digests."""

    def __init__(self) -> None:
        self._ids = array("q")
        self._keys = array("Q")
        self._signatures = array("Q")
        self._by_key = _Chains()
        self._by_band = [_Chains() for _ in range(_BANDS)]

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, page_id: int, key: int, signature: int) -> None:
        self._ids.append(page_id)
        self._keys.append(key)
        self._signatures.append(signature & _MASK)
        self._by_key.add(key & _BAND_MASK)
        for band, chains in enumerate(self._by_band):
            chains.add(_part(signature, band) if signature != NO_SIGNATURE else None)

    def extend(self, ids: Sequence[int], keys: NDArray[np.uint64], signatures: NDArray[np.int64]) -> None:
        """Add many pages at once."""
        self._ids.extend(ids)
        self._keys.frombytes(keys.tobytes())
        self._signatures.frombytes(signatures.tobytes())
        self._by_key.extend((keys & np.uint64(_BAND_MASK)).astype(np.int64))
        for band, chains in enumerate(self._by_band):
            part = signatures >> band * _BAND_BITS & _BAND_MASK
            chains.extend(np.where(signatures == NO_SIGNATURE, -1, part))

    def find_exact(self, key: int) -> int | None:
        for row in self._by_key.rows(key & _BAND_MASK):
            if self._keys[row] == key:
                return self._ids[row]
        return None

    def find_near(self, signature: int) -> int | None:
        signatures, wanted = self._signatures, signature & _MASK
        for band, chains in enumerate(self._by_band):
            part = _part(signature, band)
            if chains.has(part):  # of few pages there is another with the same part
                for row in chains.rows(part):
                    if (signatures[row] ^ wanted).bit_count() <= MAX_DISTANCE:
                        return self._ids[row]
        return None


class _Chains:
    """Rows that were added under the same 16-bit number, the latest first."""

    def __init__(self) -> None:
        self._heads = array("i", [-1]) * (1 << _BAND_BITS)
        self._nexts = array("i")

    def add(self, number: int | None) -> None:
        """Add the next row; under no number, when it has none."""
        row = len(self._nexts)
        self._nexts.append(-1 if number is None else self._heads[number])
        if number is not None:
            self._heads[number] = row

    def extend(self, numbers: NDArray[np.int64]) -> None:
        """Add many rows, -1 for under no number."""
        first, heads = len(self._nexts), np.frombuffer(self._heads, dtype=np.int32)
        nexts = np.full(len(numbers), -1, dtype=np.int32)
        numbered = np.flatnonzero(numbers >= 0)
        # Of 16 bits: these are sorted by counting, in a tenth of the time.
        order = numbered[np.argsort(numbers[numbered].astype(np.uint16), kind="stable")]
        ordered, rows = numbers[order], (first + order).astype(np.int32)
        is_other = np.append(ordered[1:] != ordered[:-1], True)[: len(order)]  # than the next
        nexts[order] = np.where(np.roll(is_other, 1), heads[ordered], np.roll(rows, 1))
        self._nexts.frombytes(nexts.tobytes())
        heads[ordered[is_other]] = rows[is_other]

    def has(self, number: int) -> bool:
        return self._heads[number] >= 0

    def rows(self, number: int) -> Iterator[int]:
        nexts, row = self._nexts, self._heads[number]
        for _ in range(_MOST_LOOKED_AT):
            if row < 0:
                return
            yield row
            row = nexts[row]


def _part(signature: int, band: int) -> int:
    return signature >> band * _BAND_BITS & _BAND_MASK


def _key(digest: str) -> int:
    return fingerprint(digest)


def looks_missing(title: str, text: str, url: str) -> bool:
    """Whether a page that was answered with 200 says in its title, or in little else, that there is no such page.

    >>> looks_missing("404 - Page not found", "Sorry! Home Products", "http://example.org/x")
    True
    >>> looks_missing("Page not found: why users hate it", "An essay", "http://example.org/page-not-found-why")
    False
    """
    said = _missing_phrase(title.lower())
    most_words = _MOST_MISSING_WORDS if said else _MOST_BARE_WORDS
    if len(text.split(None, most_words)) > most_words:
        return False
    said = said or _missing_phrase(text[:_MISSING_HEAD_CHARS].lower())
    if not said:
        return False
    # A page whose address has the same words is about missing pages, unless it is the host's page for them.
    return _plain(said) not in _plain(url) or _OWN_ADDRESS.search(url) is not None


def _missing_phrase(text: str) -> str:
    if text.startswith("404") and not text[3:4].isalnum():
        return "404"
    return next((phrase for phrase in _MISSING if phrase in text), "")


def _plain(text: str) -> str:
    return _NOT_WORDS.sub(" ", text.lower()).strip()
