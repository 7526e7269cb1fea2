import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.errors import ImportFailed
from honeyguide.topics.imports import ImportLimits, read_dmoz
from honeyguide.topics.imports.dmoz import _xml_text

HEAD = '<?xml version="1.0" encoding="UTF-8"?><RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns="http://dmoz.org/rdf/">'


def page(url: str, topic: str, title: str = "Title", description: str = "About it") -> str:
    texts = f"<d:Title>{title}</d:Title><d:Description>{description}</d:Description>"
    return f'<ExternalPage about="{url}">{texts}<topic>{topic}</topic></ExternalPage>'


@pytest.fixture
def dump(tmp_path):
    def write(body: str | bytes, name: str = "content.rdf.u8"):
        path = tmp_path / name
        path.write_bytes(body if isinstance(body, bytes) else f"{HEAD}{body}</RDF>".encode())
        return path

    return write


@pytest.mark.parametrize(
    "name", ["content_sample_2013.rdf.u8", "structure_sample.rdf.u8", "content_sample_2016.rdf"]
)
def test_samples_of_real_dumps(shared, name):
    folder = shared / "fixtures" / "dmoz"
    expected = next(one for one in json.loads((folder / "expected.json").read_text()) if one["file"] == name)
    collected = read_dmoz(folder / name)
    tree = collected.tree
    for topic in expected["topics"]:
        path = topic.removeprefix("Top").removeprefix("/")
        assert tree.path(tree.find(path)) == path.replace("_", " ")
    pages = [
        (example.url, example.title, f"Top/{tree.path(place)}")
        for example, place in zip(collected.examples, collected.places, strict=True)
        if example.url
    ]
    assert pages == [
        (one["url"], one["title"], one["topic"].replace("_", " ")) for one in expected["external_pages"]
    ]
    assert all(example.text for example in collected.examples)


def test_structure_and_content_go_together(shared):
    folder = shared / "fixtures" / "dmoz"
    collected = read_dmoz(folder / "structure_sample.rdf.u8", folder / "content_sample_2016.rdf")
    arts = collected.tree.find("Arts")
    described = [
        example.text
        for example, place in zip(collected.examples, collected.places, strict=True)
        if place == arts and not example.url
    ]
    assert len(described) == 1
    assert "liberal arts" in described[0]
    assert "<" not in described[0]


def test_other_namespaces_prefixes_and_a_packed_file(dump, tmp_path):
    body = page("http://a.org/", "Top/Arts").replace("d:Title", "dc:Title").replace("<topic>", "<x:topic>")
    body = (
        body.replace("</topic>", "</x:topic>")
        .replace("ExternalPage", "o:ExternalPage")
        .replace("about", "r:about")
    )
    packed = tmp_path / "content.rdf.u8.gz"
    packed.write_bytes(gzip.compress(dump(body).read_bytes()))
    collected = read_dmoz(packed)
    assert collected.examples[0].title == "Title"
    assert collected.tree.path(collected.places[0]) == "Arts"


def test_bytes_that_are_no_xml_are_mended(dump):
    body = f"{HEAD}{page('http://a.org/?a=1&b=2', 'Top/R&D', 'caf', 'x')}</RDF>".encode()
    body = body.replace(b"caf", b"caf\xe9 \x0c\x00 AT&T &nbsp; &#5; &#xD800; &amp; &lt;")
    collected = read_dmoz(dump(body))
    assert collected.examples[0].title == "caf\ufffd \ufffd\ufffd AT&T &nbsp; \ufffd \ufffd & <"
    assert collected.examples[0].url == "http://a.org/?a=1&b=2"
    assert collected.tree.path(collected.places[0]) == "R&D"


@given(
    st.lists(st.sampled_from(["&", "amp;", "&amp;", "#", "6", ";", "&#65;", "é", "x" * 20, "lt"])),
    st.integers(1, 9),
)
def test_where_a_file_is_cut_into_pieces_makes_no_difference(parts, size):
    data = "".join(parts).encode()
    pieces = (data[start : start + size] for start in range(0, len(data), size))
    assert "".join(_xml_text(pieces)) == "".join(_xml_text(iter([data])))


