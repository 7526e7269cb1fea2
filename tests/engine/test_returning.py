"""Urls that fail, move or are gone in a crawl that is kept fresh: what is believed at once, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from honeyguide.assembly import assemble
from honeyguide.commands import AddSeeds
from honeyguide.engine.engine import Engine
from honeyguide.errors import HttpStatusError
from honeyguide.fetch.base import NEVER_SEEN, Fetcher
from honeyguide.model import Response, Status, Validators
from honeyguide.sample_web.changing import BEGINNING
from honeyguide.settings import CrawlOrder
from honeyguide.store import open_reader
from honeyguide.store.inbox import post
from honeyguide.strategies.soft_focus import SoftFocus
from honeyguide.topics.keywords import KeywordTopic

HOST, DAY = "http://a.example", 86_400.0
THERE = 200


class Web(Fetcher):
    """Pages that all link to each other; of each, from which day on it answers what."""

    def __init__(self, answers: Mapping[str, Mapping[float, int | str]]) -> None:
        self.asked: dict[str, list[float]] = {path: [] for path in answers}
        self._answers = answers
        self._day = 0.0

    def turn_to(self, now: float) -> None:
        self._day = (now - BEGINNING) / DAY

    async def fetch(self, url: str, validators: Validators = NEVER_SEEN) -> Response:
        path = url.removeprefix(HOST)
        if path not in self._answers:
            raise HttpStatusError(404)
        self.asked[path].append(self._day)
        answer = [said for day, said in self._answers[path].items() if day <= self._day][-1]
        if isinstance(answer, str):
            status, _, target = answer.partition(" ")
            return Response(url, int(status), b"", {"location": target})
        if answer != THERE:
            raise HttpStatusError(answer)
        links = "".join(f"<a href='{other}'>bees</a>" for other in self._answers)
        body = f"<title>{path}</title><p>bees {path}</p>{links}"
        return Response(url, 200, body.encode(), {"content-type": "text/html"})

    async def close(self) -> None:
        pass


def order(requests: int) -> CrawlOrder:
    return CrawlOrder().with_overrides(
        {
            "topic.text": "bees",
            "seeds.urls": [f"{HOST}/"],
            "crawl.keep_fresh": True,
            "limits.max_requests": requests,
            "output.archive": False,
        }
    )


def crawl_of(folder: Path, web: Web, requests: int) -> Engine:
    return assemble(order(requests), folder, web, KeywordTopic("bees"), SoftFocus())


def run(folder: Path, web: Web, requests: int) -> None:
    with crawl_of(folder, web, requests) as engine:
        engine.run()


def pages(folder: Path) -> set[str]:
    """What the collection has, and counts."""
    with open_reader(folder) as reader:
        held = [visit.url.removeprefix(HOST) for visit in reader.visits(last_only=True)]
        numbers = reader.numbers(0.5)
    assert len(set(held)) == len(held) == numbers.pages == numbers.urls_by_status[Status.FETCHED]
    return {*held}


@pytest.mark.parametrize("status", [302, 303, 307, 404, 410])
def test_a_site_in_repair_loses_no_page(tmp_path: Path, status: int) -> None:
    away = status if status >= 400 else f"{status} /repair"
    names = ("/", "/one", "/two", "/three")
    web = Web({name: {0: THERE, 4: away, 4.9: THERE} for name in names} | {"/repair": {0: 503}})
    run(tmp_path, web, 80)
    assert web.asked["/"][-1] > 30
    assert pages(tmp_path) == set(names)


@pytest.mark.parametrize("status", [301, 302, 404])
def test_what_stays_away_leaves_and_is_back_when_it_is_back(tmp_path: Path, status: int) -> None:
    away = status if status >= 400 else f"{status} /"
    web = Web({"/": {0: THERE}, "/one": {0: THERE, 5: away, 40: THERE}})
    requests = 10
    while not any(5 < day < 40 for day in web.asked["/one"][:-2]):
        requests += 1
        run(tmp_path, web, requests)
    assert pages(tmp_path) == {"/"}
    run(tmp_path, web, requests + 120)
    assert pages(tmp_path) == {"/", "/one"}
    looks = [day for day in web.asked["/one"] if 5 < day < 40]
    assert 3 <= len(looks) <= 9, "each look after as long as it has been missing until then"
    with open_reader(tmp_path) as reader:
        new = [visit.url for visit in reader.changed(0.0, 100) if not visit.is_revisit]
        assert new.count(f"{HOST}/one") == 2
        assert len(reader.gone(0.0, 100)) == 1


def test_what_failed_at_first_is_looked_for_again_ever_more_rarely(tmp_path: Path) -> None:
    web = Web({"/": {0: THERE}, "/late": {0: 404, 20: THERE}, "/never": {0: 410}})
    run(tmp_path, web, 120)
    assert pages(tmp_path) == {"/", "/late"}
    gaps = [later - day for day, later in pairwise(web.asked["/never"])]
    assert len(gaps) >= 4
    assert all(later > 1.5 * gap for gap, later in pairwise(gaps[1:]))


def test_a_redirect_for_ever_is_believed_where_there_never_was_a_page(tmp_path: Path) -> None:
    web = Web({"/": {0: THERE}, "/old": {0: "301 /"}, "/login": {0: "302 /"}})
    run(tmp_path, web, 40)
    assert len(web.asked["/old"]) == 1
    assert len(web.asked["/login"]) > 2


def test_a_seed_that_is_given_again_is_asked_for_again(tmp_path: Path) -> None:
    web = Web({"/": {0: THERE}, "/dead": {0: 404, 0.01: THERE}})
    run(tmp_path, web, 2)
    assert pages(tmp_path) == {"/"}
    with crawl_of(tmp_path, web, 3) as engine:
        post(tmp_path, AddSeeds(urls=(f"{HOST}/dead",)))
        engine.run()
    assert pages(tmp_path) == {"/", "/dead"}
