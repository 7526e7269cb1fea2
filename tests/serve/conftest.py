"""A workspace with one crawl of the sample web, served over real HTTP on loopback."""

import contextlib
import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import uvicorn

from honeyguide.crawls import Crawl
from honeyguide.sample_web.web import SampleWeb
from honeyguide.serve.app import make_app
from honeyguide.serve.options import ServeOptions
from honeyguide.serve.running import config, listen
from honeyguide.serve.security import Keys, Role
from honeyguide.serve.serving import Serving
from honeyguide.serve.workspace import Workspace
from honeyguide.store.folder import INDEX
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.topic_file import write_topic

PAGES = 40
WEB = SampleWeb(pages=300, seed=1)
ORDER = {
    "name": "new",
    "topic": WEB.description("bees"),
    "seeds": [*WEB.seeds("bees")],
    "settings": {"web.sample_pages": 300, "limits.max_pages": PAGES},
}


@dataclass(frozen=True)
class Served:
    url: str
    token: str
    reader_token: str
    workspace: Workspace
    serving: Serving

    def client(self, token: str | None = None, **headers: str) -> httpx.Client:
        given = {"Authorization": f"Bearer {self.token if token is None else token}"}
        return httpx.Client(base_url=f"{self.url}/api/v1", headers={**given, **headers}, timeout=60)

    def topic(self) -> bytes:
        """A topic file."""
        path = self.workspace.private / "made.topic"
        write_topic(path, KeywordTopic("beekeeping and honey"))
        return path.read_bytes()

    def nobody(self, **headers: str) -> httpx.Client:
        return httpx.Client(base_url=f"{self.url}/api/v1", headers=headers, timeout=60)


@pytest.fixture(scope="session")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace folder that nobody changes."""
    folder = tmp_path_factory.mktemp("served") / "workspace"
    crawl = Crawl.start(
        folder / "crawls" / "bees",
        WEB.description("bees"),
        WEB.seeds("bees"),
        web=WEB,
        settings={"limits.max_pages": PAGES},
    )
    crawl.run()
    return folder


@contextlib.contextmanager
def serving(folder: Path, **options: object) -> Iterator[Served]:
    workspace = Workspace(folder)
    keys = Keys(workspace.private)
    token, reader_token = keys.make(Role.OPERATOR), keys.make(Role.READER)
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        told = ServeOptions(port=port, copies_port=1, **options)  # type: ignore[arg-type]
        app = make_app(workspace, told)
        app.state.later.put()  # before there are threads: the library turns warnings off meanwhile, for all of them
        server = uvicorn.Server(config(app, told))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield Served(f"http://127.0.0.1:{port}", token, reader_token, workspace, app.state.serving)
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(scope="session")
def reading(crawled: Path) -> Iterator[Served]:
    """For tests that change nothing."""
    with serving(crawled) as served:
        yield served


@pytest.fixture
def served(crawled: Path, tmp_path: Path) -> Iterator[Served]:
    """For tests that change something."""
    folder = tmp_path / "workspace"
    # Whoever searches where nothing is changed has the pages indexed all the same.
    shutil.copytree(crawled / "crawls", folder / "crawls", ignore=shutil.ignore_patterns(INDEX))
    with serving(folder) as served:
        yield served


def wait_until(is_so, seconds: float = 60.0):  # type: ignore[no-untyped-def]
    """The first answer that is true."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if answer := is_so():
            return answer
        time.sleep(0.05)
    raise AssertionError(f"not so within {seconds} seconds")
