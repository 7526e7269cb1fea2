"""Workers placed over a cluster of Ray, which starts each again when it dies. Called by `honeyguide worker --ray`.

Ray only starts processes: each is `honeyguide worker` as anybody would start it by hand, and knows nothing of Ray.
"""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from honeyguide.errors import SettingsError

REST_SECONDS = 2.0
"""Before a worker that died is started again: what killed it may do so at once."""
STOP_SECONDS = 90.0
_DIED = 1  # with a traceback; other exit codes say what a person has to do
_PR_SET_PDEATHSIG = 1


class Process:
    """An actor: one worker process, which does not outlive it."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._is_stopping = False

    def run(self) -> int:
        """Run a worker to its end, and give its exit code. If it dies, so does this actor, and Ray starts another."""
        self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, preexec_fn=_die_with_parent)
        code = self._process.wait()
        if not self._is_stopping and (code < 0 or code == _DIED):
            time.sleep(REST_SECONDS)
            os._exit(1)
        return code

    def stop(self) -> None:
        """Ask the worker to end."""
        self._is_stopping = True
        if self._process:
            self._process.terminate()


def _die_with_parent() -> None:
    """Of a killed actor no worker is left that nobody can stop; Linux alone can do so."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def run_on_ray(cluster: str, workers: int, command: Sequence[str]) -> list[int]:
    """Run a command so often over a cluster until each has ended; gives their exit codes.

    SIGINT and SIGTERM are handed on to all of them; a second one leaves them to Ray, which ends them.
    """
    try:
        import ray
    except ImportError:
        raise SettingsError("--ray needs the extra `ray`: pip install 'honeyguide[ray]'") from None
    try:
        ray.init(address=cluster, namespace="honeyguide", logging_level=logging.WARNING)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise SettingsError(
            f"--ray {cluster}: there is no cluster to be reached: {str(error)[:300]}"
        ) from error
    try:
        return _run_all(ray, workers, command)
    finally:
        ray.shutdown()


def _run_all(ray: Any, workers: int, command: Sequence[str]) -> list[int]:
    # Two things at a time, so that a worker that runs can be stopped.
    options = {"max_restarts": -1, "max_task_retries": -1, "max_concurrency": 2, "num_cpus": 1}
    actor = ray.remote(**options, scheduling_strategy="SPREAD")(Process)
    actors = [actor.remote([*command]) for _ in range(workers)]
    running = [each.run.remote() for each in actors]

    def stop() -> None:
        for each in actors:
            each.stop.remote()

    with _on_signals(stop) as has_stopped:
        left, until = running, 0.0
        while left:
            _, left = ray.wait(left, num_returns=len(left), timeout=0.5)
            if has_stopped():
                until = until or time.monotonic() + STOP_SECONDS
                if time.monotonic() > until:
                    raise SettingsError(f"{len(left)} workers did not end; Ray ends them")
    return [int(code) for code in ray.get(running)]


@contextmanager
def _on_signals(stop: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Call `stop` at the first SIGINT or SIGTERM; the function given tells whether there was one."""
    told: list[int] = []

    def handle(number: int, frame: object) -> None:
        if told:
            raise KeyboardInterrupt
        told.append(number)
        stop()

    before = {each: signal.signal(each, handle) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(told)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
