"""Pages as words: all that another revision of the topic needs of a page that was read before, packed to be kept."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from isal import isal_zlib

from honeyguide.model import Ids, ParsedLinks, ParsedPage, Passages, Places
from honeyguide.parse import readable
from honeyguide.topics.text import MAX_CHARS, StemTable
from honeyguide.topics.worded import Lexicon, Worded

MOST_BYTES = 64 << 20
"""Of a page unpacked; more has only a file that was made to have it."""
MOST_WORDS = 200_000
"""Words that are known by heart; pages have endless others."""
_LEVEL = 1
_NUMBER = "<u4"


@dataclass(frozen=True, slots=True)
class WordedPage:
    """A page that was read: its words in place of its text, and its links with the words around them."""

    text: Worded  # a single one
    parsed: ParsedPage  # without the text
    is_missing: bool = False  # it says that there is no such page


def packed(page: WordedPage) -> bytes:
    """A page in some kilobytes."""
    text, links, around = page.text, page.parsed.links, page.parsed.links.contexts
    assert isinstance(around, Worded)
    known, own = np.unique(np.concatenate((text.numbers, around.numbers)), return_inverse=True)
    told = {
        "title": page.parsed.title,
        "robots": sorted(page.parsed.robots),
        "is_missing": page.is_missing,
        "urls": [*links.urls],
        "anchors": [*links.anchors],
        "nofollow": [at for at, is_so in enumerate(links.nofollow) if is_so],
        "words": " ".join([text.words[number] for number in known.tolist()]),
        "length": len(text.numbers),
        "around": len(around),
    }
    head = json.dumps(told, separators=(",", ":")).encode()
    numbers = np.concatenate((around.starts, around.ends - around.starts, own)).astype(_NUMBER).tobytes()
    return isal_zlib.compress(b"%d\n%b%b" % (len(head), head, numbers), level=_LEVEL)


class WordFinder:
    """Finds the words of pages as topic models do, or takes them as they were kept."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self._table = StemTable((), language="", grows=True, skipped=frozenset())  # a word is its own stem
        self._lexicon = Lexicon()

    def _forget(self) -> None:
        if len(self._lexicon) > MOST_WORDS:
            self._start()

    def find(self, page: ParsedPage, is_missing: bool) -> WordedPage:
        """A page as its words."""
        self._forget()
        everything = [Passages.of([readable(page)[:MAX_CHARS]]), Passages.of(page.links.contexts)]
        numbers, starts, ends = self._table.sequences(Passages.joined(everything))
        known, own = np.unique(numbers, return_inverse=True)
        words = self._lexicon.numbers([self._table.stems[number] for number in known.tolist()])
        return self._page(words[own], starts, ends, replace(page, text=""), is_missing)

    def unpacked(self, kept: bytes) -> WordedPage | None:
        """A page that was packed; None if that is none."""
        self._forget()
        try:
            return self._unpacked(isal_zlib.decompressobj().decompress(kept, MOST_BYTES))
        except Exception:  # whatever a damaged file holds; the page is read again
            return None

    def _unpacked(self, content: bytes) -> WordedPage:
        length, _, rest = content.partition(b"\n")
        told = json.loads(rest[: int(length)])
        urls, anchors, words = told["urls"], told["anchors"], told["words"].split(" ")
        around, text_length = int(told["around"]), int(told["length"])
        places = np.frombuffer(rest[int(length) :], dtype=_NUMBER).astype(np.int64)
        starts, numbers = places[:around], places[2 * around :]
        ends = starts + places[around : 2 * around]
        if not _are_texts(urls) or not _are_texts(anchors) or len(anchors) != len(urls):
            raise ValueError("its links are none")
        if around not in (0, len(urls)) or not 0 <= text_length <= len(numbers):
            raise ValueError("its links have other words")
        if (ends > len(numbers) - text_length).any() or (numbers >= len(words)).any():
            raise ValueError("its passages have no words")
        nofollow = np.zeros(len(urls), dtype=np.bool_)
        nofollow[told["nofollow"]] = True
        page = ParsedPage(
            str(told["title"]),
            links=ParsedLinks(urls, anchors, nofollow.tolist()),
            robots=frozenset(map(str, told["robots"])),
        )
        starts = np.concatenate(([0], starts + text_length))
        ends = np.concatenate(([text_length], ends + text_length))
        return self._page(self._lexicon.numbers(words)[numbers], starts, ends, page, bool(told["is_missing"]))

    def _page(
        self, numbers: Ids, starts: Places, ends: Places, page: ParsedPage, is_missing: bool
    ) -> WordedPage:
        """The first passage is the text, the others are around links."""
        first = int(ends[0])
        text = Worded.among(self._lexicon, numbers[:first], starts[:1], ends[:1])
        around = Worded.among(self._lexicon, numbers[first:], starts[1:] - first, ends[1:] - first)
        return WordedPage(text, replace(page, links=replace(page.links, contexts=around)), is_missing)


def _are_texts(given: Any) -> bool:
    return isinstance(given, list) and set(map(type, given)) <= {str}
