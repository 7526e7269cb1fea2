"""Topics on disk: what is written is read again, and nothing else is."""

import contextlib
import hashlib
import io
import json
import warnings
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import TopicError
from honeyguide.topics import TOPIC_MODELS, topic_file
from honeyguide.topics.base import TopicModel, TopicParts
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.parts import array_of
from honeyguide.topics.topic_file import read_topic, write_topic


class WeightedWords(TopicModel):
    """A topic with an array."""

    name = "weighted-words"

    def __init__(self, weights):
        self.weights = weights

    def judge(self, texts):
        return np.full(len(texts), self.weights.mean())

    def explain(self, text):
        raise NotImplementedError

    def parts(self):
        return TopicParts({"note": "naïve"}, {"weights": self.weights})

    @classmethod
    def from_parts(cls, parts):
        return cls(array_of(parts.arrays, "weights", (3, 2)))


@pytest.fixture(autouse=True)
def _known_model(monkeypatch):
    monkeypatch.setattr(topic_file, "TOPIC_MODELS", (*TOPIC_MODELS, WeightedWords))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a good file."""
    path = tmp_path_factory.mktemp("topics") / "good.topic"
    write_topic(path, WeightedWords(np.arange(6.0).reshape(3, 2)))
    return path.read_bytes()


def test_a_topic_is_read_as_it_was_written(tmp_path):
    write_topic(tmp_path / "bees.topic", KeywordTopic("bees and honey"))
    again = read_topic(tmp_path / "bees.topic")
    assert isinstance(again, KeywordTopic)
    assert again.text == "bees and honey"
    write_topic(tmp_path / "words.topic", WeightedWords(np.arange(6.0).reshape(3, 2)))
    assert read_topic(tmp_path / "words.topic").weights.tolist() == [[0, 1], [2, 3], [4, 5]]


def test_the_same_topic_makes_the_same_bytes(tmp_path, whole):
    write_topic(tmp_path / "again.topic", WeightedWords(np.arange(6.0).reshape(3, 2)))
    assert (tmp_path / "again.topic").read_bytes() == whole


@pytest.mark.parametrize("dtype", ["<f4", ">f8", "<i4", "|b1", "|u1"])
def test_numbers_of_any_kind_and_order_are_read(tmp_path, dtype):
    numbers = np.asfortranarray(np.array([[0, 1], [1, 1], [0, 0]], dtype=dtype))
    write_topic(tmp_path / "words.topic", WeightedWords(numbers))
    assert (read_topic(tmp_path / "words.topic").weights == numbers).all()


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, whole):
    path = tmp_path / "bees.topic"
    path.write_bytes(whole)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("honeyguide.files.os.fsync", full)
    with pytest.raises(TopicError, match="No space left"):
        write_topic(path, KeywordTopic("bees"))
    assert [file.name for file in tmp_path.iterdir()] == ["bees.topic"]
    assert path.read_bytes() == whole


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(TopicError, match="nowhere"):
        write_topic(tmp_path / "nowhere" / "bees.topic", KeywordTopic("bees"))
    with pytest.raises(TopicError, match="nowhere"):
        read_topic(tmp_path / "nowhere" / "bees.topic")


def _npy(array, *, allow_pickle=False):
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.lib.format.write_array(buffer, array, version=(1, 0), allow_pickle=allow_pickle)
    return buffer.getvalue()


GOOD = _npy(np.arange(6.0).reshape(3, 2))


def _header(text):
    """An .npy that claims what it likes, without the numbers."""
    padded = text.encode() + b" " * (118 - len(text) % 128) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded


def _zip(path, contents, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names given twice
        for name, content in contents:
            archive.writestr(name, content)


def _manifest(contents, **changes):
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    manifest = {
        "format": "honeyguide-topic",
        "version": 1,
        "kind": "weighted-words",
        "settings": {},
        "arrays": hashes,
        **changes,
    }
    return json.dumps(manifest)


def _refusal(path, contents, compression=zipfile.ZIP_STORED):
    _zip(path, contents, compression)
    with pytest.raises(TopicError) as refusal:
        read_topic(path)
    assert str(path) in str(refusal.value)
    return str(refusal.value).replace(str(path), "")  # it is named after the test


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (_npy(np.array([[{}] * 2] * 3, dtype=object), allow_pickle=True), "object"),
        (_npy(np.full((3, 2), np.nan)), "no number"),
        (_npy(np.full((3, 2), -np.inf)), "no number"),
        (_npy(np.zeros((2, 3))), "shape"),
        (_npy(np.zeros((3, 2), dtype="U5")), "only numbers"),
        (_npy(np.zeros((3, 2), dtype=[("a", "f8")])), "only numbers"),
        (_npy(np.zeros((3, 2), dtype=complex)), "only numbers"),
        (GOOD[:-1], "not as long"),
        (GOOD + b"x", "not as long"),
        (b"", "damaged"),
        (GOOD[:40], "damaged"),
        (_header("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 1000), }"), "not as long"),
        (_header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }"), "only numbers"),
        (_header("{'descr': '<f8', 'fortran_order': False, 'shape': (True,), }"), "only numbers"),
        (_header("{'descr': '|V0', 'fortran_order': False, 'shape': (3, 2), }"), "only numbers"),
        (_header("{'descr': __import__('os'), 'fortran_order': False, 'shape': (3, 2), }"), "damaged"),
        (_header("(" * 9000), "damaged"),
        (b"\x93NUMPY\x02\x00" + GOOD[8:], "version"),
    ],
    ids=[
        "objects", "nan", "infinite", "wrong-shape", "text", "record", "complex", "short", "long", "empty", "cut",
        "huge", "negative", "boolean-shape", "void", "code", "nested", "other-version",
    ],
)  # fmt: skip
def test_arrays_that_are_not_plain_numbers_are_refused(tmp_path, array, reason):
    contents = [("topic.json", _manifest({"weights": array})), ("weights.npy", array)]
    assert reason in _refusal(tmp_path / "bad.topic", contents)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": "other"}, "not one of honeyguide"),
        ({"version": 2}, "newer"),
        ({"version": "1"}, "newer"),
        ({"kind": "weigted-words"}, "did you mean weighted-words"),
        ({"kind": "../../evil"}, "install the package"),
        ({"kind": None}, "lacks"),
        ({"settings": []}, "lacks"),
        ({"arrays": {"../../etc/passwd": "0"}}, "name"),
        ({"arrays": {"weights": "0" * 64}}, "hash is wrong"),
        ({"arrays": {"weights": None}}, "hash is wrong"),
        ({"arrays": {}}, "not those topic.json lists"),
        ({"settings": {"x": float("nan")}}, "NaN is no number"),
    ],
    ids=[
        "foreign", "newer", "text-version", "misspelled", "strange-kind", "no-kind", "settings", "path", "hash",
        "no-hash", "unlisted", "nan",
    ],
)  # fmt: skip
def test_foreign_newer_or_inconsistent_files_are_refused(tmp_path, changes, reason):
    contents = [("topic.json", _manifest({"weights": GOOD}, **changes)), ("weights.npy", GOOD)]
    assert reason in _refusal(tmp_path / "bad.topic", contents)


@pytest.mark.parametrize(
    ("manifest", "reason"),
    [
        ("[1]", "not one of"),
        ("{", "damaged"),
        ("[" * 100_000, "damaged"),
        ("9" * 5000, "damaged"),
        (b"\xff", "damaged"),
    ],
    ids=["list", "cut", "nested", "long-number", "no-text"],
)
def test_a_manifest_that_is_no_mapping_is_refused(tmp_path, manifest, reason):
    assert reason in _refusal(tmp_path / "bad.topic", [("topic.json", manifest)])


def test_names_that_lead_elsewhere_or_come_twice_are_refused(tmp_path):
    good = [("topic.json", _manifest({"weights": GOOD})), ("weights.npy", GOOD)]
    for name in ("../weights.npy", "/etc/passwd", "weights.npy/", "topic.json", "extra.npy"):
        _refusal(tmp_path / "bad.topic", [*good, (name, b"x")])
    _refusal(tmp_path / "bad.topic", good[1:])


def test_a_compressed_file_is_never_unpacked(tmp_path):
    """So nothing can be larger than the file: a bomb is refused before it goes off."""
    bomb = _npy(np.zeros(5_000_000))
    contents = [("topic.json", _manifest({"weights": bomb})), ("weights.npy", bomb)]
    assert "compressed" in _refusal(tmp_path / "bomb.topic", contents, zipfile.ZIP_DEFLATED)
    assert (tmp_path / "bomb.topic").stat().st_size < 100_000


def test_a_file_too_large_to_be_a_topic_is_not_opened(tmp_path, monkeypatch, whole):
    (tmp_path / "large.topic").write_bytes(whole)
    monkeypatch.setattr(topic_file, "MAX_FILE_BYTES", len(whole) - 1)
    with pytest.raises(TopicError, match="larger than"):
        read_topic(tmp_path / "large.topic")
    monkeypatch.undo()
    monkeypatch.setattr(topic_file, "MAX_MANIFEST_BYTES", 10)
    with pytest.raises(TopicError, match="larger than"):
        read_topic(tmp_path / "large.topic")


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("damaged") / "damaged.topic"


def _is_refused_or_unharmed(path):
    with contextlib.suppress(TopicError):
        assert read_topic(path).weights.tolist() == [[0, 1], [2, 3], [4, 5]]


def test_every_changed_byte_is_noticed_or_harmless(whole, scratch, monkeypatch):
    monkeypatch.setattr(topic_file, "TOPIC_MODELS", (*TOPIC_MODELS, WeightedWords))
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        scratch.write_bytes(damaged)
        _is_refused_or_unharmed(scratch)


@settings(max_examples=200)
@given(data=st.data())
def test_cut_joined_and_overwritten_files_are_noticed_or_harmless(whole, scratch, data):
    start = data.draw(st.integers(0, len(whole)))
    length = data.draw(st.integers(0, 100))
    scratch.write_bytes(whole[:start] + data.draw(st.binary(max_size=100)) + whole[start + length :])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(topic_file, "TOPIC_MODELS", (*TOPIC_MODELS, WeightedWords))
        _is_refused_or_unharmed(scratch)


@given(content=st.binary(max_size=300))
def test_any_other_file_is_refused(scratch, content):
    scratch.write_bytes(content)
    with pytest.raises(TopicError):
        read_topic(scratch)