def test_topics_and_pages_named_twice_are_there_once(dump):
    topic = '<Topic r:id="Top/Arts"></Topic>'
    collected = read_dmoz(
        dump(topic + page("http://a.org/", "Top/Arts") + topic + page("http://a.org/#x", "Top/Arts"))
    )
    assert len(collected.tree) == 2
    assert len(collected.examples) == 1
    assert collected.skipped == {"there twice": 1}


def test_a_part_of_the_tree_down_to_a_depth(dump):
    topics = ("Top/Arts/Music/Jazz/Bebop", "Top/Arts/Film", "Top/Science")
    body = "".join(page(f"http://a.org/{number}", topic) for number, topic in enumerate(topics))
    collected = read_dmoz(dump(body), limits=ImportLimits(under="Top/Arts", depth=2))
    assert [collected.tree.path(place) for place in collected.places] == ["Music/Jazz", "Film"]
    assert collected.skipped == {"outside the part asked for": 1}


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (ImportLimits(topics=5), "more than 5 topics; take fewer levels"),
        (ImportLimits(examples=3), "more than 3 examples"),
        (ImportLimits(bytes=500), "larger than 500 bytes"),
        (ImportLimits(under="Top/World"), "no topics found below 'Top/World'"),
    ],
)
def test_limits_are_errors_that_say_what_to_do(dump, limits, reason):
    body = "".join(page(f"http://a.org/{number}", f"Top/Arts/{number}") for number in range(9))
    with pytest.raises(ImportFailed, match=reason):
        read_dmoz(dump(body), limits=limits)


def test_pages_beyond_the_number_per_topic_are_left_out(dump):
    body = "".join(page(f"http://a.org/{number}", "Top/Arts") for number in range(9))
    collected = read_dmoz(dump(body), limits=ImportLimits(examples_per_topic=4))
    assert len(collected.examples) == 4
    assert collected.skipped == {"beyond the examples per topic": 5}


BILLION_LAUGHS = (
    '<!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]><RDF><Topic id="Top/&b;"></Topic></RDF>'
)
EXTERNAL = '<!DOCTYPE r SYSTEM "file:///etc/passwd"><RDF></RDF>'


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (BILLION_LAUGHS.encode(), "line 1: the file has a DOCTYPE"),
        (EXTERNAL.encode(), "line 1: the file has a DOCTYPE"),
        (b"<RDF>\n<Topic>\n</RDF>", "line 3: the file is not well-formed: mismatched tag"),
        (b"<RDF><Topic id='Top/Arts'>", "ends too early"),
        (b"", "ends too early"),
        (b"not XML at all", "not well-formed"),
        (b"<a>" * 40, "more than 16 elements inside each other"),
        (b"<RDF></RDF>", "no topics found"),
        (b"<RDF><Topic r:id='" + b"x" * 3_000_000, "tag or comment longer than"),
        (b"<RDF><!--" + b"x" * 3_000_000, "tag or comment longer than"),
        (b"\x1f\x8b\x08\x00damaged", "cannot be read"),
        ("<RDF></RDF>".encode("utf-16"), "not well-formed"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_dump_is_refused(dump, body, reason):
    with pytest.raises(ImportFailed, match=reason):
        read_dmoz(dump(body))


def test_endless_text_is_cut(dump):
    collected = read_dmoz(dump(page("http://a.org/", "Top/Arts", description="word " * 1_000_000)))
    assert len(collected.examples[0].text) <= 10_000


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ImportFailed, match=r"nothing\.rdf: cannot be read"):
        read_dmoz(tmp_path / "nothing.rdf")


def test_progress_is_told_each_megabyte(dump):
    told = []
    read_dmoz(dump(page("http://a.org/", "Top/Arts", description="word " * 700_000)), progress=told.append)
    assert len(told) == 3
