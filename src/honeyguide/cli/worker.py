"""`honeyguide worker`: work on a divided crawl, on this machine, beside any number of others."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import running, terminal
from honeyguide.cli.options import Quiet

if TYPE_CHECKING:
    from honeyguide.workers import Standing

EXAMPLES = f"""Examples:
  honeyguide crawl bees.toml --shards 16 --set output.store=postgresql://me@db/crawls
  honeyguide worker postgresql://me@db/crawls
  honeyguide worker postgresql://me@db/crawls --crawl bees --folder /data/bees
  honeyguide worker postgresql://me@db/crawls --ray head.example:6379 --workers 12

A worker takes its fair share of the crawl's shards. Start and stop workers whenever
you like, also by kill -9: the others go on with its shards. It ends by itself when
the crawl is over.

{running.EXIT_CODES_HELP}"""

TELL_EVERY_SECONDS = 10.0


def worker(
    address: Annotated[str, typer.Argument(metavar="postgresql://...", help="The database of the crawl.")],
    crawl: Annotated[
        str, typer.Option(metavar="NAME", help="Which of the divided crawls there, if there are several.")
    ] = "",
    folder: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where this worker keeps its archive and logs [default: NAME]."),
    ] = None,
    ray: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Place workers over the Ray cluster with this head.")
    ] = "",
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="How many, with --ray.")] = 1,
    quiet: Quiet = False,
) -> None:
    """Work on a crawl that is divided among several machines.

    With --ray, so many workers are placed over a cluster and started again when they die, until the crawl is over or
    this command is stopped. Needs: pip install 'honeyguide[postgres,ray]'
    """
    if ray:
        raise typer.Exit(_on_ray(ray, workers, address, crawl, folder))
    from honeyguide.store.postgres.council import chosen_crawl
    from honeyguide.workers import Worker

    place = chosen_crawl(address, crawl)
    at_work = Worker(place, folder or Path(place.schema))
    with running.stop_on_signals(at_work.leave):
        reason = at_work.run(_told(quiet))
    if at_work.last_problem:
        terminal.warn(at_work.last_problem)
    if not quiet:
        terminal.say(f"{reason.value}: {running.MEANINGS[reason.value]}")
    raise typer.Exit(running.EXIT_CODES[reason.value])


def _on_ray(cluster: str, workers: int, address: str, crawl: str, folder: Path | None) -> int:
    """Gives the worst exit code of all workers."""
    from honeyguide.cli.ray_workers import run_on_ray

    command = [sys.executable, "-m", "honeyguide", "worker", address, "--quiet"]
    command += ["--crawl", crawl] if crawl else []
    command += ["--folder", str(folder)] if folder else []
    return max(run_on_ray(cluster, workers, command))


class _told:  # noqa: N801 - used as a function
    """Say every so often where the crawl stands."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._said_at = 0.0
        self._before: tuple[int, int] = (0, 0)

    def __call__(self, standing: Standing) -> None:
        for notice in standing.notices:
            terminal.warn(notice)
        now, shares = time.monotonic(), (standing.own, standing.workers)
        if self._quiet or (now < self._said_at + TELL_EVERY_SECONDS and shares == self._before):
            return
        self._said_at, self._before = now, shares
        terminal.note(
            f"{standing.pages:,} pages; {standing.own} of {standing.shards} shards here, {standing.workers} workers"
        )
