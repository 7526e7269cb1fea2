"""Questions in SQL to a crawl of a million urls and a million links: processor time of the process that answers.

Figures: seconds of a question that needs nothing unpacked, of links counted, of the neighbors of good pages that were
not fetched, and of the whole queue put in order.
"""

from __future__ import annotations

import resource
import tempfile
from pathlib import Path

from benchmarks._figures import figure
from benchmarks.status import Filled
from honeyguide.crawls import Crawl

LINKS_A_PAGE, LINKS = 10, 1_000_000
QUESTIONS = {
    "pages": "select count(*), sum(relevant) from pages",
    "links": "select count(*) from links",
    "neighbors": "select l.target_id, count(*) from links l join pages p on p.id = l.source_id where p.relevant"
    " and not exists (select 1 from pages q where q.id = l.target_id) group by 1 order by 2 desc limit 10",
    "queue": "select url, priority from urls where status = 'queued' order by priority desc limit 10",
}


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "crawl"
        settings = {"web.sample_pages": 100}
        crawl = Crawl.start(folder, "beekeeping and honey", ["http://h0.example/"], settings=settings)
        Filled(folder, visits=LINKS // LINKS_A_PAGE).close()
        for question, text in QUESTIONS.items():
            before = _children_seconds()
            answer = crawl.sql(text, seconds=600)
            figure(f"sql_{question}_cpu", _children_seconds() - before, "s")
            if question == "links":
                assert answer.rows == ((LINKS,),)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
