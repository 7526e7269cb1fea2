"""SKOS, OWL and RDFS as topic maps."""

import base64
import json
import socket
import sys
from contextlib import suppress

import pytest

from honeyguide.errors import ImportFailed, TopicError
from honeyguide.topics.ontology import OntologyTopic, read_topic_map
from honeyguide.topics.ontology.hierarchy import Hierarchy
from honeyguide.topics.ontology.rdf_triples import read_triples
from honeyguide.topics.ontology.topic_map import NONE

PREFIXES = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix : <http://e.org/> .
"""


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    def refuse(*_args, **_keywords):
        raise AssertionError("nothing may be fetched while reading a file")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr("urllib.request.urlopen", refuse)


def uppers(made, name):
    return {made.topics[upper].label for upper in Hierarchy(made).uppers.get(made.find(name), ())}


def test_all_vocabularies_load_or_are_refused_for_their_reason(shared):
    folder = shared / "fixtures/ontologies/vocabularies"
    for entry in json.loads((folder / "counts.json").read_text(encoding="utf-8")):
        path = next(
            (one for one in (folder / entry["file"], folder / (entry["file"] + ".gz")) if one.is_file()), None
        )
        if path is None:
            continue
        if "rdflib_error_xml" in entry:
            with pytest.raises(ImportFailed, match="OWL/XML"):
                read_topic_map(path)
            continue
        made = read_topic_map(path)
        known = [topic for topic in made.topics if topic.names]
        assert len(made.topics) >= entry.get("concepts", 0)
        labels = sum(len(topic.names) for topic in known)
        assert labels >= entry.get("prefLabels", 0) - entry.get("concept_schemes", 0) * 30
        languages = {made.language(name.scope) for topic in known for name in topic.names}
        assert languages >= {tag.partition("-")[0] for tag in entry.get("languages", ()) if len(tag) < 9} - {
            "nb",
            "nn",
        }


def test_the_same_vocabulary_in_two_syntaxes_is_the_same_map(shared):
    folder = shared / "fixtures/ontologies/vocabularies/skos"
    one, other = (read_topic_map(folder / f"yso-archaeology.{suffix}") for suffix in ("rdf", "ttl"))

    def contents(made):
        return {
            (topic.subject_identifiers, tuple(sorted(name.value for name in topic.names)))
            for topic in made.topics
        }, {frozenset((made.topics[low].label, made.topics[up].label)) for low, up in Hierarchy(made).pairs()}

    assert contents(one) == contents(other)


OTHERWISE = {
    "rdf-element-not-mandatory-test001": "XML whose root does not tell that it is RDF is refused",
    "turtle-subm-26": "to rdflib 1.0 and 1.00 are one number",
    "turtle-syntax-file-01": "an empty file is refused",
    "nt-syntax-file-01": "an empty file is refused",
}


@pytest.mark.parametrize("suite", ["rdf-xml", "rdf-turtle", "rdf-n-triples"])
def test_w3c_cases_are_read_in_full_or_refused_but_never_crash(shared, suite, read, monkeypatch):
    counted: list[int] = []

    def counting(*arguments):
        triples = read_triples(*arguments)
        counted.append(len({(one, key, other) for key, pairs in triples.items() for one, other in pairs}))
        return triples

    monkeypatch.setattr("honeyguide.topics.ontology.rdf_triples.read_triples", counting)
    cases = json.loads(
        (shared / f"fixtures/ontologies/w3c_rdf_tests/{suite}.json").read_text(encoding="utf-8")
    )
    wrong = []
    for case in (case for case in cases if case["name"] not in OTHERWISE):
        source = case["input"]
        counted.append(-1)
        with suppress(ImportFailed):
            read(source["text"] if "text" in source else base64.b64decode(source["base64"]), "case")
        wanted = case["expected_ntriples"]
        if wanted is not None:
            lines = [
                line for line in wanted["text"].splitlines() if line.strip() and not line.startswith("#")
            ]
            if counted[-1] != len(lines):
                wrong.append((case["name"], counted[-1], len(lines)))
        elif "Positive" in case["type"] and counted[-1] < 0:
            wrong.append((case["name"], counted[-1], "read"))
    assert wrong == []


def test_cyclic_classes_are_harmless(shared):
    made = read_topic_map(shared / "fixtures/ontologies/vocabularies/skos_edge_cases/cycle.ttl")
    topic = OntologyTopic.of_map(made, [next(one.subject_identifiers[0] for one in made.topics if one.names)])
    name = made.topics[topic.focus[0]].label
    assert topic.judge([name])[0] > 0
    assert topic.footprint(name).levels


def test_labels_become_names_with_their_languages(read):
    made = read(
        PREFIXES
        + """:bee a skos:Concept ; skos:prefLabel "honey bee"@en, "Biene"@de ; skos:altLabel "hive bee"@en-GB ;
        skos:hiddenLabel "honeybee" ; skos:definition "It flies."@en .
        :wax a skos:Concept ; xl:prefLabel [ xl:literalForm "beeswax"@en ] ."""
    )
    assert set(made.named(made.find("bee"))) == {
        ("honey bee", "en"),
        ("Biene", "de"),
        ("hive bee", "en"),
        ("honeybee", ""),
    }
    assert list(made.named(made.find("wax"))) == [("beeswax", "en")]
    assert [one.value for one in made.topics[made.find("bee")].occurrences] == ["It flies."]


def test_classes_without_labels_are_named_by_their_address(read):
    made = read(
        PREFIXES + ":OperatingSystem a owl:Class . :HTTPServer_log a owl:Class . :c_4711 a owl:Class ."
    )
    assert [name for name, _ in made.named(made.number("http://e.org/OperatingSystem"))] == [
        "Operating System"
    ]
    assert [name for name, _ in made.named(made.number("http://e.org/HTTPServer_log"))] == ["HTTP Server log"]
    assert list(made.named(made.number("http://e.org/c_4711"))) == []


def test_hierarchies_by_any_property_that_is_a_kind_of_broader(read):
    made = read(
        PREFIXES
        + """:partOf rdfs:subPropertyOf :within . :within rdfs:subPropertyOf skos:broader .
        :a skos:prefLabel "a a" ; skos:broader :b . :b skos:prefLabel "b b" ; skos:narrower :c ; :partOf :d .
        :c skos:prefLabel "c c" . :d skos:prefLabel "d d" . :e skos:prefLabel "e e" ; rdfs:subClassOf :a ."""
    )
    assert [uppers(made, name) for name in ("a", "b", "c", "e")] == [{"b b"}, {"d d"}, {"b b"}, {"a a"}]


def test_class_expressions_of_owl(read):
    made = read(
        PREFIXES
        + """:Car a owl:Class . :Engine a owl:Class . :Vehicle a owl:Class . :Wheel a owl:Class . :Auto a owl:Class .
        :Car owl:equivalentClass [ owl:intersectionOf ( :Vehicle
            [ a owl:Restriction ; owl:onProperty :driven ; owl:someValuesFrom :Engine ] ) ] .
        :rolls rdfs:domain :Car ; rdfs:range :Wheel . :Auto owl:sameAs :Car . :Beetle a :Car, owl:NamedIndividual ."""
    )
    assert uppers(made, "http://e.org/Car") == {"Vehicle"}
    assert made.number("http://e.org/Car") == made.number("http://e.org/Auto")
    joined = {
        frozenset(made.topics[role.player].label for role in association.roles): made.topics[
            association.type
        ].label
        for association in made.associations
    }
    car = made.topics[made.number("http://e.org/Car")].label
    assert joined[frozenset((car, "Engine"))] == "http://e.org/driven"
    assert joined[frozenset((car, "Wheel"))] == "http://e.org/rolls"
    assert joined[frozenset((car, "Beetle"))].endswith("/type-instance")


def test_schemes_and_ontologies_are_no_subjects(read):
    made = read(
        PREFIXES
        + ':s a skos:ConceptScheme ; skos:prefLabel "All" . :a skos:inScheme :s ; skos:prefLabel "A a" .'
    )
    assert made.number("http://e.org/s") == NONE
    assert [topic.label for topic in made.topics if topic.names] == ["A a"]


JSON_LD = {
    "@context": {
        "skos": "http://www.w3.org/2004/02/skos/core#",
        "label": {"@id": "skos:prefLabel", "@language": "en"},
    },
    "@graph": [
        {
            "@id": "http://e.org/bee",
            "@type": "skos:Concept",
            "label": "honey bee",
            "skos:broader": {"@id": "http://e.org/i"},
        },
        {"@id": "http://e.org/i", "@type": "skos:Concept", "label": "insect"},
    ],
}


def test_json_ld(read):
    made = read(json.dumps(JSON_LD))
    assert uppers(made, "honey bee") == {"insect"}
    assert list(made.named(made.find("bee"))) == [("honey bee", "en")]


@pytest.mark.parametrize(
    "context",
    [
        "http://localhost:9/context.jsonld",
        "context.jsonld",
        ["http://localhost:9/context.jsonld", {}],
        {"@import": "http://localhost:9/context.jsonld"},
        {"term": {"@id": "http://e.org/t", "@context": "http://localhost:9/inner.jsonld"}},
    ],
    ids=["remote", "file", "list", "import", "scoped"],
)
def test_contexts_elsewhere_are_never_loaded(read, context, tmp_path):
    (tmp_path / "context.jsonld").write_text("{}", encoding="utf-8")
    with pytest.raises(ImportFailed, match=r"(@context|@import) is elsewhere"):
        read(json.dumps({**JSON_LD, "@context": context}))
    with pytest.raises(ImportFailed, match=r"(@context|@import) is elsewhere"):
        read(json.dumps([{"@graph": [{"http://e.org/p": {"@context": context, "@id": "http://e.org/x"}}]}]))


def test_triples_are_bounded(read):
    text = "\n".join(f"<http://e.org/{n}> <http://e.org/p> <http://e.org/o> ." for n in range(30))
    with pytest.raises(ImportFailed, match=r"more than 20 triples; .* raise max_triples"):
        read(text, max_triples=20)


RDF_XML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://www.w3.org/2004/02/skos/core#">\n'
    '<Concept rdf:about="http://e.org/a"><prefLabel>a a</prefLabel>\n{}</Concept></rdf:RDF>'
)


def test_literals_with_markup_are_read_as_text_however_many_pieces_they_have(read):
    markup = "bees &lt; <b>wasps</b> " * 10_000  # rdflib alone would need hours
    made = read(RDF_XML.format(f'<note rdf:parseType="Literal">{markup}</note><altLabel>b b</altLabel>'))
    bee = made.topics[made.find("a")]
    assert [one.value for one in bee.occurrences] == ["bees < wasps " * 10_000]
    assert [name.value for name in bee.names] == ["a a", "b b"]


def test_errors_in_rdf_xml_are_told_with_their_line(read):
    with pytest.raises(ImportFailed, match="line 3: not valid RDF/XML"):
        read(RDF_XML.format('<note rdf:ID="1"/><note rdf:bagID="x"/>'))


def test_contexts_may_not_multiply(read):
    contexts = [{"@context": {"t": "http://e.org/t"}, "@id": f"http://e.org/{n}"} for n in range(4_000)]
    with pytest.raises(ImportFailed, match="too many contexts"):
        read(json.dumps(contexts))


def test_prefixes_are_bounded(read):
    with pytest.raises(ImportFailed, match="more than 2,000 prefixes"):
        read("".join(f"@prefix p{n}: <http://e.org/{n}#> .\n" for n in range(3_000)))


@pytest.mark.parametrize(
    "text",
    [
        "<http://e.org/a> <http://e.org/b> " + "[ <http://e.org/c> " * 50_000,
        "<http://e.org/a> <http://e.org/b> " + "(" * 50_000,
        '{"@context": {}, "http://e.org/a": ' + "[" * 100_000,
        '{"@context": {}, "http://e.org/a": ' + '{"http://e.org/b": ' * 900 + "1" + "}" * 901,
    ],
    ids=["blank", "lists", "json", "objects"],
)
def test_deep_nesting_is_refused(read, text):
    with pytest.raises(ImportFailed):
        read(text)


def test_wrong_encoding_is_told_with_its_line(read):
    with pytest.raises(ImportFailed, match="line 7: not valid UTF-8"):
        read((PREFIXES + ':a\n skos:prefLabel "B\xe4r" .').encode("latin-1"))


def test_syntax_errors_are_told_with_their_line(read):
    with pytest.raises(ImportFailed, match=r"map.ttl: line 7: not valid Turtle"):
        read(PREFIXES + "\n:a skos:prefLabel .", "map.ttl")


def test_odd_addresses_and_dates_are_read_in_silence(read, caplog, capsys):
    read(PREFIXES + ':a skos:prefLabel "a a" ; :on "2020-99-01"^^<http://www.w3.org/2001/XMLSchema#date> .')
    assert not caplog.records
    assert not capsys.readouterr().err


def test_without_rdflib_it_is_said_what_to_install(read, monkeypatch):
    monkeypatch.setitem(sys.modules, "rdflib", None)
    for module in ("rdf_triples", "rdf_xml"):
        monkeypatch.delitem(sys.modules, f"honeyguide.topics.ontology.{module}")
    with pytest.raises(TopicError, match=r'pip install "honeyguide\[topics\]"'):
        read(PREFIXES + ':a skos:prefLabel "a a" .')


def test_triples_come_grouped_by_predicate():
    triples = read_triples(b"<http://e.org/a> <http://e.org/b> <http://e.org/c> .", "file:///x", "turtle", 10)
    assert {key: [tuple(map(str, pair)) for pair in pairs] for key, pairs in triples.items()} == {
        "http://e.org/b": [("http://e.org/a", "http://e.org/c")]
    }
