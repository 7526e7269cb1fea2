import pytest

from honeyguide.errors import ImportFailed
from honeyguide.topics.examples import Example
from honeyguide.topics.imports import ImportLimits, read_folders


@pytest.fixture
def folder(tmp_path):
    for path, text in {
        "Arts/Music/jazz_club.txt": "saxophone",
        "Arts/film.txt": "camera",
        "Science/bees.html": "<p>honey",
        "Science/.hidden.txt": "secret",
        ".git/config.txt": "secret",
        "top.txt": "anything",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def listed(collected):
    pages = zip(collected.examples, collected.places, strict=True)
    return sorted((collected.tree.path(place), one.title, one.text) for one, place in pages)


def test_folders_are_topics_and_text_files_examples(folder):
    found = read_folders(folder)
    assert listed(found) == [
        ("", "top", "anything"),
        ("Arts", "film", "camera"),
        ("Arts/Music", "jazz club", "saxophone"),
    ]
    assert found.tree.find("Science")
    assert found.skipped["no text file"] == 1


def test_other_files_are_read_by_whom_can(folder):
    found = read_folders(folder, lambda path: Example(path.read_text(), title=path.suffix))
    assert ("Science", ".html", "<p>honey") in listed(found)


def test_links_are_not_followed(folder):
    (folder / "Arts" / "loop").symlink_to(folder)
    (folder / "Arts" / "passwd.txt").symlink_to("/etc/passwd")
    assert len(read_folders(folder).examples) == 3


def test_other_encodings_are_read(folder):
    (folder / "Arts" / "cafe.txt").write_bytes("café".encode("cp1252"))
    assert ("Arts", "cafe", "café") in listed(read_folders(folder))


def test_limits(folder):
    with pytest.raises(ImportFailed, match="more than 2 examples"):
        read_folders(folder, limits=ImportLimits(examples=2))
    with pytest.raises(ImportFailed, match="no folder"):
        read_folders(folder / "top.txt")
    with (folder / "Arts" / "huge.txt").open("wb") as file:
        file.truncate(10_000_001)
    with pytest.raises(ImportFailed, match=r"huge\.txt: larger than"):
        read_folders(folder)


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(ImportFailed, match="no topics found"):
        read_folders(tmp_path)
