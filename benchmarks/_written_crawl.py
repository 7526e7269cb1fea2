"""A crawl that nobody made: pages of realistic size and words, written straight into an archive and a store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import numpy as np

from honeyguide.crawls import Crawl
from honeyguide.model import ROOT, Response, Status, Visit
from honeyguide.state.state import State
from honeyguide.store import open_store
from honeyguide.store.archive import PageArchive
from honeyguide.store.base import Batch, PageLinks
from honeyguide.store.folder import ARCHIVE
from honeyguide.store.warc_records import PageFacts, payload_digest
from honeyguide.urls import fingerprints

BATCH, HOSTS = 500, 400
PARAGRAPHS, WORDS_A_PARAGRAPH, LINKS, MENU = 16, 70, 30, 25
BEGAN = 1.6e9
STREAM = 1_000_000


class Writer:
    """Makes up pages: words as frequent as in English, a menu, paragraphs and links to pages before them."""

    def __init__(self, seed: int = 1) -> None:
        self._random = np.random.default_rng(seed)
        lines = (
            files("honeyguide.topics").joinpath("english_words.txt").read_text(encoding="utf-8").splitlines()
        )
        self.words = np.array(
            [word for line in lines if line[:1] != "#" for word in line.split() if word.isalpha()]
        )
        share = 1.0 / np.arange(1, len(self.words) + 1)
        self._stream: list[str] = self._random.choice(self.words, STREAM, p=share / share.sum()).tolist()

    def some(self, number: int) -> list[str]:
        """Words in a row, the usual ones more often."""
        start = int(self._random.integers(0, STREAM - number))
        return self._stream[start : start + number]

    def html(self, url: str, linked: list[str]) -> tuple[str, str, list[str]]:
        """A page with its title and the anchors of its links."""
        title = " ".join(self.some(6))
        menu = "".join(
            f'<li class="menu-item menu-item-type-page"><a class="menu-link" href="/{word}">{word}</a></li>'
            for word in self.some(MENU)
        )
        anchors = [" ".join(self.some(3)) for _ in linked]
        links = [
            f'<a class="post-link" href="{target}" rel="bookmark">{anchor}</a>'
            for target, anchor in zip(linked, anchors, strict=True)
        ]
        body = "\n".join(
            f'<div class="entry-content section"><p>{" ".join(self.some(WORDS_A_PARAGRAPH))}.'
            f" {' '.join(links[at::PARAGRAPHS])}</p></div>"
            for at in range(PARAGRAPHS)
        )
        script = "<script>" + "window.dataLayer = window.dataLayer || [];" * 40 + "</script>"
        page = (
            f'<!doctype html><html lang="en"><head><title>{title}</title>{script}</head><body>'
            f"<nav><ul>{menu}</ul></nav>"
            f"<main><h1>{title}</h1>{body}</main><footer>{url}</footer></body></html>"
        )
        return page, title, anchors


def write_crawl(folder: Path, pages: int) -> Crawl:
    """A finished crawl of so many pages; twice as many urls are known."""
    crawl = Crawl.start(
        folder, "beekeeping and honey", ["http://h0.example/"], settings={"web.sample_pages": 100}
    )
    store, state = open_store(folder), State()
    archive = PageArchive(folder / ARCHIVE)
    state.host_id("")
    nobody = np.zeros(1, dtype=np.int32)
    state.add([""], np.zeros(1, dtype=np.uint64), nobody, nobody, nobody)
    state.settle(np.array([ROOT], dtype=np.int32), Status.FETCHED)
    for batch in _batches(state, archive, pages):
        store.commit(batch, state)
        archive.flush()
    archive.close()
    store.close()
    return crawl


def _batches(state: State, archive: PageArchive, pages: int) -> Iterator[Batch]:
    writer, random, texts = Writer(), np.random.default_rng(2), [""]
    for first in range(0, pages, BATCH):
        many = min(BATCH, pages - first)
        names = [f"www.h{number}.example" for number in random.integers(0, HOSTS, many)]
        urls = [
            f"http://{name}/{'/'.join(writer.some(2))}-{first + at}.html" for at, name in enumerate(names)
        ]
        hosts = np.array([state.host_id(name) for name in names], dtype=np.int32)
        zeros = np.zeros(many, dtype=np.int32)
        ids = state.add(urls, fingerprints(urls), hosts, zeros + 1, zeros)
        texts += urls
        state.settle(ids, Status.FETCHED)
        visits, links = [], []
        for url_id, url in zip(ids.tolist(), urls, strict=True):
            targets = np.unique(random.integers(1, len(texts), LINKS)).astype(np.int32)
            html, title, anchors = writer.html(url, [texts[target] for target in targets])
            relevance, time = float(random.random()), BEGAN + url_id
            body = html.encode()
            response = Response(url, 200, body, {"content-type": "text/html; charset=utf-8"})
            facts = PageFacts(relevance=relevance, priority=0.5, depth=1, via="", digest=payload_digest(body))
            location = archive.append(response, datetime.fromtimestamp(time, UTC), facts)
            visits.append(
                Visit(
                    url_id,
                    url,
                    time,
                    200,
                    relevance,
                    0.5,
                    1,
                    len(body),
                    title=title,
                    language="en",
                    content_type="text/html",
                    digest=facts.digest,
                    location=location,
                )
            )
            links.append(PageLinks(url_id, targets, anchors))
        yield Batch(changes=state.take_changes(), visits=visits, links=links, archive_end=archive.end())
