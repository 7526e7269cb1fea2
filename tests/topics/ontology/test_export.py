"""Maps and found pages written to files."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import TopicError
from honeyguide.topics.ontology import FoundPage, OntologyTopic, read_topic_map, write_skos, write_xtm
from honeyguide.topics.ontology.found_pages import ADDRESS, MENTIONS, PAGE, RELEVANCE
from honeyguide.topics.ontology.hierarchy import Hierarchy
from tests.topics.ontology import toyota
from tests.topics.ontology.cxtm import Canonical

PAGES = [
    FoundPage("http://example.org/corolla?a=1&b=<2>", 0.25, 'The "Corolla" & more'),
    FoundPage("http://example.org/b c", 0.0125, "Control \x00\x1b characters\nand \\ lines"),
    FoundPage("http://example.org/untitled", 1.0),
]


def test_a_map_written_as_xtm_is_the_same_map(shared, tmp_path):
    suite = shared / "fixtures/topicmaps/cxtm/xtm2"
    compared = 0
    for expected in sorted((suite / "baseline").glob("[!m]*.cxtm")):  # without merged maps, whose ids change
        source = suite / "in" / expected.name.removesuffix(".cxtm")
        made = read_topic_map(source)
        written = tmp_path / source.name
        write_xtm(written, made)
        again = read_topic_map(written)
        assert (len(again.topics), len(again.associations)) == (len(made.topics), len(made.associations))
        if all(any(one.startswith("file:") for one in topic.item_identifiers) for topic in made.topics):
            assert Canonical(again, source.name).text() == Canonical(made, source.name).text()
            compared += 1
    assert compared > 25


@pytest.mark.parametrize("file", ["opera.xtm", "GCL-2-1.xtm", "isidorus/poems.xtm"])
def test_real_maps_keep_their_names_and_classes(shared, tmp_path, file):
    made = read_topic_map(shared / "fixtures/topicmaps/real" / file)
    written = tmp_path / "again.xtm"
    write_xtm(written, made)
    again = read_topic_map(written)
    assert named(again) == named(made)
    assert classes(again) == classes(made)
    assert len(again.associations) == len(made.associations)


def named(topic_map):
    return sorted(pair for number in range(len(topic_map.topics)) for pair in topic_map.named(number))


def classes(topic_map):
    return sorted(
        (topic_map.topics[one].label, topic_map.topics[two].label)
        for one, two in Hierarchy(topic_map).pairs()
    )


def test_found_pages_are_topics_with_address_and_relevance(cars, tmp_path):
    written = tmp_path / "found.xtm"
    write_xtm(written, cars, PAGES)
    made = read_topic_map(written)
    page = made.topics[made.find("http://example.org/corolla?a=1&b=<2>")]
    assert page.label == 'The "Corolla" & more'
    said = {made.topics[one.type].subject_identifiers[0]: one.value for one in page.occurrences}
    assert said == {ADDRESS: "http://example.org/corolla?a=1&b=<2>", RELEVANCE: "0.250000"}
    instances = [one for one in made.associations if made.number(PAGE) in {role.player for role in one.roles}]
    assert len(instances) == len(PAGES)
    assert OntologyTopic.of_map(made, ["toyota"]).weights[made.find("corolla")] == 0.8


@pytest.mark.parametrize("syntax", sorted(toyota.SYNTAXES))
def test_a_map_written_as_skos_keeps_its_names_and_classes(read, tmp_path, syntax):
    cars = read(toyota.SYNTAXES[syntax]())
    written = tmp_path / "cars.ttl"
    write_skos(written, cars, PAGES)
    again = read_topic_map(written)
    assert sorted(name for name, _ in named(again)) == sorted(toyota.NAMES.values())
    assert classes(again) == classes(cars)
    weights = OntologyTopic.of_map(again, ["Toyota"]).weights
    assert {id_: weights[again.find(name)] for id_, name in toyota.NAMES.items()} == {
        id_: pair[0] for id_, pair in toyota.WEIGHTS.items()
    }


def test_a_thesaurus_comes_back_from_skos_in_all_languages(shared, tmp_path):
    made = read_topic_map(shared / "fixtures/ontologies/vocabularies/skos/yso-archaeology.ttl")
    written = tmp_path / "yso.ttl"
    write_skos(written, made)
    again = read_topic_map(written)
    assert named(again) == named(made)
    assert classes(again) == classes(made)


def test_pages_are_joined_to_what_they_mention(cars, tmp_path):
    written = tmp_path / "found.xtm"
    write_xtm(
        written, cars, [replace(PAGES[0], mentions=(cars.find("toyota"), cars.find("corolla"))), PAGES[1]]
    )
    made = read_topic_map(written)
    joined = [one for one in made.associations if one.type == made.number(MENTIONS)]
    players = {frozenset(made.topics[role.player].label for role in one.roles) for one in joined}
    assert players == {frozenset((PAGES[0].title, "Toyota")), frozenset((PAGES[0].title, "Corolla"))}


def test_pages_in_skos_are_documents_on_what_they_mention(cars, tmp_path):
    rdflib = pytest.importorskip("rdflib")
    written = tmp_path / "cars.ttl"
    write_skos(written, cars, [PAGES[0], replace(PAGES[1], mentions=(cars.find("corolla"),)), PAGES[2]])
    graph = rdflib.Graph().parse(written, format="turtle")
    page = rdflib.URIRef("http://example.org/b%20c")
    said = {str(predicate): str(value) for predicate, value in graph.predicate_objects(page)}
    assert said["urn:honeyguide:relevance"] == "0.012500"
    assert said["http://purl.org/dc/terms/title"] == "Control �� characters\nand \\ lines"
    (subject,) = graph.objects(page, rdflib.URIRef("http://purl.org/dc/terms/subject"))
    label = graph.value(subject, rdflib.URIRef("http://www.w3.org/2004/02/skos/core#prefLabel"))
    assert str(label) == "Corolla"
    assert len(list(graph.subject_objects(rdflib.URIRef("http://purl.org/dc/terms/subject")))) == 1
    assert (
        len(list(graph.subjects(rdflib.RDF.type, rdflib.URIRef("http://xmlns.com/foaf/0.1/Document")))) == 3
    )


@settings(max_examples=50)
@given(st.lists(st.tuples(st.text(min_size=1), st.text()), min_size=1, max_size=4))
def test_any_address_and_title_gives_a_readable_file(tmp_path_factory, found):
    folder = tmp_path_factory.mktemp("export")
    pages = [FoundPage("http://example.org/" + url, 0.5, title) for url, title in found]
    empty = read_topic_map(_written(folder / "cars.xtm"))
    write_xtm(folder / "found.xtm", empty, pages)
    write_skos(folder / "found.ttl", empty, pages)
    assert len(read_topic_map(folder / "found.xtm").topics) > len(empty.topics)
    assert read_topic_map(folder / "found.ttl").find("Toyota") >= 0


def _written(path):
    path.write_text(toyota.xtm2(), encoding="utf-8")
    return path


def test_a_failed_export_leaves_the_old_file(cars, tmp_path):
    written = tmp_path / "found.xtm"
    write_xtm(written, cars)
    before = written.read_bytes()

    def failing():
        yield PAGES[0]
        raise RuntimeError("no more pages")

    with pytest.raises(RuntimeError):
        write_xtm(written, cars, failing())
    assert written.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []


def test_a_folder_that_is_not_there_is_named(cars, tmp_path):
    with pytest.raises(TopicError, match=r"none/found.xtm cannot be written"):
        write_xtm(tmp_path / "none" / "found.xtm", cars)
