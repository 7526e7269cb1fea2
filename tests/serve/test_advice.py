"""What is wrong with a crawl is told by the server, in lists, alone and live; crawls are put aside and taken up."""

import json
from dataclasses import replace

from honeyguide.crawls import Crawl
from honeyguide.serve.advice import of_disk, of_numbers
from honeyguide.store.lock import lock


def test_the_numbers_tell_what_to_do(crawled):
    status = Crawl.open(crawled / "crawls" / "bees").status()
    urls = status.urls_by_status
    good = replace(
        status, pages=600, relevant=300, harvest_all=0.5, harvest_last_500=0.4, failures=3, last_time=50.0
    )

    def told(state="stopped", now=60.0, **changes):
        return [*of_numbers(state, replace(good, **changes), now)]

    assert told() == []
    assert told("new", pages=0, urls_by_status={**urls, "queued": 0}) == []
    assert "add seeds" in told(urls_by_status={**urls, "queued": 0})[0]
    assert "None of its pages is relevant" in told(relevant=0)[0]
    assert "10.0%" in told(harvest_last_500=0.1)[0]
    assert "More pages failed than came" in told(failures=601)[0]
    assert told("running", now=200.0)[0].startswith("No page came for a minute")
    assert told("stopped", now=200.0) == []
    assert [*of_disk(10**12)] == []
    assert [*of_disk(2_000_000)] == ["Only 2 MB are left on the disk: make room, or the crawl stops."]


def test_a_run_that_failed_is_told_wherever_the_crawl_is_shown(served):
    folder = served.workspace.folder / "crawls" / "bees"
    (folder / "process.lock").touch()
    (folder / "process.log").write_text(f"fetching\nerror: no space left for {folder}/crawl.db")
    (folder / "process.json").write_text(json.dumps({"code": 3, "ended": 1.0}))
    expected = "The disk was full: make room, then run it again. It said: no space left for bees/crawl.db"
    with served.client() as client:
        told = client.get("/crawls/bees").json()
        assert (told["state"], told["advice"]) == ("failed", [expected])
        assert client.get("/crawls?numbers=true").json()["items"][0]["advice"] == [expected]
        with client.stream("GET", "/crawls/bees/events") as events:
            lines = (line for line in events.iter_lines() if line.startswith('data: {"state"'))
            assert json.loads(next(lines).removeprefix("data: "))["advice"] == [expected]
        (folder / "process.json").unlink()
        assert client.get("/crawls/bees").json()["advice"][0].startswith("Its process died.")


def test_a_crawl_is_archived_and_taken_up_again(served):
    with served.client() as client:

        def is_archived():
            return client.get("/crawls").json()["items"][0]["is_archived"]

        with lock(served.workspace.folder / "crawls" / "bees"):
            assert client.put("/crawls/bees/archived").status_code == 409, "it runs"
        assert client.put("/crawls/bees/archived").status_code == 204
        assert is_archived()
        assert client.get("/crawls/bees/top").json()["items"], "it can be read"
        assert client.delete("/crawls/bees/archived").status_code == 204
        assert not is_archived()
        client.put("/crawls/bees/archived")
        assert client.post("/crawls/bees/run", json={"pages": 1}).status_code == 202
        assert not is_archived(), "whoever runs it wants to see it"
        assert client.put("/crawls/none/archived").status_code == 404
