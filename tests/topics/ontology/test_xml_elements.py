"""XML from strangers."""

import gzip

import pytest

from honeyguide.errors import ImportFailed
from honeyguide.topics.ontology import read_topic_map
from tests.topics.ontology import toyota

OPEN = '<topicMap xmlns="http://www.topicmaps.org/xtm/" version="2.0">'
RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://www.w3.org/2004/02/skos/core#">'


def document(doctype: str, text: str, root: str) -> str:
    """A map or vocabulary with one topic named by the text."""
    if root == "topicMap":
        body = f'{OPEN}<topic id="a"><name><value>{text}</value></name></topic></topicMap>'
    else:
        concept = f'<s:Concept rdf:about="http://e.org/a"><s:prefLabel>{text}</s:prefLabel></s:Concept>'
        body = f"{RDF}{concept}</rdf:RDF>"
    return f'<?xml version="1.0"?>\n<!DOCTYPE {root} {doctype}>\n{body}'


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize("root", ["topicMap", "rdf:RDF"])
@pytest.mark.parametrize(
    ("doctype", "text", "problem"),
    [
        ('[<!ENTITY x SYSTEM "file:///etc/passwd">]', "&x;", "line 2: the entity 'x' comes from outside"),
        ('[<!ENTITY x SYSTEM "http://localhost:9/">]', "&x;", "line 2: the entity 'x' comes from outside"),
        (
            '[<!ENTITY % x SYSTEM "http://localhost:9/"> %x;]',
            "text",
            "line 2: the entity 'x' comes from outside",
        ),
        (f'[<!ENTITY l0 "lol">{LAUGHS}]', "&l9;", "line 2: the entity 'l1' is more than a short text"),
        (f'[<!ENTITY a "{"a" * 2000}">]', "&a;", "line 2: the entity 'a' is more than a short text"),
        (
            f'[<!ENTITY a "{"a" * 900}">]',
            "&a;" * 5000,
            "line 2: its entities would grow beyond the size limit",
        ),
        ('SYSTEM "http://localhost:9/x.dtd"', "&fromdtd;", "line 3: the entity 'fromdtd' is not declared"),
    ],
    ids=["file", "network", "parameter", "laughs", "long", "quadratic", "undeclared"],
)
def test_dangerous_entities_are_refused_where_they_stand(read, root, doctype, text, problem):
    with pytest.raises(ImportFailed, match=problem):
        read(document(doctype, text, root), max_bytes=100_000)


@pytest.mark.parametrize("root", ["topicMap", "rdf:RDF"])
def test_external_dtds_are_not_loaded(read, root, tmp_path):
    (tmp_path / "xtm1.dtd").write_text('<!ENTITY here "loaded">', encoding="utf-8")
    for system in ("xtm1.dtd", "http://localhost:9/xtm1.dtd", "/dev/zero"):
        made = read(document(f'SYSTEM "{system}"', "Bees", root))
        assert "Bees" in [topic.label for topic in made.topics]


@pytest.mark.parametrize("root", ["topicMap", "rdf:RDF"])
def test_short_entities_of_ontology_editors_are_read(read, root):
    made = read(document('[<!ENTITY bees "Honey bees">]', "&bees; &amp; hives", root))
    assert "Honey bees & hives" in [topic.label for topic in made.topics]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "windows-1252"])
@pytest.mark.parametrize("root", ["topicMap", "rdf:RDF"])
def test_encodings_are_read_as_declared(read, encoding, root):
    text = document("[]", "Bärenhöhle", root).replace(
        "?>", f' encoding="{encoding.removesuffix("-sig")}"?>', 1
    )
    made = read(text.encode(encoding))
    assert "Bärenhöhle" in [topic.label for topic in made.topics]


@pytest.mark.parametrize(
    ("declared", "actual", "problem"),
    [
        ("utf-8", "iso-8859-1", "line 3: not well-formed"),
        ("ascii", "utf-8", ""),
        ("punycode", "utf-8", "line 1: the encoding 'punycode' is unknown"),
        ("no-such-thing", "utf-8", "line 1: the encoding 'no-such-thing' is unknown"),
        ("shift_jis", "iso-8859-1", "not valid shift_jis"),
    ],
)
def test_wrong_encodings_are_named(read, declared, actual, problem):
    text = document("[]", "Bärenhöhle", "topicMap").replace("?>", f' encoding="{declared}"?>', 1)
    if problem:
        with pytest.raises(ImportFailed, match=problem):
            read(text.encode(actual))
    else:
        assert "Bärenhöhle" in [topic.label for topic in read(text.encode(actual)).topics]


def test_depth_is_bounded(read):
    with pytest.raises(ImportFailed, match="nested more than 100 deep"):
        read(OPEN + "<topic id='a'>" + "<name>" * 200)
    with pytest.raises(ImportFailed, match="nested more than 100 deep"):
        read(RDF + "<s:Concept><s:broader>" * 100_000)


def test_elements_of_one_topic_are_bounded(read):
    with pytest.raises(ImportFailed, match="more than 100,000 elements"):
        read(OPEN + "<topic id='a'>" + "<a/>" * 200_000)


@pytest.mark.parametrize(
    "text", ["<topicMap>", "<topicMap><topic></topicMap>", "<?xml version='1.0'?>", "<!--"]
)
def test_broken_xml_is_refused_with_its_line(read, text):
    with pytest.raises(ImportFailed, match="line 1"):
        read(text)


def test_size_is_bounded_before_anything_is_parsed(read, tmp_path):
    with pytest.raises(ImportFailed, match=r"map.xtm: more than 1,000 bytes; .* raise max_bytes"):
        read(toyota.xtm2(), max_bytes=1000)
    huge = tmp_path / "huge.xtm"
    with huge.open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(ImportFailed, match=r"huge.xtm: more than 64,000,000 bytes"):
        read_topic_map(huge)


def test_gzipped_files_are_read_and_bombs_are_not(read):
    assert read(gzip.compress(toyota.xtm2().encode())).find("toyota") >= 0
    bomb = gzip.compress(gzip.compress(b" " * 100_000_000))
    with pytest.raises(ImportFailed, match=r"not valid|bytes"):
        read(bomb)
    with pytest.raises(ImportFailed, match="more than 1,000,000 bytes"):
        read(gzip.compress(b" " * 5_000_000), max_bytes=1_000_000)
    with pytest.raises(ImportFailed, match="damaged gzip"):
        read(b"\x1f\x8b\x08 this is none")
