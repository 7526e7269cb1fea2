"""Topic models: pages judged per second on one core, in batches of 50 pages of 24 KB text; time to train.

Pages are words of English drawn by Zipf's law with words of a backbone topic, and a few new words each, as pages
of the Web have them; the first round over them is thrown away, as it fills the table of words.
"""

from __future__ import annotations

import numpy as np

from benchmarks._figures import cpu_seconds, figure
from honeyguide.topics.base import TopicModel
from honeyguide.topics.classifier import train_classifier
from honeyguide.topics.classifier.background import backbone_words
from honeyguide.topics.classifier.topic import MODELS
from honeyguide.topics.examples import Example
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.rarity import english_words

PAGE_CHARS = 24_000
BATCH = 50
PAGES = 500
ROUNDS = 5
NEW_WORDS = 0.01


def page(dice: np.random.Generator, topic: list[str]) -> str:
    """A text of 24 KB."""
    words = np.array(english_words())
    ranks = np.minimum(dice.zipf(1.3, 6_000) - 1, len(words) - 1)
    chosen = words[ranks].astype(object)
    topical = dice.random(len(chosen)) < 0.2
    chosen[topical] = dice.choice(topic, int(topical.sum()))
    new = dice.random(len(chosen)) < NEW_WORDS
    letters = dice.integers(97, 123, (int(new.sum()), 9)).astype(np.uint8)
    chosen[new] = [bytes(row).decode() for row in letters]
    return " ".join(chosen)[:PAGE_CHARS].capitalize() + "."


def pages_per_second(model: TopicModel, texts: list[str]) -> float:
    """The best of some rounds: on a shared machine the others tell of its other users."""
    times = []
    for _ in range(ROUNDS + 1):
        start = cpu_seconds()
        for first in range(0, len(texts), BATCH):
            model.judge(texts[first : first + BATCH])
        times.append(cpu_seconds() - start)
    return len(texts) / min(times[1:])


def main() -> None:
    dice = np.random.default_rng(1)
    topics = backbone_words()
    positives = [Example(page(dice, topics[0])) for _ in range(75)]
    negatives = [Example(page(dice, topics[1 + number % (len(topics) - 1)])) for number in range(150)]
    texts = [page(dice, topics[number % len(topics)]) for number in range(PAGES)]
    for name in MODELS:
        start = cpu_seconds()
        topic = train_classifier(positives, negatives, model=name).topic
        figure(
            f"{name.replace('-', '_')}_training_s",
            cpu_seconds() - start,
            "s (75 + 150 pages, cross-validated)",
        )
        figure(f"{name.replace('-', '_')}_pages_per_s", pages_per_second(topic, texts), "pages/s")
    figure("keywords_pages_per_s", pages_per_second(KeywordTopic(" ".join(topics[0])), texts), "pages/s")


if __name__ == "__main__":
    main()
