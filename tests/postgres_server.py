"""A real PostgreSQL for tests: Debian's, in a folder of its own, on a socket that nobody else can reach."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",  # of a database that is thrown away
    "shared_buffers": "32MB",
    "max_connections": "60",
    "autovacuum_naptime": "5s",
}


def programs() -> Path | None:
    """Where PostgreSQL's programs are, if it is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if found:
        return found[-1].parent
    on_path = shutil.which("postgres")
    return Path(on_path).resolve().parent if on_path else None


class Server(str):
    """The address of an empty database, and a hand on its server."""

    restart: Callable[[], None]
    log: Path

    @property
    def address(self) -> str:
        """As others want it."""
        return str(self)


@contextmanager
def server() -> Iterator[Server]:
    """Start one."""
    where = programs()
    if where is None:
        pytest.skip("PostgreSQL is not installed; `apt-get install postgresql` as root brings it")
    with tempfile.TemporaryDirectory(prefix="hg-pg-") as name:
        folder = Path(name)
        if os.geteuid() == 0:  # which PostgreSQL refuses to be
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
        folder.chmod(0o755)
        data, log = folder / "data", folder / "log"
        _run([str(where / "initdb"), "-D", str(data), "-U", "crawler", "-A", "trust", "-N", "-E", "UTF8"])
        options = " ".join(f"-c {key}='{value}'" for key, value in SETTINGS.items())
        control = [str(where / "pg_ctl"), "-D", str(data), "-l", str(log), "-w"]
        start = [*control, "-o", f"{options} -k {folder}", "start"]
        _run(start)

        def restart() -> None:
            """Kill it with all that is under way, and start it again."""
            _run([*control, "-m", "immediate", "stop"])
            _run(start)

        try:
            started = Server(f"postgresql://crawler@/postgres?host={folder}")
            started.restart, started.log = restart, log
            yield started
        finally:
            _run([*control, "-m", "immediate", "stop"])


def _run(command: Sequence[str]) -> None:
    whom: dict[str, object] = {"user": "postgres", "group": "postgres", "extra_groups": []}
    subprocess.run(
        command,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        timeout=120,
        **(whom if os.geteuid() == 0 else {}),
    )
