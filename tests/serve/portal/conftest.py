"""A workspace of two collections, one of them hostile, and a real server that anybody may read."""

import json
import re
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest
import uvicorn

import honeyguide as hg
from honeyguide.model import Response
from honeyguide.sample_web.web import SampleWeb
from honeyguide.serve.app import make_app
from honeyguide.serve.options import ServeOptions
from honeyguide.serve.workspace import Workspace
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.taxonomy.backbone import topic_from_examples
from honeyguide.topics.topic_file import write_topic

WEB = SampleWeb(pages=600)
EVIL = "http://evil.example"
SCRIPT = "<script>document.title='taken over'</script>"
HOSTILE_TITLES = (
    f"bees {SCRIPT}",
    "bees \"' onmouseover='alert(1)' <img src=x onerror=alert(1)> {{ 7*7 }} {% raw %}",
    "bees \u202egnp.exe\u2066\u200f \x1b[31m &#0; ]]> <!-- -->",
    "bees " + "very long " * 10_000,
)
HOSTILE_WORDS = (
    "They dance to tell each other where the clover stands.",
    "A swarm hangs in the old apple tree until scouts agree.",
    "Smoke calms the guards while frames are lifted out.",
    "In winter the cluster shivers to keep the brood warm.",
)
HOSTILE_PAGE = """<html><head><title>{title}</title><link rel=preconnect href="http://outside.example/">
<meta http-equiv=refresh content="0;url=http://outside.example/"></head><body>{script}<h1>bees</h1>
<p>Bees make honey, says {said} the queen of the hive. {words}</p>
<img src="http://outside.example/x.png" onerror="document.title='taken over'">
<style>@import url(http://outside.example/x.css)</style><iframe src="http://outside.example/"></iframe>
<form action="http://outside.example/"><button>go</button></form><a href="/next">next</a></body></html>"""
HEADERS = {"content-type": "text/html; charset=utf-8"}


class HostileSite(hg.Fetcher):
    """Pages that try everything, linked from the first."""

    def __init__(self):
        query = f"q=%22%3E{quote(SCRIPT)}"
        links = "".join(
            f'<p>bees and honey <a href="/{number}?{query}">bees {escape(SCRIPT)} \u202e{number}</a></p>'
            for number in range(len(HOSTILE_TITLES))
        )
        self._first = f"<html><title>bees</title><body>honey bees hive {links}</body></html>"
        self._pages = [
            HOSTILE_PAGE.format(title=escape(title), script=SCRIPT, said=escape(SCRIPT), words=words)
            for title, words in zip(HOSTILE_TITLES, HOSTILE_WORDS, strict=True)
        ]

    async def fetch(self, url, validators=None):
        found = re.search(r"example/(\d)", url)
        body = self._pages[int(found[1])] if found else self._first
        return Response(url, 200, body.encode("utf-8", "surrogatepass"), HEADERS)

    async def close(self):
        pass


@dataclass
class Answered:
    status: int
    headers: dict
    body: bytes

    @property
    def text(self):
        return self.body.decode()

    @property
    def json(self):
        return json.loads(self.body)


@dataclass
class Server:
    url: str
    folder: object

    def get(self, path, **headers):
        return get(self.url + path, **headers)

    def page_of(self, collection, url):
        return f"/c/{collection}/page?url={quote(url, safe='')}"


def get(url, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        with urlopen(Request(url, headers=named), timeout=60) as response:
            return Answered(response.status, dict(response.headers), response.read())
    except HTTPError as error:
        return Answered(error.code, dict(error.headers), error.read())


def make_workspace(folder):
    """Crawls a taxonomy can be browsed by, and one that means harm; both indexed."""
    topics = folder / "topics"
    topics.mkdir(parents=True)
    topic = WEB.topic_names[0]
    write_topic(topics / "bees.topic", topic_from_examples("Bees", [], words=WEB.description(topic)))
    settings = {"web.sample_pages": 600}
    bees = hg.Crawl.start(
        folder / "crawls" / "bees", topics / "bees.topic", WEB.seeds(topic), settings=settings
    )
    bees.run(pages=60)
    hostile = hg.Crawl.start(
        folder / "crawls" / "hostile", KeywordTopic("bees honey hive"), [f"{EVIL}/"], web=HostileSite()
    )
    hostile.run(pages=20)
    for crawl in (bees, hostile):
        crawl.index()
    return folder


def serve(folder, *options):
    """A server of its own process; gives the process and where it listens."""
    command = [
        sys.executable,
        "-c",
        "from honeyguide.cli.main import app; app()",
        "serve",
        str(folder),
        "--port",
        "0",
    ]
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if line.startswith("serving "):
            return process, line.removeprefix("serving ").strip().rstrip("/")
    raise AssertionError(f"the server ended with {process.wait()}")


@contextmanager
def served(folder, **options):
    """Another server, in this process, which is quicker to start."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    app = make_app(Workspace(folder), ServeOptions(port=port, **options))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield Server(f"http://127.0.0.1:{port}", folder)
    server.should_exit = True
    thread.join()
    listening.close()


@pytest.fixture(scope="session")
def workspace(tmp_path_factory):
    return make_workspace(tmp_path_factory.mktemp("portal") / "workspace")


@pytest.fixture(scope="session")
def portal(workspace):
    process, url = serve(workspace, "--portal-only")
    yield Server(url, workspace)
    process.terminate()
    process.wait()
    process.stdout.close()


@pytest.fixture(scope="session")
def bees(workspace):
    return hg.Crawl.open(workspace / "crawls" / "bees")
