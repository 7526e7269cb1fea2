"""The life of a crawl over the API, and that what is told of it is what `Crawl` says."""

import json

import httpx
import pytest

from honeyguide.crawls import Crawl
from honeyguide.fetch.sample import SampleFetcher
from tests.serve.conftest import ORDER, PAGES, WEB, wait_until


def test_a_crawl_is_made_run_paused_resumed_stopped_and_thrown_away(served):
    endless = {
        **ORDER,
        "settings": {
            "web.sample_pages": 60_000,
            "limits.max_pages": 0,
            "crawl.batch": 1,
            "crawl.learn": "off",
        },
    }  # a crawl that learns by itself gives itself commands, too
    with served.client() as client:
        assert client.post("/check/crawl", json=endless).json() == {"problems": []}
        made = client.post("/crawls", json=endless)
        assert (made.status_code, made.json()["state"]) == (201, "new")
        assert client.post("/crawls", json=endless).status_code == 409
        started = client.post("/crawls/new/run", json={"settings": {"crawl.batch": 2}})
        assert (started.status_code, started.json()["state"]) == (202, "starting")
        assert client.post("/crawls/new/run").status_code == 409
        wait_until(lambda: client.get("/crawls/new").json()["status"]["pages"])
        assert client.delete("/crawls/new").status_code == 409, "it runs"
        assert client.post("/crawls/new/pause").is_success
        wait_until(lambda: client.get("/crawls/new").json()["state"] == "paused")
        assert client.post("/crawls/new/resume").is_success
        wait_until(lambda: client.get("/crawls/new").json()["state"] == "running")
        client.post("/crawls/new/commands?wait=5", json={"kind": "set_limits", "max_seconds": 5000})
        wait_until(lambda: client.get("/crawls/new/commands").json()["items"][-1]["receipt"])
        assert client.post("/crawls/new/stop").status_code == 202
        wait_until(lambda: client.get("/crawls/new").json()["state"] == "stopped")
        assert client.get("/crawls/new/log").json()["code"] == 130
        kinds = [one["command"]["kind"] for one in client.get("/crawls/new/commands").json()["items"]]
        assert kinds == ["pause", "resume", "set_limits", "stop"]
        assert client.get("/crawls/new/order").json()["limits"]["max_seconds"] == 5000
        assert client.post("/crawls/new/pause").status_code == 409, "nobody is at work"
        trashed = client.delete("/crawls/new").json()["name"]
        assert client.get("/crawls/new").status_code == 404
        assert [one["name"] for one in client.get("/trash").json()["items"]] == [trashed]
        assert client.post(f"/trash/{trashed}/restore").json()["name"] == "new"
        assert client.get("/crawls/new").json()["status"]["pages"]
        trashed = client.delete("/crawls/new").json()["name"]
        assert client.delete(f"/trash/{trashed}").status_code == 204
        assert client.get("/trash").json()["items"] == []


def test_lists_are_given_in_parts(served):
    for name in ("a", "c", "z"):
        (served.workspace.folder / "crawls" / name).mkdir()
        (served.workspace.folder / "crawls" / name / "order.toml").write_text("what [is this")
    with served.client() as client:
        first = client.get("/crawls", params={"most": 2, "numbers": True}).json()
        assert [one["name"] for one in first["items"]] == ["a", "bees"]
        assert first["items"][0]["problem"], "one bad crawl is one bad line"
        assert first["items"][1]["status"]["pages"] == PAGES
        rest = client.get("/crawls", params={"most": 2, "cursor": first["next"]}).json()
        assert ([one["name"] for one in rest["items"]], rest["next"]) == (["c", "z"], None)
        numbers: list[int] = []
        cursor = 0
        while cursor is not None:
            part = client.get("/crawls/bees/visits", params={"cursor": cursor, "most": 7}).json()
            numbers += [one["number"] for one in part["items"]]
            cursor = part["next"]
        assert numbers == [*range(1, PAGES + 1)]


