"""Pages that are fetched again: what is counted, what their links are, and what a strategy sees of the change."""

from collections import Counter

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.assembly import assemble
from honeyguide.engine.running import StopReason
from honeyguide.errors import HttpStatusError
from honeyguide.fetch.base import NEVER_SEEN, Fetcher
from honeyguide.model import Explanation, Priorities, Response, Status
from honeyguide.settings import CrawlOrder
from honeyguide.store import open_reader
from honeyguide.strategies.soft_focus import SoftFocus
from honeyguide.topics.keywords import KeywordTopic

HOST = "http://a.example"


class ChangingWeb(Fetcher):
    """A recorded web: `versions["/x"]` are the links of page x, one string for each time it is asked for.

    A page that is asked for more often stays as it was last; None is a page that is not there.
    """

    def __init__(self, versions):
        self._versions = versions
        self.asked = Counter()

    async def fetch(self, url, validators=NEVER_SEEN):
        path = url.removeprefix(HOST)
        versions = self._versions[path]
        links = versions[min(self.asked[path], len(versions) - 1)]
        self.asked[path] += 1
        if links is None:
            raise HttpStatusError(404)
        if links.startswith("->"):
            return Response(url, 301, b"", {"location": links[2:]})
        made = " ".join(f'<a href="/{name}">bees {name}</a>' for name in links)
        body = f"<title>{path}</title><p>bees in version {self.asked[path]}</p>{made}"
        return Response(url, 200, body.encode(), {"content-type": "text/html"})

    async def close(self):
        pass


class Noting(SoftFocus):
    """Soft focus that asks for some pages again when nothing is left, so many times, and notes what it sees."""

    name = "noting"

    def __init__(self, again, times):
        super().__init__()
        self.again = again
        self.times = times
        self.seen = []
        self.fetched = []

    def prioritize(self, pages, crawl):
        self.seen += [
            (page.url.removeprefix(HOST), page.is_revisit, page.added.tolist(), page.removed.tolist())
            for page in pages
            if page.url
        ]
        return super().prioritize(pages, crawl)

    def refresh(self, crawl):
        if not self.times:
            return Priorities.none()
        self.times -= 1
        ids = np.array(self.again, dtype=np.int32)
        self.fetched.append(crawl.pages_fetched)
        return Priorities(ids, np.ones(len(ids)), revisit=True)

    def explain(self, url_id, crawl):
        return Explanation("again")


def crawl(folder, versions, strategy, **limits):
    order = CrawlOrder().with_overrides(
        {
            "topic.text": "bees",
            "seeds.urls": [f"{HOST}/"],
            "crawl.batch": 2,
            "output.archive": False,
            **{f"limits.{name}": value for name, value in limits.items()},
        }
    )
    web = ChangingWeb(versions)
    with assemble(order, folder, web, KeywordTopic("bees"), strategy) as engine:
        return engine.run(), engine.progress(), web


SIX = {"/": ["abcde"], **{f"/{name}": [""] for name in "abcde"}}


def test_a_page_counts_once_and_every_request_counts(tmp_path):
    strategy = Noting(range(1, 7), times=2)
    reason, progress, web = crawl(tmp_path / "crawl", SIX, strategy)
    assert reason == StopReason.FRONTIER_EMPTY
    assert (progress.pages, progress.requests, sum(web.asked.values())) == (6, 18, 18)
    assert strategy.fetched == [6, 6]
    with open_reader(tmp_path / "crawl") as reader:
        numbers, visits = reader.numbers(0.0), list(reader.visits())
        assert len(list(reader.best())) == 6
    assert (numbers.pages, numbers.relevant, numbers.requests) == (6, 6, 18)
    assert numbers.urls_by_status[Status.FETCHED] == 6
    assert numbers.mean_relevance == pytest.approx(np.mean([visit.relevance for visit in visits[-6:]]))
    assert [visit.is_revisit for visit in visits] == [False] * 6 + [True] * 12
    assert len((tmp_path / "crawl" / "harvest.log").read_text().splitlines()) == 1  # a line for 10 pages


def test_revisits_use_up_no_page_limit_but_that_of_requests(tmp_path):
    reason, progress, _ = crawl(tmp_path / "pages", SIX, Noting([1], times=99), max_pages=7, max_requests=20)
    assert (reason, progress.pages, progress.requests) == (StopReason.REQUEST_LIMIT, 6, 20)


