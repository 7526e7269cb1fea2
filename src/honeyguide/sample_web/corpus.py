"""Records a sample web as a corpus of two files, in the form the experiments read."""

import gzip
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urljoin

from honeyguide.sample_web.html import Document
from honeyguide.sample_web.web import SampleWeb

_TRAP_DEPTH = 12


def write_corpus(web: SampleWeb, folder: Path, progress: Callable[[int], None] | None = None) -> None:
    """Write pages.jsonl.gz and links.tsv.gz; `progress` hears the number of pages written so far.

    Of the endless traps only the beginning is recorded.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _compressed(folder / "pages.jsonl.gz") as pages, _compressed(folder / "links.tsv.gz") as links:
        for host in range(web.hosts.count):
            first, last = web.hosts.first(host), web.hosts.first(host) + web.hosts.size(host)
            traps = _recorded_traps(web, range(first, last))
            for url, document in _documents(web, range(first, last), traps):
                pages.write(_page_line(web, url, document))
                links.writelines(_link_lines(web, url, document, traps))
            if progress:
                progress(last)


def _recorded_traps(web: SampleWeb, numbers: range) -> dict[str, None]:
    """Return the traps that the pages of one host lead into, in order, each followed inward for a while."""
    traps: dict[str, None] = {}
    for number in numbers:
        for entrance in web.trap_entrances(number):
            if entrance not in traps:
                traps.update(dict.fromkeys(_inward(web, entrance)))
    return traps


def _inward(web: SampleWeb, url: str) -> Iterator[str]:
    yield url
    if "?" in url:  # a copy of a page: what lies behind it is more copies of the same pages
        return
    for _ in range(_TRAP_DEPTH):
        document = web.trap(url)
        if document is None or document.anchors[0].href == "/":
            return
        url = urljoin(url, document.anchors[0].href)
        yield url


def _documents(web: SampleWeb, numbers: range, traps: dict[str, None]) -> Iterator[tuple[str, Document]]:
    for number in numbers:
        yield web.url(number), web.document(number)
    for url in traps:
        document = web.trap(url)
        if document is not None:
            yield url, document


def _page_line(web: SampleWeb, url: str, document: Document) -> str:
    page = {"url": url, "title": document.title, "labels": web.labels(url), "html": document.html.decode()}
    return json.dumps(page, ensure_ascii=False) + "\n"


def _link_lines(web: SampleWeb, url: str, document: Document, traps: dict[str, None]) -> Iterator[str]:
    """One line for each recorded page linked to; a link through an old address ends with that address."""
    seen = set()
    for anchor in document.anchors:
        written = urljoin(url, anchor.href)
        is_page = anchor.target is not None and "?" not in written
        target = web.url(anchor.target) if is_page and anchor.target is not None else written
        if target not in seen and (is_page or target in traps or web.number(target) is not None):
            seen.add(target)
            yield f"{url}\t{target}\t{anchor.text}\t{written if written != target else ''}\n"


@contextmanager
def _compressed(path: Path) -> Iterator[io.TextIOWrapper]:
    """Return a gzip file without name or time in it, so that the same text gives the same bytes."""
    with (
        path.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0, compresslevel=6) as packed,
        io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as text,
    ):
        yield text
