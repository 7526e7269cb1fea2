"""nginx as the server of a benchmark: kept files on many loopback addresses, ended when the benchmark ends."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks._static_web import PORT

_START_SECONDS = 10.0
_PR_SET_PDEATHSIG = 1
_CONFIGURATION = """\
{user}
worker_processes 1;
worker_rlimit_nofile 16384;
pid {folder}/pid;
error_log {folder}/error.log;
daemon off;
events {{ worker_connections 8192; }}
http {{
  types {{ text/html html; text/plain txt; }}
  charset utf-8;
  log_format seconds "$msec $request_time $server_addr $status $uri";
  access_log {access_log};
  keepalive_timeout 75s;
  keepalive_requests 100000;
  sendfile on;
  tcp_nopush on;
  server {{
{listens}
    root {root}/$server_addr;
    gzip_static always;
    rewrite ^(.*/)$ $1index.html break;
  }}
}}
"""


class Nginx:
    """A running server."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def pin(self, cores: Iterable[int]) -> None:
        """Let it run on these cores only."""
        for pid in (self._process.pid, *_children(self._process.pid)):
            os.sched_setaffinity(pid, set(cores))


@contextmanager
def nginx(root: Path, folder: Path, log: bool = False) -> Iterator[Nginx]:
    """Serve the hosts of `root`; `folder` is for its own files, among them access.log if wanted."""
    program = _program()
    if program is None:
        raise RuntimeError(
            "nginx is not installed, and only root can install it: apt-get install nginx-light"
        )
    address = next(root.iterdir()).name
    if _answers(address):
        raise RuntimeError(f"{address}:{PORT} is taken; perhaps another benchmark is running")
    (folder / "nginx.conf").write_text(_configuration(root, folder, log))
    process = subprocess.Popen(
        [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")],
        stderr=subprocess.DEVNULL,
        preexec_fn=_end_with_parent,
    )
    try:
        _await_answer(process, address)
        yield Nginx(process)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def installed(program: str, package: str) -> bool:
    """Whether a program is there; root installs its Debian package."""
    if shutil.which(program):
        return True
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"# installing the Debian package {package}", flush=True)
        for command in (["update"], ["install", "-y", "--no-install-recommends", package]):
            subprocess.run(
                ["apt-get", "-q", *command],
                env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
                stdout=subprocess.DEVNULL,
                check=False,
            )
    return shutil.which(program) is not None


def _program() -> str | None:
    # Debian keeps it where only root looks for programs.
    os.environ["PATH"] += os.pathsep + "/usr/sbin"
    return shutil.which("nginx") if installed("nginx", "nginx-light") else None


def _configuration(root: Path, folder: Path, log: bool) -> str:
    addresses = sorted(entry.name for entry in root.iterdir())
    return _CONFIGURATION.format(
        user="user root;" if os.geteuid() == 0 else "",
        folder=folder,
        access_log=f"{folder}/access.log seconds buffer=64k flush=1s" if log else "off",
        listens="\n".join(f"    listen {address}:{PORT} backlog=1024;" for address in addresses),
        root=root,
    )


def _await_answer(process: subprocess.Popen[bytes], address: str) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if _answers(address):
            return
        time.sleep(0.05)
    raise RuntimeError(f"nginx does not answer on {address}:{PORT}")


def _answers(address: str) -> bool:
    with suppress(OSError), socket.create_connection((address, PORT), timeout=1.0):
        return True
    return False


def _end_with_parent() -> None:
    """However the benchmark ends, its server must not outlive it."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
