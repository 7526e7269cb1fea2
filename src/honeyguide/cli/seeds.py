"""What is wrong with the seeds of a crawl order, told in few lines. Used by crawl."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from honeyguide import wording
from honeyguide.cli import terminal
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from honeyguide.seeds import SeedList
    from honeyguide.settings import CrawlOrder

MOST_SHOWN = 10
LOOKED_AT_BYTES = 4096


class NamedSeeds(NamedTuple):
    """A list of seeds and the file it is from; no file: it is in the order itself."""

    file: str
    seeds: SeedList


def check_seeds(order: CrawlOrder) -> list[NamedSeeds]:
    """Read all lists of seeds of an order; SettingsError, after the reasons, when none is usable."""
    from honeyguide import seeds
    from honeyguide.urls import UrlPolicy

    policy = UrlPolicy(order.scope.dropped_parameters)
    lists = [NamedSeeds("", seeds.check_seeds(order.seeds.urls, policy))]
    if order.seeds.file:
        found = seeds.read_seeds(Path(order.seeds.file), policy)
        if found.problems and _is_binary(Path(order.seeds.file)):
            raise SettingsError(f"{order.seeds.file}: this is no list of urls but a binary file")
        lists.append(NamedSeeds(order.seeds.file, found))
    if not any(each.seeds.urls for each in lists):
        for each in lists:
            warn_of(each)
        places = " or ".join(each.file or "the list of seeds" for each in lists if each.seeds.bad_lines)
        raise SettingsError(f"no usable seed in {places or order.seeds.file or 'the order'}")
    return lists


def _is_binary(path: Path) -> bool:
    with path.open("rb") as file:
        return b"\0" in file.read(LOOKED_AT_BYTES)


def warn_of(named: NamedSeeds) -> None:
    """Print which lines are no seeds; of many, the first."""
    file, seeds = named
    for problem in seeds.problems[:MOST_SHOWN]:
        terminal.warn(f"{file}:{problem}" if file else f"seed {problem}")
    if seeds.bad_lines > MOST_SHOWN:
        terminal.warn(f"{file or 'seeds'}: and {seeds.bad_lines - MOST_SHOWN:,} more that are no urls")
    if not seeds.is_complete:
        used = wording.count(len(seeds.urls), "seed")
        terminal.warn(f"{file}: too long; only its beginning is used ({used})")
