"""The sample web as files, packed once and kept, for a compiled server: see `_nginx`. Benchmarks of live crawls use it.

Every host is a folder named after its loopback address. Traps, dead links and moved pages are left out, so that all
crawlers meet the same pages, and pages are counted by what they are.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path

import numpy as np

from honeyguide.sample_web.dice import Numbers
from honeyguide.sample_web.hosts import Hosts
from honeyguide.sample_web.html import Document
from honeyguide.sample_web.web import SampleWeb

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "honeyguide" / "benchmarks"
PORT = 18_790
"""Stands in the links of the kept files, so it cannot be any free one."""

_VERSION = 2
_PER_OCTET = 250
_HOST_URL = re.compile(rb"http://[a-z]+-([0-9]{1,9})\.example")
_LINK_LADDER = (90, 70, 120, 50, 160, 35, 220, 25, 300, 15, 8)
_WORD_LADDER = (2_500, 4_000, 5_000, 8_500, 11_000, 16_000, 26_000)
_FIRST_WORDS = 6_500


class EvenHosts(Hosts):
    """Hosts that all have the same number of pages."""

    def _make_sizes(self, pages: int) -> Numbers:
        return np.full(self.count, pages // self.count, dtype=np.int64)


@dataclass(frozen=True)
class EvenWeb(SampleWeb):
    """A sample web whose hosts all have the same number of pages."""

    @cached_property
    def hosts(self) -> Hosts:
        """The tables of the web's hosts."""
        return EvenHosts(self.pages, self.seed, self.topics)


@dataclass(frozen=True)
class Sizes:
    """What every page of a web must have."""

    bytes: tuple[int, int]
    links: tuple[int, int]


def host_address(host: int) -> str:
    """The loopback address of a host; 127.0.x.y is left to others."""
    high, low = divmod(host, _PER_OCTET)
    return f"127.{200 + high // _PER_OCTET}.{high % _PER_OCTET}.{1 + low}"


def served_url(web: SampleWeb, number: int) -> str:
    """Where a page is served."""
    return _served(web.url(number).encode()).decode()


def prepared(name: str, web: SampleWeb, sizes: Sizes | None = None) -> Path:
    """The folder with a web's files; made if it is not there."""
    folder = CACHE / f"{name}-{web.pages}-v{_VERSION}"
    if not folder.exists():
        print(f"# writing {web.pages:,} pages to {folder}, once", flush=True)
        unfinished = folder.with_name(f"{folder.name}.part")
        shutil.rmtree(unfinished, ignore_errors=True)
        with ProcessPoolExecutor() as pool:
            for _ in pool.map(partial(_write_host, unfinished, web, sizes), range(web.hosts.count)):
                pass
        unfinished.rename(folder)
    return folder


def _write_host(folder: Path, web: SampleWeb, sizes: Sizes | None, host: int) -> None:
    root = folder / host_address(host)
    _write(root / "robots.txt", b"User-agent: *\nDisallow: /private/\n")
    first = web.hosts.first(host)
    for number in range(first, first + web.hosts.size(host)):
        found = _fitting(web, number, sizes) if sizes else web.document(number)
        path = web.url(number).removeprefix(f"http://{web.hosts.names[host]}/")
        _write(root / (f"{path}index.html" if path.endswith("/") or not path else path), _plain(web, found))


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(content, 6, mtime=0))


def _plain(web: SampleWeb, page: Document) -> bytes:
    """The page with links to other pages only, each at its address."""
    html = page.html
    for anchor in page.anchors:
        if anchor.target is None:
            html = html.replace(f"<li>{anchor.html()}</li>".encode(), b"")
        elif "/old/" in anchor.href:
            html = html.replace(f'"{anchor.href}"'.encode(), f'"{web.url(anchor.target)}"'.encode())
    return _served(html)


def _served(text: bytes) -> bytes:
    return _HOST_URL.sub(lambda match: f"http://{host_address(int(match[1]))}:{PORT}".encode(), text)


@cache
def _variant(web: SampleWeb, words: int, links: int) -> SampleWeb:
    return type(web)(web.pages, web.seed, web.topics, words, links)


def _fitting(web: SampleWeb, number: int, sizes: Sizes) -> Document:
    """The page with as many words and links as put it within the sizes: those of the sample web vary far more."""
    fewest, most = sizes.links
    links = next(
        (mean for mean in _LINK_LADDER if fewest <= len(_variant(web, 1, mean).links(number)) <= most),
        _LINK_LADDER[0],
    )
    page = _variant(web, _FIRST_WORDS, links).document(number)
    least, largest = sizes.bytes
    if least <= len(page.html) <= largest:
        return page
    wanted = _FIRST_WORDS * (least + largest) / 2 / len(page.html)
    words = min(_WORD_LADDER, key=lambda mean: abs(mean - wanted))
    return _variant(web, words, links).document(number)
