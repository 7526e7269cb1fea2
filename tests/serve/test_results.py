"""What a crawl brought over the API: marks that are told, footprints on a map, reports, files of many kinds."""

import io
import zipfile

import pyarrow.parquet as pq

from tests.serve.test_sketches import MAP


def test_what_is_said_of_hubs_and_authorities_is_told(served):
    with served.client() as client:

        def found():
            return client.get("/crawls/bees/hubs", params={"all_links": True, "most": 50}).json()

        before = found()
        assert {row["mark"] for row in [*before["hubs"], *before["authorities"]]} == {""}
        hub, authority = before["hubs"][0]["url"], before["authorities"][0]["url"]
        said = {"kind": "mark_hub", "url": hub, "good": False}
        assert client.post("/crawls/bees/commands", json=said).status_code == 202
        client.post("/crawls/bees/labels", json={"labels": [{"url": authority, "relevant": True}]})
        after = found()
        assert (after["hubs"][-1]["url"], after["hubs"][-1]["mark"]) == (hub, "bad"), "the distiller listens"
        assert {row["url"]: row["mark"] for row in after["authorities"]}[authority] == "good"
        client.post("/crawls/bees/commands", json={**said, "good": None})
        assert found()["hubs"][0]["mark"] == ""


def test_pages_are_laid_on_a_topic_map(served):
    with served.client() as client:
        assert client.put("/topics/map/map", json={"text": MAP}).status_code == 201
        urls = [page["url"] for page in client.get("/crawls/bees/top").json()["items"]]
        given = {"crawl": "bees", "urls": [*urls, "http://nowhere.example/"], "alike": urls[0]}
        found = client.post("/topics/map/footprints", json=given).json()
        assert [one["url"] for one in found] == urls, "what is not kept is left out"
        first = found[0]
        assert first["mentioned"]
        assert [tfidf for _, tfidf in first["mentioned"]] == sorted(
            (n for _, n in first["mentioned"]), reverse=True
        )
        assert set(first["similarity"]) == {1.0}, "a page is like itself"
        assert any(one["similarity"][0] < 1 for one in found)
        assert client.post("/topics/map/footprints", json={**given, "crawl": "none"}).status_code == 404


def test_reports_are_listed_and_shown_in_a_sandbox(served):
    folder = served.workspace.folder / "results"
    for name in ("old", "new"):
        (folder / f"{name}-report").mkdir()
        (folder / f"{name}-report" / "report.html").write_text("<script>alert(1)</script>")
    (folder / "link-report").symlink_to(folder / "old-report")
    with served.client() as client:
        listed = client.get("/lab/reports").json()["items"]
        assert {one["name"] for one in listed} == {"old", "new"}
        kept, shown = client.get("/lab/reports/new"), client.get("/lab/reports/new?show=true")
        assert kept.headers["content-disposition"].startswith("attachment")
        assert shown.headers["content-disposition"].startswith("inline")
        assert shown.headers["content-security-policy"].startswith("sandbox; default-src 'none'")


def test_any_table_becomes_parquet(reading):
    given = {"columns": ["site", "pages", "share"], "rows": [["a", 1, 0.5], ["b", 2, 1], [None, None, None]]}
    with reading.client() as client:
        table = pq.read_table(io.BytesIO(client.post("/tables/parquet", json=given).content))
        assert table.to_pydict() == {
            "site": ["a", "b", None],
            "pages": [1, 2, None],
            "share": [0.5, 1.0, None],
        }
        assert client.post("/tables/parquet", json={**given, "columns": ["a", "a", "b"]}).status_code == 422
        assert client.post("/tables/parquet", json={**given, "rows": [[1]]}).status_code == 422


def test_the_archive_is_had_as_wacz(reading):
    with reading.client() as client:
        sent = client.get("/crawls/bees/export?kind=wacz")
        assert sent.headers["content-disposition"] == 'attachment; filename="bees.wacz"'
        assert "datapackage.json" in zipfile.ZipFile(io.BytesIO(sent.content)).namelist()
        assert client.get("/crawls/bees/export?kind=wacz&what=links").status_code == 422
