"""Fixtures every test may use."""

import os
import platform
import subprocess
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path

import pytest
import typer.testing
from _pytest.doctest import DoctestModule
from hypothesis import settings

# Matrices here are small: a second thread for them only keeps the processor busy with waiting, in every process.
for library in ("OPENBLAS", "OMP"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")
# And its last digits differ from processor to processor, by which hcla orders pages that are nearly alike.
if platform.machine() == "x86_64":
    os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")

# No deadlines, as tests never assert times. CI tries the same examples every time; at a desk new ones are tried.
settings.register_profile("honeyguide", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("honeyguide")

# Every verb is made of its function's signature; to make all of them anew takes twice as long as most verbs do.
typer.testing._get_command = cache(typer.testing._get_command)

REPOSITORY = Path(__file__).parents[1]


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Examples in docstrings are those of `src`; to look for some in the tests takes each process two seconds."""
    found = yield
    return [collector for collector in found if not isinstance(collector, DoctestModule)]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are cores: a third of the time tests wait for browsers, servers and rests."""
    return 3 * len(os.sched_getaffinity(0)) // 2 if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recorded webs and conformance cases; tests that need it skip without it."""
    folder = Path(os.environ.get("HONEYGUIDE_SHARED", REPOSITORY.parent / "shared"))
    if not (folder / "fixtures").is_dir():
        pytest.skip(f"no conformance cases at {folder}; set HONEYGUIDE_SHARED to the folder that holds them")
    return folder


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 3 MB, where the system lets us make one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no right to mount a small disk here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)
