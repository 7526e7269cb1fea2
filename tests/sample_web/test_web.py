import hashlib
import pickle
from collections import Counter
from urllib.parse import urljoin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from honeyguide.errors import SettingsError, TopicError
from honeyguide.sample_web.web import SampleWeb
from honeyguide.sample_web.words import TOPICS

WEB = SampleWeb(pages=3_000, seed=5)
LARGE = SampleWeb(pages=1_000_000, seed=3)


@pytest.fixture(scope="module")
def graph() -> list[list[int]]:
    return [WEB.links(number) for number in range(WEB.pages)]


def reached(graph: list[list[int]], starts: list[int]) -> set[int]:
    seen, queue = set(starts), list(starts)
    for number in queue:
        for target in graph[number]:
            if target not in seen:
                seen.add(target)
                queue.append(target)
    return seen


def hrefs(body: bytes, base: str) -> list[str]:
    links = LexborHTMLParser(body).css("a[href]")
    return [urljoin(base, link.attributes["href"] or "") for link in links]


def words(body: bytes) -> list[str]:
    return LexborHTMLParser(body).body.text(separator=" ").lower().split()


def test_same_seed_same_bytes() -> None:
    again = SampleWeb(pages=3_000, seed=5)
    assert all(again.html(number) == WEB.html(number) for number in range(0, 3_000, 37))


def test_other_seed_other_web() -> None:
    other = SampleWeb(pages=3_000, seed=6)
    assert all(other.html(number) != WEB.html(number) for number in range(0, 3_000, 37))


def test_bytes_never_change_between_versions() -> None:
    """Recorded results stay comparable only while this holds."""
    assert WEB.url(1234) == "http://river-51.example/mayfly-1/budget-how-11.html"
    assert hashlib.sha256(WEB.html(1234)).hexdigest()[:16] == "6d94ac91f683f226"


def test_html_does_not_depend_on_the_order_of_asking() -> None:
    fresh = SampleWeb(pages=3_000, seed=5)
    assert [fresh.html(n) for n in (2000, 3, 2000)] == [WEB.html(2000), WEB.html(3), WEB.html(2000)]


def test_a_used_web_can_be_sent_to_another_process() -> None:
    WEB.html(1)
    assert pickle.loads(pickle.dumps(WEB)).html(7) == WEB.html(7)


def test_urls_are_distinct_and_lead_back() -> None:
    urls = [WEB.url(number) for number in range(WEB.pages)]
    assert len(set(urls)) == WEB.pages
    assert [WEB.number(url) for url in urls] == list(range(WEB.pages))


@settings(deadline=None)  # the first example makes the tables
@given(st.integers(0, LARGE.pages - 1))
def test_urls_of_a_large_web_lead_back(number: int) -> None:
    assert LARGE.number(LARGE.url(number)) == number


@settings(deadline=None)  # the first example makes the tables
@given(st.text() | st.text("/-.?=#:%0123456789ht", max_size=30).map(WEB.url(40).__add__))
def test_any_string_is_answered(text: str) -> None:
    number = WEB.number(text)
    assert number is None or WEB.url(number) == text
    assert WEB.fetch(text).status in (200, 301, 404, 500)
    assert isinstance(WEB.labels(text), list)


@settings(deadline=None)  # the first example makes the tables
@given(st.sampled_from(["", "/calendar/", "/old/", "/more/", "/private/", "?sid="]), st.text(max_size=20))
def test_any_path_is_answered(start: str, rest: str) -> None:
    home = WEB.url(0)
    assert WEB.fetch(home + start + rest).url == home + start + rest


@pytest.mark.parametrize(
    "url", ["http://[", "http://a-999999999.example/", "//", "http://\ud800/", "http://x:y/"]
)
def test_nonsense_is_not_found(url: str) -> None:
    assert WEB.number(url) is None
    assert WEB.fetch(url).status == 404


def test_all_pages_are_reachable_from_the_seeds_of_any_topic(graph: list[list[int]]) -> None:
    for topic in WEB.topic_names:
        seeds = [WEB.number(url) for url in WEB.seeds(topic)]
        assert len(reached(graph, [seed for seed in seeds if seed is not None])) >= 0.99 * WEB.pages


def test_seeds_are_distinct_pages_on_the_topic() -> None:
    for topic in WEB.topic_names:
        seeds = WEB.seeds(topic, count=4)
        assert len(set(seeds)) == len(seeds) == 4
        assert {WEB.labels(url)[0] for url in seeds} == {topic}


def test_some_pages_are_reached_only_through_other_topics(graph: list[list[int]]) -> None:
    shares = []
    for topic in TOPICS:
        targets = set(WEB.target_numbers(topic))
        inside = [[link for link in links if link in targets] for links in graph]
        seeds = [number for url in WEB.seeds(topic) if (number := WEB.number(url)) is not None]
        shares.append(len(reached(inside, seeds)) / len(targets))
    assert 0.4 < float(np.mean(shares)) < 0.9


def test_pages_never_link_to_islands_of_their_own_topic(graph: list[list[int]]) -> None:
    hosts = WEB.hosts
    strangers = 0
    for number, links in enumerate(graph):
        for target in links:
            host = hosts.locate(target)[0]
            if hosts.is_island(host) and host != hosts.locate(number)[0]:
                strangers += 1
                assert hosts.page_topic(number) != hosts.topic(host)
    assert strangers > 100


