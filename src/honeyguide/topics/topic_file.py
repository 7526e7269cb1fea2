"""Topics on disk: one zip, not compressed, of topic.json and an .npy for each array. Nothing in it is ever run.

Every array is hashed in topic.json. A foreign, newer or damaged file is refused, within bounded time and memory:
as nothing is compressed, nothing in it is larger than the file itself.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from honeyguide.errors import SettingsError, TopicError
from honeyguide.files import whole_file
from honeyguide.plugins import find_plugin
from honeyguide.topics import TOPIC_MODELS
from honeyguide.topics.base import TopicModel, TopicParts

FORMAT = "honeyguide-topic"
VERSION = 1
MANIFEST = "topic.json"
MAX_FILE_BYTES = 1 << 30
MAX_MANIFEST_BYTES = 64 << 20
MAX_ARRAYS = 1_000

_ARRAY_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}")


def write_topic(path: Path, model: TopicModel) -> None:
    """Write a topic, all of it or nothing."""
    parts = model.parts()
    arrays = {name: _packed(array) for name, array in parts.arrays.items()}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "kind": model.name,
        "settings": dict(parts.settings),
        "arrays": {name: hashlib.sha256(content).hexdigest() for name, content in arrays.items()},
    }
    text = json.dumps(manifest, ensure_ascii=False, allow_nan=False, indent=1).encode(
        "utf-8", "surrogatepass"
    )
    if len(text) > MAX_MANIFEST_BYTES:
        raise TopicError(f"{path}: the topic is too large to be written; make it of fewer examples")
    try:
        _write_zip(path, {MANIFEST: text, **{f"{name}.npy": content for name, content in arrays.items()}})
    except OSError as error:
        raise TopicError(f"{path}: the topic cannot be written: {error.strerror or error}") from error


def _packed(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    npy.write_array(buffer, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def _write_zip(path: Path, contents: Mapping[str, bytes]) -> None:
    with whole_file(path) as part, zipfile.ZipFile(part, "w") as archive:
        for name, content in contents.items():
            archive.writestr(zipfile.ZipInfo(name), content)  # dateless: the same topic, the same bytes


def read_topic(path: Path) -> TopicModel:
    """Read a topic back. TopicError says what is wrong with the file and what to do."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise TopicError(f"it is larger than {MAX_FILE_BYTES >> 20:,} MB")
        with path.open("rb") as file, zipfile.ZipFile(file) as archive:
            return _read_archive(archive)
    except OSError as error:
        raise TopicError(f"{path}: the topic cannot be read: {error.strerror or error}") from error
    except TopicError as error:
        raise TopicError(f"{path}: no usable topic: {error}") from error
    except Exception as error:  # over damaged bytes zipfile, json and numpy raise almost anything
        raise TopicError(
            f"{path}: no topic of honeyguide, or damaged ({type(error).__name__}: {str(error)[:100]}); "
            f"train or import it again, or take a copy that is whole"
        ) from error


def _read_archive(archive: zipfile.ZipFile) -> TopicModel:
    members = {info.filename: info for info in archive.infolist()}
    if MANIFEST not in members or len(members) != len(archive.infolist()) or len(members) > MAX_ARRAYS + 1:
        raise TopicError(f"it is not a zip of {MANIFEST} and arrays")
    if sum(info.file_size for info in members.values()) > MAX_FILE_BYTES:
        raise TopicError("its files overlap: together they are larger than a topic may be")
    if members[MANIFEST].file_size > MAX_MANIFEST_BYTES:
        raise TopicError(f"its {MANIFEST} is larger than {MAX_MANIFEST_BYTES >> 20} MB")
    manifest = _manifest(_content(archive, members[MANIFEST]))
    hashes = manifest["arrays"]
    if set(members) != {MANIFEST, *(f"{name}.npy" for name in hashes)}:
        raise TopicError(f"the files in it are not those {MANIFEST} lists")
    arrays = {name: _array(name, _content(archive, members[f"{name}.npy"]), hashes[name]) for name in hashes}
    try:
        kind = find_plugin("topics", manifest["kind"], TOPIC_MODELS)
    except SettingsError as error:
        raise TopicError(
            f"{error}; install the package it comes from, or, if a program gave it, give it again: "
            "Crawl.open(folder, topic=...)"
        ) from error
    return kind.from_parts(TopicParts(manifest["settings"], arrays))


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
        raise TopicError(f"{info.filename[:100]!r} in it is compressed, which topics never are")
    return archive.read(info)


def _manifest(content: bytes) -> dict[str, Any]:
    manifest = json.loads(content.decode("utf-8", "surrogatepass"), parse_constant=_refuse_constant)
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise TopicError(f"its {MANIFEST} is not one of honeyguide's")
    version = manifest.get("version")
    if not isinstance(version, int) or version != VERSION:
        raise TopicError(
            f"it has version {version!r}, this honeyguide reads version {VERSION}; use a newer one"
        )
    hashes, settings, kind = manifest.get("arrays"), manifest.get("settings"), manifest.get("kind")
    if not (isinstance(hashes, dict) and isinstance(settings, dict) and isinstance(kind, str)):
        raise TopicError(f"its {MANIFEST} lacks arrays, settings or kind")
    if not all(map(_ARRAY_NAME.fullmatch, hashes)):
        raise TopicError("an array in it has a name no topic gives")
    return manifest


def _refuse_constant(name: str) -> NoReturn:
    raise TopicError(f"{name} is no number")


def _array(name: str, content: bytes, digest: object) -> NDArray[Any]:
    if hashlib.sha256(content).hexdigest() != digest:
        raise TopicError(f"the array {name!r} is damaged: its hash is wrong; take a copy that is whole")
    shape, is_column_major, dtype, start = _header(content)
    if dtype.kind not in "biuf" or not all(type(side) is int and side >= 0 for side in shape):
        raise TopicError(f"the array {name!r} holds {dtype} in the shape {shape}; only numbers are read")
    # Compared before anything is allocated: the header may claim any size.
    if math.prod(shape) * dtype.itemsize != len(content) - start:
        raise TopicError(f"the array {name!r} is not as long as it says")
    numbers = np.frombuffer(content, dtype, offset=start).reshape(
        shape, order="F" if is_column_major else "C"
    )
    if dtype.kind == "f" and not np.isfinite(numbers).all():
        raise TopicError(f"the array {name!r} holds something that is no number")
    return numbers.astype(dtype.newbyteorder("="), order="C")


def _header(content: bytes) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    file = io.BytesIO(content)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if npy.read_magic(file) != (1, 0):
            raise TopicError("an array in it is not of the version topics are written in")
        shape, is_column_major, dtype = npy.read_array_header_1_0(file)
    return shape, is_column_major, dtype, file.tell()
