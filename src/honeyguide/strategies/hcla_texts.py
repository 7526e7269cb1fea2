"""What HCLA keeps of texts: which words the latest pages have, as arrays that survive a restart."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import SettingsError
from honeyguide.graph.latent import Factors, truncated_svd
from honeyguide.model import Bools, Ids
from honeyguide.state.view import CrawlView
from honeyguide.topics.text import count_stems

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_CORPUS_BYTES = 100_000_000
_PAGES = "hcla pages"
_CORPUS_PARTS = ("size", "words", "left", "scales")
_NO_PAGES = np.empty((2, 0), dtype=np.int32)
_NO_COUNTS = np.empty((3, 0), dtype=np.int32)


def hashed(stems: Sequence[str]) -> Ids:
    """A number for each stem that is the same in every crawl, so that no list of words has to be kept."""
    numbers = [zlib.crc32(stem.encode("utf-8", "replace")) & 0x7FFFFFFF for stem in stems]
    return np.array(numbers, dtype=np.int32)


def count_words(ids: Ids, texts: Sequence[str]) -> Ids:
    """Rows of (document, word, count)."""
    stems, counts = count_stems(texts)
    cells = counts.tocoo()
    rows, columns = cells.coords
    return np.stack((ids[rows], hashed(stems)[columns], cells.data)).astype(np.int32)


@dataclass(frozen=True, slots=True)
class Texts:
    """The latest pages, in order, and the words of these and perhaps of other documents."""

    pages: Ids
    counts: Ids  # rows of (document, word, count)

    def matrix(self, words: Ids, documents: Ids, weigh_log: bool) -> csr_array:
        """Words x documents; `words` and `documents` are sorted, and what is not among them is left out."""
        from scipy.sparse import csr_array

        document, word, count = self.counts
        rows, is_word = _places(word, words)
        columns, is_document = _places(document, documents)
        wanted = is_word & is_document
        numbers = count[wanted].astype(np.float64)
        return csr_array(
            (1 + np.log(numbers) if weigh_log else numbers, (rows[wanted], columns[wanted])),
            shape=(len(words), len(documents)),
        )


def _places(items: Ids, among: Ids) -> tuple[NDArray[np.int64], Bools]:
    """Where items stand in a sorted array, and whether they do."""
    if not len(among):
        return np.zeros(len(items), dtype=np.int64), np.zeros(len(items), dtype=bool)
    places = np.minimum(np.searchsorted(among, items), len(among) - 1).astype(np.int64)
    return places, among[places] == items


def remember(pages: NDArray[Any], counts: NDArray[Any], most_pages: int, crawl: CrawlView) -> None:
    """Keep a batch; batches of which no page is among the latest `most_pages` are forgotten.

    In a shard urls are kept by their fingerprints, which every shard and job knows them by.
    """
    if crawl.is_part:
        keys = crawl.fingerprint.view(np.int64)
        pages, counts = keys[pages], np.vstack((keys[counts[0]], counts[1:]))
    kept = _array(_PAGES, _NO_PAGES, crawl)
    number = int(kept[1, -1]) + 1 if kept.size else 0
    kept = np.hstack((kept, np.stack((pages, np.full(len(pages), number))).astype(pages.dtype)))
    crawl.set_array(_name(number), counts)
    latest = int(kept[1, max(0, kept.shape[1] - most_pages)])
    for old in np.unique(kept[1, kept[1] < latest]).tolist():
        crawl.set_array(_name(old), _NO_COUNTS)
    crawl.set_array(_PAGES, kept[:, kept[1] >= latest])


def recall(crawl: CrawlView) -> Texts:
    """Everything that is kept."""
    pages, batches = _array(_PAGES, _NO_PAGES, crawl)
    counts = [_array(_name(number), _NO_COUNTS, crawl) for number in np.unique(batches).tolist()]
    return Texts(pages, np.hstack([_NO_COUNTS, *counts]))


def gathered(
    shards: Sequence[Mapping[str, NDArray[Any]]], most_pages: int, crawl: CrawlView
) -> dict[str, Ids]:
    """What shards keep, as if one had kept it: the latest pages of each in turn, until they are enough."""
    kept = [(own[_PAGES], own) for own in shards if _PAGES in own]
    age = np.concatenate(
        [np.arange(len(pages[0]))[::-1] for pages, _ in kept] or [np.empty(0, dtype=np.int64)]
    )
    keys = np.concatenate([pages[0] for pages, _ in kept] or [np.empty(0, dtype=np.int64)])
    latest = np.argsort(age, kind="stable")[:most_pages][::-1]
    ids = crawl.find(keys[latest].view(np.uint64))
    ids = ids[ids >= 0]
    counts = [
        own[_name(number)]
        for pages, own in kept
        for number in np.unique(pages[1]).tolist()
        if _name(number) in own
    ]
    document, word, count = np.hstack([np.empty((3, 0), dtype=np.int64), *counts])
    document = crawl.find(document.view(np.uint64))
    wanted = np.isin(document, ids)
    told = np.stack((document[wanted], word[wanted], count[wanted])).astype(np.int32)
    return {_PAGES: np.stack((ids, np.zeros_like(ids))), _name(0): told}


def _array(name: str, missing: Ids, crawl: CrawlView) -> Ids:
    found = crawl.array(name)
    return missing if found is None else found


def _name(batch: int) -> str:
    return f"hcla words {batch}"


@dataclass(frozen=True, slots=True)
class Corpus:
    """The words that count, sorted, and the factors of the texts they were learned from."""

    words: Ids
    factors: Factors
    documents: int


def learn_corpus(texts: Texts, query: Ids, k: int, most_words: int, weigh_log: bool) -> Corpus:
    """Take the words that occur in most texts, at least in two, and those of the query."""
    occurring, frequency = np.unique(texts.counts[1], return_counts=True)
    order = np.argsort(-frequency, kind="stable")[:most_words]
    words = np.union1d(occurring[order[frequency[order] > 1]], query).astype(np.int32)
    factors = truncated_svd(texts.matrix(words, np.unique(texts.pages), weigh_log), k)
    return Corpus(words, factors, len(texts.pages))


def kept_corpus(crawl: CrawlView) -> Corpus | None:
    """The corpus as it was last learned."""
    size, words, left, scales = (crawl.array(f"hcla corpus {part}") for part in _CORPUS_PARTS)
    if size is None or words is None or left is None or scales is None:
        return None
    return Corpus(words, Factors(left, scales, np.empty((0, len(scales)))), int(size[0]))


def keep_corpus(corpus: Corpus, crawl: CrawlView) -> None:
    """Keep what was learned; the documents' own places are not needed again."""
    size = np.array([corpus.documents])
    arrays: tuple[NDArray[Any], ...] = (size, corpus.words, corpus.factors.left, corpus.factors.scales)
    for part, array in zip(_CORPUS_PARTS, arrays, strict=True):
        crawl.set_array(f"hcla corpus {part}", array)


def read_texts(path: Path) -> Texts:
    """Read a text file with a document a line."""
    try:
        with path.open("rb") as file:
            lines = file.read(MAX_CORPUS_BYTES).decode("utf-8", "replace").splitlines()
    except OSError as error:
        raise SettingsError(
            f"{path}: {error.strerror}; strategy.corpus is a text file with a document a line"
        ) from error
    documents = [line for line in lines if line.strip()]
    if not documents:
        raise SettingsError(f"{path} has no text; strategy.corpus is a text file with a document a line")
    ids = np.arange(len(documents), dtype=np.int32)
    return Texts(ids, count_words(ids, documents))
