"""Commands sent to a crawl that is killed again and again: each has happened exactly once in the end."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing

import honeyguide as hg
from honeyguide.sample_web.web import SampleWeb

WEB = SampleWeb(pages=3_000)
LIVES = 12
RUN = "import sys, honeyguide as hg; hg.Crawl.open(sys.argv[1]).run(pages=0)"


def test_each_is_obeyed_exactly_once_whenever_the_process_dies(tmp_path):
    topic = WEB.topic_names[0]
    settings = {"web.sample_pages": WEB.pages, "crawl.batch": 1}
    crawl = hg.Crawl.start(tmp_path / "crawl", WEB.description(topic), WEB.seeds(topic), settings=settings)
    dice, sent, killed = random.Random(7), [], 0
    for life in range(LIVES):
        process = subprocess.Popen([sys.executable, "-c", RUN, str(crawl.folder)], stderr=subprocess.PIPE)
        while not crawl.process and process.poll() is None:
            time.sleep(0.002)
        for number in range(4):
            url = f"http://seed-{life}-{number}.example/"
            sent.append(url)
            crawl.send(hg.AddSeeds(urls=[url]))
            crawl.send(hg.Label(url=url, relevant=True))
            time.sleep(dice.uniform(0, 0.06))
        process.kill()
        _, told = process.communicate()
        killed += process.returncode == -signal.SIGKILL
        assert process.returncode in (0, -signal.SIGKILL), told.decode()
    assert killed >= LIVES // 2
    hg.Crawl.open(crawl.folder).run(pages=crawl.status().pages + 1)
    assert all(post.receipt and not post.receipt.startswith(("failed", "refused")) for post in crawl.inbox())
    with closing(sqlite3.connect(crawl.folder / "crawl.db")) as db:
        labelled = Counter(url for (url,) in db.execute("SELECT url FROM labels"))
    assert labelled == Counter(sent)
    with crawl.reader() as reader:
        seeds = Counter(link.target for link in reader.links() if not link.source)
    assert {seeds[url] for url in sent} == {1}
