"""Processes that read pages: they die and hang, and only the page that made them do so is given up."""

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from honeyguide.assembly import assemble
from honeyguide.engine.arrival import Arrival
from honeyguide.engine.prepare import Around, Prepared, Preparer
from honeyguide.engine.reading import LARGE_BYTES, Reading
from honeyguide.engine.running import StopReason
from honeyguide.engine.worker import Worker
from honeyguide.errors import StoreError
from honeyguide.fetch.base import Fetcher
from honeyguide.making import make_strategy
from honeyguide.model import Response, Status
from honeyguide.settings import CrawlOrder
from honeyguide.store import open_reader
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.urls import UrlPolicy

HTML = {"content-type": "text/html; charset=utf-8"}
HOSTS = 6
LONG_SECONDS = 60.0  # far more than any test here takes, so that a hang is noticed at all
SOON = {"limits.max_parse_seconds": 3.0}  # a page of a busy machine shall not look like one that hangs
PAGES = {f"http://h{n}.example/{m}": f"<p>bees {n} {m}</p>" for n in range(HOSTS) for m in range(5)}


class FragileTopic(KeywordTopic):
    """Does what a page says, as a parser with a bug would."""

    def classify(self, texts):
        for text in texts:
            if "DIE" in text:
                os.kill(os.getpid(), signal.SIGKILL)
            while "HANG" in text:
                time.sleep(0.01)
            while "SPIN" in text:
                pass
            if "FILL" in text:
                bytearray(1 << 34)
            if "ONCE" in text and _is_first(text.partition("ONCE ")[2].split()[0]):
                os.kill(os.getpid(), signal.SIGKILL)
        return super().classify(texts)


def _is_first(marker):
    try:
        Path(marker).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def test_what_is_packed_stays_with_the_archive():
    sent = Response("http://a.example/", 200, b"bees", HTML, "192.0.2.7", b"GET", 0.5, packed=b"packed")
    received = pickle.loads(pickle.dumps(sent))
    assert (received, received.packed) == (sent, b"")


class Web(Fetcher):
    is_live = True

    def __init__(self, pages):
        self.pages = pages

    async def fetch(self, url, validators=None):
        return Response(url, 200, self.pages[url].encode(), HTML)

    async def close(self):
        pass


def order(**more):
    settings = {
        "topic.text": "bees",
        "strategy.name": "breadth-first",
        "fetch.workers": 1,
        "limits.max_parse_seconds": LONG_SECONDS,
        "politeness.delay_seconds": 0.0,
        "scope.starve_host_after": 0,
    }
    return CrawlOrder().with_overrides({**settings, **more})


def crawl(folder, pages, act=lambda crawler: None, **more):
    """Crawl to the end; gives the reason, what was visited, and why other pages failed."""
    own = order(**{"seeds.urls": list(pages), **more})
    with assemble(own, folder, Web(pages), FragileTopic("bees"), make_strategy(own)) as crawler:
        act(crawler)
        reason = crawler.run()
    reader = open_reader(folder)
    visited = sorted(visit.url for visit in reader.visits())
    failed = {failure.url: (failure.error, failure.message) for failure in reader.failures()}
    reader.close()
    return reason, visited, failed


def with_page(text):
    return {**PAGES, "http://h0.example/bad": f"<p>bees {text} </p>"}


def test_a_page_that_kills_its_reader_each_time_is_given_up_alone(tmp_path):
    reason, visited, failed = crawl(tmp_path, with_page("DIE"))
    assert (reason, visited) == (StopReason.FRONTIER_EMPTY, sorted(PAGES))
    assert failed == {"http://h0.example/bad": ("Unreadable", "the process that parsed it died")}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux")
def test_a_page_that_fills_all_memory_is_given_up_alone(tmp_path):
    reason, visited, failed = crawl(tmp_path, with_page("FILL"))
    assert (reason, visited) == (StopReason.FRONTIER_EMPTY, sorted(PAGES))
    ((error, message),) = failed.values()
    assert (error, "MemoryError" in message) == ("Unreadable", True)


