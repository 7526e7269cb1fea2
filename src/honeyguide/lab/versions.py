"""Versions of everything that may change a result, our own code by its sum: its version stays for long."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

import honeyguide
from honeyguide.version import __version__

PACKAGES = ("numpy", "scipy", "scikit-learn", "PyStemmer", "selectolax")


def versions() -> dict[str, str]:
    """By name."""
    found = {"honeyguide": __version__, "code": code_sum()[:12], "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


@cache
def code_sum() -> str:
    """SHA-256 of all files of this package: of code, and of lists of words that it reads."""
    package, digest = Path(honeyguide.__file__).parent, sha256()
    for path in sorted(package.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(package).as_posix()}\n".encode())
            digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def all_versions(before: Mapping[str, str]) -> dict[str, str]:
    """Versions of now, and those that earlier runs of the same experiment were made with: names of runs hide them."""
    now = versions()
    former = {name: before.get(name, "").split(", ") for name in now}
    return {name: ", ".join(dict.fromkeys((*filter(None, former[name]), own))) for name, own in now.items()}
