"""The tree of topics, of a taxonomy and of a topic map."""

import pytest

from honeyguide.serve.portal.browsing import MOST_BRANCHES, tree_view
from honeyguide.topics.combined import CombinedTopic
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.ontology import OntologyTopic
from honeyguide.topics.taxonomy.backbone import topic_from_examples

SKOS = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#">
{}</rdf:RDF>"""
CONCEPT = (
    '<skos:Concept rdf:about="http://t.example/{0}"><skos:prefLabel>{1}</skos:prefLabel>{2}</skos:Concept>'
)
BROADER = '<skos:broader rdf:resource="http://t.example/{}"/>'


@pytest.fixture(scope="module")
def taxonomy():
    return topic_from_examples("Bees", [], words="bee honey hive apiary swarm nectar queen", under="Science")


def ontology(tmp_path, *concepts):
    path = tmp_path / "map.rdf"
    path.write_text(
        SKOS.format(
            "".join(
                CONCEPT.format(name, label, "".join(map(BROADER.format, above)))
                for name, label, *above in concepts
            )
        )
    )
    return OntologyTopic(path, [f"http://t.example/{concepts[0][0]}"])


def names(branches):
    return [branch.name for branch in branches]


def good_of(branches):
    return [branch for one in branches for branch in (one, *one.below) if branch.is_good]


def test_what_was_looked_for_comes_first_and_branches_are_counted(taxonomy):
    counts = {"Science/Bees": 7, "Science/Animals": 5, "Sports/Tennis and Golf": 90}
    view = tree_view(taxonomy, "", counts, "/c/x")
    assert names(view.branches)[:3] == ["Science", "Sports", "Arts"]
    assert [branch.count for branch in view.branches[:3]] == ["12", "90", ""]
    assert (good_of(view.branches)[0].name, good_of(view.branches)[0].count) == ("Bees", "7")
    assert view.wanted is None


def test_a_leaf_finds_its_pages_and_knows_the_way_up(taxonomy):
    link = good_of(tree_view(taxonomy, "", {}, "/c/x").branches)[0].link
    assert link == "/c/x/browse?at=Science%2FBees"
    view = tree_view(taxonomy, "Science/Bees", {}, "/c/x")
    assert view.wanted == {"query": "", "topic_class": "Science/Bees"}
    assert [choice.text for choice in view.above] == ["All topics", "Science"]
    assert (view.here, view.branches) == ("Bees", [])


@pytest.mark.parametrize("at", ["Nowhere", "Sports/Nowhere", "../..", "Sports/Tennis and Golf/x"])
def test_places_that_are_not_there_are_not_found(taxonomy, at):
    assert tree_view(taxonomy, at, {}, "/c/x") is None


def test_a_topic_map_is_walked_by_its_names(tmp_path):
    topic = ontology(
        tmp_path,
        ("bees", "Bees", "insects"),
        ("insects", "Insects", "animals"),
        ("animals", "Animals"),
        ("honey", "Honey &lt;b>", "bees"),
    )
    root = tree_view(topic, "", {}, "/c/x")
    assert names(root.branches) == ["Bees", "Animals"]
    assert root.branches[0].is_good
    at = root.branches[0].link.rpartition("=")[2]
    bees = tree_view(topic, at, {}, "/c/x")
    assert [choice.text for choice in bees.above] == ["All topics", "Animals", "Insects"]
    assert names(bees.branches) == ["Honey <b>"]
    assert bees.wanted == {"query": '"Bees"'}
    for wrong in ("-1", "999999", "x", "1e3", "٣"):
        assert tree_view(topic, wrong, {}, "/c/x") is None


def test_a_map_with_circles_has_an_end(tmp_path):
    topic = ontology(tmp_path, ("a", "Aaa", "b"), ("b", "Bbb", "a"), ("c", "Ccc", "c"))
    first = tree_view(topic, "", {}, "/c/x").branches[0]
    assert tree_view(topic, first.link.rpartition("=")[2], {}, "/c/x").above


def test_huge_maps_are_cut(tmp_path):
    topic = ontology(
        tmp_path,
        ("top", "Top"),
        *((f"n{number}", f"Name {number}", "top") for number in range(MOST_BRANCHES + 9)),
    )
    root = tree_view(topic, "", {}, "/c/x")
    top = tree_view(topic, root.branches[0].link.rpartition("=")[2], {}, "/c/x")
    assert len(top.branches) == MOST_BRANCHES
    assert top.more.startswith("and 9 more")


def test_topics_within_topics_are_found_and_words_have_no_tree(taxonomy):
    assert tree_view(CombinedTopic([KeywordTopic("bees"), taxonomy]), "", {}, "/c/x").branches
    assert tree_view(KeywordTopic("bees"), "", {}, "/c/x") is None
