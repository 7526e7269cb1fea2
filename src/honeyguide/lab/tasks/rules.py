"""How tasks are made from a labelled web: which labels are topics, what is left out, what gives the labels away.

A corpus says so in a file `tasks.toml` beside its pages (docs/recordings.md); for some we do.
"""

from __future__ import annotations

import gzip
import tomllib
import zlib
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from honeyguide.errors import SettingsError
from honeyguide.lab.tasks.labels import Labels, read_labels
from honeyguide.parse.charset import decode
from honeyguide.parse.flatten import harmless
from honeyguide.urls import DEFAULT_POLICY, host_of

RULES_NAME = "tasks.toml"
MAX_BYTES = 1 << 20
MOST_LINES = 10_000_000  # of a directory; the Open Directory had four million


class Rules(BaseModel):
    """All there is to say."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    # Labels that are topics, as `subject:*`; what the star stands for is the topic's name.
    topics: str = Field(pattern=r"\*")
    # What separates the steps where topics are paths in a tree; a topic is then a place at the level asked for.
    separator: str = Field(default="", max_length=3)
    # A directory of the Open Directory's kind beside the pages: its categories are labels of the pages it lists.
    directory: str = Field(default="", pattern=r"^[^/\\]*$")
    # Labels that a page must have, too, to be on a topic or surely off it.
    requires: Sequence[str] = ()
    # Pages with a label like these are not in the web, unless they are home pages.
    left_out: Sequence[str] = ()
    # CSS selectors of what names the labels of a page, and is not shown to anybody.
    giveaways: Sequence[str] = ()
    seeds: Literal["homes", "half of the homes", "at a distance"] = "at a distance"
    fewest_pages: int = Field(default=60, ge=8)
    fewest_hosts: int = Field(default=1, ge=1)
    largest_share: float = Field(default=0.25, gt=0, le=1)  # of all pages; a larger topic is none
    budget_share: float = Field(default=0.1, gt=0, le=1)
    words: dict[str, str] = {}  # what a person would type, by topic

    def topics_of(self, labels: Iterable[str]) -> list[str]:
        """The topics among the labels of a page."""
        before, _, after = self.topics.partition("*")
        matching = (label for label in labels if fnmatchcase(label, self.topics))
        return sorted(label[len(before) : len(label) - len(after)] for label in matching)

    def is_left_out(self, labels: Iterable[str]) -> bool:
        """Whether a page with these labels is no part of the web."""
        return any(fnmatchcase(label, pattern) for label in labels for pattern in self.left_out)

    def without_giveaways(self, body: bytes, content_type: str) -> bytes:
        """A page without what names its labels, in UTF-8."""
        if not self.giveaways:
            return body
        tree = LexborHTMLParser(harmless(decode(body, content_type)[0]))
        for node in _outermost(tree.css(", ".join(self.giveaways))):
            node.decompose()
        return (tree.html or "").encode("utf-8", "replace")


def _outermost(nodes: Sequence[LexborNode]) -> list[LexborNode]:
    """Nodes without those inside others: what is gone with one must not be touched again."""
    chosen, outer = {node.mem_id for node in nodes}, []
    for node in nodes:
        above = node.parent
        while above is not None and above.mem_id not in chosen:
            above = above.parent
        if above is None:
            outer.append(node)
    return outer


@lru_cache(maxsize=16)
def rules_of(folder: Path) -> Rules | None:
    """The rules of a corpus, its own or ours; None if there are none."""
    own = folder / RULES_NAME
    if own.is_file():
        return read_rules(own)
    ours = _ours(folder.name)
    return _checked(ours.read_text(encoding="utf-8"), str(ours)) if ours.is_file() else None


def are_ours(corpus: str) -> bool:
    """Whether the rules of a corpus of this name come with the package."""
    return _ours(corpus).is_file()


def _ours(corpus: str) -> Traversable:
    return files("honeyguide.lab.tasks").joinpath("rules", f"{corpus}.toml")


def read_rules(path: Path) -> Rules:
    """Rules from a file; SettingsError tells what is wrong with it."""
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
        if len(text) > MAX_BYTES:
            raise SettingsError(f"{path}: more than {MAX_BYTES:,} bytes are no rules")
        return _checked(text.decode(), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: the rules cannot be read: {error}") from error


def _checked(text: str, where: str) -> Rules:
    try:
        rules = Rules.model_validate(tomllib.loads(text), strict=False)
        LexborHTMLParser("").css(", ".join(rules.giveaways) or "p")
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{where}: {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise SettingsError(f"{where}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    except (SelectolaxError, ValueError) as error:
        raise SettingsError(f"{where}: giveaways: no CSS selector: {error}") from None
    return rules


def home_pages(urls: Iterable[str]) -> dict[str, str]:
    """The home page of each host: the shortest of its urls, and the first of equals."""
    homes: dict[str, str] = {}
    for url in urls:
        known = homes.setdefault(host_of(url), url)
        if len(url) < len(known):
            homes[host_of(url)] = url
    return homes


def web_labels(folder: Path, rules: Rules) -> Labels:
    """The pages that are in the web, with their labels; home pages always are."""
    everything = read_labels(folder)
    if rules.directory:
        listed = read_directory(folder / rules.directory)
        everything = {url: own | listed.get(url, frozenset()) for url, own in everything.items()}
    homes = frozenset(home_pages(everything).values())
    return {url: own for url, own in everything.items() if url in homes or not rules.is_left_out(own)}


@lru_cache(maxsize=2)
def read_directory(path: Path) -> Labels:
    """The categories of each page that a directory lists: lines with a url, a tab and a category."""
    found: dict[str, set[str]] = {}
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rb") as file:
            for number in range(1, MOST_LINES + 2):
                line = file.readline(MAX_BYTES)
                if not line:
                    break
                if number > MOST_LINES or (not line.endswith(b"\n") and len(line) == MAX_BYTES):
                    raise SettingsError(
                        f"{path}, line {number}: a directory has at most {MOST_LINES:,} lines of {MAX_BYTES:,} bytes"
                    )
                url, tab, rest = line.decode().rstrip("\r\n").partition("\t")
                if not tab:
                    raise SettingsError(f"{path}, line {number}: a url, a tab and a category are expected")
                if canonical := DEFAULT_POLICY.canonical(url):
                    found.setdefault(canonical, set()).add(rest.partition("\t")[0])
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise SettingsError(f"{path}: the directory cannot be read: {error}") from error
    return {url: frozenset(own) for url, own in found.items()}
