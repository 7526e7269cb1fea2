"""The first run, as somebody lives it whose seeds bring nothing: every command that is advised works as written."""

import re
import shlex
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from honeyguide.sample_web.web import SampleWeb
from honeyguide.store.lock import lock
from tests.cli.conftest import Cli
from tests.cli.test_crawl import BEES, pages_in

OWN = "fetch.allow_networks=['127.0.0.0/8']"
HASTE = (
    *("--set", "politeness.delay_seconds=0", "--set", "limits.max_seconds=20", "--pages", 2),
    *("--set", "fetch.workers=0"),  # to start a process that reads takes longer than to read two pages
)


class Bees(BaseHTTPRequestHandler):
    """Two pages on bees, a redirect to one of them, and whatever robots.txt the test wants."""

    robots = ""

    def do_GET(self) -> None:
        """Answer."""
        found = {
            "/robots.txt": self.robots,
            "/": '<title>Bees</title><p>Honey bees. <a href="/hives">hives</a>',
            "/hives": "<title>Hives</title><p>Bees live in hives.",
        }.get(self.path)
        self.send_response(302 if self.path == "/moved" else 404 if found is None else 200)
        if self.path == "/moved":
            self.send_header("Location", "/none")
        body = (found or "").encode()
        self.send_header("Content-Type", "text/plain" if self.path == "/robots.txt" else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - named so by its class
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    """A host of our own."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Bees) as served:
        thread = threading.Thread(target=served.serve_forever, args=(0.02,))
        thread.start()
        yield served
        served.shutdown()
        thread.join()
    Bees.robots = ""


def at(server: ThreadingHTTPServer, path: str = "/") -> str:
    return f"http://127.0.0.1:{server.server_port}{path}"


def advised(message: str, verb: str) -> list[str]:
    """The arguments of the command between backticks that has this verb."""
    (found,) = re.findall(f"`honeyguide ({verb} [^`]*)`", message)
    return shlex.split(found)


def test_the_command_advised_for_a_host_of_ones_own_crawls_it(
    cli: Cli, server: ThreadingHTTPServer, tmp_path: Path
) -> None:
    folder = tmp_path / "my bees"
    first = cli("crawl", "--topic", "bees", "--seed", at(server), "--folder", folder, *HASTE)
    assert first.exit_code == 6
    assert "no page was fetched: AddressForbidden: 127.0.0.1 " in first.stderr
    again = cli(*advised(first.stderr, "resume"))
    assert (again.exit_code, again.stderr) == (0, "")
    assert pages_in(folder) == 2


def test_networks_that_are_allowed_already_stay_so(
    cli: Cli, server: ThreadingHTTPServer, tmp_path: Path
) -> None:
    order = ("--topic", "bees", "--seed", at(server), "--folder", tmp_path / "bees", *HASTE)
    first = cli("crawl", *order, "--set", "fetch.allow_networks=['10.1.2.0/24']")
    assert advised(first.stderr, "resume")[-1] == 'fetch.allow_networks=["10.1.2.0/24", "127.0.0.0/8"]'


def test_the_same_command_with_the_setting_added_starts_anew(
    cli: Cli, server: ThreadingHTTPServer, tmp_path: Path
) -> None:
    order = ("crawl", "--topic", "bees", "--seed", at(server), "--folder", tmp_path / "bees", *HASTE)
    assert cli(*order).exit_code == 6
    assert cli(*order, "--set", OWN).exit_code == 0
    assert pages_in(tmp_path / "bees") == 2
    refused = cli(*order, "--set", OWN)
    assert refused.exit_code == 2
    assert "already holds a crawl" in refused.stderr
    assert pages_in(tmp_path / "bees") == 2


@pytest.mark.parametrize(
    ("seed", "robots", "code", "words"),
    [
        (
            "/none",
            "",
            6,
            "no page was fetched: HttpStatusError: HTTP status 404; is the list of seeds right?",
        ),
        (
            "/moved",
            "",
            6,
            "no page was fetched: HttpStatusError: HTTP status 404; is the list of seeds right?",
        ),
        ("/", "User-agent: *\nDisallow: /", 5, "no page was fetched: RobotsDenied: "),
        (
            "/",
            "User-agent: *\nCrawl-delay: 9000",
            5,
            "no page was fetched: RobotsDenied: ",
        ),
    ],
)
def test_seeds_that_fail_for_another_reason_can_be_changed(
    seed: str, robots: str, code: int, words: str, cli: Cli, server: ThreadingHTTPServer, tmp_path: Path
) -> None:
    Bees.robots = robots
    skipping = ("--set", "politeness.longer_delays=skip", "--set", OWN)
    order = ("crawl", "--topic", "bees", "--folder", tmp_path / "bees", *HASTE, *skipping)
    first = cli(*order, "--seed", at(server, seed))
    assert (first.exit_code, words in first.stderr) == (code, True), first.stderr
    assert "`honeyguide crawl` again" in first.stderr
    assert "error" in cli(*advised(first.stderr, "export")).stdout
    second = cli("resume", tmp_path / "bees")
    assert (second.exit_code in (5, 6), words in second.stderr) == (True, True), "told as often as it is so"
    Bees.robots = ""
    third = cli(*order, "--seed", at(server))
    assert third.exit_code == 0
    assert pages_in(tmp_path / "bees") == 2


def test_robots_that_forbid_everything_are_told_quietly_too(
    cli: Cli, server: ThreadingHTTPServer, tmp_path: Path
) -> None:
    Bees.robots = "User-agent: *\nDisallow: /"
    order = ("crawl", "--topic", "bees", "--seed", at(server), "--folder", tmp_path / "bees", "--set", OWN)
    result = cli(*order, "--quiet")
    assert (result.exit_code, result.stdout) == (5, "")
    assert result.stderr.startswith("error: robots_blocked_all: the robots.txt of every host asked forbids")


def test_hosts_too_slow_for_a_crawl_are_asked_when_it_takes_its_time(
    cli: Cli, server: ThreadingHTTPServer, tmp_path: Path
) -> None:
    Bees.robots = "User-agent: *\nCrawl-delay: 9"
    slow = ("--set", "politeness.longer_delays=skip", "--set", "politeness.max_delay_seconds=1", "--set", OWN)
    order = ("crawl", "--topic", "bees", "--seed", at(server), "--folder", tmp_path / "bees", *HASTE, *slow)
    assert cli(*order).exit_code == 5
    again = cli("resume", tmp_path / "bees", "--set", "politeness.longer_delays=shorten")
    assert (again.exit_code, pages_in(tmp_path / "bees")) == (0, 2), again.output


def test_a_host_that_is_not_there_yet(cli: Cli, server: ThreadingHTTPServer, tmp_path: Path) -> None:
    order = ("crawl", "--topic", "bees", "--folder", tmp_path / "bees", *HASTE, "--set", OWN)
    for nobody in ("http://127.0.0.1:9/", "http://nowhere.invalid/"):
        contact = ("--contact", "me@example.org", "--set", "limits.max_seconds=1")
        first = cli(*order[:-6], "--pages", 2, "--seed", nobody, "--set", OWN, *contact)
        assert first.exit_code == 6
        assert "no page was fetched: HostUnreachable: " in first.stderr
        assert advised(first.stderr, "resume") == ["resume", str(tmp_path / "bees")]
    assert cli(*order, "--seed", at(server)).exit_code == 0
    assert pages_in(tmp_path / "bees") == 2


def test_only_the_addresses_of_seeds_are_ever_advised(
    cli: Cli, server: ThreadingHTTPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that redirects to an inner address must not talk anybody into asking it."""
    monkeypatch.setattr(Bees, "robots", "")
    inner = "http://169.254.169.254/latest"
    original = Bees.send_header
    monkeypatch.setattr(
        Bees,
        "send_header",
        lambda self, name, value: original(self, name, inner if name == "Location" else value),
    )
    result = cli(
        *("crawl", "--topic", "bees", "--seed", at(server, "/moved"), "--folder", tmp_path / "bees"),
        *("--set", OWN, *HASTE),
    )
    assert result.exit_code == 6
    assert "AddressForbidden: 169.254.169.254" in result.stderr
    assert "--set" not in result.stderr


def test_what_somebody_else_put_there_is_never_removed(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bees"
    order = ("crawl", "--topic", "bees", "--recording", corpus, "--folder", folder)
    assert cli(*order, "--seed", "http://none.example/").exit_code == 6
    before = names_in(folder)
    (folder / "notes.txt").write_text("mine")
    result = cli(*order, "--seed", "http://bees.example/")
    assert result.exit_code == 2
    assert "holds other files (notes.txt ...)" in result.stderr
    assert names_in(folder) == {*before, "notes.txt"}
    (folder / "notes.txt").rename(folder / "archive" / "notes.txt")
    assert "holds other files (notes.txt ...)" in cli(*order, "--seed", "http://bees.example/").stderr
    assert names_in(folder) == before
    (folder / "archive" / "notes.txt").unlink()
    assert cli(*order, "--seed", "http://bees.example/").exit_code == 0


def names_in(folder: Path) -> set[str]:
    """What a crawl is made of, without what SQLite puts beside a database that is being read."""
    return {path.name for path in folder.iterdir()} - {"crawl.db-wal", "crawl.db-shm"}


def test_a_crawl_that_another_process_has_open_does_not_make_way(
    cli: Cli, corpus: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "bees"
    order = ("crawl", "--topic", "bees", "--recording", corpus, "--folder", folder)
    assert cli(*order, "--seed", "http://none.example/").exit_code == 6
    with lock(folder):
        result = cli(*order, "--seed", "http://bees.example/")
    assert result.exit_code == 2
    assert "is in use by process" in result.stderr
    assert pages_in(folder) == 0


def test_a_wrong_order_does_not_remove_what_is_there(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bees"
    order = ("crawl", *BEES, "--folder", folder)
    assert cli(*order, "--recording", corpus, "--set", "scope.deny_hosts=['bees.example']").exit_code == 6
    assert cli(*order, "--recording", tmp_path / "nowhere").exit_code == 2
    assert cli("status", folder).exit_code == 0


def test_a_time_limit_before_the_first_page(cli: Cli, tmp_path: Path) -> None:
    result = cli(
        *(
            "crawl",
            "--topic",
            "bees",
            "--seed",
            SampleWeb(pages=100).url(0),
            "--folder",
            tmp_path / "bees",
            "-q",
        ),
        *("--set", "web.sample_pages=100", "--set", "limits.max_seconds=0.000001"),
    )
    assert result.exit_code == 6
    assert result.stderr.startswith("warning: no page was fetched: none has arrived yet; ")
    assert advised(result.stderr, "resume") == ["resume", str(tmp_path / "bees")]
