"""Counter-based chance for the sample web: any draw is a pure function of the seed, a purpose and a number.

The mixing is SplitMix64, so the draws are the same on every machine and with every version of numpy.
"""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Bits = NDArray[np.uint64]

_STEP = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB
_MASK = (1 << 64) - 1


def mix(value: int) -> int:
    """Scatter an integer over 64 bits."""
    value &= _MASK
    value = ((value ^ (value >> 30)) * _FIRST) & _MASK
    value = ((value ^ (value >> 27)) * _SECOND) & _MASK
    return value ^ (value >> 31)


def _mix_array(values: Bits) -> Bits:
    values = (values ^ (values >> np.uint64(30))) * np.uint64(_FIRST)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(_SECOND)
    return values ^ (values >> np.uint64(31))


def shares(bits: Bits, shift: int) -> NDArray[np.float64]:
    """Twenty-four of the bits as fractions in 0..1 (1 excluded)."""
    return ((bits >> np.uint64(shift)) & np.uint64(0xFFFFFF)).astype(np.float64) / float(1 << 24)


class Dice:
    """Draws for one purpose.

    >>> die = Dice(seed=1, purpose="size")
    >>> die(7) == Dice(seed=1, purpose="size")(7) != Dice(seed=2, purpose="size")(7)
    True
    """

    def __init__(self, seed: int, purpose: str) -> None:
        # Two rounds, so that seeds and purposes that are close give unrelated draws.
        self._base = mix(mix(seed + _STEP) ^ int.from_bytes(purpose.encode()[:8], "big"))

    def __call__(self, number: int) -> int:
        """64 bits for a number."""
        return mix(self._base + number * _STEP)

    def share(self, number: int) -> float:
        """Return a fraction in 0..1 (1 excluded) for a number."""
        return (self(number) >> 11) / float(1 << 53)

    def each(self, numbers: Numbers) -> Bits:
        """Return the same as calling with every number of an array."""
        return _mix_array(np.uint64(self._base) + numbers.astype(np.uint64) * np.uint64(_STEP))

    def stream(self, number: int, count: int) -> Bits:
        """As many draws for one number as are needed."""
        steps = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(_STEP)
        return _mix_array(np.uint64(self(number)) + steps)
