"""No answer tells where on the disk the workspace is, and links say how the server was asked."""

import pytest

from honeyguide.serve.options import ServeOptions
from honeyguide.serve.running import config
from honeyguide.serve.workspace import Workspace
from tests.serve.conftest import ORDER, serving


def damaged(workspace: Workspace) -> None:
    """Crawls that cannot be searched, and crawls and topics that cannot be read at all."""
    pytest.importorskip("tantivy")
    workspace.crawl("bees").index()
    for file in (workspace.folder / "crawls" / "bees" / "index").rglob("*.json"):
        file.write_text("{ this is no index")
    for name, order in (("broken", "[topic"), ("empty", "[topic]\ntext = 'bees'\n")):
        (workspace.folder / "crawls" / name).mkdir()
        (workspace.folder / "crawls" / name / "order.toml").write_text(order)
    (workspace.folder / "topics" / "broken.topic").write_bytes(b"no topic")
    (workspace.folder / "portals.toml").write_text("[[portal")
    (workspace.folder / "recording.warc.gz").write_bytes(b"no recording")


FOR_READERS = [
    "/api/v1/collections", "/api/v1/crawls/bees/search?q=honey", "/api/v1/crawls/broken/search",
    "/api/v1/crawls/empty/search", "/api/v1/crawls/bees/search?like=x", "/api/v1/crawls/nope/search",
    "/", "/?q=honey", "/c/bees/search?q=honey", "/c/bees/browse", "/c/broken/search", "/c/empty/search",
    "/c/broken/newest",
    "/c/empty/feed.atom", "/c/broken/sitemap.xml", "/c/nope/search", "/sitemap.xml",
]  # fmt: skip
FOR_OPERATORS = [
    "/crawls/broken", "/crawls/empty", "/crawls/empty/visits", "/crawls/broken/explain?url=x",
    "/crawls/bees/revisions/compare?before=0&after=9", "/crawls/bees/export?kind=parquet&what=labels", "/topics/broken",
    "/topics/nope", "/crawls/bees/copy?url=nowhere.example", "/crawls/bees/rules/preview?pattern=a%20b",
]  # fmt: skip


def test_no_answer_tells_where_the_workspace_is(served):
    damaged(served.workspace)
    place = str(served.workspace.folder)
    failed = 0
    with served.client(served.reader_token) as reader, served.client() as operator:
        answers = [reader.get(f"{served.url}{path}") for path in FOR_READERS]
        answers += [operator.get(path) for path in FOR_OPERATORS]
        answers.append(operator.post("/crawls/bees/revisions/9/use"))
        answers.append(operator.post("/check/crawl", json={**ORDER, "name": "bees"}))
        for recording in ("recording.warc.gz", "crawls/broken", "crawls/empty"):
            order = {**ORDER, "settings": {}, "recording": recording}
            answers += [operator.post(path, json=order) for path in ("/check/crawl", "/crawls")]
        listed = operator.get("/crawls", params={"numbers": True}).json()["items"]
    # One with a recording that is none can be made: its process will tell.
    assert sorted(bool(row["problem"]) for row in listed) == [False, False, True, True]
    assert not any(place in row["problem"] for row in listed)
    for answer in answers:
        assert place not in answer.text, answer.url
        assert answer.status_code < 500, answer.url
        failed += answer.status_code >= 400
    assert failed > len(answers) / 2, "most of these go wrong"


def test_nor_does_the_portal_alone(crawled, tmp_path):
    with serving(tmp_path / "workspace", portal_only=True) as served, served.nobody() as client:
        folder = served.workspace.folder / "crawls" / "broken"
        folder.mkdir()
        (folder / "order.toml").write_text("[topic")
        for path in ("/api/v1/crawls/broken/search", "/c/broken/search", "/?q=a"):
            answer = client.get(f"{served.url}{path}")
            assert str(served.workspace.folder) not in answer.text
    assert answer.status_code == 200


PLACES = ("/c/bees/feed.atom", "/c/bees/opensearch.xml", "/c/bees/sitemap.xml", "/sitemap.xml")


def test_links_are_https_behind_a_proxy_with_tls(reading):
    with reading.client(Host="localhost:1") as client:
        own = [client.get(f"{reading.url}{path}").text for path in PLACES]
        client.headers["X-Forwarded-Proto"] = "https"
        told = [client.get(f"{reading.url}{path}").text for path in PLACES]
        client.headers["X-Forwarded-Proto"] = "gopher"
        assert client.get(f"{reading.url}{PLACES[0]}").text == own[0]
    for plain, behind in zip(own, told, strict=True):
        assert "http://localhost:1/" in plain
        assert "https://localhost:1/" not in plain
        assert behind.replace("https://localhost:1/", "http://localhost:1/") == plain


def test_a_session_behind_such_a_proxy_is_never_sent_in_the_clear(served):
    with served.nobody(**{"X-Forwarded-Proto": "https"}) as client:
        answer = client.post("/session", json={"token": served.token})
    assert "secure" in answer.headers["set-cookie"].lower()
    assert (
        f"frame-src https://127.0.0.1:{served.serving.options.copies_port}"
        in answer.headers["content-security-policy"]
    )


def test_only_named_proxies_and_those_of_this_machine_are_believed(reading):
    def trusted(*proxies: str) -> list[str]:
        made = config(None, ServeOptions(proxies=proxies))  # type: ignore[arg-type]
        assert made.proxy_headers
        return made.forwarded_allow_ips

    assert trusted() == ["127.0.0.1", "::1"]
    assert trusted("10.0.0.7") == ["127.0.0.1", "::1", "10.0.0.7"]
