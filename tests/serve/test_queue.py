"""The queue over the API: looked at, steered, and given back."""

from honeyguide.crawls import Crawl


def test_the_queue_is_that_of_the_crawl(reading):
    crawl = Crawl.open(reading.workspace.folder / "crawls" / "bees")
    with reading.client() as client:
        told = client.get("/crawls/bees/queue", params={"most": 5}).json()
        assert [one["url"] for one in told["urls"]] == [url.url for url in crawl.queue(most=5).urls]
        host = told["by_host"][0]["host"]
        own = client.get("/crawls/bees/queue", params={"host": host}).json()
        assert own["hits"] == told["by_host"][0]["urls"]
        seen = client.get("/crawls/bees/rules/preview", params={"pattern": f"http://{host}/*"}).json()
        assert (seen["urls"], seen["hosts"]) == (own["hits"], 1)
        for wrong in ("a b", "*" * 50):
            refused = client.get("/crawls/bees/rules/preview", params={"pattern": wrong})
            assert 400 <= refused.status_code < 500
    with reading.client(reading.reader_token) as client:
        assert client.get("/crawls/bees/queue").status_code == 403


def test_rules_begin_and_end(served):
    crawl = Crawl.open(served.workspace.folder / "crawls" / "bees")
    host = crawl.queue().by_host[0].host
    with served.client() as client:
        begun = client.post("/crawls/bees/rules", json={"action": "exclude", "pattern": host})
        assert begun.status_code == 202
        number = begun.json()["number"]
        (rule,) = client.get("/crawls/bees/rules").json()["items"]
        assert (rule["number"], rule["action"], rule["pattern"], rule["is_waiting"]) == (
            number,
            "exclude",
            host,
            True,
        )
        for wrong in (
            {"action": "burn", "pattern": host},
            {"action": "raise", "pattern": "a b"},
            {"action": "raise"},
        ):
            assert 400 <= client.post("/crawls/bees/rules", json=wrong).status_code < 500
        assert client.delete(f"/crawls/bees/rules/{number}").status_code == 202
        assert client.get("/crawls/bees/rules").json()["items"] == []
        kinds = [one["command"]["kind"] for one in client.get("/crawls/bees/commands").json()["items"]]
        assert kinds == ["steer", "unsteer"]


def test_how_a_crawl_does_lately_is_told(reading):
    crawl = Crawl.open(reading.workspace.folder / "crawls" / "bees")
    pages = [page.visit for page in crawl.visits()]
    with reading.client() as client:
        told = client.get("/crawls/bees/lately").json()
        assert (told["pages"], told["bytes"]) == (len(pages), sum(page.bytes for page in pages))
        assert (
            sum(one["pages"] for one in told["types"])
            == sum(one["pages"] for one in told["hosts"])
            == len(pages)
        )
        assert client.get("/crawls/bees/lately", params={"most": 5}).json()["pages"] == 5
