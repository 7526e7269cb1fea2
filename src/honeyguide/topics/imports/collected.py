"""What an importer brings: a tree of topics with an example for each page listed, within stated limits."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

from isal import igzip

from honeyguide.errors import ImportFailed, TopicError
from honeyguide.topics.examples import Example
from honeyguide.topics.taxonomy.tree import ROOT, TopicTree, clean_name
from honeyguide.urls import DEFAULT_POLICY

MAX_TEXT = 10_000
"""Characters kept of a title, a description or a page's text."""

Progress = Callable[[int], None]
"""Called now and then with the number of bytes read so far."""


def no_progress(bytes_read: int) -> None:
    """For callers who do not watch."""


class BoundedText:
    """Text that comes in pieces, up to MAX_TEXT characters; however many pieces, each costs the same."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._room = MAX_TEXT

    def add(self, text: str) -> None:
        """Take in what there is room for."""
        piece = text[: self._room]
        if piece:
            self._pieces.append(piece)
            self._room -= len(piece)

    def __str__(self) -> str:
        return "".join(self._pieces)


@dataclass(frozen=True, slots=True)
class ImportLimits:
    """How much of a file is taken in."""

    topics: int = 100_000
    depth: int = 16  # topics that lie deeper become part of the one above them
    examples: int = 500_000
    examples_per_topic: int = (
        200  # the first ones; classes of 200 examples are told apart about as well as larger ones
    )
    bytes: int = 8_000_000_000  # unpacked
    under: str = ""  # take only what lies below this topic, e.g. "Top/Arts"


DEFAULT_LIMITS = ImportLimits()


@dataclass
class Collected:
    """The topics and examples read so far."""

    source: str  # for messages
    limits: ImportLimits = DEFAULT_LIMITS
    tree: TopicTree = field(default_factory=TopicTree)
    examples: list[Example] = field(default_factory=list)
    places: list[int] = field(default_factory=list)  # topic of each example
    skipped: Counter[str] = field(default_factory=Counter)  # what was left out, by reason
    _seen: set[tuple[int, str]] = field(default_factory=set, repr=False)
    _sizes: Counter[int] = field(default_factory=Counter, repr=False)

    def __post_init__(self) -> None:
        self._under = [clean_name(name) for name in names_of(self.limits.under)]

    def topic(self, names: Sequence[str]) -> int | None:
        """The topic of a path, added where it is new; None if it lies outside the part asked for."""
        clean = [name for name in map(clean_name, names) if name]
        if clean[: len(self._under)] != self._under:
            return None
        node = self.tree.place(clean[len(self._under) :][: self.limits.depth])
        if len(self.tree) > self.limits.topics:
            raise ImportFailed(
                f"{self.source}: more than {self.limits.topics:,} topics; take fewer levels (a smaller depth), "
                'or only a part of the tree (e.g. under="Top/Arts")'
            )
        return node

    def page(self, names: Sequence[str], url: str, title: str, description: str) -> None:
        """An example of a topic; what is no web page or is there already is left out."""
        canonical = DEFAULT_POLICY.canonical(url.strip())
        if canonical is None:
            self.skipped["not a web page"] += 1
            return
        node = self.topic(names)
        if node is None:
            self.skipped["outside the part asked for"] += 1
        elif (node, canonical) in self._seen:
            self.skipped["there twice"] += 1
        elif self._sizes[node] >= self.limits.examples_per_topic:
            self.skipped["beyond the examples per topic"] += 1
        else:
            self._seen.add((node, canonical))
            self._sizes[node] += 1
            self.add(node, Example(description[:MAX_TEXT].strip(), canonical, _one_line(title)))

    def add(self, node: int, example: Example) -> None:
        """Any example."""
        if len(self.examples) >= self.limits.examples:
            raise ImportFailed(
                f"{self.source}: more than {self.limits.examples:,} examples; take fewer of each topic "
                '(examples_per_topic), or only a part of the tree (e.g. under="Top/Arts")'
            )
        self.examples.append(example)
        self.places.append(node)

    def checked(self) -> Collected:
        """Itself, if there is anything in it."""
        if len(self.tree) == 1 and not self.examples:
            part = f" below {self.limits.under!r}" if self.limits.under else ""
            raise ImportFailed(f"{self.source}: no topics found{part}{self._reasons()}")
        return self

    def _reasons(self) -> str:
        return "".join(f"; {count:,} entries: {reason}" for reason, count in self.skipped.most_common(3))


def names_of(category: str) -> list[str]:
    """The names in a path of a directory, below its top.

    >>> names_of("Top/Arts/Animation")
    ['Arts', 'Animation']
    """
    names = [name for name in category.strip().split("/") if name]
    return names[1:] if names[:1] == ["Top"] else names


def _one_line(text: str) -> str:
    return " ".join(text[:MAX_TEXT].split())


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Read a file, unpacked if it is a gzip file; what the disk refuses becomes an `ImportFailed`."""
    try:
        with path.open("rb") as file:
            is_packed = file.peek(2)[:2] == b"\x1f\x8b"
            yield cast(BinaryIO, igzip.GzipFile(fileobj=file)) if is_packed else file  # type: ignore[no-untyped-call]
    except TopicError as error:
        raise ImportFailed(f"{path}: {error}") from None
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise ImportFailed(f"{path}: cannot be read: {error}") from None


def chunks(file: BinaryIO, source: str, limits: ImportLimits, progress: Progress) -> Iterator[bytes]:
    """The file in pieces, up to its limit."""
    read = 0
    while chunk := file.read(65_536):
        read += len(chunk)
        if read > limits.bytes:
            raise ImportFailed(f"{source}: larger than {limits.bytes:,} bytes; split it or raise the limit")
        yield chunk
        if read >> 20 != (read - len(chunk)) >> 20:
            progress(read)


__all__ = ["DEFAULT_LIMITS", "ROOT", "Collected", "ImportLimits", "Progress", "chunks", "names_of", "opened"]
