"""Columns that grow: what they hold, and that room to grow takes no memory."""

from pathlib import Path

import numpy as np
import pytest

from honeyguide.state.columns import MANY_ROWS, Columns

SMAPS = Path("/proc/self/smaps")
HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage")


def flags_of(address: int) -> list[str]:
    """Of the mapping of this process that holds an address."""
    is_there = False
    for line in SMAPS.read_text().splitlines():
        first, _, rest = line.partition(" ")
        if "-" in first:
            start, end = (int(part, 16) for part in first.split("-"))
            is_there = start <= address < end
        elif is_there and first == "VmFlags:":
            return rest.split()
    return []


@pytest.mark.skipif(
    not (HUGE_PAGES.exists() and SMAPS.exists() and "VmFlags:" in SMAPS.read_text()),
    reason="this kernel has no huge pages, or does not tell of them",
)
def test_room_to_grow_is_not_in_huge_pages_and_what_is_there_stays() -> None:
    columns = Columns(number=(np.int64, -1))
    columns.append(20 * MANY_ROWS, number=np.arange(20 * MANY_ROWS))
    columns.append(1)
    live = columns["number"]
    assert "nh" in flags_of(live.ctypes.data + live.nbytes + (1 << 20))
    assert "nh" not in flags_of(live.ctypes.data)
    assert live[:-1].tolist() == list(range(20 * MANY_ROWS))
    assert live[-1] == -1
