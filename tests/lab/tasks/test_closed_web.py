"""The closed web: nothing leads out of it, nothing gives labels away, and what is remembered changes nothing."""

from pathlib import Path

import numpy as np
import pytest

from honeyguide.assembly import assemble
from honeyguide.fetch.replay import ReplayFetcher, open_recording
from honeyguide.lab.tasks.closed_web import NOWHERE, ClosedWeb, Guide
from honeyguide.lab.tasks.labels import INDEX
from honeyguide.lab.tasks.tasks import Task
from honeyguide.lab.trial import crawl_order, crawl_with, open_web
from honeyguide.store import open_reader
from honeyguide.strategies import STRATEGIES
from honeyguide.strategies.base import Strategy
from honeyguide.topics.keywords import KeywordTopic

REMEMBERED = [
    made for made in STRATEGIES if made.name in ("breadth-first", "soft-focus", "link-context", "hcla")
]


def crawled(folder: Path) -> list[tuple[str, float, int]]:
    reader = open_reader(folder)
    visits = [(visit.url, visit.relevance, visit.depth) for visit in reader.visits()]
    reader.close()
    return visits


@pytest.mark.parametrize("made", REMEMBERED, ids=lambda made: made.name)
def test_a_remembered_crawl_is_the_crawl_itself(
    made: type[Strategy], corpus: Path, task: Task, tmp_path: Path
) -> None:
    topic, order = KeywordTopic(task.words), crawl_order(task, 80, batch=1)
    guide = Guide(topic, ClosedWeb(corpus))
    crawl_with(order, tmp_path / "remembered", guide, made())
    (tmp_path / "plain").mkdir()
    with assemble(order, tmp_path / "plain", ReplayFetcher(open_recording(corpus)), topic, made()) as crawler:
        crawler.run()
    remembered, plain = crawled(tmp_path / "remembered"), crawled(tmp_path / "plain")
    assert len(remembered) == 80
    if made.name == "hcla":  # it counts links to pages that were never recorded, too
        assert [visit[1:] for visit in remembered[:30]] == [visit[1:] for visit in plain[:30]]
    else:
        assert remembered == plain


def test_links_stay_inside_and_redirects_lead_on(corpus: Path) -> None:
    web = ClosedWeb(corpus)
    some = web.urls[::20]
    for url in some:
        assert all(web.destination(target) != NOWHERE for target in web.parsed(url).links.urls)
    aliases = {target for url in some for target in web.parsed(url).links.urls if target not in web.numbers}
    assert aliases
    for alias in aliases:
        response = web.response(alias)
        assert response is not None
        assert web.destination(response.redirect or "") == web.destination(alias)
    assert web.response("http://nowhere.example/") is None
    assert web.graph.diagonal().sum() == 0


def test_a_strategy_is_given_what_it_needs_and_no_more(corpus: Path) -> None:
    web = ClosedWeb(corpus)
    page = web.page(web.urls[3], frozenset())
    assert (page.text, page.links.contexts) == ("", ())
    full = web.page(web.urls[3], frozenset({"text", "context"}))
    assert full.text
    assert len(full.links.contexts) == len(full.links.urls) == len(page.links.urls)


def test_similarities_are_cosines(corpus: Path) -> None:
    web = ClosedWeb(corpus)
    alone = web.similarities([web.urls[5]])
    assert alone[5] == pytest.approx(1.0)
    assert np.all((alone >= 0) & (alone <= 1 + 1e-12))
    assert not web.similarities([]).any()


def test_labels_choose_the_pages(corpus: Path) -> None:
    whole = ClosedWeb(corpus)
    bees = ClosedWeb(corpus, within="bees")
    others = ClosedWeb(corpus, without="bees")
    assert bees.urls
    assert sorted(bees.urls + others.urls) == sorted(whole.urls)
    assert all("bees" in bees.labels[url] for url in bees.urls)


def test_webs_of_one_corpus_are_kept_in_memory(corpus: Path, tmp_path: Path) -> None:
    web, part = open_web(corpus), open_web(corpus, "bees")
    assert open_web(corpus) is web
    assert open_web(corpus, "bees") is part
    (tmp_path / "pages.jsonl").write_text('{"url": "http://a.example/", "html": "<p>Bees"}')
    assert open_web(tmp_path).urls == ["http://a.example/"]
    assert open_web(corpus) is not web


def test_wikispeedia_names_no_subjects(shared: Path) -> None:
    web = ClosedWeb(shared / "corpora" / "wikispeedia", without=INDEX)
    for url in web.urls[::250]:
        page = web.parsed(url)
        assert "Related subjects" not in page.text
        assert not any("/wp/index/" in target for target in page.links.urls)


def test_webkb_is_as_its_readme_says(shared: Path) -> None:
    web = ClosedWeb(shared / "corpora" / "webkb", within="university:cornell")
    # 866 pages and 1,844 links; a few have urls that are no http(s).
    assert 850 <= len(web.urls) <= 866
    assert 1_800 <= web.graph.nnz <= 1_844