def test_a_page_that_takes_for_ever_is_given_up_alone(tmp_path):
    reason, visited, failed = crawl(tmp_path, with_page("HANG"), **SOON)
    assert (reason, visited) == (StopReason.FRONTIER_EMPTY, sorted(PAGES))
    ((error, message),) = failed.values()
    assert error == "Unreadable"
    assert "limits.max_parse_seconds" in message


def test_a_reader_that_dies_once_costs_no_page(tmp_path):
    pages = with_page(f"ONCE {tmp_path / 'marker'}")
    reason, visited, failed = crawl(tmp_path / "crawl", pages)
    assert (reason, visited, failed) == (StopReason.FRONTIER_EMPTY, sorted(pages), {})
    assert (tmp_path / "marker").exists()


@pytest.mark.slow
def test_pages_are_given_up_one_by_one_where_several_are_bad(tmp_path):
    bad = {f"http://h{n}.example/bad": f"<p>bees {'DIE' if n % 2 else 'HANG'}</p>" for n in range(4)}
    reason, visited, failed = crawl(tmp_path, {**PAGES, **bad}, **SOON)
    assert (reason, visited, set(failed)) == (StopReason.FRONTIER_EMPTY, sorted(PAGES), set(bad))


@pytest.mark.slow
def test_answers_belong_to_their_pages_whatever_happens_to_other_batches():
    """Batches are sent ahead, also while another one is read page by page because of what is in it."""

    def page(batch, number, bad=""):
        body = f"<title>{batch} {number}</title><p>bees {bad}</p>"
        return Response(f"http://h.example/{batch}/{number}", 200, body.encode(), HTML)

    bad = {(0, 1): "DIE", (2, 0): "HANG", (2, 2): "DIE", (5, 3): "DIE"}
    batches = [[page(b, n, bad.get((b, n), "")) for n in range(b % 3 + 2)] for b in range(8)]

    async def read():
        preparer = Preparer(FragileTopic("bees"), UrlPolicy(), frozenset(), 100, is_live=True)
        worker = Worker(preparer, page_seconds=3.0)

        async def later(batch, responses):
            await asyncio.sleep(0.3 * batch)  # some while others are read page by page
            return await worker.prepare(responses)

        try:
            await worker.prepare([page(9, 9)])  # until it has started
            return await asyncio.gather(*(later(b, responses) for b, responses in enumerate(batches)))
        finally:
            worker.close()

    for batch, outcomes in enumerate(asyncio.run(read())):
        found = [one.parsed.title if isinstance(one, Prepared) else "" for one in outcomes]
        number_of_pages = range(batch % 3 + 2)
        assert found == ["" if (batch, n) in bad else f"{batch} {n}" for n in number_of_pages]


def test_words_around_links_come_back_as_numbers_unless_somebody_needs_the_words():
    body = (
        "<p>about bees: <a href=/b>hives</a> and then ten other words that say nothing of all that is near it"
    )
    body += " <a href=/c>trains</a>"
    page = Response("http://h.example/a", 200, body.encode(), HTML)
    topic = KeywordTopic("bees")

    async def read(need, around):
        worker = Worker(Preparer(topic, UrlPolicy(), frozenset({need}), 100, is_live=True), LONG_SECONDS)
        try:
            (read,) = await worker.prepare([page], around)
            return read.parsed.links
        finally:
            worker.close()

    words = asyncio.run(read("context relevance", Around.WORDS))
    numbers = asyncio.run(read("context relevance", Around.NUMBERS))
    asked = asyncio.run(read("context", Around.NUMBERS))
    assert words.around is None
    assert list(asked.contexts) == list(words.contexts)
    assert ["bees" in context for context in words.contexts] == [True, False]
    assert list(numbers.contexts) == []
    assert numbers.around.tolist() == topic.judge(list(words.contexts)).tolist()
    assert numbers.around[0] > numbers.around[1] == 0


