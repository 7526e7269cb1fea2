"""Pages at a glance, links to their copies, and revisions of a topic side by side."""

from urllib.parse import urlsplit

from honeyguide.serve.excerpts import passage
from tests.serve.portal.conftest import HOSTILE_TITLES


def test_a_glance_tells_the_words_that_decide_and_where_they_stand(reading):
    with reading.client() as client:
        pages = client.get("/crawls/bees/questions", params={"most": 3}).json()["items"]
        found = client.post("/crawls/bees/glances", json={"urls": [page["url"] for page in pages]}).json()
    assert [one["url"] for one in found] == [page["url"] for page in pages]
    for page, one in zip(pages, found, strict=True):
        assert abs(one["relevance"] - page["relevance"]) < 1e-9
        assert sum(number for _, number in one["words"]) <= one["relevance"] + 1e-6
        text = reading.workspace.crawl("bees").text(page["url"])
        marked = {piece.lower() for piece, is_marked in one["pieces"] if is_marked}
        assert marked
        assert marked <= set(text.lower().split()) | {word.strip(".,|") for word in text.lower().split()}


def test_pages_that_are_not_kept_are_left_out(reading):
    with reading.client() as client:
        assert client.post("/crawls/bees/glances", json={"urls": ["http://nowhere.example/"]}).json() == []
        assert client.post("/crawls/bees/glances", json={"urls": ["x"] * 51}).status_code == 422


def test_a_passage_is_the_part_with_most_of_the_words():
    text = (
        "Nothing is said here. " * 100
        + "A keeper of bees opens hives, and bees fly. "
        + "Nothing more. " * 100
    )
    pieces = passage(text, ["bee", "hive"])
    assert [piece for piece, is_marked in pieces if is_marked] == ["bees", "hives", "bees"]
    assert pieces[0] == ("… ", False)
    assert len("".join(piece for piece, _ in pieces)) < 510


def test_a_passage_of_anything_is_plain_text_that_reads_forwards():
    for text in (*HOSTILE_TITLES, "", "\u202e\u2066", "蜂蜜を集める蜜蜂", "x" * 10**6):
        shown = "".join(piece for piece, _ in passage(text, ["bees", "蜂蜜"]))
        assert not {"\u202e", "\u2066", "\u200f"} & set(shown)
        assert len(shown) <= 510
    assert any(is_marked for _, is_marked in passage("蜂蜜を集める蜜蜂", ["蜂蜜"]))


def test_a_copy_is_linked_on_another_origin(reading):
    with reading.client() as client:
        url = client.get("/crawls/bees/questions").json()["items"][0]["url"]
        link = client.get("/crawls/bees/copy", params={"url": url}).json()["link"]
        assert client.get("/crawls/bees/copy", params={"url": "http://nowhere.example/"}).status_code == 404
    assert urlsplit(link).port == reading.serving.options.copies_port != urlsplit(reading.url).port
    thing, signature = "copy bees " + urlsplit(link).path.split("/")[-1], link.partition("by=")[2]
    assert reading.serving.security.links.is_signed(thing, signature)


def test_revisions_are_compared(served):
    crawl = served.workspace.crawl("bees")
    pages = [page for page in crawl.top(12) if page.is_kept]
    for page in pages[:6]:
        crawl.label(page.url, True)
    for page in pages[6:]:
        crawl.label(page.url, False)
    revision = crawl.learn()
    with served.client() as client:
        asked = {"before": 0, "after": revision.number, "most": 5}
        found = client.get("/crawls/bees/revisions/compare", params=asked).json()
        back = client.get(
            "/crawls/bees/revisions/compare", params={**asked, "before": revision.number, "after": 0}
        ).json()
        same = client.get("/crawls/bees/revisions/compare", params={**asked, "after": 0}).json()
        none = client.get("/crawls/bees/revisions/compare", params={**asked, "after": 9})
    assert found["labelled"] == len(pages)
    assert (found["gained"], found["lost"]) == (back["lost"], back["gained"])
    assert found["right_after"] == back["right_before"]
    assert 0 < len(found["pages"]) <= 5
    assert {page["url"] for page in found["pages"]} <= {page.url for page in crawl.visits()}
    assert found["words"]
    assert all(word["before"] == 0 != word["after"] for word in found["words"])
    assert same["pages"] == same["words"] == []
    assert none.status_code == 422
