"""Random hostile inputs to everything that reads pages: whether the cost grows faster than the size.

`python -m benchmarks growth` tries for a minute, `python -m benchmarks.growth --minutes 20 --seed 7` for longer.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from dataclasses import dataclass

from benchmarks._figures import figure
from benchmarks._growth_inputs import HostileInput, random_input
from benchmarks._growth_meter import LIMIT_SECONDS, Meter, readers_of

SIZES = (1 << 17, 1 << 19)
LARGER = (1 << 20, 1 << 22)
FLOOR_SECONDS = 0.05
"""What costs less is not judged: clocks are coarse, and machines busy with others."""
MOST_GROWTH = 2.5
"""How much faster than the size the cost may grow; a square would be four times as fast."""
MOST_SECONDS_PER_MB = 5.0


@dataclass(frozen=True)
class Growth:
    """What an input costs at two sizes."""

    sizes: tuple[int, int]
    seconds: tuple[float, float]

    @property
    def exponent(self) -> float:
        """1 where the cost grows as the size does, 2 where it grows as its square; 0 where it is too small to tell."""
        small, large = self.seconds
        if large < FLOOR_SECONDS:
            return 0.0
        return math.log(large / max(small, 1e-4)) / math.log(self.sizes[1] / self.sizes[0])

    @property
    def is_suspect(self) -> bool:
        """Whether the cost grew far more than the size, or is beyond all bounds."""
        small, large = self.seconds
        if large < FLOOR_SECONDS:
            return False
        is_slow = large > MOST_SECONDS_PER_MB * self.sizes[1] / 1e6
        return is_slow or large / max(small, 1e-4) > MOST_GROWTH * self.sizes[1] / self.sizes[0]


def growth(meter: Meter, reader: str, hostile: HostileInput, sizes: tuple[int, int] = SIZES) -> Growth:
    small = meter.cost(reader, hostile, sizes[0])
    return Growth(
        sizes, (small, meter.cost(reader, hostile, sizes[1]) if small < LIMIT_SECONDS else math.inf)
    )


def proven(meter: Meter, reader: str, hostile: HostileInput) -> Growth | None:
    """The growth of an input that costs too much, each time it is looked at and at larger sizes too; else None."""
    for sizes in (SIZES, SIZES, LARGER):
        found = growth(meter, reader, hostile, sizes)
        if not found.is_suspect:
            return None
    return found


def search(seconds: float, seed: int) -> int:
    """Try inputs for so long; the number of those that cost too much."""
    dice = random.Random(seed)
    end = time.monotonic() + seconds
    tried, worst, culprits = 0, 0.0, 0
    with Meter() as meter:
        while time.monotonic() < end:
            grammar, hostile = random_input(dice)
            for reader in readers_of(grammar):
                first = growth(meter, reader, hostile)
                tried += 1
                found = proven(meter, reader, hostile) if first.is_suspect else None
                if found is not None:
                    culprits += 1
                    print(f"culprit {reader} {hostile} {found}", flush=True)
                elif not first.is_suspect:
                    worst = max(worst, first.exponent)
    figure("growth_inputs", tried, "inputs tried")
    figure("growth_worst_exponent", worst, "(1: linear, 2: quadratic) of the inputs that passed")
    figure("growth_culprits", culprits, "inputs whose cost grows far more than their size")
    return culprits


def main(arguments: list[str] | None = None) -> int:
    options = argparse.ArgumentParser(prog="python -m benchmarks.growth")
    options.add_argument("--minutes", type=float, default=1.0)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args(arguments or [])
    return search(60.0 * chosen.minutes, chosen.seed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
