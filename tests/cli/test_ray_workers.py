"""Workers over a real Ray cluster of two nodes on this machine: placed on both, started again, and stopped."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from honeyguide.cli import ray_workers
from honeyguide.errors import SettingsError
from honeyguide.store import open_reader
from tests.end_to_end.test_workers import divided
from tests.postgres_server import server

REPOSITORY = Path(__file__).parents[2]
WORKER = """
import os, pathlib, signal, sys, time
signal.signal(signal.SIGTERM, lambda *told: sys.exit(130))
(pathlib.Path(sys.argv[1]) / str(os.getpid())).touch()
while True:
    time.sleep(0.1)
"""


def wait_for(what, seconds=120):
    until = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.1)
    return found


def test_without_ray_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SettingsError, match=r"honeyguide\[ray\]"):
        ray_workers.run_on_ray("auto", 1, ["true"])


@pytest.fixture
def cluster(monkeypatch):
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # nothing but loopback, it means
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_raylet_start_wait_time_s", "240")
    pytest.importorskip("ray", reason="the extra `ray` is not installed")
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "include_dashboard": False}
    made = Cluster(initialize_head=True, head_node_args=node)
    made.add_node(num_cpus=1)
    yield made
    made.shutdown()


def alive(folder):
    """Workers at work, by their process ids."""
    return {pid for path in folder.iterdir() if _is_alive(pid := int(path.name))}


def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().split()[3])


def _is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def launched(cluster, folder):
    command = [sys.executable, "-c", WORKER, str(folder)]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.cli.ray_launch", cluster.address, "2", *command],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_workers_are_placed_over_two_nodes_started_again_and_stopped(cluster, tmp_path):
    launcher = launched(cluster, tmp_path)
    try:
        first = wait_for(lambda: len(found := alive(tmp_path)) == 2 and found)
        nodes = {parent(parent(pid)) for pid in first}  # a worker's is its actor, and the actor's is its node
        assert len(nodes) == 2
        victim, other = sorted(first)
        os.kill(victim, signal.SIGKILL)
        second = wait_for(lambda: len(found := alive(tmp_path) - {victim}) == 2 and found)
        assert other in second, "the others are left alone"
        os.kill(parent(other), signal.SIGKILL)  # an actor: its worker ends with it
        third = wait_for(lambda: len(found := alive(tmp_path) - {other}) == 2 and found)
        assert not _is_alive(other)
        launcher.send_signal(signal.SIGTERM)
        told, problems = launcher.communicate(timeout=120)
        assert "[130, 130]" in told, problems
        assert alive(tmp_path) == set()
        launcher = launched(cluster, tmp_path)
        wait_for(lambda: len(alive(tmp_path) - third) == 2)
        launcher.kill()
        wait_for(lambda: not alive(tmp_path))
    finally:
        launcher.kill()
        launcher.communicate()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_crawl_is_done_by_workers_over_two_nodes(cluster, tmp_path):
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    with server() as database:
        shared = (tmp_path / "shared").as_uri()
        settings = {"output.archive": True, "output.archive_at": shared, "limits.max_pages": 60}
        divided(tmp_path / "crawl", database.address, shards=4, **settings)
        command = ["worker", database.address, "--ray", cluster.address, "--workers", "2"]
        done = subprocess.run(
            [sys.executable, "-m", "honeyguide", *command, "--folder", tmp_path / "work"],
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        with open_reader(tmp_path / "crawl") as reader:
            visits = [*reader.visits()]
            assert len(visits) == 60
            assert all(reader.response(visit.location).body for visit in visits)
