"""`honeyguide topic export`: an ontology as XTM or SKOS, with pages found for it; a taxonomy as a table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide import wording
from honeyguide.cli import terminal
from honeyguide.cli.topic.files import check_is_new
from honeyguide.cli.topic.options import CrawlFolder, Force, TopicFile
from honeyguide.errors import SettingsError, StoreError, TopicError

if TYPE_CHECKING:
    from honeyguide.crawled import CrawledPage
    from honeyguide.store.reader import Reader
    from honeyguide.topics.ontology import FoundPage, OntologyTopic
    from honeyguide.topics.taxonomy import Taxonomy
    from honeyguide.topics.taxonomy.documents import Documents

EXAMPLES = """Examples:
  honeyguide topic export cars.topic found.xtm --crawl crawls/cars
  honeyguide topic export cars.topic found.ttl --crawl crawls/cars
  honeyguide topic export bees.topic bees.tsv"""

MOST_WORDS = 200
"""Of an example, in its description: those it has most often."""


def export(
    file: TopicFile,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write: .xtm, .ttl or .tsv.")],
    crawl: CrawlFolder = None,
    force: Force = False,
) -> None:
    """Write an ontology as XTM 2.0 (.xtm) or SKOS (.ttl), or a taxonomy as a table (.tsv).

    With --crawl the relevant pages of a crawl go into the ontology, joined to the topics they mention. The table has a
    line for each example with a web address, and `honeyguide topic import tsv` reads it; as texts are not kept,
    descriptions are lists of stems.
    """
    from honeyguide.topics.ontology import OntologyTopic
    from honeyguide.topics.taxonomy import TaxonomyTopic
    from honeyguide.topics.topic_file import read_topic

    topic = read_topic(file)
    check_is_new(out, force)
    if isinstance(topic, OntologyTopic) and out.suffix in (".xtm", ".ttl"):
        _export_map(topic, out, crawl)
    elif isinstance(topic, TaxonomyTopic) and out.suffix == ".tsv":
        if crawl:
            raise SettingsError("--crawl puts pages into an ontology; a taxonomy is written without")
        _export_table(topic.taxonomy, out)
    else:
        raise TopicError(_no_way(file, topic.name, out))


def _no_way(file: Path, kind: str, out: Path) -> str:
    endings = {"ontology": "NAME.xtm or NAME.ttl", "taxonomy": "NAME.tsv"}
    if kind in endings:
        return f"{out}: of this topic ({kind}) OUT should be {endings[kind]}"
    return f"{file} is a {kind} topic; there is no format for it but its own file, which you can copy"


def _export_map(topic: OntologyTopic, out: Path, crawl: Path | None) -> None:
    from honeyguide.topics.ontology import write_skos, write_xtm

    pages = list(_found_pages(topic, crawl)) if crawl else []
    if out.suffix == ".xtm":
        write_xtm(out, topic.map, pages)
    else:
        write_skos(out, topic.map, pages, topic.hierarchy)
    found = f" and {wording.count(len(pages), 'page')}" if crawl else ""
    terminal.note(f"{wording.count(len(topic.map.topics), 'topic')}{found} written to {out}")


def _found_pages(topic: OntologyTopic, folder: Path) -> Iterator[FoundPage]:
    """The relevant pages of a crawl, copies left out, with the topics they mention."""
    from honeyguide.crawls import Crawl
    from honeyguide.topics.ontology import FoundPage

    crawl = Crawl.open(folder)
    # By url: a page that was visited again counts as it was the last time.
    pages = {page.url: page for page in crawl.visits(relevant=True)}
    with crawl.reader() as reader:
        for page in pages.values():
            mentions = topic.mentioned(_text_of(page, reader))
            yield FoundPage(page.url, page.relevance, page.title, mentions)


def _text_of(page: CrawledPage, reader: Reader) -> str:
    """What was judged of a page; of one that is not in the archive, its title."""
    from honeyguide.store.archived_page import archived_text

    try:
        return archived_text(reader, page.visit.location) if page.visit.location else page.title
    except StoreError:
        return page.title


def _export_table(taxonomy: Taxonomy, out: Path) -> None:
    from honeyguide.store.disk import write_atomically
    from honeyguide.topics.imports.directory_tsv import COLUMNS

    documents = taxonomy.documents
    rows = [
        (url, _category(taxonomy, number), documents.titles[number], _words(documents, number))
        for number, url in enumerate(documents.urls)
        if url.startswith(("http://", "https://"))
    ]
    text = "".join("\t".join(row) + "\n" for row in (COLUMNS, *rows))
    write_atomically(out, text.encode("utf-8", "replace").decode())
    terminal.note(f"{wording.count(len(rows), 'example')} written to {out}")
    if left := len(documents) - len(rows):
        terminal.warn(f"{wording.count(left, 'example')} without a web address left out")


def _category(taxonomy: Taxonomy, number: int) -> str:
    path = taxonomy.tree.path(int(taxonomy.documents.places[number]))
    return f"Top/{path.replace(' ', '_')}"


def _words(documents: Documents, number: int) -> str:
    """The stems of an example, those it has most often first."""
    import numpy as np

    counts = documents.counts
    own = slice(counts.indptr[number], counts.indptr[number + 1])
    often = np.argsort(-counts.data[own], kind="stable")[:MOST_WORDS]
    return " ".join(documents.stems[stem] for stem in counts.indices[own][often])
