"""Reading maps from files."""

import gzip
import json
import socket

import pytest

from honeyguide.errors import ImportFailed
from honeyguide.topics.ontology import OntologyTopic, read_topic_map
from honeyguide.topics.ontology.topic_map import NONE
from tests.topics.ontology import toyota

OPEN = '<topicMap xmlns="http://www.topicmaps.org/xtm/" version="2.0">'


def test_all_real_maps_load_with_their_names_and_associations(shared):
    folder = shared / "fixtures/topicmaps/real"
    entries = json.loads((folder / "counts.json").read_text(encoding="utf-8"))
    loaded = 0
    for entry in entries:
        path, counts = folder / entry["file"], entry.get("elements") or {}
        if not path.is_file() or "topic" not in counts or path.name == "duplicate_identifier.xtm":
            continue
        made = read_topic_map(path)
        names = {" ".join(name.value.split()) for topic in made.topics for name in topic.names}
        assert names >= {" ".join(name.split()) for name in entry.get("first_names", ())}, path.name
        # Types of topics are associations too, and equal ones are one.
        assert len(made.associations) >= counts.get("association", 0) * 0.9, path.name
        loaded += 1
    assert loaded >= 15


@pytest.mark.parametrize(
    ("file", "topic", "name", "joined"),
    [
        ("opera.xtm", "puccini", "Giacomo Puccini", "tosca"),
        ("isidorus/poems.xtm", "goethe", "von Goethe", "der_zauberlehrling"),
    ],
)
def test_what_real_maps_say(shared, file, topic, name, joined):
    made = read_topic_map(shared / "fixtures/topicmaps/real" / file)
    number, other = made.find(topic), made.find(joined)
    assert name in [value for value, _ in made.named(number)]
    players = [{role.player for role in association.roles} for association in made.associations]
    assert {number, other} in players


def test_a_real_map_makes_a_topic(shared):
    made = read_topic_map(shared / "fixtures/topicmaps/real/opera.xtm")
    topic = OntologyTopic.of_map(made, ["Puccini"] if made.number("Puccini") != NONE else ["puccini"])
    on, off = topic.judge(["Giacomo Puccini wrote Tosca and Turandot.", "The engine of the tractor is new."])
    assert on > 0.001 > off


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ("isidorus/duplicate_identifier.xtm", "itemIdentifiers#t1 names two different things"),
        ("ItalianOpera.ltm", "line 1: not valid Turtle"),
    ],
)
def test_real_files_that_are_wrong_are_refused_for_that(shared, file, problem):
    with pytest.raises(ImportFailed, match=problem):
        read_topic_map(shared / "fixtures/topicmaps/real" / file)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the file is empty"),
        ("   \n", "the file is empty"),
        ("<html><body>Not found</body></html>", "this is an HTML page; needed is XTM"),
        ("<!DOCTYPE html>\n<HTML><p>", "line 2: this is an HTML page"),
        ("<a><b/></a>", "root element 'a'"),
        ("just some words", "line 1: not valid Turtle"),
        (b"\x89PNG\r\n\x1a\n\x00\x01", "not valid"),
        ('{"a": ', "line 1: no valid JSON"),
        ("{}", "holds no RDF statement"),
        ("# only a comment", "holds no RDF statement"),
        (
            '<Ontology xmlns="http://www.w3.org/2002/07/owl#"/>',
            "this is OWL/XML; save it as RDF/XML or Turtle",
        ),
    ],
)
def test_other_files_are_refused_whatever_their_name(read, text, problem):
    for name in ("vocabulary.owl", "map.xtm"):
        with pytest.raises(ImportFailed, match=f"{name}.*{problem}"):
            read(text, name)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ImportFailed, match=r"none.xtm: cannot be read: No such file"):
        read_topic_map(tmp_path / "none.xtm")


