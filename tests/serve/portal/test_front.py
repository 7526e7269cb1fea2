"""The front page over HTTP: our own collections and other portals, of which one is slow, one dead and one lies."""

import json
import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import copytree

import pytest

from tests.serve.portal.conftest import SCRIPT, served
from tests.serve.portal.test_pages import assert_harmless, parsed

LIES = {
    "hits": [
        {"url": "javascript:alert(1)", "title": "click me", "snippet": [["x", True]]},
        {
            "url": "https://far.example/\u202e",
            "title": f"hive {SCRIPT}\u202e",
            "snippet": [[f"{SCRIPT}", True]],
        },
        {"url": "https://far.example/2", "title": 7, "relevance": "NaN", "time": 1e99, "score": 1e308},
    ],
    "total": 10**15,
}


class Portals(BaseHTTPRequestHandler):
    """A lying portal and one that never answers, at one address."""

    release = threading.Event()

    def do_GET(self):
        if "slow" in self.path:
            self.release.wait(20)
            return
        body = json.dumps(LIES).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@contextmanager
def other_portals():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Portals)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    Portals.release.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def named(portal):
    """The portals.toml of the workspace; it is read at every search."""
    path = portal.folder / "portals.toml"
    yield path
    path.unlink(missing_ok=True)


def sources(tree):
    return ["".join(one.itertext()) for one in tree.findall(".//section[@class='asked']//li")]


def test_one_search_asks_everybody_and_says_who_did_not_answer(portal, named):
    portal.get("/c/bees/search?q=hive")  # so that it is open, and answers in time on a busy machine
    with socket.socket() as unused, other_portals() as base:
        unused.bind(("127.0.0.1", 0))
        dead = f"http://127.0.0.1:{unused.getsockname()[1]}"
        listed = {
            "Slow": f"{base}/c/slow",
            "Dead": f"{dead}/c/x",
            "Liar": f"{base}/c/lies",
            "Us": f"{portal.url}/c/bees",
        }
        named.write_text(
            "".join(f'[[portal]]\nname = "{name}"\nurl = "{url}"\n' for name, url in listed.items())
        )
        answered = portal.get("/?q=hive")
    tree = parsed(answered)
    assert_harmless(tree)
    told = dict(one.split(": ", 1) for one in sources(tree))
    assert list(told) == ["bees", "hostile", *listed]
    assert told["Slow"] == "did not answer within 3 seconds"
    assert told["Dead"].startswith("cannot be reached")
    assert told["Liar"] == "1 result of it could not be used"
    assert told["Us"] == told["bees"]  # the same collection, asked over the API
    results = ["".join(one.itertext()) for one in tree.findall(".//ol[@class='results']/li")]
    ours = [result for result in results if "in bees" in result]
    assert ours
    assert all("in Us" in result for result in ours)  # found once, by both
    assert any("in Liar" in result for result in results)
    assert "click me" not in answered.text
    assert "\u202e" not in answered.text
    assert SCRIPT in "".join(tree.itertext())


def test_a_mistake_in_the_list_of_portals_closes_nothing(portal, named):
    named.write_text("[[portal]]\nurl = 'nowhere'\n")
    for path in ("/", "/?q=hive"):
        text = portal.get(path).text
        assert "the url is the address of a collection" in text
        assert "bees" in text
        assert str(portal.folder) not in text


def test_other_portals_are_named_on_the_front_page(portal, named):
    named.write_text('[[portal]]\nname = "<b>Far</b>"\nurl = "https://far.example/c/bees"\n')
    tree = parsed(portal.get("/"))
    links = {one.attrib["href"]: one.text for one in tree.iter("a")}
    assert links["https://far.example/c/bees/search"] == "<b>Far</b>"


def test_a_damaged_collection_does_not_close_the_portal(workspace, tmp_path):
    folder = Path(copytree(workspace, tmp_path / "workspace"))
    (folder / "crawls" / "bees" / "crawl.db").write_bytes(b"no database")
    with served(folder, public=True) as portal:
        assert "hostile" in portal.get("/").text
        found = portal.get("/?q=bees")
        assert found.status == 200
        assert "in hostile" in " ".join("".join(parsed(found).itertext()).split())
        assert portal.get("/c/bees/search?q=x").status in (409, 503)