def test_distilled_counts_the_hubs_that_it_visits_again_once(tmp_path):
    """It had counted eleven pages of six urls."""
    settings = {"every": 1, "growth": 0.0, "hubs": 5, "revisits": 5, "top_share": 1.0, "between_sites": False}
    web = {"/": ["abcde"], "/a": ["bcde"], "/b": ["acde"], "/c": ["abde"], "/d": ["abce"], "/e": ["abcd"]}
    order = CrawlOrder().with_overrides(
        {"topic.text": "bees", "seeds.urls": [f"{HOST}/"], "crawl.batch": 2, "output.archive": False}
    )
    strategy = hg.plugins.find_plugin("strategies", "distilled", hg.strategies.STRATEGIES)(**settings)
    fetcher = ChangingWeb(web)
    with assemble(order, tmp_path / "crawl", fetcher, KeywordTopic("bees"), strategy) as engine:
        engine.run()
        progress = engine.progress()
    assert (progress.pages, progress.requests) == (6, sum(fetcher.asked.values()))
    assert progress.requests > 6
    with open_reader(tmp_path / "crawl") as reader:
        assert reader.numbers(0.0).pages == 6


def test_a_strategy_sees_what_links_have_changed(tmp_path):
    versions = {"/": ["ab", "bc"], "/a": [""], "/b": [""], "/c": [""]}
    strategy = Noting([1], times=1)
    crawl(tmp_path / "crawl", versions, strategy)
    with open_reader(tmp_path / "crawl") as reader:
        ids = {name: reader.find_url(f"{HOST}/{name}") for name in "abc"}
        links = [(link.source, link.target) for link in reader.links() if link.source]
        state = reader.state()
    assert [seen for seen in strategy.seen if seen[0] == "/"] == [
        ("/", False, [ids["a"], ids["b"]], []),
        ("/", True, [ids["c"]], [ids["a"]]),
    ]
    assert links == [(f"{HOST}/", f"{HOST}/b"), (f"{HOST}/", f"{HOST}/c")]
    assert state.links.outlinks(1).tolist() == [ids["b"], ids["c"]]
    assert state.links.inlinks(ids["a"]).tolist() == []


def test_former_links_stay_in_the_store_as_history(tmp_path):
    crawl(tmp_path / "crawl", {"/": ["a", ""], "/a": [""]}, Noting([1], times=1))
    with open_reader(tmp_path / "crawl") as reader:
        rows = reader._db.execute("SELECT page, length(targets), former FROM links WHERE page = 1").fetchall()
    assert rows == [(1, 4, 1), (1, 0, 0)]


def test_a_page_that_cannot_be_had_again_is_still_a_page(tmp_path):
    versions = {"/": ["a"], "/a": ["", None]}
    strategy = Noting([2], times=1)
    _, progress, _ = crawl(tmp_path / "crawl", versions, strategy)
    with open_reader(tmp_path / "crawl") as reader:
        numbers, state = reader.numbers(0.0), reader.state()
    assert (numbers.pages, numbers.failures, progress.requests) == (2, 1, 3)
    assert state.urls["outcome"][2] == state.urls["status"][2] == Status.FETCHED


def test_a_page_that_moved_leads_to_where_it_is_now(tmp_path):
    versions = {"/": ["a"], "/a": ["b", "->/c", "->/c"], "/b": [""], "/c": [""]}
    crawl(tmp_path / "crawl", versions, Noting([2], times=1))
    with open_reader(tmp_path / "crawl") as reader:
        state, numbers = reader.state(), reader.numbers(0.0)
        moved, now = (reader.find_url(f"{HOST}/{name}") for name in "ac")
        kept, gone = [visit.url_id for visit in reader.best()], reader.gone(0.0, 9)
        average = np.mean([visit.relevance for visit in reader.best()])
    assert state.destinations(np.array([moved], dtype=np.int32)).tolist() == [now]
    assert np.isnan(state.urls["relevance"][moved])
    assert moved not in kept, "the version that was replaced by a redirect is history"
    assert [(page.url_id, page.status) for page in gone] == [(moved, 301)]
    assert numbers.pages == len(kept) == 3
    assert numbers.mean_relevance == pytest.approx(average)
