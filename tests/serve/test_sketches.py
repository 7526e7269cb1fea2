"""Topics in the making: words tried on pages, where examples fit, further examples, maps and their focus."""

import pytest

from honeyguide.topics.taxonomy.backbone import topic_from_examples
from honeyguide.topics.topic_file import read_topic, write_topic

BEES = "bee honey hive apiary beekeeper swarm nectar queen"
MAP = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://bees.example/> .
:bee skos:prefLabel "Honey bee"@en ; skos:broader :insect ; skos:related :honey .
:insect a skos:Concept ; skos:prefLabel "Insect"@en .
:honey a skos:Concept ; skos:prefLabel "Honey"@en .
:wasp a skos:Concept ; skos:prefLabel "Wasp"@en ; skos:broader :insect ."""


@pytest.fixture
def taxonomy(served):
    path = served.workspace.new_topic_file("tree")
    write_topic(path, topic_from_examples("Beekeeping", [], words=BEES))
    return "tree"


def test_words_are_tried_on_a_crawl_and_on_pasted_texts(reading):
    with reading.client() as client:
        found = client.post("/check/topic", json={"words": "beekeeping honey", "crawl": "bees"}).json()
        texts = ["Beekeeping: all about honey, honey, honey.", "The railway opened in 1850."]
        pasted = client.post("/check/topic", json={"words": "beekeeping honey", "texts": texts}).json()
        nowhere = client.post("/check/topic", json={"words": "bees"})
        missing = client.post("/check/topic", json={"words": "bees", "crawl": "nothing"})
    numbers = [page["relevance"] for page in found["items"]]
    assert numbers == sorted(numbers, reverse=True)
    assert found["sampled"] == len(numbers)
    assert found["relevant"] == sum(page["is_relevant"] for page in found["items"]) > 0
    assert {one["word"] for one in found["deciding"]} <= {"beekeeping", "honey"}
    assert abs(sum(one["share"] for one in found["deciding"]) - 1) < 1e-6
    assert found["more"]
    assert not {"beekeeping", "honey"} & set(found["more"])
    assert [page["is_relevant"] for page in pasted["items"]] == [True, False]
    assert ["honey", True] in pasted["items"][0]["pieces"]
    assert (nowhere.status_code, missing.status_code) == (422, 404)


def test_a_crawl_without_a_contact_is_objected_to_before_it_is_made(reading):
    order = {"name": "new", "topic": "beekeeping and honey", "seeds": ["https://example.org/"]}
    with reading.client() as client:
        told = client.post("/check/crawl", json=order).json()["problems"]
        named = {**order, "settings": {"politeness.contact": "https://example.org/about"}}
        assert client.post("/check/crawl", json=named).json()["problems"] == []
    assert "politeness.contact" in told[0]


def test_examples_find_their_classes_and_others_are_suggested(served, taxonomy):
    with served.client() as client:
        fits = client.post(f"/topics/{taxonomy}/proposals", json={"texts": [BEES]}).json()
        near = client.post(f"/topics/{taxonomy}/suggestions", json={"crawl": "bees"}).json()
        none = client.post(f"/topics/{taxonomy}/proposals", json={"texts": []})
    assert fits[0]["path"].endswith("/Beekeeping")
    assert near
    known = {page.url for page in served.workspace.crawl("bees").visits()}
    assert all(one["url"] in known and one["shared"] for one in near)
    assert none.status_code == 422


def test_a_map_becomes_a_topic_whose_focus_is_chosen(served):
    with served.client() as client:
        made = client.put("/topics/mapped/map", json={"text": MAP})
        again = client.put("/topics/mapped/map", json={"text": MAP})
        focused = client.post(
            "/topics/mapped/focus", json={"focus": ["Honey"], "weights": {"other": 0.6, "rest": 0.05}}
        ).json()
        read = client.get("/topics/mapped/map", params={"most": 2}).json()
        unknown = client.post("/topics/mapped/focus", json={"focus": ["Railway"]})
        wrong = client.put("/topics/wrong/map", json={"text": "<x/>"})
        outside = client.put("/topics/..%2Fout/map", json={"text": MAP})
    assert made.status_code == 201
    kinds = {node["label"]: node["kind"] for node in made.json()["nodes"]}
    assert kinds["Honey bee"] in ("focal", "hierarchy")
    assert {"Honey bee", "Insect", "Honey", "Wasp"} == set(kinds)
    assert again.status_code == 422
    now = {node["label"]: (node["kind"], node["weight"]) for node in focused["nodes"]}
    assert now["Honey"] == ("focal", 1.0)
    assert now["Honey bee"] == ("other", 0.6)
    assert now["Wasp"] == ("rest", 0.05)
    assert (len(read["nodes"]), read["topics"]) == (2, 4)
    assert all(
        {edge["source"], edge["target"]} <= {node["number"] for node in read["nodes"]}
        for edge in read["edges"]
    )
    assert (unknown.status_code, wrong.status_code) == (422, 422)
    assert str(served.workspace.folder) not in wrong.text
    assert "/tmp" not in wrong.text
    assert outside.status_code in (404, 422)
    assert not (served.workspace.folder / "topics" / "wrong.topic").exists()
    assert read_topic(served.workspace.topic_file("mapped")).relevant_above == focused["relevant_above"]
