"""Nothing outside the workspace is reached, whatever name is given."""

from urllib.parse import quote

import pytest

from honeyguide.errors import SettingsError
from honeyguide.serve.workspace import NotFound, Workspace
from tests.serve.conftest import ORDER, wait_until

HOSTILE = [
    "..", ".", ".serve", "../bees", "a/b", "a\\b", "-rf", "~", "a b", "a\0b", "CON\n", "%2e%2e", "é", "x" * 101,
    "<script>", "'; drop table visits", "$(id)", "|id",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_no_name(tmp_path, name):
    workspace = Workspace(tmp_path / "w")
    for ask in (workspace.crawl, workspace.topic_file, workspace.crawl_folder, workspace.new_topic_file):
        with pytest.raises((SettingsError, NotFound)):
            ask(name)


@pytest.mark.parametrize("name", HOSTILE)
def test_nor_is_it_over_the_api(reading, name):
    with reading.client() as client:
        if name.strip("."):  # of these the client itself makes another address
            assert client.get(f"/crawls/{quote(name, safe='')}").status_code in (404, 422)
        answer = client.post("/check/crawl", json={**ORDER, "name": name})
        assert answer.status_code == 422
        assert "<script>" not in answer.text.replace("\\u003c", "<") or answer.headers[
            "content-type"
        ].startswith("application/problem+json")


@pytest.mark.parametrize(
    "path",
    [
        "/etc",
        "..",
        "../..",
        "recordings/../../x",
        ".serve",
        ".serve/tokens.json",
        "",
        ".",
        "a\0b",
        "out",
        "out/etc",
        "loop",
        "loop/x",
        "x" * 300,
        "topics/" + "ü" * 200,
    ],
)
def test_a_recording_elsewhere_is_refused(served, path):
    (served.workspace.folder / "out").symlink_to("/etc")
    (served.workspace.folder / "loop").symlink_to("loop")
    order = {**ORDER, "settings": {}, "recording": path}
    with served.client() as client:
        checked = client.post("/check/crawl", json=order).json()
        made = client.post("/crawls", json={**order, "settings": {"politeness.contact": ""}})
    if path:
        assert checked["problems"]
    assert made.status_code in (404, 422)
    assert not (served.workspace.folder / "crawls" / "new").exists()


def test_a_recording_of_the_workspace_is_crawled_and_indexed_by_the_crawl_itself(
    served, monkeypatch, tmp_path
):
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    with served.client() as client:
        made = client.post("/crawls", json={**ORDER, "settings": {}, "recording": "crawls/bees"})
        assert made.status_code == 201, made.text
        order = served.workspace.crawl("new").order
        assert order.web.recording == str(served.workspace.folder / "crawls" / "bees")
        assert not (tmp_path / "cache").exists(), "nobody waits for it"
        assert client.post("/crawls/new/run", json={"pages": 3}).status_code == 202
        assert wait_until(lambda: client.get("/crawls/new").json()["status"]["pages"] == 3)
    assert [*(tmp_path / "cache").rglob("*.sqlite")]


@pytest.mark.parametrize(
    "settings",
    [
        {"web.recording": "/etc"},
        {"topic.file": "/etc/passwd"},
        {"seeds.file": "/etc/passwd"},
        {"output.folder": "/tmp/elsewhere"},
        {"web.fetcher": "os.system"},
        {"topic": {"file": "/etc/passwd"}},
        {"topic.model": "meaning", "topic.folder": "/etc"},
        {"topic.model": "ontology", "topic.file": "/etc/passwd"},
        {"topic.model": "../../evil"},
        {"strategy.name": "../evil"},
        {"strategy.weights": "/etc/passwd"},
        {"fetch.allow_networks": ["10.0.0.0/8"]},
        {"fetch.allow_networks": "10.0.0.0/8"},
        {"nonsense.key": 1},
    ],
)
def test_settings_that_reach_elsewhere_are_refused(served, settings):
    order = {**ORDER, "settings": {**ORDER["settings"], **settings}}
    with served.client() as client:
        assert client.post("/check/crawl", json=order).json()["problems"]
        assert client.post("/crawls", json=order).status_code == 422
        going_on = {"settings": settings}
        assert client.post("/crawls/bees/run", json=going_on).status_code == 422
    assert not (served.workspace.folder / "crawls" / "new").exists()


def test_folders_that_lead_elsewhere_are_no_crawls(served, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    (served.workspace.folder / "crawls" / "bees").rename(elsewhere)
    (served.workspace.folder / "crawls" / "bees").symlink_to(elsewhere)
    (served.workspace.folder / "topics" / "t.topic").symlink_to("/etc/passwd")
    with served.client() as client:
        assert client.get("/crawls").json()["items"] == []
        assert client.get("/crawls/bees").status_code == 404
        assert client.get("/topics").json()["items"] == []
        assert client.get("/topics/t").status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {"positive": {"paths": ["/etc/passwd"]}},
        {"positive": {"paths": ["../../etc/passwd"]}},
        {"positive": {"urls": ["/etc/passwd"]}},
        {"positive": {"urls": ["file:///etc/passwd"]}},
        {"positive": {"documents": [{"text": "bees"}]}, "recording": "/etc"},
    ],
)
def test_examples_from_elsewhere_are_refused(served, body):
    with served.client() as client:
        assert client.post("/topics/new/train", json=body).status_code == 422
        assert client.get("/jobs").json()["items"] == []


def test_a_path_within_a_topic_cannot_smuggle_a_file_in(served):
    (served.workspace.folder / "topics" / "bees.topic").write_bytes(served.topic())
    with served.client() as client:
        added = {"path": "Home=/etc/passwd", "examples": {"documents": [{"text": "bees"}]}}
        assert client.post("/topics/bees/tree", json={"add_example": [added]}).status_code == 422
