"""`honeyguide crawl`: a new crawl, from options, from a file, or from both."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide import wording
from honeyguide.cli import running, terminal
from honeyguide.cli.options import Assignments, Quiet, changes
from honeyguide.cli.seeds import check_seeds, warn_of
from honeyguide.cli.told_words import tell_of_words

if TYPE_CHECKING:
    from honeyguide.crawls import Crawl
    from honeyguide.settings import CrawlOrder

EXAMPLES = f"""Examples:
  honeyguide crawl --topic "beekeeping" --seeds bees.txt --recording web.warc.gz
  honeyguide crawl bees.toml --pages 5000 --strategy best-first
  honeyguide crawl --topic "beekeeping and honey" --seed https://example.org/bees \\
      --recording corpora/bees --set scope.max_depth=4 --folder crawls/bees
  honeyguide crawl --topic "beekeeping" --seed https://example.org/bees \\
      --contact https://example.org/our-crawler --keep-fresh

Without --recording the live Web is crawled, which needs --contact.
A folder is used anew as long as the crawl in it has not fetched a single page.

The progress bar shows pages, pages per second, the harvest rate (share of relevant
pages) over the last 50, the last 500 and all pages, urls waiting, and failures.

{running.EXIT_CODES_HELP}"""


def crawl(
    order_file: Annotated[
        Path | None, typer.Argument(metavar="ORDER.toml", help="A crawl order; options change it.")
    ] = None,
    topic: Annotated[str | None, typer.Option(metavar="TEXT", help="The topic in words.")] = None,
    topic_file: Annotated[
        str | None, typer.Option(metavar="FILE", help="The topic in a file, made by `honeyguide topic`.")
    ] = None,
    language: Annotated[
        str | None, typer.Option(metavar="XX", help="Of the topic's words, as in en [default: guessed].")
    ] = None,
    seed: Annotated[list[str] | None, typer.Option(metavar="URL", help="Start here. Repeatable.")] = None,
    seeds: Annotated[str | None, typer.Option(metavar="FILE", help="Start from these urls.")] = None,
    recording: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="Crawl a recorded web: corpus folder, WARC, or a former crawl."),
    ] = None,
    strategy: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which links first; see `honeyguide strategies`.")
    ] = None,
    pages: Annotated[int | None, typer.Option(metavar="N", help="Stop after so many pages.")] = None,
    shards: Annotated[
        int | None,
        typer.Option(metavar="N", help="Divide it in so many parts, for `honeyguide worker` to work on."),
    ] = None,
    keep_fresh: Annotated[
        bool,
        typer.Option("--keep-fresh", help="Go on for ever, and ask again for pages that may have changed."),
    ] = False,
    contact: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Web page or mail address that tells who crawls.")
    ] = None,
    folder: Annotated[str | None, typer.Option(metavar="DIR", help="Where the crawl is kept.")] = None,
    metrics_port: Annotated[
        int | None, typer.Option(metavar="N", help="Serve metrics for Prometheus on this local port.")
    ] = None,
    assignments: Assignments = None,
    quiet: Quiet = False,
) -> None:
    """Crawl the pages on a topic, the most promising links first.

    Needs a topic and a seed. All else has defaults; `honeyguide settings` lists them.
    """
    from honeyguide.crawls import Crawl
    from honeyguide.settings import CrawlOrder

    options: dict[str, tuple[str, object]] = {
        "--topic": ("topic.text", topic),
        "--topic-file": ("topic.file", topic_file),
        "--language": ("topic.language", language),
        "--seed": ("seeds.urls", seed or None),
        "--seeds": ("seeds.file", seeds),
        "--recording": ("web.recording", recording),
        "--strategy": ("strategy.name", strategy),
        # A crawl that is to go on for ever has no other end than one that is asked for.
        "--pages": ("limits.max_pages", 0 if keep_fresh and pages is None else pages),
        "--keep-fresh": ("crawl.keep_fresh", keep_fresh or None),
        "--shards": ("crawl.shards", shards),
        "--contact": ("politeness.contact", contact),
        "--folder": ("output.folder", folder),
        "--metrics-port": ("output.metrics_port", metrics_port),
    }
    changed = changes(options, assignments)
    order = CrawlOrder.read(order_file) if order_file else CrawlOrder()
    if changed:
        order = order.with_overrides(changed, "command line")
    order.check_complete()
    lists = check_seeds(order)
    if order.crawl.shards:
        _divide(order, quiet)
        return
    new = running.opened(lambda show: Crawl.start(order=order, on_index=show).take(), quiet)
    # Only now: what keeps the whole crawl from starting must not drown in what is wrong with some lines.
    for seed_list in lists:
        warn_of(seed_list)
    if not quiet:
        _tell_of_topic(order, new.order)
        _tell_of_labels(new)
    running.run_and_report(new, quiet)


def _divide(order: CrawlOrder, quiet: bool) -> None:
    """A divided crawl is only made here; whoever works on it is started elsewhere, as often as one likes."""
    from honeyguide.crawls import Crawl

    new = Crawl.start(order=order)
    if not quiet:
        _tell_of_topic(order, new.order)
        shards = wording.count(new.order.crawl.shards, "shard")
        terminal.say(f"{new.folder}: divided in {shards}; nobody works on it yet")
        terminal.say("next: honeyguide worker postgresql://... on every machine that is to crawl")


def _tell_of_topic(asked: CrawlOrder, begun: CrawlOrder) -> None:
    """For what its words are taken, and which of them are looked for."""
    from honeyguide.arguments import guesses_language, reads_phrase
    from honeyguide.topics.phrase_language import DEFAULT

    language = str(begun.topic.keywords.get("language", DEFAULT))
    if guesses_language(asked):
        terminal.note(f"the topic's words are taken for the language {language!r}; --language sets another")
    if reads_phrase(begun):
        tell_of_words(begun.topic.text, language)


def _tell_of_labels(new: Crawl) -> None:
    """A former crawl that is crawled again may have labels; whether they are meant for this topic, its user knows."""
    from honeyguide.crawls import Crawl
    from honeyguide.errors import HoneyguideError
    from honeyguide.store.folder import holds_crawl

    recording = Path(new.order.web.recording)
    with suppress(HoneyguideError):
        if new.order.web.recording and holds_crawl(recording) and (labels := Crawl.open(recording).labels()):
            take = terminal.command("label", new.folder, "--from", recording)
            terminal.note(f"{recording} has {wording.count(len(labels), 'label')}; `{take}` takes them over")