@pytest.fixture
def crawl(reading) -> Crawl:
    return Crawl.open(reading.workspace.folder / "crawls" / "bees")


def test_results_are_those_of_the_crawl(reading, crawl):
    with reading.client() as client:
        items = {
            what: client.get(f"/crawls/bees/{what}").json()["items"]
            for what in ("top", "hosts", "visits", "questions", "failures", "labels")
        }
        assert [one["url"] for one in items["top"]] == [page.url for page in crawl.top(20)]
        assert [one["host"] for one in items["hosts"]] == [host.host for host in crawl.hosts(20)]
        assert [one["url"] for one in items["visits"]] == [page.url for page in crawl.visits()]
        assert [one["relevant"] for one in items["visits"]] == [page.is_relevant for page in crawl.visits()]
        assert [one["url"] for one in items["questions"]] == [page.url for page in crawl.questions(10)]
        assert items["labels"] == []
        with crawl.reader() as reader:
            assert [one["url"] for one in items["failures"]] == [one.url for one in reader.failures()]
        hubs = client.get("/crawls/bees/hubs", params={"all_links": True}).json()
        assert hubs["hubs"]
        assert hubs["sites"][0]["density"] >= hubs["sites"][-1]["density"]
        assert client.get("/crawls/bees/learned").json()["summary"] == crawl.learned().summary
        assert client.get("/crawls/bees/revisions").json() == {"kept": [0], "used": 0}
        assert client.get("/crawls/bees/estimate").json() is None


def test_a_page_is_told_as_the_crawl_tells_it(reading, crawl):
    url = crawl.top(1)[0].url
    given = {"url": url}
    with reading.client() as client:
        assert client.get("/crawls/bees/page", params=given).json()["title"] == crawl.page(url).title
        text = client.get("/crawls/bees/page/text", params=given)
        assert text.text == crawl.text(url)
        html = client.get("/crawls/bees/page/html", params=given)
        assert html.text == crawl.html(url)
        assert html.headers["content-type"] == "text/plain; charset=utf-8"
        links = client.get("/crawls/bees/page/links", params=given).json()["items"]
        assert [one["target"] for one in links] == [link.target for link in crawl.links(url)][:100]
        told = client.get("/crawls/bees/explain", params=given).json()
        sections = [(one["heading"], one["lines"]) for one in told["sections"]]
        assert sections == [*crawl.explain(url).sections()]
        unknown = {"url": "http://nowhere.example/"}
        assert client.get("/crawls/bees/page", params=unknown).status_code == 404
        assert client.get("/crawls/bees/explain", params=unknown).json()["status"] is None
        assert client.get("/crawls/bees/page", params={"url": "mailto:x"}).status_code == 422


def test_errors_have_the_words_of_the_command_line(reading):
    with reading.client() as client:
        answer = client.post("/check/crawl", json={"name": "new", "settings": {"limits.max_pagez": 1}})
        assert any(
            "max_pagez" in problem and "did you mean" in problem for problem in answer.json()["problems"]
        )
        missing = client.get("/crawls/nothing")
        assert missing.headers["content-type"] == "application/problem+json"
        assert missing.json()["status"] == missing.status_code == 404
        assert "there are bees" in missing.json()["detail"]


def test_a_crawl_is_exported_as_the_command_line_does(reading):
    with reading.client() as client:
        lines = client.get("/crawls/bees/export").text.splitlines()
        assert len(lines) == PAGES
        assert json.loads(lines[0])["url"]
        csv = client.get("/crawls/bees/export", params={"what": "links", "kind": "csv"})
        assert csv.text.startswith("source,target,anchor")
        assert csv.headers["content-disposition"] == 'attachment; filename="bees-links.csv"'
        parquet = client.get("/crawls/bees/export", params={"kind": "parquet", "relevant": True})
        assert parquet.content[:4] == b"PAR1"
        assert (
            client.get("/crawls/bees/export", params={"what": "links", "relevant": True}).status_code == 422
        )
    assert not [*reading.workspace.private.glob("export*")], "nothing is left behind"


