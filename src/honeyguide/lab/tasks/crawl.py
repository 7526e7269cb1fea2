"""A former crawl as a task: its pages are the web, and what is relevant in it is what people said of them.

Where they said too little, a judge of its own decides. It is of another family than the guide, and neither learns from
what the other has learned from. Both learn from what the crawl itself thought of its pages: results say how well its
topic can be found again, not what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from honeyguide.crawls import Crawl
from honeyguide.errors import TopicError
from honeyguide.lab.tasks.closed_web import ClosedWeb
from honeyguide.lab.tasks.labels import shuffled
from honeyguide.lab.tasks.tasks import NEGATIVES_PER_POSITIVE, POSITIVES, Shape, Task, divide
from honeyguide.making import read_order_seeds
from honeyguide.model import Visit
from honeyguide.topics.classifier import train_classifier

PREFIX = "crawl:"
JUDGE = "naive-bayes"
FEWEST_EXAMPLES = 10
FEWEST_GOOD = 20  # pages that people called relevant, so that a quarter of them is something to learn from


def make_tasks(folder: Path, shape: Shape) -> Iterator[Task]:
    """The one task of a crawl that kept its pages."""
    crawl = Crawl.open(folder)
    web = ClosedWeb(folder)
    visits = [visit for visit in _visits(crawl) if visit.url in web.numbers]
    said = {url: row.relevant for url, row in crawl.labels().items() if url in web.numbers}
    good = [url for url, relevant in said.items() if relevant]
    bad = [url for url, relevant in said.items() if relevant is False]
    if len(good) >= FEWEST_GOOD and len(bad) >= FEWEST_EXAMPLES:
        parts = divide(str(folder.name), good, bad, shape)
        positives, negatives, relevant = parts.positives, parts.negatives, frozenset(good)
        learned = frozenset((*positives, *negatives))
    else:
        positives, negatives, relevant, learned = _by_judge(folder, web, visits, crawl.threshold)
    seeds = tuple(read_order_seeds(crawl.order).urls)
    yield Task(
        name=f"{PREFIX}{folder}",
        corpus=str(folder.absolute()),
        topic=crawl.order.topic.text or folder.name,
        words=crawl.order.topic.text,
        seeds=seeds,
        targets=relevant.difference(learned, seeds),
        relevant=relevant,
        positives=positives,
        negatives=negatives,
        budget=max(1, len(visits) // 2),
    )


def _by_judge(
    folder: Path, web: ClosedWeb, visits: Sequence[Visit], threshold: float
) -> tuple[tuple[str, ...], tuple[str, ...], frozenset[str], frozenset[str]]:
    """Pages to learn from, on the topic and off it; what the judge calls relevant; all that was learned from."""
    on_topic = shuffled([visit.url for visit in visits if visit.relevance >= threshold], "on the topic")
    off_topic = shuffled([visit.url for visit in visits if visit.relevance < threshold], "off the topic")
    share = min(POSITIVES, len(on_topic) // 4, len(off_topic) // (4 * NEGATIVES_PER_POSITIVE))
    if share < FEWEST_EXAMPLES:
        raise TopicError(
            f"{folder}: a guide and a judge need {FEWEST_EXAMPLES} pages each to learn from, and this crawl has "
            f"too few on its topic or off it; crawl more pages, or label {FEWEST_GOOD} as relevant and "
            f"{FEWEST_EXAMPLES} as not"
        )
    judged = _judged(
        web, on_topic[share : 2 * share], off_topic[2 * share : 4 * share], [v.url for v in visits]
    )
    learned = frozenset((*on_topic[: 2 * share], *off_topic[: 4 * share]))
    return tuple(on_topic[:share]), tuple(off_topic[: 2 * share]), judged, learned


def _visits(crawl: Crawl) -> list[Visit]:
    with crawl.reader() as reader:
        return list({visit.url: visit for visit in reader.visits()}.values())


def _judged(
    web: ClosedWeb, positives: Sequence[str], negatives: Sequence[str], urls: Sequence[str]
) -> frozenset[str]:
    """The pages that the judge calls relevant."""
    judge = train_classifier(web.examples(positives), web.examples(negatives), model=JUDGE).topic
    relevance = judge.judge([web.text(url) for url in urls])
    return frozenset(
        url for url, own in zip(urls, relevance.tolist(), strict=True) if own >= judge.relevant_above
    )
