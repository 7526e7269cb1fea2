"""`honeyguide crawl`: a new crawl, from options, from a file, or from both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import progress, running, terminal
from honeyguide.cli.options import Assignments, Quiet
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from honeyguide.seeds import SeedList
    from honeyguide.settings import CrawlOrder

EXAMPLES = f"""Examples:
  honeyguide crawl --topic "beekeeping" --seeds bees.txt --recording web.warc.gz
  honeyguide crawl bees.toml --pages 5000 --strategy best-first
  honeyguide crawl --topic "beekeeping and honey" --seed https://example.org/bees \\
      --recording corpora/bees --set scope.max_depth=4 --folder crawls/bees

The progress bar shows pages, pages per second, the harvest rate (share of relevant
pages) over the last 50, the last 500 and all pages, urls waiting, and failures.

{running.EXIT_CODES_HELP}"""


def crawl(
    order_file: Annotated[
        Path | None, typer.Argument(metavar="ORDER.toml", help="A crawl order; options change it.")
    ] = None,
    topic: Annotated[str | None, typer.Option(metavar="TEXT", help="The topic in words.")] = None,
    seed: Annotated[list[str] | None, typer.Option(metavar="URL", help="Start here. Repeatable.")] = None,
    seeds: Annotated[Path | None, typer.Option(metavar="FILE", help="Start from these urls.")] = None,
    recording: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Crawl a recorded web: corpus folder, WARC, or a former crawl."),
    ] = None,
    strategy: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which links first; see `honeyguide strategies`.")
    ] = None,
    pages: Annotated[int | None, typer.Option(metavar="N", help="Stop after so many pages.")] = None,
    folder: Annotated[Path | None, typer.Option(metavar="DIR", help="Where the crawl is kept.")] = None,
    assignments: Assignments = None,
    quiet: Quiet = False,
) -> None:
    """Crawl the pages on a topic, the most promising links first.

    Needs a topic and a seed. All else has defaults; `honeyguide settings` lists them.
    """
    from honeyguide.assembly import start_crawl
    from honeyguide.settings import CrawlOrder, parse_assignments

    options = {
        "topic.text": topic,
        "seeds.urls": seed or None,
        "seeds.file": seeds and str(seeds),
        "web.recording": recording and str(recording),
        "strategy.name": strategy,
        "limits.max_pages": pages,
        "output.folder": folder and str(folder),
    }
    order = CrawlOrder.read(order_file) if order_file else CrawlOrder()
    order = with_options(order, {**options, **parse_assignments(assignments or ())})
    order.check_complete()
    check_seeds_of(order)
    with progress.bar("indexing the recording", quiet) as show:
        crawler = start_crawl(order, show)
    with closing(crawler):
        reason = running.run(crawler, quiet)
        if not quiet:
            running.report(crawler, reason, order.folder, crawler.harvest.pages)
    raise typer.Exit(running.EXIT_CODES[reason.value])


def with_options(order: CrawlOrder, options: Mapping[str, object]) -> CrawlOrder:
    """Change an order by the options that were given."""
    given = {key: value for key, value in options.items() if value is not None}
    return order.with_overrides(given, "command line") if given else order


def check_seeds_of(order: CrawlOrder) -> None:
    """Warn of every seed that is no url; SettingsError when none is left."""
    from honeyguide.seeds import check_seeds, read_seeds
    from honeyguide.urls import UrlPolicy

    policy = UrlPolicy(order.scope.dropped_parameters)
    lists: list[tuple[str, SeedList]] = [("seed", check_seeds(order.seeds.urls, policy))]
    if order.seeds.file:
        lists.append((order.seeds.file, read_seeds(Path(order.seeds.file), policy)))
    for origin, seeds in lists:
        _warn_of(origin, seeds)
    if not any(seeds.urls for _, seeds in lists):
        raise SettingsError(
            f"no usable seed {_places(lists)}; write urls in full, as in https://example.org/"
        )


def _warn_of(origin: str, seeds: SeedList) -> None:
    for problem in seeds.problems:
        terminal.warn(f"{origin}:{problem}" if origin != "seed" else f"{origin} {problem}")
    if seeds.bad_lines > len(seeds.problems):
        terminal.warn(f"{origin}: {seeds.bad_lines - len(seeds.problems):,} more lines are no seeds")
    if not seeds.is_complete:
        terminal.warn(f"{origin}: too long; only its beginning is used ({len(seeds.urls):,} seeds)")


def _places(lists: Sequence[tuple[str, SeedList]]) -> str:
    return "in " + " or ".join(origin if origin != "seed" else "the list of seeds" for origin, _ in lists)
