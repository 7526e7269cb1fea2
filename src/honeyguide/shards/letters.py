"""What shards tell each other: pages of one with their links into another, judged by the one that has read them.

Everything is in columns: a letter may hold some hundred pages with their links, and costs what a few arrays cost.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import StoreError
from honeyguide.model import Bools, Floats

_HEAD = struct.Struct("<4s4I")  # and how many values are handed on, pages, links, and bytes of texts
_MAGIC = b"hgl2"
_BETWEEN = "\0"
"""Texts are split at it in one go, which no other way of packing many short ones comes near."""
_NUMBERS: Mapping[str, str] = {
    "ids": "<i8",
    "relevance": "<f8",
    "priority": "<f8",
    "depth": "<i4",
    "accepted": "?",
    "is_listing": "?",
    "is_redirect": "?",
    "links": "<i4",
    "around": "<f4",
}


@dataclass(frozen=True, eq=False)
class Letter:
    """Pages of one shard with their links into another; a redirect is a page with one link.

    A page that comes again has other links now, or is judged otherwise: they replace those it had.
    """

    ids: NDArray[np.int64]  # of the pages: as the sender knows them, and in the store as the whole crawl does
    urls: Sequence[str]
    relevance: Floats
    priority: Floats  # that a redirect hands on
    depth: NDArray[np.int32]
    accepted: Bools
    is_listing: Bools
    is_redirect: Bools
    links: NDArray[np.int32]  # how many each page has into the other shard
    targets: Sequence[str]  # urls of these links, page after page
    anchors: Sequence[str]
    around: NDArray[np.float32]  # how relevant the words around each are; NaN: there are none
    handed_on: Mapping[str, Floats] = field(
        default_factory=dict
    )  # values of the pages that go with their links

    def __len__(self) -> int:
        return len(self.urls)

    @classmethod
    def joined(cls, letters: Sequence[Letter]) -> Letter:
        """One letter of several; all hand on the same values."""
        if len(letters) == 1:
            return letters[0]
        texts: dict[str, Any] = {
            name: [text for letter in letters for text in getattr(letter, name)]
            for name in ("urls", "targets", "anchors")
        }
        numbers: dict[str, Any] = {
            name: np.concatenate([getattr(letter, name) for letter in letters]) for name in _NUMBERS
        }
        names = dict.fromkeys(name for letter in letters for name in letter.handed_on)
        handed_on = {
            name: np.concatenate([_numbers_of(letter, name) for letter in letters]) for name in names
        }
        return cls(**texts, **numbers, handed_on=handed_on)

    def only(self, places: Sequence[int]) -> Letter:
        """The same without all other pages; places are in order."""
        if len(places) == len(self):
            return self
        at, is_kept = np.asarray(places, dtype=np.int64), np.zeros(len(self), dtype=np.bool_)
        is_kept[at] = True
        links = np.flatnonzero(np.repeat(is_kept, self.links))
        numbers: dict[str, Any] = {
            name: getattr(self, name)[links if name == "around" else at] for name in _NUMBERS
        }
        texts: dict[str, Any] = {
            name: [getattr(self, name)[place] for place in (at if name == "urls" else links).tolist()]
            for name in ("urls", "targets", "anchors")
        }
        handed_on = {name: values[at] for name, values in self.handed_on.items()}
        return Letter(**texts, **numbers, handed_on=handed_on)

    def pages(self) -> Iterator[tuple[int, slice]]:
        """Each page by its place, and where its links are."""
        end = 0
        for place, links in enumerate(self.links.tolist()):
            yield place, slice(end, end + links)
            end += links

    def pack(self) -> bytes:
        """As bytes, for `unpack`."""
        columns = {name: np.asarray(getattr(self, name), dtype=kind) for name, kind in _NUMBERS.items()}
        carried = [np.asarray(numbers, dtype="<f8") for numbers in self.handed_on.values()]
        texts = _joined([*self.handed_on, *self.urls, *self.targets, *self.anchors])
        head = _HEAD.pack(_MAGIC, len(carried), len(self.urls), len(self.targets), len(texts))
        return b"".join((head, texts, *(array.tobytes() for array in (*columns.values(), *carried))))

    @classmethod
    def unpack(cls, packed: bytes) -> Letter:
        """The letter that was packed; StoreError if it is damaged."""
        try:
            magic, values, pages, links, length = _HEAD.unpack_from(packed)
            if magic != _MAGIC:
                raise ValueError("it was written by another version")
            start = _HEAD.size + length
            texts = packed[_HEAD.size : start].decode("utf-8", "surrogatepass").split(_BETWEEN)
            if len(texts) != max(values + pages + 2 * links, 1):
                raise ValueError("texts are missing")
            sizes = [links if name == "around" else pages for name in _NUMBERS]
            kinds = [*zip(_NUMBERS.values(), sizes, strict=True), *[("<f8", pages)] * values]
            arrays = [*_arrays(packed, start, kinds)]
            numbers: dict[str, Any] = dict(zip(_NUMBERS, arrays, strict=False))
            if numbers["links"].sum() != links or (numbers["links"] < 0).any():
                raise ValueError("links are missing")
        except (ValueError, struct.error) as error:
            raise StoreError(f"a letter between shards cannot be read: {error}") from error
        carried: dict[str, Any] = dict(zip(texts[:values], arrays[len(_NUMBERS) :], strict=True))
        first = values + pages
        return cls(
            urls=texts[values:first],
            targets=texts[first : first + links],
            anchors=texts[first + links : first + 2 * links],
            handed_on=carried,
            **numbers,
        )


def _joined(texts: Sequence[str]) -> bytes:
    """As one; of what is between them in one of these, which only a stranger's has, nothing is kept."""
    whole = _BETWEEN.join(texts)
    if whole.count(_BETWEEN) >= max(len(texts), 1):
        whole = _BETWEEN.join(text.replace(_BETWEEN, "\ufffd") for text in texts)
    return whole.encode("utf-8", "surrogatepass")


def _numbers_of(letter: Letter, name: str) -> Floats:
    known = letter.handed_on.get(name)
    return np.zeros(len(letter)) if known is None else known


def _arrays(packed: bytes, at: int, kinds: Sequence[tuple[str, int]]) -> Iterator[NDArray[np.generic]]:
    for kind, size in kinds:
        array = np.frombuffer(packed, dtype=kind, count=size, offset=at)
        at += array.nbytes
        yield array
    if at != len(packed):
        raise ValueError("it is too long")


assert {*_NUMBERS} < {column.name for column in fields(Letter)}