def test_in_degrees_are_heavy_tailed(graph: list[list[int]]) -> None:
    counts = np.bincount([target for links in graph for target in links], minlength=WEB.pages)
    top = np.sort(counts)[::-1]
    assert top[: WEB.pages // 100].sum() > 0.12 * counts.sum()
    assert top[0] > 50 * np.median(counts)


def test_out_degrees_are_heavy_tailed(graph: list[list[int]]) -> None:
    degrees = np.array([len(links) for links in graph])
    assert 12 < degrees.mean() < 25
    assert degrees.max() > 4 * np.median(degrees)


def test_links_stay_near_their_topic(graph: list[list[int]]) -> None:
    topics = WEB.hosts.page_topics(np.arange(WEB.pages))
    same = np.concatenate([topics[links] == topics[number] for number, links in enumerate(graph)]).mean()
    chance = ((np.bincount(topics) / WEB.pages) ** 2).sum()
    assert 0.4 < same < 0.7
    assert same > 5 * chance


def test_topics_of_many_pages_are_the_topics_of_each() -> None:
    together = WEB.hosts.page_topics(np.arange(WEB.pages))
    assert [WEB.topic_names[topic] for topic in together] == [WEB.topic_of(n) for n in range(WEB.pages)]


def test_targets_are_all_pages_of_the_topic() -> None:
    expected = [WEB.url(number) for number in range(WEB.pages) if WEB.topic_of(number) == "bees"]
    assert list(WEB.targets("bees")) == expected
    assert len(expected) > 50


def test_links_are_those_in_the_html() -> None:
    for number in range(0, WEB.pages, 41):
        url = WEB.url(number)
        found = [WEB.fetch(href).redirect or href for href in hrefs(WEB.html(number), url)]
        pages = dict.fromkeys(page for href in found if (page := WEB.number(href)) is not None)
        assert list(pages) == WEB.links(number)


def test_pages_carry_noisy_evidence_of_their_topic() -> None:
    shares = []
    for number in WEB.target_numbers("bees"):
        counts = Counter(words(WEB.html(number)))
        shares.append(sum(counts[word] for word in TOPICS["bees"][1]) / counts.total())
    assert 0.05 < float(np.median(shares)) < 0.3
    assert min(shares) < 0.06


def test_mean_words_sets_the_size_of_pages() -> None:
    long = SampleWeb(pages=500, mean_words=6_000, mean_links=70)
    sizes = [len(long.html(number)) for number in range(0, 500, 25)]
    assert 25_000 < float(np.mean(sizes)) < 60_000


def test_old_urls_redirect() -> None:
    host = WEB.hosts.names[4]
    answer = WEB.fetch(f"http://{host}/old/3")
    assert answer.status == 301
    assert answer.redirect == WEB.url(WEB.hosts.first(4) + 3)


def test_robots_and_sitemap() -> None:
    host = WEB.url(0)
    robots = WEB.fetch(f"{host}robots.txt").body.decode()
    assert "Disallow: /private/" in robots
    assert f"Sitemap: {host}sitemap.xml" in robots
    sitemap = WEB.fetch(f"{host}sitemap.xml").body.decode()
    assert sitemap.count("<loc>") == WEB.hosts.size(0)
    assert f"<loc>{WEB.url(3)}</loc>" in sitemap


def trap_of(kind: str) -> str:
    entrances = (url for number in range(WEB.pages) for url in WEB.trap_entrances(number))
    return next(url for url in entrances if kind in url)


@pytest.mark.parametrize("kind", ["/calendar/", "?sid=", "/more/"])
def test_traps_have_no_end(kind: str) -> None:
    url = trap_of(kind)
    visited = set()
    for _ in range(50):
        assert WEB.labels(url) == ["trap"]
        visited.add(url)
        onward = [href for href in hrefs(WEB.fetch(url).body, url) if kind in href]
        url = next(href for href in onward if href not in visited)
    assert len(visited) == 50


def test_printed_copy_names_its_original() -> None:
    copy = trap_of("?print=1")
    original = copy.removesuffix("?print=1")
    assert f'<link rel="canonical" href="{original}">'.encode() in WEB.fetch(copy).body
    assert WEB.labels(copy) == ["trap"]
    assert WEB.number(original) is not None


def test_dead_links_are_missing_or_broken() -> None:
    home = WEB.url(0)
    assert WEB.fetch(f"{home}gone/1.html").status == 404
    assert WEB.fetch(f"{home}broken/1.html").status == 500
    assert WEB.labels(f"{home}broken/1.html") == []


def test_unknown_topics_and_impossible_sizes_are_refused() -> None:
    with pytest.raises(TopicError, match="has no topic 'gold'"):
        WEB.seeds("gold")
    with pytest.raises(SettingsError, match="topics need at least"):
        SampleWeb(pages=10)
    with pytest.raises(SettingsError, match="2 to 20 topics"):
        SampleWeb(topics=21)


def test_every_topic_has_a_description() -> None:
    assert WEB.description("bees") == "beekeeping hives and honey"
    assert all(WEB.description(topic) for topic in WEB.topic_names)
