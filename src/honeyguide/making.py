"""From a crawl order to the exchangeable parts of a crawl: topic, strategy, fetcher, seeds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from honeyguide.errors import TopicError
from honeyguide.fetch.base import Fetcher
from honeyguide.fetch.identity import check_contact, user_agent
from honeyguide.fetch.replay import ReplayFetcher, open_recording
from honeyguide.fetch.sample import SampleFetcher
from honeyguide.plugins import find_plugin
from honeyguide.sample_web.web import SampleWeb
from honeyguide.seeds import SeedList, check_seeds, read_seeds
from honeyguide.settings import CrawlOrder, plugin_keywords
from honeyguide.settings.sections import CrawlSettings
from honeyguide.store import bring_revisions, is_divided
from honeyguide.store.folder import revision_file
from honeyguide.strategies import STRATEGIES, Strategy
from honeyguide.strategies.base import check_in_shards
from honeyguide.strategies.sites import Sites
from honeyguide.topics import TOPIC_MODELS, TopicModel
from honeyguide.topics.phrase import check_phrase
from honeyguide.topics.topic_file import read_topic
from honeyguide.urls import host_of

RecordingProgress = Callable[[int, int], None]


def make_topic(order: CrawlOrder) -> TopicModel:
    """The topic model of an order."""
    if order.topic.file:
        plugin_keywords(object, order.topic.keywords, "topic")  # a file holds all settings of its topic
        return read_topic(Path(order.topic.file))
    model = find_plugin("topics", order.topic.model, TOPIC_MODELS)
    given = {"text": order.topic.text} if order.topic.text else {}
    return model(**plugin_keywords(model, {**given, **order.topic.keywords}, "topic"))


def check_new_topic(order: CrawlOrder) -> None:
    """Refuse words that somebody who begins a crawl cannot mean."""
    if order.topic.text and not order.topic.file:
        check_phrase(order.topic.text, str(order.topic.keywords.get("language", "")))


def read_revision(folder: Path, revision: int) -> TopicModel:
    """A later revision of a crawl's topic; of a divided crawl it may have been learned elsewhere."""
    path = revision_file(folder, revision)
    if not path.exists() and is_divided(folder):
        bring_revisions(folder)
    try:
        return read_topic(path)
    except TopicError as error:
        raise TopicError(
            f"{error}; `honeyguide revise {folder} --use 0` goes back to the topic that the crawl began with"
        ) from error


def make_strategy(order: CrawlOrder, given: Strategy | None = None) -> Strategy:
    """The strategy of an order, or one given, at the level that the order says."""
    if given is None:
        strategy = find_plugin("strategies", order.strategy.name, STRATEGIES)
        given = strategy(**plugin_keywords(strategy, order.strategy.keywords, "strategy"))
    if order.crawl.shards > 1:
        check_in_shards(given)
    return at_level(order.crawl, given)


def at_level(settings: CrawlSettings, strategy: Strategy) -> Strategy:
    """A strategy as it is, or with an order over sites around it."""
    by_sites = Sites(strategy, settings.site_relevance, settings.site_budget)
    return by_sites if settings.level == "sites" else strategy


def make_fetcher(order: CrawlOrder, progress: RecordingProgress | None = None) -> Fetcher:
    """The web of an order: recorded, made up, or live."""
    if order.web.recording:
        return ReplayFetcher(open_recording(Path(order.web.recording), progress))
    if order.web.sample_pages:
        web = SampleWeb(pages=order.web.sample_pages, seed=order.web.sample_seed)
        return SampleFetcher(web, order.web.sample_change_days)
    return _live_fetcher(order)


def _live_fetcher(order: CrawlOrder) -> Fetcher:
    # Imported here because everything else does without: a recorded crawl starts half a second sooner.
    from honeyguide.fetch.guard import AddressGuard
    from honeyguide.fetch.http import HttpClient
    from honeyguide.fetch.live import LiveFetcher
    from honeyguide.fetch.politeness import Politeness

    contact = order.politeness.contact
    check_contact(contact, map(host_of, read_order_seeds(order).urls))
    client = HttpClient(
        user_agent=user_agent(contact),
        settings=order.fetch,
        # Nobody but this machine is asked anonymously, wherever links may lead.
        guard=AddressGuard(order.fetch.allow_networks, anywhere=bool(contact)),
        max_body_bytes=order.limits.max_page_bytes,
    )
    return LiveFetcher(client, Politeness(order.politeness))


def read_order_seeds(order: CrawlOrder) -> SeedList:
    """Seeds from the order and from its file, in this order; what is wrong with any is told, not fatal."""
    policy = order.url_policy
    own = check_seeds(order.seeds.urls, policy)
    if not order.seeds.file:
        return own
    listed = read_seeds(Path(order.seeds.file), policy)
    return SeedList(
        urls=tuple(dict.fromkeys((*own.urls, *listed.urls))),
        problems=(*own.problems, *listed.problems),
        bad_lines=own.bad_lines + listed.bad_lines,
        is_complete=listed.is_complete,
    )
