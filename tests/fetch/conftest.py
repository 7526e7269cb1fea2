"""Every test of this folder keeps its indexes in a temporary cache."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(folder))
    return folder
