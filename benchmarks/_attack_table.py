"""All attacks of `attacks`, by name; those of one kind stand in one file."""

from __future__ import annotations

from benchmarks import (
    _attacks_answers,
    _attacks_crowds,
    _attacks_farms,
    _attacks_pages,
    _attacks_process,
    _attacks_robots,
    _attacks_traps,
)
from benchmarks._attack import Attack

KINDS = (
    _attacks_answers.bombs_and_floods,
    _attacks_answers.redirects,
    _attacks_answers.oddities,
    _attacks_robots.robots,
    _attacks_robots.sitemaps,
    _attacks_pages.bodies,
    _attacks_pages.repeated,
    _attacks_pages.readers,
    _attacks_traps.traps,
    _attacks_farms.farms,
    _attacks_crowds.crowds,
    _attacks_process.workers,
    _attacks_process.clocks,
    _attacks_process.moments,
)


def make_attacks() -> dict[str, Attack]:
    """All attacks by name; making their bombs takes a second."""
    return {name: attack for kind in KINDS for name, attack in kind().items()}
