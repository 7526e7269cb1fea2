"""A table of vectors small enough to be seen through; tests that use it skip without the packages that read tables."""

import json
from pathlib import Path

import numpy as np
import pytest

WORDS = {
    "bees": (4, 1, 0),
    "honey": (4, 0, 0),
    "hive": (3, 1, 0),
    "nectar": (3, 0, 1),
    "train": (0, 4, 0),
    "railway": (0, 3, 1),
    "car": (-1, 4, 1),
    "page": (1, 1, 4),
}


def write_table(folder: Path, tensor: str = "embeddings", words: dict[str, tuple[int, ...]] = WORDS) -> Path:
    """Write it as model2vec does, a piece a word."""
    safetensors = pytest.importorskip("safetensors.numpy")
    pytest.importorskip("tokenizers")
    vocabulary = {"[UNK]": 0, **{word: number for number, word in enumerate(words, 1)}}
    tokenizer = {
        "version": "1.0",
        "pre_tokenizer": {"type": "Whitespace"},
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    vectors = np.array([(0, 0, 0), *words.values()], dtype=np.float16)
    safetensors.save_file({tensor: vectors}, folder / "model.safetensors")
    return folder
