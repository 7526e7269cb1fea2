"""The same checks over `Crawl` and over `Client`: whoever reads a crawl need not know where it is."""

import inspect
import math
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from honeyguide.asking import Asking
from honeyguide.client import Client, RemoteCrawl, RemotePage
from honeyguide.commands import AddSeeds, Label, Pause
from honeyguide.crawls import Crawl
from honeyguide.errors import CrawlLocked, HoneyguideError, ServerError, SettingsError, StoreError
from honeyguide.searching import Searching
from honeyguide.steering import Steering
from honeyguide.teaching import Teaching
from tests.serve.conftest import PAGES, Served, wait_until
from tests.test_docs import blocks

WHERE = ["here", "there"]


@pytest.fixture(params=WHERE)
def crawl(request: pytest.FixtureRequest, reading: Served) -> Any:
    """A crawl that nobody changes."""
    return _opened(reading, request.param)


@pytest.fixture(params=WHERE)
def own(request: pytest.FixtureRequest, served: Served) -> Any:
    """A crawl that may be changed."""
    return _opened(served, request.param)


@pytest.fixture
def here(reading: Served) -> Crawl:
    return Crawl.open(reading.workspace.folder / "crawls" / "bees")


def _opened(served: Served, where: str) -> Any:
    if where == "here":
        return Crawl.open(served.workspace.folder / "crawls" / "bees")
    return Client(served.url, served.token).crawl("bees")


def known(page: Any) -> tuple[object, ...]:
    return page.visit, page.number, page.url, page.host, page.title, page.is_relevant, page.is_kept


def test_numbers(crawl: Any, here: Crawl) -> None:
    assert crawl.status() == here.status()
    assert crawl.status().pages == PAGES
    assert (crawl.threshold, crawl.process, crawl.order) == (here.threshold, None, here.order)
    assert crawl.url_policy == here.url_policy
    assert crawl.progress() == here.progress()