def test_labels_are_said_and_learned_from(served):
    with served.client() as client:
        pages = client.get("/crawls/bees/visits").json()["items"]
        said = [
            {"url": one["url"], "relevant": one["relevant"], "asked": "random"}
            for one in (*pages[:6], *[page for page in pages if not page["relevant"]][:6])
        ]
        assert len(client.post("/crawls/bees/labels", json={"labels": said}).json()["numbers"]) == len(said)
        labels = client.get("/crawls/bees/labels", params={"most": 1000}).json()["items"]
        assert {one["url"] for one in labels} == {one["url"] for one in said}
        assert client.get("/crawls/bees/estimate").json()["labelled"] == len(labels)
        job = client.post("/crawls/bees/learn").json()
        ended = wait_until(lambda: _ended(client, job["id"]))
        assert (ended["state"], ended["kind"]) == ("done", "revise"), ended
        assert json.loads(ended["output"])["number"] == 1
        assert client.get("/crawls/bees/revisions").json()["kept"] == [0, 1]


def test_labels_with_a_bad_one_among_them_are_not_said(served):
    with served.client() as client:
        for wrong in ({"url": "example"}, {"url": "http://a.example/", "note": "\ud800"}):
            said = [{"url": "http://a.example/", "relevant": True}, {"relevant": True, **wrong}]
            body = json.dumps({"labels": said})
            answer = client.post(
                "/crawls/bees/labels", content=body, headers={"Content-Type": "application/json"}
            )
            assert answer.status_code == 422, answer.text
        assert client.get("/crawls/bees/labels").json()["items"] == []


def _ended(client: httpx.Client, job: str) -> dict | None:
    found = client.get(f"/jobs/{job}").json()
    return found if found["state"] != "running" else None


def test_topics_are_made_and_asked(served):
    with served.client() as client:
        job = client.post("/topics", json={"name": "bees", "words": "beekeeping, honey bees"}).json()
        ended = wait_until(lambda: _ended(client, job["id"]))
        assert ended["state"] == "done", ended
        assert client.get("/topics").json()["items"] == ["bees"]
        assert client.get("/topics/bees").json()["kind"] == "keywords"
        judged = client.post(
            "/topics/bees/judge", json={"texts": ["honey bees and beekeeping", "cars"]}
        ).json()
        assert judged["relevance"][0] > judged["relevance"][1]
        page = client.get("/crawls/bees/top").json()["items"][0]["url"]
        told = client.post("/topics/bees/explain", json={"crawl": "bees", "url": page}).json()
        assert told["summary"]
        tried = client.post("/check/topic", json={"words": "honey", "crawl": "bees", "most": 20}).json()[
            "items"
        ]
        assert len(tried) == 20
        assert tried[0]["relevance"] >= tried[-1]["relevance"]
        assert client.get("/topics/bees/tree").status_code == 422
        again = client.post("/topics", json={"name": "bees", "words": "beekeeping"}).json()
        failed = wait_until(lambda: _ended(client, again["id"]))
        assert (failed["state"], failed["code"]) == ("failed", 2)
        assert "is there already" in failed["log"]
        assert client.delete(f"/jobs/{again['id']}").status_code == 204
        assert len(client.get("/jobs").json()["items"]) == 1
        assert client.delete("/topics/bees").status_code == 204
        assert client.get("/topics/bees").status_code == 404


