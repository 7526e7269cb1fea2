"""From what a program gives `Crawl.start` to a crawl order and parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from honeyguide.assembly import Parts
from honeyguide.errors import SettingsError, TopicError
from honeyguide.fetch.base import Fetcher
from honeyguide.making import read_order_seeds
from honeyguide.sample_web.web import SampleWeb
from honeyguide.settings import CrawlOrder, keywords_of
from honeyguide.store.folder import TOPIC
from honeyguide.strategies.base import Strategy
from honeyguide.topics.base import TopicModel
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.meaning.topic import MeaningTopic
from honeyguide.topics.phrase_language import DEFAULT, language_code, phrase_language

Topic = str | Path | TopicModel
Web = str | Path | Fetcher | SampleWeb


def order_of(
    order: CrawlOrder | str | Path | None,
    folder: str | Path | None,
    topic: Topic | None,
    seeds: Sequence[str] | Path,
    strategy: str | Strategy | None,
    web: Web | None,
    settings: Mapping[str, object],
) -> CrawlOrder:
    """The order, changed by everything that was given beside it."""
    base = CrawlOrder.read(Path(order)) if isinstance(order, (str, Path)) else order or CrawlOrder()
    given: dict[str, object] = {"output.folder": str(folder)} if folder is not None else {}
    given |= _seeds(seeds) | _strategy(strategy) | _web(web)
    if isinstance(topic, TopicModel):
        given |= _topic(topic, str(folder or base.output.folder))
    elif isinstance(topic, str | Path):
        given["topic.file" if isinstance(topic, Path) else "topic.text"] = str(topic)
    elif topic is not None:
        raise SettingsError(
            f"topic: words, the Path of a topic file, or a topic model; not {type(topic).__name__}"
        )
    return base.with_overrides({**given, **settings})


def with_language(order: CrawlOrder) -> CrawlOrder:
    """Write down the language that phrase and seeds look like, unless it is English, so that the crawl keeps it."""
    given = order.topic.keywords.get("language")
    if isinstance(given, str) and language_code(given) != given:
        return order.with_overrides({"topic.language": language_code(given)})
    if not guesses_language(order):
        return order
    language = phrase_language(order.topic.text, read_order_seeds(order).urls)
    return order if language == DEFAULT else order.with_overrides({"topic.language": language})


def guesses_language(order: CrawlOrder) -> bool:
    """Whether an order has words, and leaves it to us what language they are in."""
    return reads_phrase(order) and "language" not in order.topic.keywords


def reads_phrase(order: CrawlOrder) -> bool:
    """Whether the topic of an order is words that are taken apart."""
    has_words = bool(order.topic.text) and not order.topic.file
    return has_words and order.topic.model in (KeywordTopic.name, MeaningTopic.name)


def _topic(topic: TopicModel, folder: str) -> dict[str, object]:
    if not folder:
        raise SettingsError(
            "give a folder: one is named after the words of a topic, and a topic model has none"
        )
    # Another process cannot import what a program's own file defines.
    given: dict[str, object] = {"fetch.workers": 0} if type(topic).__module__ == "__main__" else {}
    try:
        topic.parts()
    except TopicError:  # then whoever opens the crawl gives it again
        return given | {
            "topic.model": topic.name,
            "topic.text": f"given by a program: {type(topic).__name__}",
        }
    return given | {"topic.file": str(Path(folder) / TOPIC)}  # the crawl's own copy


def parts_of(topic: Topic | None, strategy: str | Strategy | None, web: Web | None) -> Parts:
    """What was given as an object."""
    return Parts(
        topic=topic if isinstance(topic, TopicModel) else None,
        strategy=strategy if isinstance(strategy, Strategy) else None,
        fetcher=web if isinstance(web, Fetcher) else None,
    )


def _seeds(seeds: Sequence[str] | Path) -> dict[str, object]:
    if isinstance(seeds, Path):
        return {"seeds.file": str(seeds)}
    if isinstance(seeds, str):
        raise SettingsError(
            f"seeds: a list of urls, or the Path of a file; give [{seeds!r}] for a single one"
        )
    return {"seeds.urls": [str(url) for url in seeds]} if len(seeds) else {}


def _strategy(strategy: str | Strategy | None) -> dict[str, Any]:
    if strategy is None:
        return {}
    if isinstance(strategy, str):
        return {"strategy.name": strategy}
    if not isinstance(strategy, Strategy):
        raise SettingsError(f"strategy: a name, or an object; not {strategy!r}")
    own = {f"strategy.{key}": value for key, value in keywords_of(strategy).items()}
    return {"strategy.name": strategy.name, **own}


def _web(web: Web | None) -> dict[str, object]:
    if web is None:
        return {}
    if isinstance(web, Fetcher):
        return {"web.fetcher": type(web).__name__}
    if isinstance(web, SampleWeb):
        return {"web.sample_pages": web.pages, "web.sample_seed": web.seed}
    if isinstance(web, str | Path):
        return {"web.recording": str(web)}
    raise SettingsError(f"web: the path of a recording, or a fetcher; not {type(web).__name__}")
