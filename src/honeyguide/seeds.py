"""Where a crawl starts: urls from a file or an order, made canonical, with every bad line named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from io import BufferedReader
from itertools import islice
from pathlib import Path

from honeyguide.errors import SettingsError
from honeyguide.urls import DEFAULT_POLICY, MAX_LENGTH, UrlPolicy

MAX_LINES = 1_000_000
MAX_BYTES = 100_000_000
MAX_PROBLEMS = 1_000
# More bytes than the longest url can have, so that a line cut here is still seen to be too long.
_MAX_LINE_BYTES = 4 * MAX_LENGTH + 4
_SHOWN_CHARS = 80

_COMMENT = re.compile(r"(?:^|\s)#.*", re.DOTALL)
_BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
# "example.org:8080" has a port, not a scheme.
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d)")
# With a dot and without "@", or any word and any mail address would become a url.
_HOST = re.compile(r"(?:[^/?#:.@]+\.)+[^/?#:.@]+(?=[/?#:]|$)")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class SeedProblem:
    """A line that is no seed; as text it continues `name of the file:`."""

    line: int  # from 1; in the list of an order, the position
    text: str  # shortened, safe to print
    reason: str

    def __str__(self) -> str:
        return f"{self.line}: {self.reason}: {self.text}"


@dataclass(frozen=True, slots=True)
class SeedList:
    """The usable seeds in order, each once, and what was wrong with the others."""

    urls: tuple[str, ...]
    problems: tuple[SeedProblem, ...]  # the first MAX_PROBLEMS
    bad_lines: int  # all of them
    is_complete: bool = True  # False: the list is longer than MAX_LINES or MAX_BYTES, the rest was not read


def read_seeds(path: Path, policy: UrlPolicy = DEFAULT_POLICY) -> SeedList:
    """Read a text file with one url a line; blank lines and comments (# ...) are skipped.

    A url without a scheme gets https://. SettingsError only when the file cannot be read at all.
    """
    try:
        with path.open("rb") as file:
            if file.peek(2)[:2] in _UTF_16:
                raise SettingsError(f"{path}: the seed list is UTF-16; save it as UTF-8")
            seeds = check_seeds(_lines(file), policy)
            return replace(seeds, is_complete=not file.read(1))
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        raise SettingsError(f"{path}: the seed list cannot be read: {error}") from None


def check_seeds(lines: Iterable[str], policy: UrlPolicy = DEFAULT_POLICY) -> SeedList:
    """Keep what is a url, canonical and once; tell what is wrong with the rest.

    >>> seeds = check_seeds(["Example.org/bees", "https://example.org/bees#top", "mailto:a@b.org"])
    >>> seeds.urls, seeds.problems[0].line
    (('https://example.org/bees',), 3)
    """
    urls: dict[str, None] = {}
    problems: list[SeedProblem] = []
    bad_lines = 0
    for number, line in enumerate(islice(lines, MAX_LINES), 1):
        text = _COMMENT.sub("", line).strip()
        if not text:
            continue
        url, reason = _seed(text, policy)
        if url is not None:
            urls[url] = None
            continue
        bad_lines += 1
        if len(problems) < MAX_PROBLEMS:
            problems.append(SeedProblem(number, _shown(text), reason))
    return SeedList(tuple(urls), tuple(problems), bad_lines)


def _seed(text: str, policy: UrlPolicy) -> tuple[str | None, str]:
    """Return the canonical url, or None and the reason that counts only then."""
    if len(text) > MAX_LENGTH:
        return None, f"longer than {MAX_LENGTH:,} characters"
    if _BLANK.search(text):
        return None, "has a space or control character inside"
    if not _SCHEME.match(text):
        if not _HOST.match(text):
            return None, "no url; write it in full, as in https://example.org/"
        text = f"https://{text}"
    return policy.canonical(text), "no usable http or https url"


def _shown(text: str) -> str:
    return repr(text) if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]!r}..."


def _lines(file: BufferedReader) -> Iterator[str]:
    left = MAX_BYTES
    while left > 0 and (line := file.readline(_MAX_LINE_BYTES)):
        first = line.removeprefix(b"\xef\xbb\xbf") if left == MAX_BYTES else line
        left -= len(line)
        while not line.endswith(b"\n") and left > 0 and (line := file.readline(_MAX_LINE_BYTES)):
            left -= len(line)
        yield _decoded(first)


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")


def spellings_of(url: str, policy: UrlPolicy = DEFAULT_POLICY) -> list[str]:
    """A url that a person gave, as a crawl would write it, and with the other of http and https; SettingsError if none.

    >>> spellings_of("Example.org/a/../b")
    ['https://example.org/b', 'http://example.org/b']
    """
    if not isinstance(url, str):
        raise SettingsError(f"{url!r} is no url: it should be a text")
    found = check_seeds([url], policy)
    if not found.urls:
        reason = next((problem.reason for problem in found.problems), "")
        raise SettingsError(f"{_shown(url)} is no url: {reason.removeprefix('no url; ')}".removesuffix(": "))
    scheme, _, rest = found.urls[0].partition(":")
    other = policy.canonical(f"{'http' if scheme == 'https' else 'https'}:{rest}")
    return [found.urls[0], *([other] if other else [])]
