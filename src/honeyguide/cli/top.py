"""`honeyguide top`: the best pages and the best hosts of a crawl."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson, Folder

if TYPE_CHECKING:
    from rich.table import Table

    from honeyguide.model import Visit
    from honeyguide.store.reader import HostSummary

EXAMPLES = """Examples:
  honeyguide top crawls/beekeeping
  honeyguide top crawls/beekeeping --pages 100 --hosts 0
  honeyguide top crawls/beekeeping --json | jq -r '.pages[].url'"""


def top(
    folder: Folder,
    pages: Annotated[int, typer.Option(metavar="N", min=0, help="So many pages.")] = 20,
    lists: Annotated[
        int, typer.Option(metavar="N", min=0, help="So many pages that mostly list others.")
    ] = 5,
    hosts: Annotated[int, typer.Option(metavar="N", min=0, help="So many hosts.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Show the most relevant pages, those that list others apart, and the hosts with most relevant pages.

    Pages that somebody labelled as not on the topic are left out; those labelled as on it are marked.
    """
    from honeyguide.crawls import Crawl

    crawl = Crawl.open(folder)
    best_pages = [page.visit for page in crawl.top(pages)]
    best_lists = [page.visit for page in crawl.top(lists, lists=True)]
    best_hosts = crawl.hosts(hosts)
    said = {url: "unsure" if row.is_unsure else "yes" for url, row in crawl.labels().items()}
    if as_json:
        found = {
            "pages": [_labelled(page, said) for page in best_pages],
            "lists": [_labelled(page, said) for page in best_lists],
            "hosts": [*map(asdict, best_hosts)],
        }
        typer.echo(json.dumps(found, indent=2))
        return
    tables = [page_table(best_pages, labels=said)] if pages else []
    if best_lists:
        tables.append(page_table(best_lists, "list of pages", said))
    if hosts:
        tables.append(_host_table(best_hosts))
    for place, table in enumerate(tables):
        if place:
            terminal.say("")
        terminal.print_table(table)


def _labelled(page: Visit, labels: Mapping[str, str]) -> dict[str, object]:
    return {**asdict(page), "label": labels.get(page.url, "")}


def page_table(pages: Sequence[Visit], what: str = "title", labels: Mapping[str, str] | None = None) -> Table:
    """List pages with relevance, title and url, and what people said of them if they said anything."""
    said = labels or {}
    is_labelled = any(page.url in said for page in pages)
    columns = ("relevance", *["label"] * is_labelled, what, "url")
    table = terminal.table(*columns, right=("relevance",), fold=("url",))
    for page in pages:
        label = [said.get(page.url, "")] * is_labelled
        table.add_row(f"{page.relevance:.3f}", *label, terminal.clean(page.title), terminal.clean(page.url))
    return table


def _host_table(hosts: Sequence[HostSummary]) -> Table:
    table = terminal.table(
        "relevant", "pages", "mean relevance", "host",
        right=("relevant", "pages", "mean relevance"), fold=("host",),
    )  # fmt: skip
    for host in hosts:
        numbers = (f"{host.relevant:,}", f"{host.pages:,}", f"{host.mean_relevance:.3f}")
        table.add_row(*numbers, terminal.clean(host.host))
    return table
