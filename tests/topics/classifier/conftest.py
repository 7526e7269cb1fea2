"""Examples on bees and on railways, made of word lists that overlap a little."""

import random

import pytest

from honeyguide.topics.classifier import train_classifier
from honeyguide.topics.examples import Example
from honeyguide.topics.text import words_of

BEES = words_of(
    "bee hive honey swarm queen brood nectar pollen wax comb drone apiary keeper sting frame smoker"
)
RAILS = words_of(
    "train track station signal engine carriage rail platform timetable driver freight tunnel bridge"
)
BOTH = words_of("season early work large small find open long people water road winter book history town day")


def make_examples(words: list[str], number: int, seed: int = 0) -> list[Example]:
    dice = random.Random(f"{words[0]}-{seed}")
    return [
        Example(
            " ".join(dice.choices(words, k=10) + dice.choices(BOTH, k=20)),
            url=f"https://{words[0]}.example/{n}",
        )
        for n in range(number)
    ]


@pytest.fixture(scope="session")
def on_topic() -> list[Example]:
    return make_examples(BEES, 30)


@pytest.fixture(scope="session")
def off_topic() -> list[Example]:
    return make_examples(RAILS, 60)


@pytest.fixture(scope="session")
def trained(on_topic, off_topic):
    """All three models."""
    return train_classifier(on_topic, off_topic, model="majority")
