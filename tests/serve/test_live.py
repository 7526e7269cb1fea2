"""What watchers ask for after the same look is made once, and has all that they were told of."""

import json
from itertools import islice

import pytest

from tests.serve.conftest import PAGES, Served


def told(lines) -> int:
    """How many visits the next event tells of."""
    for line in lines:
        if line.startswith("data: ") and "now" in (said := json.loads(line.removeprefix("data: "))):
            return said["now"]
    raise AssertionError("no event")


def test_an_answer_is_shared_until_the_next_look(served: Served):
    live, made = served.serving.live, []

    def make() -> int:
        made.append(len(made))
        return made[-1]

    assert [live.shared("bees", "a", make) for _ in range(2)] == [0, 1], "nobody watches"
    with served.client() as client, client.stream("GET", "/crawls/bees/events") as events:
        lines = events.iter_lines()
        assert told(lines) == PAGES
        live._known["bees"].at += 3600  # nobody looks again
        assert {live.shared("bees", "a", make) for _ in range(3)} == {2}
        assert live.shared("bees", "b", make) == 3, "something else"
        assert live.shared("ants", "a", make) == 4, "another crawl"
        live._known["bees"].at = 0.0  # it is looked again
        assert live.shared("bees", "a", make) == 5


def test_an_error_is_everybodys_and_kept_by_nobody_for_long(served: Served):
    live = served.serving.live

    def fail() -> None:
        raise ValueError("of no use")

    with served.client() as client, client.stream("GET", "/crawls/bees/events") as events:
        assert told(events.iter_lines()) == PAGES
        live._known["bees"].at += 3600
        for _ in range(2):
            with pytest.raises(ValueError, match="of no use"):
                live.shared("bees", "a", fail)


def test_watchers_see_all_pages_they_were_told_of(served: Served):
    crawl = served.workspace.crawl("bees")
    with served.client() as client, client.stream("GET", "/crawls/bees/events") as events:
        lines = events.iter_lines()
        before = told(lines)
        path = {"params": {"cursor": before - 3}}
        for at in ("visits", "cells"):
            first, second = (client.get(f"/crawls/bees/{at}", **path).content for _ in range(2))
            assert first == second
        crawl.run(pages=before + 5)
        now = told(lines)
        assert now == before + 5
        rows = client.get("/crawls/bees/visits", params={"cursor": before}).json()["items"]
        assert [row["number"] for row in rows] == [*range(before + 1, now + 1)]
        assert rows == [
            {**row, "url": page.url} for row, page in zip(rows, islice(crawl.visits(before), 5), strict=True)
        ]
        cells = client.get("/crawls/bees/cells", params={"cursor": before}).content
        assert int.from_bytes(cells[12:16], "little") == now
