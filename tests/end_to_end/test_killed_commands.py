"""Commands sent to a crawl that is killed again and again: each has happened exactly once in the end."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing

import pytest

import honeyguide as hg
from honeyguide.admission.rules import Rules
from honeyguide.model import Status
from honeyguide.sample_web.web import SampleWeb

WEB = SampleWeb(pages=3_000)
LIVES = 12
RUN = "import sys, honeyguide as hg; hg.Crawl.open(sys.argv[1]).run(pages=0)"


@pytest.fixture
def crawl(tmp_path):
    topic = WEB.topic_names[0]
    settings = {"web.sample_pages": WEB.pages, "crawl.batch": 1}
    return hg.Crawl.start(tmp_path / "crawl", WEB.description(topic), WEB.seeds(topic), settings=settings)


def killed_while(crawl, send, lives):
    """Run the crawl again and again, sending commands meanwhile and killing it; in the end it answers what is left."""
    dice, killed = random.Random(7), 0
    for life in range(lives):
        process = subprocess.Popen([sys.executable, "-c", RUN, str(crawl.folder)], stderr=subprocess.PIPE)
        while not crawl.process and process.poll() is None:
            time.sleep(0.002)
        for number in range(4):
            send(life, number)
            time.sleep(dice.uniform(0, 0.06))
        process.kill()
        _, told = process.communicate()
        killed += process.returncode == -signal.SIGKILL
        assert process.returncode in (0, -signal.SIGKILL), told.decode()
    assert killed >= lives // 2
    hg.Crawl.open(crawl.folder).run(pages=crawl.status().pages + 1)


def test_each_is_obeyed_exactly_once_whenever_the_process_dies(crawl):
    sent = []

    def send(life, number):
        url = f"http://seed-{life}-{number}.example/"
        sent.append(url)
        crawl.send(hg.AddSeeds(urls=[url]))
        crawl.send(hg.Label(url=url, relevant=True))

    killed_while(crawl, send, LIVES)
    assert all(post.receipt and not post.receipt.startswith(("failed", "refused")) for post in crawl.inbox())
    with closing(sqlite3.connect(crawl.folder / "crawl.db")) as db:
        labelled = Counter(url for (url,) in db.execute("SELECT url FROM labels"))
    assert labelled == Counter(sent)
    with crawl.reader() as reader:
        seeds = Counter(link.target for link in reader.links() if not link.source)
    assert {seeds[url] for url in sent} == {1}


def test_the_queue_is_steered_by_the_rules_in_force_whenever_the_process_dies(crawl):
    crawl.run(pages=50)
    hosts = [share.host for share in crawl.queue().by_host]
    actions, begun = ("exclude", "raise", "lower", "exclude"), []

    def send(life, number):
        pattern = hosts[len(begun) % len(hosts)] if number % 2 else f"*{len(begun) % 10}.html"
        begun.append(crawl.steer(actions[number], pattern))
        if number == 3:
            crawl.unsteer(begun[-3])

    killed_while(crawl, send, 5)
    assert all(post.receipt and not post.receipt.startswith(("failed", "refused")) for post in crawl.inbox())
    rules = crawl.rules()
    assert [rule.number for rule in rules] == [number for place, number in enumerate(begun) if place % 4 != 1]
    with crawl.reader() as reader:
        queued = reader.queued()
        urls = reader.url_rows(range(1, len(queued.host)))
    decide = Rules(rules)
    decided = [decide.decide(row.url, row.host) for row in urls]
    assert queued.rule[1:].tolist() == decided
    assert any(decided)
    waits = queued.status[1:] == Status.QUEUED
    assert waits.any()
    assert not (waits & decide.excluded(queued.rule[1:])).any()
