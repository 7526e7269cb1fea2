"""What every topic model must do: relevance from 0 to 1, the same for the same text, whatever the batch."""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path

import numpy as np

from honeyguide.model import Passages
from honeyguide.topics.base import TopicModel
from honeyguide.topics.topic_file import read_topic, write_topic

HOSTILE = ("", " ", "\x00", "a" * 100_000, "\ud800", "\u202e\u200b", "1 2 3", "<b>&amp;</b>", "蜂蜜 мёд miel")


def check_topic_model(model: TopicModel, on_topic: str, off_topic: str) -> None:
    """Judge texts on and off the topic, and such as only a hostile page has."""
    assert model.name, "a topic model has a name"
    assert 0 <= model.relevant_above <= 1, "the threshold is a relevance"
    texts = [on_topic, off_topic, *HOSTILE]
    judged = model.judge(texts)
    assert judged.shape == (len(texts),), "one number a text"
    assert judged.dtype == np.float64, "relevance is a float64"
    assert ((judged >= 0) & (judged <= 1)).all(), f"relevance must be 0 to 1: {judged}"
    assert judged[0] > judged[1], "a text on the topic is more relevant than one that is not"
    assert (model.judge(texts) == judged).all(), "the same text always gets the same number"
    singly = np.concatenate([model.judge([text]) for text in texts])
    assert (singly == judged).all(), "relevance does not depend on the rest of the batch"
    assert model.judge([]).shape == (0,), "an empty batch is fine"
    passages = Passages.joined([Passages.of([text]) for text in texts])
    assert (model.judge(passages) == judged).all(), (
        "it makes no difference where a text is a part of a longer one"
    )
    elsewhere = pickle.loads(pickle.dumps(model))
    assert (elsewhere.judge(texts) == judged).all(), "in another process it judges the same"
    with tempfile.TemporaryDirectory() as folder:
        write_topic(Path(folder) / "model.topic", model)
        assert (read_topic(Path(folder) / "model.topic").judge(texts) == judged).all(), (
            "a file holds all of it"
        )
    for text in texts:
        assert model.explain(text).summary, "every text has an explanation"