def test_a_collection_is_searched_and_indexed_by_a_process_of_its_own(served):
    with served.client(served.reader_token) as client:
        first = client.get("/crawls/bees/search", params={"q": "honey"}).json()
        assert bool(first["hits"]) == (first["waiting"] < PAGES), "the indexer may be done already"
        found = wait_until(lambda: _hits(client))
        assert found["indexed"] == PAGES
        of_region = client.get("/crawls/bees/search", params={"q": "honey", "language": "en-GB"}).json()
        assert of_region["total"] == found["total"]
        assert client.get("/collections").json()["items"] == [{"name": "bees"}]
    assert {hit["url"] for hit in found["hits"]} <= {
        page.url for page in served.workspace.crawl("bees").visits()
    }


def _hits(client: httpx.Client) -> dict | None:
    found = client.get("/crawls/bees/search", params={"q": "honey"}).json()
    return found if found.get("hits") and not found["waiting"] else None


def test_a_crawl_is_made_like_another_but_for_what_is_given(served):
    served.workspace.new_topic_file("hives").write_bytes(served.topic())
    with served.client() as client:
        first = {**ORDER, "name": "first", "topic": "", "topic_name": "hives"}
        assert client.post("/crawls", json=first).is_success
        assert client.post("/crawls", json={"name": "second", "like": "first"}).is_success
        changed = {"name": "third", "like": "first", "topic": "coffee", "settings": {"limits.max_pages": 7}}
        assert client.post("/crawls", json=changed).is_success
        assert client.post("/check/crawl", json={"name": "fourth", "like": "nobody"}).json()["problems"]
        assert client.post("/crawls", json={"name": "fourth", "like": "nobody"}).status_code == 404
    orders = [served.workspace.crawl(name).order for name in ("first", "second", "third")]
    assert [order.limits.max_pages for order in orders] == [PAGES, PAGES, 7]
    assert [order.topic.text for order in orders] == ["", "", "coffee"]
    assert [bool(order.topic.file) for order in orders] == [True, True, False]
    assert orders[1].topic.file == str(served.workspace.crawl_folder("second") / "crawl.topic")
    assert orders[0].seeds == orders[1].seeds == orders[2].seeds
    assert orders[0].web == orders[1].web


@pytest.mark.parametrize(
    "other", [{"topic": "coffee and tea"}, {"topic_name": "hives"}], ids=["words", "file"]
)
def test_another_topic_takes_nothing_from_the_former_one(served, other):
    served.workspace.new_topic_file("hives").write_bytes(served.topic())
    german = {**ORDER, "name": "german", "topic": "Bienen und Honig in der Imkerei"}
    german["settings"] = {**ORDER["settings"], "topic.relevant_above": 0.9}
    with served.client() as client:
        assert client.post("/crawls", json=german).is_success
        told = client.post("/crawls", json={"name": "other", "like": "german", **other})
        assert told.is_success, told.text
    assert served.workspace.crawl("german").order.topic.keywords == {"language": "de"}
    topic = served.workspace.crawl("other").order.topic
    assert (topic.relevant_above, topic.keywords) == (None, {})


def test_no_crawl_is_made_like_one_whose_web_a_program_gave(served):
    Crawl.start(
        served.workspace.crawl_folder("own"), "bees", WEB.seeds("bees"), web=SampleFetcher(WEB)
    ).release()
    with served.client() as client:
        told = client.post("/crawls", json={"name": "again", "like": "own"})
    assert told.status_code == 422
    assert "SampleFetcher, which no server can make; have that program start" in told.json()["detail"]
    assert "again" not in served.workspace.crawl_names()


def test_a_crawl_is_made_like_another_only_into_networks_that_are_allowed(served):
    folder = served.workspace.crawl_folder("inside")
    settings = {"fetch.allow_networks": ["127.0.0.0/8"], "politeness.contact": "a@example.org"}
    Crawl.start(folder, "bees", ["http://127.0.0.1:9/"], settings=settings).release()
    with served.client() as client:
        told = client.post("/crawls", json={"name": "again", "like": "inside"})
    assert told.status_code == 422
    assert "fetch.allow_networks" in told.json()["detail"]
