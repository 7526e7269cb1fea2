"""Fixtures every test may use."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# No deadlines, as tests never assert times. CI tries the same examples every time; at a desk new ones are tried.
settings.register_profile("honeyguide", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("honeyguide")

REPOSITORY = Path(__file__).parents[1]


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
