"""Reads examples for training: HTML and text files, folders `positive/` and `negative/`, urls through any fetcher."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from honeyguide.errors import FetchError, ImportFailed
from honeyguide.fetch.base import Fetcher
from honeyguide.model import Response
from honeyguide.parse import first_words, parse_page
from honeyguide.topics.examples import Example
from honeyguide.urls import DEFAULT_POLICY

POSITIVE, NEGATIVE = "positive", "negative"
MAX_FILES = 50_000
MAX_FILE_BYTES = 5 << 20
"""Only so much of a file is read; a page is settled by its beginning."""
MAX_REDIRECTS = 5
AT_ONCE = 16

_MARKUP = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<[!?A-Za-z]")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_HTML_ENDINGS = frozenset((".html", ".htm", ".xhtml", ".shtml"))


@dataclass(frozen=True)
class FoundExamples:
    """Examples that could be read, and a line on each that could not."""

    examples: list[Example] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class LabeledExamples:
    """Examples of both classes."""

    positives: FoundExamples
    negatives: FoundExamples


def read_labeled(folder: Path) -> LabeledExamples:
    """Read a folder with a folder `positive` in it, and perhaps one called `negative`."""
    if not (folder / POSITIVE).is_dir():
        raise ImportFailed(
            f"{folder}: there is no folder {POSITIVE}/ in it; put example pages on the topic there"
        )
    negatives = read_examples([folder / NEGATIVE]) if (folder / NEGATIVE).is_dir() else FoundExamples()
    return LabeledExamples(read_examples([folder / POSITIVE]), negatives)


def read_examples(paths: Iterable[Path]) -> FoundExamples:
    """Read files, and all files in folders at any depth except hidden ones, by name."""
    found = FoundExamples()
    files = (file for path in paths for file in _files(path))
    for file in islice(files, MAX_FILES):
        try:
            found.examples.append(read_example(file))
        except ImportFailed as error:
            found.problems.append(str(error))
    if next(files, None) is not None:
        found.problems.append(f"there are more than {MAX_FILES:,} files; the others were not read")
    return found


def _files(path: Path) -> Iterable[Path]:
    if not path.is_dir():
        return [path]
    # Hidden parts are those below the folder: where it lies itself is the user's affair.
    return (
        file
        for file in sorted(path.rglob("*"))
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(path).parts)
    )


def read_example(path: Path) -> Example:
    """Read an HTML or text file; other kinds are refused with `ImportFailed`."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES)
    except (OSError, ValueError) as error:
        raise ImportFailed(f"{path}: cannot be read: {error}") from error
    if b"\0" in content[:4096] and not content.startswith(_UTF_16):
        raise ImportFailed(f"{path}: neither HTML nor text; save the page as HTML, or its text")
    is_html = path.suffix.lower() in _HTML_ENDINGS or _MARKUP.match(content[:1024])
    return _example(content, path.absolute().as_uri(), "text/html" if is_html else "text/plain")


def _example(body: bytes, url: str, content_type: str) -> Example:
    page = parse_page(body, url, content_type)
    return Example(first_words(page.text), url, page.title)


async def fetch_examples(urls: Sequence[str], fetcher: Fetcher) -> FoundExamples:
    """Fetch pages in the order of the urls: live at the pace the fetcher allows, or from a recorded web."""
    at_once = asyncio.Semaphore(AT_ONCE)

    async def one(url: str) -> Example | str:
        async with at_once:
            try:
                response = await _page(url, fetcher)
            except FetchError as error:
                return f"{url}: {error or type(error).__name__}"
        return _example(response.body, response.url, response.content_type)

    outcomes = await asyncio.gather(*map(one, urls))
    return FoundExamples(
        [outcome for outcome in outcomes if isinstance(outcome, Example)],
        [outcome for outcome in outcomes if isinstance(outcome, str)],
    )


async def _page(url: str, fetcher: Fetcher) -> Response:
    """The page at the end of redirects."""
    for _ in range(MAX_REDIRECTS + 1):
        response = await fetcher.fetch(url)
        if response.redirect is None:
            return response
        target = DEFAULT_POLICY.canonical(response.redirect, url)
        if target is None:
            raise FetchError("it redirects to something that is no url")
        url = target
    raise FetchError(f"it redirects more than {MAX_REDIRECTS} times")