def test_merged_maps_are_read_only_from_the_same_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(socket, "socket", None)
    folder, elsewhere = tmp_path / "maps", tmp_path / "secret.xtm"
    folder.mkdir()
    elsewhere.write_text(f'{OPEN}<topic id="secret"/></topicMap>', encoding="utf-8")
    (folder / "link.xtm").symlink_to(elsewhere)
    (folder / "part.xtm").write_text(f'{OPEN}<topic id="part"/></topicMap>', encoding="utf-8")
    wanted = [
        "part.xtm",
        "../secret.xtm",
        "link.xtm",
        elsewhere.as_uri(),
        "http://localhost:9/a.xtm",
        "none.xtm",
        "main.xtm",
    ]
    merges = "\n".join(f'<mergeMap href="{one}"/>' for one in wanted)
    (folder / "main.xtm").write_text(f"{OPEN}\n{merges}</topicMap>", encoding="utf-8")
    made = read_topic_map(folder / "main.xtm")
    assert [topic.label for topic in made.topics] == ["file:///part.xtm#part"]
    assert len(made.notes) == 5
    assert made.notes[1] == "main.xtm, line 4: the map 'link.xtm' was left out: it is not in the same folder"
    assert made.notes[-1].endswith("there is no such file")


def test_an_error_in_a_merged_map_names_that_file(tmp_path):
    (tmp_path / "part.xtm").write_text(f"{OPEN}\n<topic/></topicMap>", encoding="utf-8")
    main = tmp_path / "main.xtm"
    main.write_text(f'{OPEN}<mergeMap href="part.xtm"/></topicMap>', encoding="utf-8")
    with pytest.raises(ImportFailed, match=r"part.xtm: line 2: a topic has no id"):
        read_topic_map(main)


def test_topics_with_one_id_become_one_and_it_is_noted(read):
    made = read(f'{OPEN}\n<topic id="a"/>\n<topic id="a"><name><value>Bee</value></name></topic></topicMap>')
    assert made.topics[made.find("a")].label == "Bee"
    assert made.notes == ("line 3: the id 'a' was already used on line 2; both are now one topic",)


@pytest.mark.parametrize("syntax", sorted(toyota.SYNTAXES))
def test_every_syntax_gives_the_same_names_and_classes(read, syntax):
    made = read(toyota.SYNTAXES[syntax]())
    names = {id_: [value for value, _ in made.named(made.find(id_))] for id_ in toyota.NAMES}
    assert names == {id_: [name] for id_, name in toyota.NAMES.items()}


def test_a_gzip_file_in_several_members_is_read_whole(tmp_path):
    topics = "".join(f'<topic id="t{n}"><name><value>topic {n}</value></name></topic>' for n in range(50))
    whole = f"{OPEN}{topics}</topicMap>".encode()
    path = tmp_path / "map.xtm.gz"
    path.write_bytes(gzip.compress(whole[:1000]) + gzip.compress(whole[1000:]))
    assert len(read_topic_map(path).topics) >= 50
    path.write_bytes(gzip.compress(whole)[:-20])
    with pytest.raises(ImportFailed, match="damaged gzip"):
        read_topic_map(path)


XTM1 = 'xmlns="http://www.topicmaps.org/xtm/1.0/" xmlns:xlink="http://www.w3.org/1999/xlink"'
BEE = "<baseName><baseNameString>Bee</baseNameString></baseName>"


def test_a_topic_of_xtm_1_needs_no_id(read):
    subject = '<subjectIdentity><subjectIndicatorRef xlink:href="http://example.org/bee"/></subjectIdentity>'
    made = read(
        f"<topicMap {XTM1}><topic>{subject}{BEE}</topic><topic>{BEE.replace('Bee', 'Wasp')}</topic>"
        f'<topic id="b">{subject}</topic></topicMap>'
    )
    assert made.find("Bee") == made.find("b") == made.find("http://example.org/bee")
    assert made.topics[made.find("Wasp")].identifiers() == ()


@pytest.mark.parametrize(
    "document",
    [
        '<topicMap {0}><topic id="a"/><topicMap id="m"><topic id="b">{1}</topic></topicMap></topicMap>',
        '<page><p><topicMap {0}><topic id="b">{1}</topic></topicMap></p>'
        '<topicMap {0}><topic id="a"/></topicMap></page>',
    ],
    ids=["in a map", "in another document"],
)
def test_a_map_of_xtm_1_may_lie_within(read, document):
    made = read(document.format(XTM1, BEE))
    assert made.find("b") == made.find("Bee") != made.find("a")


def test_a_document_that_only_speaks_of_xtm_is_none(read):
    with pytest.raises(ImportFailed, match="XML with the root element 'page'"):
        read("<page>http://www.topicmaps.org/xtm/1.0/</page>")
