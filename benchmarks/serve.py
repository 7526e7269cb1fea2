"""The server: how soon it answers with 200 crawls, what a crawl of a million visits costs, and whether it grows.

Figures: seconds from the start of the process to the first list of crawls (and what of it was its own CPU time), the
95th percentile of the numbers and of the dots of a crawl of a million visits, of searches, and the memory of the server
after 1,000 and after 10,000 further searches.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks._figures import figure
from benchmarks.status import fill
from honeyguide.crawls import Crawl
from honeyguide.sample_web.web import SampleWeb
from honeyguide.serve.security import Keys, Role
from honeyguide.serve.workspace import Workspace

CRAWLS, VISITS = 200, int(os.environ.get("HONEYGUIDE_BENCH_VISITS", "1000000"))
WARM, SEARCHES, TIMES = 1_000, int(os.environ.get("HONEYGUIDE_BENCH_SEARCHES", "10000")), 200
WEB = SampleWeb(pages=2_000)
QUERIES = (
    "honey",
    "queen bees",
    "hive",
    '"honey bees"',
    "beekeeper -cars",
    "title:bees",
    "swarm nectar",
    "wax",
)
API = "/api/v1"


class Asked:
    """One connection to a server."""

    def __init__(self, process: subprocess.Popen[str], port: int, token: str) -> None:
        self.process, self.token = process, token
        self.url = f"http://127.0.0.1:{port}"
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._headers = {"Authorization": f"Bearer {token}"}

    def get(self, path: str) -> bytes:
        self._connection.request("GET", API + path, headers=self._headers)
        answer = self._connection.getresponse()
        body = answer.read()
        assert answer.status == 200, (path, body[:500])
        return body

    def megabytes(self) -> float:
        lines = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(folder: Path) -> Iterator[Asked]:
    """A server in a process of its own, from its start on."""
    token = Keys(Workspace(folder).private).make(Role.OPERATOR)
    words = [
        sys.executable,
        "-c",
        "from honeyguide.cli.main import app; app()",
        "serve",
        str(folder),
        "--port",
        "0",
    ]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        url = next(line for line in process.stdout if line.startswith("serving"))
        yield Asked(process, int(url.strip().rstrip("/").rpartition(":")[2]), token)
    finally:
        process.terminate()
        process.wait()


def p95(work: Callable[[int], object], times: int) -> float:
    taken = []
    for at in range(times):
        began = time.perf_counter()
        work(at)
        taken.append(time.perf_counter() - began)
    return sorted(taken)[int(0.95 * times)]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        workspace = Path(name) / "workspace"
        crawls = workspace / "crawls"
        crawl = Crawl.start(crawls / "crawl-0", WEB.description("bees"), WEB.seeds("bees"), web=WEB)
        crawl.run(pages=300)
        crawl.index()
        for number in range(1, CRAWLS):
            shutil.copytree(crawls / "crawl-0", crawls / f"crawl-{number}")
        settings = {"web.sample_pages": 100}
        Crawl.start(crawls / "large", "beekeeping and honey", ["http://h0.example/"], settings=settings)
        fill(crawls / "large", urls=VISITS + VISITS // 5, visits=VISITS)
        began = time.perf_counter()
        with served(workspace) as server:
            listed = json.loads(server.get(f"/crawls?most={CRAWLS + 1}"))["items"]
            figure("start_seconds", time.perf_counter() - began, "s")
            figure("start_cpu_seconds", server.cpu_seconds(), "s")
            assert len(listed) == CRAWLS + 1
            _large(server)
            _soak(server)


def _large(server: Asked) -> None:
    status = json.loads(server.get("/crawls/large"))["status"]
    assert status["pages"] == VISITS
    print(f"# a crawl of {status['pages']:,} visits")
    figure("numbers_p95", 1000 * p95(lambda at: server.get("/crawls/large"), TIMES), "ms")
    figure("dots_p95", 1000 * p95(lambda at: server.get("/crawls/large/dots"), TIMES // 4), "ms")
    figure(
        "visits_p95",
        1000 * p95(lambda at: server.get(f"/crawls/large/visits?cursor={at * 997}"), TIMES),
        "ms",
    )


def _soak(server: Asked) -> None:
    def search(at: int) -> bytes:
        return server.get(
            f"/crawls/crawl-0/search?q={QUERIES[at % len(QUERIES)].replace(' ', '+')}&offset={at % 7}"
        )

    p95(search, WARM)
    before = server.megabytes()
    figure("search_p95", 1000 * p95(search, SEARCHES), "ms")
    figure("memory_before", before, "MB")
    figure("memory_after", server.megabytes(), "MB")


if __name__ == "__main__":
    main()
