"""Checksums of words, against those of zlib."""

from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.parse.checksums import word_checksums


def expected(text: bytes) -> list[int]:
    return [crc32(word) for word in text.split()]


@given(st.binary(max_size=300) | st.text(" \t\n\x0b\x1c\x85ab\xe9蜂", max_size=300).map(str.encode))
def test_of_any_bytes(text: bytes) -> None:
    assert word_checksums(text).tolist() == expected(text)


@pytest.mark.parametrize("length", [1, 2, 63, 64, 65, 5000])
def test_of_words_of_any_length(length: int) -> None:
    text = b"a " + bytes(33 + place % 200 for place in range(length)) + b"\n b"
    assert word_checksums(text).tolist() == expected(text)


@pytest.mark.parametrize("text", [b"", b" ", b"\n\t ", b"a", b" a", b"a "])
def test_of_hardly_anything(text: bytes) -> None:
    assert word_checksums(text).tolist() == expected(text)