def test_small_pages_do_not_wait_for_all_large_ones():
    reading = Reading(None, workers=0, page_seconds=1.0)
    sizes = [LARGE_BYTES + 1] * 3 + [10] * 2
    arrivals = [Arrival(n, "", "", Response("", 200, bytes(size)), 0.0) for n, size in enumerate(sizes)]
    batches = []
    while arrivals:
        batches.append([arrival.url_id for arrival in reading.next_batch(arrivals)])
    assert batches == [[0], [3, 4], [1], [2]]


def test_a_stop_does_not_wait_for_a_page_that_takes_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr("honeyguide.engine.running.STOP_SECONDS", 0.5)

    def stop_soon(crawler):
        threading.Timer(1.0, crawler.stop).start()

    pages = {"http://h0.example/bad": "<p>bees HANG</p>"}
    reason, visited, failed = crawl(tmp_path, pages, stop_soon, **{"limits.max_parse_seconds": 1000.0})
    assert (reason, visited, failed) == (StopReason.STOPPED_BY_USER, [], {})
    reader = open_reader(tmp_path)
    assert reader.state().urls["status"][1] == Status.QUEUED  # nothing is held against it
    reader.close()


def test_a_time_limit_holds_while_a_page_takes_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr("honeyguide.engine.running.STOP_SECONDS", 0.5)
    more = {"limits.max_parse_seconds": 1000.0, "limits.max_seconds": 1.0}
    assert crawl(tmp_path, with_page("HANG"), **more)[0] == StopReason.TIME_LIMIT


def start_elsewhere(folder, text):
    """The same crawl in a process with a group of its own, which tells where its reader is."""
    command = [sys.executable, "-m", __name__, str(folder), text]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, process_group=0)
    return process, int(process.stdout.readline())


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def until(holds):
    deadline = time.monotonic() + LONG_SECONDS
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)
    return holds()


@pytest.mark.skipif(not Path("/proc").exists(), reason="asks /proc which processes are alive")
def test_a_busy_reader_dies_with_a_crawl_that_is_killed(tmp_path):
    process, reader = start_elsewhere(tmp_path, "SPIN")
    with process:
        time.sleep(1.0)  # until it is busy
        assert is_alive(reader)
        process.kill()
    assert until(lambda: not is_alive(reader))


def test_sigterm_to_all_processes_is_a_graceful_stop(tmp_path):
    process, _ = start_elsewhere(tmp_path, "ENDLESS")
    with process:
        assert until(lambda: has_pages(tmp_path))
        os.killpg(process.pid, signal.SIGTERM)
        said = process.stdout.read()
    assert (process.returncode, said.split()) == (0, ["stopped_by_user"])


def has_pages(folder):
    try:
        with open_reader(folder) as reader:
            return reader.numbers(0.5).pages > 0
    except StoreError:  # it is about to be made
        return False


class EndlessWeb(Web):
    """Every page leads to another."""

    async def fetch(self, url, validators=None):
        number = int(url.rpartition("/")[2])
        body = f'<p>bees {self.pages}</p><a href="/{number + 1}">bees</a>'
        return Response(url, 200, body.encode(), HTML)


def crawl_here(folder, text):
    """What `start_elsewhere` starts."""
    from honeyguide.cli.running import stop_on_signals
    from tests.engine.test_worker import FragileTopic  # its reader must find it under this name

    own = order(
        **{"seeds.urls": ["http://h0.example/0"], "limits.max_pages": 0, "limits.max_parse_seconds": 1000.0}
    )
    with assemble(own, folder, EndlessWeb(text), FragileTopic("bees"), make_strategy(own)) as crawler:
        threading.Thread(target=tell_reader, daemon=True).start()
        with stop_on_signals(crawler.stop):
            reason = crawler.run()
    print(reason)


def tell_reader():
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    while not (found := children.read_text().split()):
        time.sleep(0.01)
    print(found[0], flush=True)


if __name__ == "__main__":
    crawl_here(Path(sys.argv[1]), sys.argv[2])
