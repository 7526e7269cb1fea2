"""Fixtures every test may use."""

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recorded webs and conformance cases; tests that need it skip without it."""
    folder = Path(os.environ.get("HONEYGUIDE_SHARED", REPOSITORY.parent / "shared"))
    if not (folder / "fixtures").is_dir():
        pytest.skip(f"no conformance cases at {folder}; set HONEYGUIDE_SHARED to the folder that holds them")
    return folder
