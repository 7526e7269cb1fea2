"""Jobs that really run: labels taken from a table, topics written and compared."""

import json

import pytest

from tests.serve.conftest import PAGES, Served, wait_until
from tests.serve.test_description import MAP


def done(served: Served, job: dict) -> dict:
    """A job that has ended well."""
    with served.client() as client:
        ended = wait_until(
            lambda: (found := client.get(f"/jobs/{job['id']}").json())["state"] != "running" and found, 300
        )
    assert ended["state"] == "done", ended["log"]
    return ended


def test_labels_are_taken_and_topics_written_and_compared(served):
    (served.workspace.folder / "topics" / "hives.topic").write_bytes(served.topic())
    pages = [page.url for page in served.workspace.crawl("bees").visits()]
    with served.client() as client:
        assert client.put("/topics/map/map", json={"text": MAP}).status_code == 201
        table = {"table": f"url,label,note\n{pages[0]},yes,of wood\n{pages[1]},no,\n", "by": "ann"}
        taking = client.post("/crawls/bees/labels/take", json=table).json()
        writing = client.post("/topics/map/export", json={"kind": "xtm"}).json()
        comparing = client.post("/topics/hives/diff", json={"crawl": "bees"}).json()
        taken = done(served, taking)
        assert taken["file"] == ""
        assert str(served.workspace.folder) not in json.dumps(taken), (
            "nor do jobs tell where the workspace is"
        )
        said = client.get("/crawls/bees/labels").json()["items"]
        assert [(one["url"], one["relevant"], one["note"], one["by"]) for one in said] == [
            (pages[0], True, "of wood", "ann"),
            (pages[1], False, "", "ann"),
        ]
        assert done(served, writing)["file"] == "map.xtm"
        file = client.get(f"/jobs/{writing['id']}/file")
        assert "Honey bee" in file.text
        assert file.headers["content-disposition"] == 'attachment; filename="map.xtm"'
        assert client.get(f"/jobs/{taking['id']}/file").status_code == 404
        assert json.loads(done(served, comparing)["output"])["sampled"] == PAGES
        exported = client.get("/crawls/bees/export", params={"what": "labels", "kind": "csv"}).text
        assert pages[0] in exported


def test_labels_come_from_one_place(reading):
    with reading.client() as client:
        for body in ({}, {"table": "a,yes", "crawl": "bees"}, {"crawl": "nope"}, {"path": "../labels.csv"}):
            assert client.post("/crawls/bees/labels/take", json=body).status_code in (404, 422)


@pytest.mark.slow
def test_an_experiment_is_run_and_compared(served):
    settings = {"tasks": ["sample-500/bees"], "strategies": ["breadth-first", "best-first"], "pages": 20}
    with served.client() as client:
        running = client.post("/lab/experiments", json={"name": "quick", "settings": settings})
        assert running.status_code == 202, running.text
        done(served, running.json())
        assert client.get("/lab/experiments").json()["items"] == ["quick"]
        compared = done(served, client.post("/lab/experiments/quick/compare", json={}).json())
    assert {"breadth-first", "best-first"} <= {*compared["output"].replace('"', " ").split()}
