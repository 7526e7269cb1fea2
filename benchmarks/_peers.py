"""The other crawlers of `crawl_speed`: installed apart from honeyguide, each crawl in a process of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks._meter import Result, read_result
from benchmarks._nginx import installed
from benchmarks._static_web import CACHE

REPOSITORY = Path(__file__).parents[1]
PACKAGES = ("scrapy>=2.13,<3", "crawlee[parsel]>=1.0,<2", "uvloop", "aiohttp")
_VERSIONED = ("scrapy", "crawlee", "uvloop", "aiohttp")
_GRACE_SECONDS = 20


class Peers:
    """Other crawlers, as far as they can be had here."""

    def __init__(self) -> None:
        self._python = CACHE / "peers" / "bin" / "python"
        self._ready = self._python.with_name("ready")
        if not self._ready.exists():
            self._install()
        if self._ready.exists():
            print(f"# peers: {self._versions()}", flush=True)
        self._has_wget2 = installed("wget2", "wget2")
        if not self._has_wget2:
            print("# wget2 is not here: no figure of it (Debian: apt-get install wget2)")

    def run(self, name: str, urls: Path, pages: int, seconds: int, cores: Sequence[int]) -> Result | None:
        """One crawl; None when the crawler is not here or failed."""
        if not self._ready.exists() or (name == "wget2" and not self._has_wget2):
            return None
        module = [str(self._python), "-m", "benchmarks._peer_crawls"]
        return run_pinned([*module, name, str(urls), str(pages), str(seconds)], seconds, cores)

    def _install(self) -> None:
        print(f"# installing {', '.join(PACKAGES)} in {self._python.parents[1]}, once", flush=True)
        folder = self._python.parents[1]
        shutil.rmtree(folder, ignore_errors=True)
        for command in (
            [sys.executable, "-m", "venv", str(folder)],
            [str(self._python), "-m", "pip", "install", "--quiet", *PACKAGES],
        ):
            if subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode:
                print(f"# failed, so there are no figures of peers: {' '.join(command)}", flush=True)
                return
        self._ready.touch()

    def _versions(self) -> str:
        code = (
            f"from importlib.metadata import version; print(*(f'{{n}} {{version(n)}}' for n in {_VERSIONED}))"
        )
        return subprocess.run(
            [self._python, "-c", code], capture_output=True, text=True, check=True
        ).stdout.strip()


def run_pinned(command: Sequence[str], seconds: int, cores: Sequence[int]) -> Result | None:
    """Run a crawl that measures itself, on these cores only; it is ended when it does not end by itself."""
    process = subprocess.Popen(
        ["taskset", "--cpu-list", ",".join(map(str, cores)), *command],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        output, errors = process.communicate(timeout=seconds + _GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        output, errors = process.communicate()
    result = read_result(output)
    if result is None:
        print(f"# no result from {' '.join(command)}: {errors.strip()[-2000:]}", flush=True)
    return result
