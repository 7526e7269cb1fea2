"""How benchmarks report and measure."""

from __future__ import annotations

import os
import resource
from pathlib import Path

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def figure(name: str, value: float, unit: str) -> None:
    """Print one result."""
    print(f"figure {name} {value:.4g} {unit}", flush=True)


def resident_bytes() -> int:
    """Memory of this process that is in RAM now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES


def cpu_seconds() -> float:
    """Processor time of this process so far: less noisy than the clock on a shared machine."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
