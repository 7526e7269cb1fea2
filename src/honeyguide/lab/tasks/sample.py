"""The sample web, of any size: its topics are known by construction, so recall is true recall.

`sample-2000` is the one with 2,000 pages, `sample-2000-7` another of that size.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from honeyguide.errors import SettingsError
from honeyguide.files import cache_folder
from honeyguide.lab.tasks.tasks import Shape, Task, divide
from honeyguide.sample_web.corpus import write_corpus
from honeyguide.sample_web.web import SampleWeb
from honeyguide.sample_web.words import TOPICS

PREFIX = "sample-"
LARGEST_WEB = 1_000_000
FEWEST_PAGES = 20  # on a topic; in a small web many have fewer
FORMAT = 1
"""Part of a recorded sample's name: raised when equal parameters give another web than before."""

_NAME = re.compile(rf"{PREFIX}(\d{{1,9}})(?:-(\d{{1,9}}))?")


def make_tasks(corpus: str, shape: Shape) -> Iterator[Task]:
    """A task for each topic of the sample web of this name that has some pages."""
    web = sample_web(corpus)
    numbers = {topic: list(web.target_numbers(topic)) for topic in web.topic_names}
    for topic in TOPICS:
        if len(numbers.get(topic, ())) >= FEWEST_PAGES:
            yield _task(corpus, web, topic, numbers, shape)


def _task(corpus: str, web: SampleWeb, topic: str, numbers: dict[str, list[int]], shape: Shape) -> Task:
    relevant = [web.url(number) for number in numbers[topic]]
    others = (web.url(number) for other, own in numbers.items() if other != topic for number in own)
    start = (shape.draw - 1) * shape.seeds
    seeds = web.seeds(topic, start + shape.seeds)[start:]
    candidates = [url for url in relevant if url not in seeds]
    parts = divide(topic, candidates, others, shape)
    return Task(
        name=f"{corpus}/{topic}",
        corpus=corpus,
        topic=topic,
        words=web.description(topic),
        seeds=tuple(seeds),
        targets=frozenset(candidates).difference(parts.positives),
        relevant=frozenset(relevant),
        positives=parts.positives,
        negatives=parts.negatives,
        budget=max(50, web.pages // 4),
    )


def sample_web(corpus: str) -> SampleWeb:
    """The sample web of a name."""
    match = _NAME.fullmatch(corpus)
    if match is None or int(match[1]) > LARGEST_WEB:
        raise SettingsError(f"{corpus}: a sample web is called {PREFIX}PAGES or {PREFIX}PAGES-SEED")
    return SampleWeb(pages=int(match[1]), seed=int(match[2] or 1))


def recorded(corpus: str) -> Path:
    """The folder the sample web of a name is recorded in; it is written when first asked for."""
    web = sample_web(corpus)
    folder = cache_folder("samples") / f"v{FORMAT}-{web.pages}-{web.seed}" / corpus
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(dir=folder.parent))
        write_corpus(web, part)
        with suppress(OSError):  # another process may have been faster
            part.rename(folder)
        shutil.rmtree(part, ignore_errors=True)
    return folder
