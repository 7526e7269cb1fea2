"""Commands sent to a crawl that is killed again and again: each has happened exactly once in the end."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path

import pytest

import honeyguide as hg
from honeyguide.admission.rules import Rules
from honeyguide.model import Status
from honeyguide.sample_web.web import SampleWeb

WEB = SampleWeb(pages=3_000)
LIVES = 12
LIVING = """
import os, sys, honeyguide as hg, honeyguide.assembly, honeyguide.crawls
for folder in sys.stdin:
    pid = os.fork()
    if not pid:
        try:
            hg.Crawl.open(folder.rstrip("\\n")).run(pages=0)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(0)
    print(pid, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


@pytest.fixture
def crawl(tmp_path):
    topic = WEB.topic_names[0]
    settings = {"web.sample_pages": WEB.pages, "crawl.batch": 1}
    return hg.Crawl.start(tmp_path / "crawl", WEB.description(topic), WEB.seeds(topic), settings=settings)


def killed_while(crawl, send, lives):
    """Run the crawl again and again, sending commands meanwhile and killing it; in the end it answers what is left."""
    dice, codes = random.Random(7), []
    # Each life is forked by one process: Python's start would take far longer than the life itself.
    program = [sys.executable, "-c", LIVING]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as lives_giver:
        for life in range(lives):
            print(crawl.folder, file=lives_giver.stdin, flush=True)
            process = int(lives_giver.stdout.readline())
            while crawl.process != process and Path(f"/proc/{process}").exists():
                time.sleep(0.002)
            for number in range(4):
                send(life, number)
                time.sleep(dice.uniform(0, 0.06))
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            codes.append(int(lives_giver.stdout.readline()))
    assert set(codes) <= {0, -signal.SIGKILL}
    assert codes.count(-signal.SIGKILL) >= lives // 2
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