def test_pages_in_order(crawl: Any, here: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("honeyguide.client.server.AT_ONCE", 7)  # several parts
    assert [known(page) for page in crawl.visits()] == [known(page) for page in here.visits()]
    assert len(list(crawl.visits())) == PAGES
    assert [page.number for page in crawl.visits(since=30)] == list(range(31, PAGES + 1))
    relevant = [page.number for page in crawl.visits(relevant=True)]
    assert relevant == [page.number for page in here.visits(relevant=True)]
    assert 0 < len(relevant) < PAGES


def test_the_best_pages_and_hosts(crawl: Any, here: Crawl) -> None:
    assert [known(page) for page in crawl.top(5)] == [known(page) for page in here.top(5)]
    assert [known(page) for page in crawl.top(3, lists=True)] == [
        known(page) for page in here.top(3, lists=True)
    ]
    assert crawl.hosts(4) == here.hosts(4)
    assert crawl.sites(by="density") == here.sites(by="density")
    assert crawl.sites(2) == here.sites(2)
    assert crawl.changes("4w", 5) == here.changes("4w", 5) != []
    assert crawl.changes(here.status().last_time + 1.0) == []
    assert (crawl.top(0), crawl.hosts(0), crawl.sites(0)) == ([], [], [])


def test_one_page(crawl: Any, here: Crawl) -> None:
    best = here.top(1)[0]
    page = crawl.page(best.url.removeprefix("http://"))  # in any spelling
    assert known(page) == known(best)
    assert page.text() == crawl.text(best.url) == best.text() != ""
    assert page.html() == crawl.html(best.url) == best.html() != ""
    assert page.links() == crawl.links(best.url) == best.links() != []


def test_a_page_that_was_not_fetched(crawl: Any) -> None:
    url = "http://nowhere.example/"
    assert (crawl.page(url), crawl.text(url), crawl.html(url), crawl.links(url)) == (None, "", "", [])


def test_explanations(crawl: Any, here: Crawl) -> None:
    waiting = here.sql("select url from urls where status = 'queued' order by priority desc limit 1").rows[0][
        0
    ]
    for url in (here.top(1)[0].url, str(waiting), "http://nowhere.example/"):
        told = crawl.explain(url)
        assert str(told) == str(here.explain(url))
        for name in ("url", "status", "visit", "priority", "relevant_above", "standing"):
            assert getattr(told, name) == getattr(here.explain(url), name)
        assert list(told.path) == list(here.explain(url).path)
    best = here.sites(1)[0].site
    assert crawl.explain_site(best) == here.explain_site(best)
    assert str(crawl.explain_site(best)) == str(here.explain_site(best))
    assert crawl.explain_site("nowhere.example") is None


def test_what_was_learned_of_links(crawl: Any, here: Crawl) -> None:
    told, expected = crawl.learned(), here.learned()
    assert (told.summary, list(told.columns)) == (expected.summary, list(expected.columns))
    assert [[*map(_number, row)] for row in told.rows] == [[*map(_number, row)] for row in expected.rows]


def _number(number: float) -> float | None:
    return None if math.isnan(number) else number


def test_questions_in_sql(crawl: Any, here: Crawl) -> None:
    question = "select url, relevance, relevant, copy_of from pages order by relevance desc"
    assert crawl.sql(question, most_rows=3) == here.sql(question, most_rows=3)
    with pytest.raises(SettingsError, match="it may only be a SELECT"):
        crawl.sql("delete from main.visits")


def test_searching(crawl: Any, here: Crawl) -> None:
    pytest.importorskip("tantivy")
    crawl.index(rebuild=True)
    assert crawl.index() == 0
    found, expected = crawl.search("honey", most=5), here.search("honey", most=5)
    assert replace(found, seconds=0.0) == replace(expected, seconds=0.0)
    assert len(found.hits) == 5
    with pytest.raises(SettingsError, match="search knows no colour"):
        crawl.search("honey", colour="red")


def test_questions_to_people(crawl: Any, here: Crawl) -> None:
    for queue in ("best", "teach", "random"):
        assert [page.url for page in crawl.questions(5, queue)] == [
            page.url for page in here.questions(5, queue)
        ]


def test_as_a_table(crawl: Any, here: Crawl) -> None:
    pytest.importorskip("pyarrow")
    for what in ("visits", "links"):
        assert crawl.frame(what).to_pylist() == here.frame(what).to_pylist()


def test_labels_are_said_and_learned_from(own: Any) -> None:
    pages = [page.url for page in own.visits()]
    good = {page.url for page in own.visits(relevant=True)}
    assert (own.estimate(), own.revisions(), own.revision) == (None, [0], 0)
    for url in pages[:12]:
        own.label(url, url in good, note="ä", by="ann", asked="random")
    labels = own.labels()
    assert list(labels) == pages[:12]
    assert (labels[pages[0]].note, labels[pages[0]].by, labels[pages[0]].asked) == ("ä", "ann", "random")
    assert own.estimate().labelled == 12
    revision = own.learn()
    assert (revision.number, revision.report.relevant) == (1, len(good & {*pages[:12]}))
    assert own.revisions() == [0, 1]
    changed = own.compare(0, 1)
    assert (changed.kinds, changed.labelled, changed.sampled) == (("keywords", "revised"), 12, PAGES)
    assert (changed.labels[0].by, changed.labels[0].asked) == ("ann", "random")
    word = next(word for word, weight in revision.report.telling if weight > 0)
    assert own.strike([word]) == 2
    with pytest.raises(HoneyguideError, match="it has not learned 'xylophone'"):
        own.strike(["xylophone"])
    own.use_revision(1)
    assert 0 < len(changed.words) <= 20
    own.check_revision(1)
    own.use_revision(0)
    assert own.revision == 0
    for asked in (own.use_revision, own.check_revision, lambda number: own.compare(0, number)):
        with pytest.raises(SettingsError, match="there is no revision 7 of its topic; there are 0, 1"):
            asked(7)


def test_labels_are_taken_from_another_crawl(own: Any, tmp_path: Path) -> None:
    former = Crawl.open(shutil.copytree(own_folder(own), tmp_path / "former"))
    pages = [page.url for page in own.visits()]
    own.label(pages[0], True)
    for url in pages[1:3]:
        former.label(url, False, note="then", by="bert", asked="random")
    former.send(Label(url=pages[0].replace("http:", "https:"), relevant=False))
    former.label("http://nowhere.example/", True)
    assert own.take_labels(former) == 3
    assert own.take_labels(former) == 0
    labels = own.labels()
    assert labels[pages[0]].relevant, "what was said here stays"
    there = former.labels()[pages[1]]
    assert labels[pages[1]] == replace(there, asked="random elsewhere"), "with the time when it was said"
    assert own.estimate() is None, "random there is not random here"
    assert (len(labels), own.fetched_labels()) == (4, 3)


def test_many_labels_are_given_at_once(own: Any) -> None:
    given = [Label(url=f"http://a.example/{number}", relevant=True, by="ann") for number in range(1_001)]
    numbers = own.label_all(given)
    assert (len(numbers), numbers) == (1_001, sorted(numbers))
    assert [*own.labels()] == [one.url for one in given]
    with pytest.raises(SettingsError, match="'example' is no url"):
        own.label_all([Label(url="http://b.example/", relevant=True), Label(url="example", relevant=True)])
    assert len(own.labels()) == 1_001


def own_folder(crawl: Any) -> Path:
    """Where a crawl lies that is asked here or there."""
    return crawl.folder if isinstance(crawl, Crawl) else Path(crawl.order.output.folder)


def test_hubs_are_marked(own: Any) -> None:
    url = next(own.visits()).url
    assert own.hub_marks() == {}
    number = own.mark_hub(url.removeprefix("http://"), False, note="a list", by="ann")
    assert number > 0
    mark = own.hub_marks()[url]
    assert (mark.relevant, mark.note, mark.by, mark.of_hub) == (False, "a list", "ann", True)


def test_the_queue_is_looked_at(crawl: Any, here: Crawl) -> None:
    whole = crawl.queue()
    assert whole == here.queue()
    host = whole.by_host[0].host
    assert crawl.queue(match="*html*", most=3) == here.queue(match="*html*", most=3)
    assert crawl.queue(host=host, most=0) == here.queue(host=host, most=0)
    assert crawl.preview_steer(host) == here.preview_steer(host)
    assert crawl.preview_steer(host).urls == whole.by_host[0].urls > 0
    with pytest.raises(SettingsError, match="is no host"):
        crawl.preview_steer("no host")


def test_the_queue_is_steered(own: Any) -> None:
    assert own.rules() == []
    number = own.steer("exclude", "shop.example")
    assert [(rule.number, rule.action, rule.pattern, rule.is_waiting) for rule in own.rules()] == [
        (number, "exclude", "shop.example", True)
    ]
    assert own.unsteer(number) == number + 1
    with pytest.raises(SettingsError, match="is no host"):
        own.steer("raise", "no host")


def test_nothing_to_learn_from(own: Any) -> None:
    with pytest.raises(SettingsError, match="there is no label to learn from"):
        own.learn()


def test_commands_and_their_receipts(own: Any) -> None:
    number = own.send(AddSeeds(urls=("http://new.example/",)))
    post = own.inbox(since=number - 1)[0]
    assert (post.number, post.command, post.receipt) == (
        number, '{"kind":"add_seeds","urls":["http://new.example/"]}', None
    )  # fmt: skip
    assert own.answer(number, seconds=0.1) is None
    with pytest.raises(StoreError, match="no process is at work on it"):
        own.stop()


def test_a_crawl_is_begun_and_run(served: Served, here: Crawl) -> None:
    client = Client(served.url, served.token)
    settings = {"web.sample_pages": 300}
    crawl = client.start("more", here.order.topic.text, here.order.seeds.urls, settings=settings)
    assert client.crawls() == ["bees", "more"]
    assert crawl.status().pages == 0
    crawl.go_on(pages=20)
    assert wait_until(lambda: crawl.status().pages == 20 and crawl.process is None)
    with pytest.raises(StoreError, match="no process is at work on it"):
        crawl.send(Pause())
    with pytest.raises(SettingsError, match="max_pages"):
        crawl.go_on(settings={"limits.max_pages": "many"})


def test_what_goes_wrong_is_the_same_error(reading: Served) -> None:
    client = Client(reading.url, reading.token)
    with pytest.raises(StoreError, match="there is no crawl 'nope'"):
        client.crawl("nope")
    gone = RemoteCrawl(client, "nope")
    for asked in (gone.status, lambda: gone.text("http://a.example/"), lambda: list(gone.visits())):
        with pytest.raises(StoreError, match="there is no crawl 'nope'"):
            asked()
    with pytest.raises(ServerError, match="give the token"):
        Client(reading.url).crawls()
    with pytest.raises(ServerError, match="for an operator; the token is that of a reader"):
        Client(reading.url, reading.reader_token).crawls()
    with pytest.raises(SettingsError):
        client.crawl("bees").top(10**6)


def test_a_crawl_that_is_taken_cannot_be_started(served: Served) -> None:
    crawl = Client(served.url, served.token).crawl("bees")
    with Crawl.open(served.workspace.folder / "crawls" / "bees").take(), pytest.raises(CrawlLocked):
        crawl.go_on()


@pytest.mark.parametrize("url", ["127.0.0.1:8765", "ftp://a.example/", "", "http://"])
def test_a_server_has_a_url(url: str) -> None:
    with pytest.raises(SettingsError, match="is no url of a server"):
        Client(url)


def test_a_server_that_is_not_there_is_told() -> None:
    with closing(socket.socket()) as listening:
        listening.bind(("127.0.0.1", 0))  # and does not listen
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(ServerError, match="is `honeyguide serve` running there"):
            Client(url).crawls()


@pytest.fixture
def answering() -> Iterator[Callable[[bytes], str]]:
    """Servers that give every request one answer."""
    open_sockets: list[socket.socket] = []

    def serve(answer: bytes) -> str:
        listening = socket.create_server(("127.0.0.1", 0))
        open_sockets.append(listening)

        def talk() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                if answer:
                    connection.sendall(answer)
                else:
                    connection.recv(65536)

        threading.Thread(target=talk, daemon=True).start()
        return f"http://127.0.0.1:{listening.getsockname()[1]}"

    yield serve
    for listening in open_sockets:
        listening.close()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"HTTP/1.1 502 Bad\r\nContent-Length: 4\r\n\r\noops", "status 502; is it a server of honeyguide"),
        (b"HTTP/1.1 302 Found\r\nLocation: http://a.example/\r\nContent-Length: 0\r\n\r\n", "status 302"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\noops", "no JSON"),
        (
            b'HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{"status": {} }',
            "no .*CrawlStatus.* the same version",
        ),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "has no 'status'; is it of the same version"),
        (b"\x00\x01\x02\r\n\r\n", "cannot be asked"),
        (b"", "has not answered within 0.2 s"),
    ],
)
def test_strange_servers_are_told(answering: Callable[[bytes], str], answer: bytes, words: str) -> None:
    with pytest.raises(ServerError, match=words):
        RemoteCrawl(Client(answering(answer), timeout=0.2), "bees").status()


