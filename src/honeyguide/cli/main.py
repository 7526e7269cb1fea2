"""The `honeyguide` command: puts the verbs together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from honeyguide.cli import (
    changes,
    crawl,
    demo,
    explain,
    export,
    hubs,
    index,
    lab,
    label,
    move,
    pause,
    queue,
    resume,
    revise,
    search,
    serve,
    settings,
    sites,
    sql,
    status,
    steer,
    stop,
    strategies,
    top,
    topics,
    worker,
)
from honeyguide.cli.ending import Verb, Verbs
from honeyguide.cli.topic.app import app as topic_app
from honeyguide.version import __version__

app = typer.Typer(
    name="honeyguide",
    cls=Verbs,
    no_args_is_help=True,
    # Rich help pages would double the time of `honeyguide --help`, and a traceback with locals tells too much.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nStart with:\n  honeyguide demo\n  honeyguide VERB --help",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"honeyguide {__version__}")
        raise typer.Exit


@app.callback()
def honeyguide(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Crawl the pages on a topic first, and keep what was found."""


def _add(verb: Callable[..., None], examples: str) -> None:
    # "\b" keeps the lines of a paragraph as they are written.
    epilog = "\n\n".join(f"\b\n{paragraph}" for paragraph in examples.split("\n\n"))
    app.command(cls=Verb, epilog=epilog)(verb)


_add(demo.demo, demo.EXAMPLES)
_add(crawl.crawl, crawl.EXAMPLES)
_add(resume.resume, resume.EXAMPLES)
_add(worker.worker, worker.EXAMPLES)
_add(pause.pause, pause.EXAMPLES)
_add(stop.stop, stop.EXAMPLES)
_add(status.status, status.EXAMPLES)
_add(top.top, top.EXAMPLES)
_add(changes.changes, changes.EXAMPLES)
_add(hubs.hubs, hubs.EXAMPLES)
_add(sites.sites, sites.EXAMPLES)
_add(search.search, search.EXAMPLES)
_add(index.index, index.EXAMPLES)
_add(explain.explain, explain.EXAMPLES)
_add(queue.queue, queue.EXAMPLES)
_add(steer.steer, steer.EXAMPLES)
_add(label.label, label.EXAMPLES)
_add(move.move, move.EXAMPLES)
_add(revise.revise, revise.EXAMPLES)
_add(export.export, export.EXAMPLES)
_add(sql.sql, sql.EXAMPLES)
_add(serve.serve, serve.EXAMPLES)
_add(settings.settings, settings.EXAMPLES)
_add(strategies.strategies, strategies.EXAMPLES)
_add(topics.topics, topics.EXAMPLES)
app.add_typer(lab.app)
app.add_typer(topic_app, name="topic")
