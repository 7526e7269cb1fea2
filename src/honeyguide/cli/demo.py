"""`honeyguide demo`: the main job on the built-in sample web, whose truth is known, beside breadth-first."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from honeyguide.cli import running, terminal
from honeyguide.cli.top import page_table

if TYPE_CHECKING:
    from honeyguide.crawls import Crawl
    from honeyguide.sample_web.server import SampleServer
    from honeyguide.settings import CrawlOrder

EXAMPLES = """Examples:
  honeyguide demo
  honeyguide demo --topic chess
  honeyguide demo --pages 2000 --folder crawls/my-demo
  honeyguide demo --console"""

TOPIC = "bees"
PAGES = 600
WEB_FACTOR = 5
FEWEST_PAGES = 20
SHOWN_PAGES = 5
LONGEST_SECONDS = 600.0


class Result(NamedTuple):
    """What a crawl found of the truth."""

    pages: int
    targets_found: int

    @property
    def precision(self) -> float:
        """The share of fetched pages that are truly on the topic."""
        return self.targets_found / self.pages if self.pages else 0.0


def demo(
    pages: Annotated[
        int, typer.Option(metavar="N", min=FEWEST_PAGES, help="Pages to fetch, of five times as many.")
    ] = PAGES,
    topic: Annotated[str, typer.Option(metavar="NAME", help="One of the sample web's topics.")] = TOPIC,
    folder: Annotated[
        str | None, typer.Option(metavar="DIR", help="Where the crawl is kept [default: crawls/demo].")
    ] = None,
    console: Annotated[
        bool,
        typer.Option("--console", help="Serve a crawl that waits to be run, to be tried in a browser."),
    ] = False,
) -> None:
    """Show what focused crawling does, on a built-in sample web.

    The web is served on loopback addresses and crawled over HTTP, robots.txt and all; nothing leaves this machine.
    Every page of it is known, so the result can be checked. With --console, DIR is the workspace [default: demo].
    """
    from honeyguide.sample_web.server import serve
    from honeyguide.sample_web.web import SampleWeb

    web = SampleWeb(pages=WEB_FACTOR * pages)
    web.description(topic)  # an unknown topic is told before anything is made
    if console:
        from honeyguide.cli.demo_console import show_console

        show_console(web, topic, pages, Path(folder) if folder else fresh_folder(Path("demo")))
        return
    place = Path(folder) if folder else fresh_folder(Path("crawls/demo"))
    with serve(web, lifetime_seconds=LONGEST_SECONDS) as server:
        _show(server, topic, pages, place)


def _show(server: SampleServer, topic: str, pages: int, place: Path) -> None:
    from honeyguide.crawls import Crawl

    targets = {server.served(url) for url in server.web.targets(topic)}
    order = demo_order(server, topic, pages, place)
    crawl = Crawl.start(order=order)
    terminal.say(
        f"The built-in sample web has {server.web.pages:,} pages on {len(server.addresses):,} hosts of this machine;"
        f' {len(targets):,} are about "{order.topic.text}".'
    )
    terminal.say(
        f"Fetching {pages:,} pages into {place}, starting from {len(order.seeds.urls)} pages,"
        " the most promising links first ..."
    )
    terminal.say(f"As the crawler judged: {_crawl(crawl)}")
    terminal.say("Now breadth-first with as many pages, for comparison ...")
    terminal.say("")
    _print_comparison(_found(place, targets), breadth_first(order, targets), len(targets))
    _print_next_steps(place)


def _crawl(crawl: Crawl, quiet: bool = False) -> str:
    """Crawl to the page limit, or end the demo; tell the result in a line."""
    reason = running.run(crawl, quiet)
    line = running.summary_line(crawl.progress(), crawl.progress().pages)
    if code := running.EXIT_CODES[reason.value]:
        terminal.error(f"the demo ended early: {reason.value}")
        raise typer.Exit(code)
    return line


def fresh_folder(wanted: Path) -> Path:
    """Make a new folder of this name, numbered if it exists: nothing that is there is ever touched."""
    number, folder = 1, wanted
    while True:
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            number += 1
            folder = wanted.with_name(f"{wanted.name}-{number}")
        else:
            return folder


def demo_order(server: SampleServer, topic: str, pages: int, folder: Path) -> CrawlOrder:
    """Describe the crawl as a user would, but without rests: the hosts are our own."""
    from honeyguide.settings import CrawlOrder

    return CrawlOrder().with_overrides(
        {
            "topic.text": server.web.description(topic),
            "seeds.urls": [server.served(url) for url in server.web.seeds(topic)],
            "limits.max_pages": pages,
            "fetch.allow_networks": ["127.0.0.0/8"],
            "fetch.sitemaps": False,  # they list all pages of a host, whether anything links to them or not
            "fetch.in_flight": 8,  # with more, every one of these few hosts is asked, promising or not
            "politeness.delay_seconds": 0.0,
            "politeness.slowdown": 0.0,
            "output.folder": str(folder),
        }
    )


def breadth_first(order: CrawlOrder, targets: Set[str]) -> Result:
    """Run the same crawl without focus, and forget all but the result."""
    from tempfile import TemporaryDirectory

    from honeyguide.crawls import Crawl

    with TemporaryDirectory(prefix="honeyguide-") as name:
        changes = {"strategy.name": "breadth-first", "output.folder": name, "output.archive": False}
        _crawl(Crawl.start(order=order.with_overrides(changes)), quiet=True)
        return _found(Path(name), targets)


def _found(folder: Path, targets: Set[str]) -> Result:
    from honeyguide.crawls import Crawl

    urls = {page.url for page in Crawl.open(folder).visits()}
    return Result(len(urls), len(urls & targets))


def _print_comparison(focused: Result, blind: Result, targets: int) -> None:
    rows = terminal.table(
        "checked against the truth", "pages", "on the topic", "harvest rate", "recall",
        right=("pages", "on the topic", "harvest rate", "recall"),
    )  # fmt: skip
    for name, result in (("focused", focused), ("breadth-first", blind)):
        rows.add_row(
            name,
            f"{result.pages:,}",
            f"{result.targets_found:,}",
            terminal.percent(result.precision),
            terminal.percent(result.targets_found / targets),
        )
    terminal.print_table(rows)
    terminal.say("")
    terminal.say("Harvest rate: share of the fetched pages. Recall: share of all pages on the topic.")
    terminal.say("Topics differ, and on some breadth-first finds more: see for yourself with --topic.")
    terminal.say("")


def _print_next_steps(folder: Path) -> None:
    from honeyguide.crawls import Crawl

    best = [page.visit for page in Crawl.open(folder).top(SHOWN_PAGES)]
    terminal.say("The best pages:")
    terminal.print_table(page_table(best))
    terminal.say("")
    terminal.say("Now try:")
    for step in (
        ("status", folder),
        ("top", folder),
        ("explain", folder, best[0].url),
        ("export", folder, "pages.csv"),
    ):
        terminal.say(f"  {terminal.command(*step)}")