def test_an_answer_has_a_largest_size(reading: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    crawl = Client(reading.url, reading.token).crawl("bees")
    monkeypatch.setattr("honeyguide.client.server.MOST_BYTES", 1000)
    with pytest.raises(ServerError, match="ask for less at once"):
        list(crawl.visits())


NOT_MIRRORED = {
    "start": "`Client.start`: a crawl is begun by its server",
    "open": "`Client.crawl`",
    "run": "the process is the server's: `go_on` starts it, `status` follows it",
    "arun": "as `run`",
    "take": "the crawl's lock is its process's",
    "release": "as `take`",
    "judge_again": "as `run`: `learn` and `use_revision` have it done over there",
    "learn_itself": "as `run`: a crawl that is to learn by itself does so where it runs",
    "reader": "reads files",
    "find": "needs a reader; every call takes any spelling of a url",
    "indexer": "holds the index's files",
    "first_topic": "a model in memory",
    "topic": "a model in memory",
    "of_revision": "a model in memory",
}


def test_everything_public_is_mirrored_or_said_not_to_be() -> None:
    for kind in (Crawl, Teaching, Asking, Searching, Steering):
        for name in (name for name in dir(kind) if not name.startswith("_")):
            assert hasattr(RemoteCrawl, name) != (name in NOT_MIRRORED), f"Crawl.{name}"
    assert all(hasattr(Crawl, name) for name in NOT_MIRRORED)
    for page in (name for name in dir(RemotePage) if not name.startswith("_")):
        assert page in ("relevant", *dir(Crawl.page.__globals__["CrawledPage"]))


def test_mirrored_methods_take_the_same_arguments() -> None:
    left_out = {"on_progress", "fresh"}
    for name, method in inspect.getmembers(RemoteCrawl, inspect.isfunction):
        if name.startswith("_") or not hasattr(Crawl, name):
            continue
        ours = inspect.signature(method).parameters
        theirs = inspect.signature(getattr(Crawl, name)).parameters
        assert {**ours} == {key: value for key, value in theirs.items() if key not in left_out}, name


def test_the_page_on_the_client_can_be_followed(served: Served, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"url": served.url, "token": served.token}
    for code in blocks("docs/client.md", "python"):
        exec(code, names)
    assert f"{PAGES} pages, " in capsys.readouterr().out
    assert list(names["crawl"].labels()) == [names["best"].url]
    assert names["seen"] > 0
    assert wait_until(lambda: names["started"].status().pages == 20)


def test_a_workspace_is_no_path(reading: Served) -> None:
    for name in ("../bees", "..", "a/b", str(Path.home())):
        with pytest.raises((StoreError, SettingsError)):
            Client(reading.url, reading.token).crawl(name)
