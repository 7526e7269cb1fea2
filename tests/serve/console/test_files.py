"""The console's files: what is vendored is what it says, ours are small, typed, and served with care."""

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from honeyguide.serve.console import FOLDER

VENDOR = FOLDER / "vendor"
OWN = sorted(path for path in FOLDER.rglob("*.js") if VENDOR not in path.parents)
TYPESCRIPT = "typescript@7.0.2"


def test_vendored_files_are_what_they_say():
    told = {one["file"]: one for one in json.loads((VENDOR / "vendor.json").read_text())}
    found = {path.name for path in VENDOR.iterdir() if path.suffix in (".js", ".css")}
    assert found == set(told)
    for name, one in told.items():
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == one["sha256"], name
        assert one["version"]
        assert one["licence"]
    licences = (VENDOR / "LICENSES.txt").read_text()
    assert all(name in licences for name in ("Preact", "htm", "uPlot", "Cytoscape.js"))


def test_own_scripts_stay_small():
    lines = {path.relative_to(FOLDER).as_posix(): path.read_text().count("\n") for path in OWN}
    assert sum(lines.values()) <= 4_000
    assert not {name: count for name, count in lines.items() if count > 300}


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_no_way_to_run_what_was_crawled(path):
    text = path.read_text()
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|javascript:", text
    )
    assert "https://" not in text.replace("https://example.org", "")


def test_scripts_are_typed():
    if not shutil.which("npx"):
        pytest.skip("there is no node; types of the console's scripts are not checked")
    config = Path(__file__).parent / "tsconfig.json"
    command = ["npx", "--yes", "--prefer-offline", "-p", TYPESCRIPT, "tsc", "-p", str(config)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    if done.returncode and "error TS" not in done.stdout:
        pytest.skip(f"{TYPESCRIPT} cannot be had: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stdout
