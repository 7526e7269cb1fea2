import gzip

import pytest

from honeyguide.errors import ImportFailed
from honeyguide.topics.imports import ImportLimits, read_directory_tsv


@pytest.fixture
def table(tmp_path):
    def read(data: str | bytes, limits: ImportLimits | None = None):
        path = tmp_path / "directory.tsv"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return read_directory_tsv(path, limits or ImportLimits())

    return read


@pytest.mark.slow
def test_a_directory_of_136_402_rows(shared):
    path = shared / "corpora" / "awesome-directory" / "directory.tsv.gz"
    collected = read_directory_tsv(path, ImportLimits(examples_per_topic=1_000_000))
    assert len(collected.examples) + sum(collected.skipped.values()) == 136_402
    assert len(collected.tree.children(0)) == 36
    assert len(set(collected.places)) == 15_463
    first = collected.examples[0]
    assert (first.url, first.title) == ("https://www.usebruno.com/", "Bruno")
    assert collected.tree.path(collected.places[0]) == "Platforms/Awesome Windows/API Development"


def test_columns_are_found_by_their_names(table):
    collected = table("title\tcategory\turl\nJazz\tTop/Arts/Jazz_Music\thttp://a.org/\n")
    assert collected.examples[0].title == "Jazz"
    assert collected.tree.path(collected.places[0]) == "Arts/Jazz Music"


def test_without_a_header_columns_have_their_usual_order(table):
    collected = table(
        "http://a.org/\tArts\r\nhttp://b.org/\tArts\tB\tabout b\textra\n\nno url\tArts\nhttp://c.org/\n"
    )
    assert [(one.url, one.title, one.text) for one in collected.examples] == [
        ("http://a.org/", "", ""),
        ("http://b.org/", "B", "about b"),
    ]
    assert collected.skipped == {"not a web page": 1, "no category after the first tab": 1}


def test_other_encodings(table):
    assert table("\ufeffurl\tcategory\nhttp://a.org/\tcafé\n").tree.names[1] == "café"
    assert table("http://a.org/\tcafé\n".encode("cp1252")).tree.names[1] == "café"
    with pytest.raises(ImportFailed, match="UTF-16; save it as UTF-8"):
        table("http://a.org/\tcafé\n".encode("utf-16"))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no topics found"),
        (b"some words\nand more\n", "no topics found; 2 entries: no category"),
        (b"x" * 2_000_000, "longer than 1,000,000 bytes"),
        (gzip.compress(b"\0" * 50_000_000), "longer than 1,000,000 bytes"),
        (gzip.compress(b"http://a.org/\tArts\n" * 9)[:-9], "cannot be read"),
    ],
    ids=["empty", "no table", "one line", "bomb", "cut"],
)
def test_what_is_no_table_is_refused(table, data, reason):
    with pytest.raises(ImportFailed, match=reason):
        table(data)


def test_size_is_limited(table):
    with pytest.raises(ImportFailed, match="larger than 100 bytes"):
        table("http://a.org/\tArts\n" * 9, ImportLimits(bytes=100))
