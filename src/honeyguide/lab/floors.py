"""Quality floors: nAUC below which no strategy may fall on a small fixed experiment.

`python -m honeyguide.lab.floors FILE` raises them to what is reached now. They are lowered by hand alone, with a reason
in the file: `[EXPERIMENT.lowered]` names the strategy and says why.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from honeyguide.errors import HoneyguideError, SettingsError
from honeyguide.lab.comparison import compare_runs
from honeyguide.lab.experiment import run_experiment
from honeyguide.lab.experiment_order import ExperimentOrder
from honeyguide.lab.results import load
from honeyguide.settings.toml_text import parse_toml, value_text
from honeyguide.store.disk import write_atomically

SLACK = 0.01
"""Other versions of numerical libraries round differently; a floor is so much below what was reached."""
MEASURE = "nauc"

_HEADER = """# nAUC below which no strategy may fall; see honeyguide.lab.floors.
# Raise floors with `python -m honeyguide.lab.floors {name}`. To lower one, change it below [EXPERIMENT.floors] by hand
# and say why below [EXPERIMENT.lowered]; the highest floor there ever was stays on record.
"""


@dataclass(frozen=True)
class Floors:
    """The floors of one experiment."""

    experiment: Mapping[str, object]  # its settings
    floors: Mapping[str, float] = field(default_factory=dict)
    highest: Mapping[str, float] = field(default_factory=dict)
    lowered: Mapping[str, str] = field(default_factory=dict)  # reasons

    def problems(self, reached: Mapping[str, float]) -> Iterator[str]:
        """What is wrong: a strategy below its floor, without one, or with one that was lowered without a reason."""
        for strategy, value in sorted(reached.items()):
            floor = self.floors.get(strategy)
            if floor is None:
                yield f"{strategy}: reaches {value:.3f} and has no floor; raise the floors"
            elif value < floor:
                yield f"{strategy}: reaches {value:.3f}, its floor is {floor:.3f}"
        for strategy, floor in sorted(self.floors.items()):
            if floor < self.highest.get(strategy, floor) and not self.lowered.get(strategy, "").strip():
                yield f"{strategy}: its floor was lowered to {floor:.3f} without a reason"

    def raised(self, reached: Mapping[str, float]) -> Floors:
        """Floors just below what is reached, where that is more than before; a lowered one needs no reason then."""
        floors = {
            strategy: max(self.floors.get(strategy, 0.0), floor_below(value))
            for strategy, value in reached.items()
        }
        highest = {
            strategy: max(self.highest.get(strategy, 0.0), floor) for strategy, floor in floors.items()
        }
        still = {
            name: why for name, why in self.lowered.items() if floors.get(name, 0.0) < highest.get(name, 0.0)
        }
        return Floors(self.experiment, floors, highest, still)


def floor_below(value: float) -> float:
    """A floor for what was reached.

    >>> floor_below(0.4567)
    0.446
    """
    return max(0.0, math.floor(1000 * (value - SLACK)) / 1000)


def read_floors(path: Path) -> dict[str, Floors]:
    """Floors by experiment."""
    data = parse_toml(path.read_text(encoding="utf-8"), str(path))
    try:
        return {name: Floors(**section) for name, section in data.items() if isinstance(section, dict)}
    except TypeError as error:
        raise SettingsError(f"{path}: {error}") from None


def write_floors(path: Path, floors: Mapping[str, Floors]) -> None:
    """Write them as they are read."""
    lines = [_HEADER.format(name=path.name)]
    for name, own in floors.items():
        for part in ("experiment", "floors", "highest", "lowered"):
            table = getattr(own, part)
            if table:
                lines += [
                    f"[{name}.{part}]",
                    *(f"{key} = {value_text(value)}" for key, value in table.items()),
                    "",
                ]
    write_atomically(path, "\n".join(lines))


def reached(name: str, floors: Floors, corpora: Path | None = None, processes: int = 1) -> dict[str, float]:
    """What every strategy reaches now: the mean over the experiment's tasks."""
    order = ExperimentOrder.from_mapping({"name": name, "bounds": False, **floors.experiment}, name)
    with tempfile.TemporaryDirectory(prefix="honeyguide-floors-") as folder:
        outcome = run_experiment(order, Path(folder), corpora, processes)
        if outcome.failures:
            raise HoneyguideError("\n".join(outcome.failures))
        rows = compare_runs(load(Path(folder)).runs, [MEASURE])
    return {row.strategy: row.measured[MEASURE].mean for row in rows}


def main(path: Path) -> None:
    """Raise the floors in a file."""
    before = read_floors(path)
    after = {
        name: own.raised(reached(name, own, processes=os.cpu_count() or 1)) for name, own in before.items()
    }
    write_floors(path, after)
    for name, own in after.items():
        for strategy, floor in own.floors.items():
            old = before[name].floors.get(strategy)
            if old != floor:
                print(f"{name}, {strategy}: {'none' if old is None else old} -> {floor}")  # noqa: T201


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except HoneyguideError as error:
        sys.exit(f"error: {error}")
