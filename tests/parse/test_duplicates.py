"""Copies, near-copies and pages that are not there."""

import gzip
import json
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.parse import parse_page
from honeyguide.parse.duplicates import (
    LEAST_WORDS,
    MAX_DISTANCE,
    NO_SIGNATURE,
    Duplicates,
    distance,
    looks_missing,
    signature,
    simhash,
)
from honeyguide.sample_web.web import SampleWeb

MASK = (1 << 64) - 1
SIGNATURE_OF_NUMBERS = 3636683398529654629
CHINESE = (
    "蜜蜂是一种会飞行的群居昆虫属于膜翅目蜜蜂科体长八至二十毫米黄褐色或黑褐色生有密毛头与胸几乎同样宽触角膝状复眼椭圆形有毛口"
    "器嚼吸式后足为携粉足两对膜质翅前翅大后翅小腹部近椭圆形体毛较胸部为少腹末有螫针"
)


@pytest.fixture(scope="module")
def cases(shared):
    return json.loads((shared / "fixtures/duplicates_traps/simhash_cases.json").read_text("utf-8"))


def words(seed, count):
    dice = random.Random(seed)
    return [f"w{dice.randrange(5000)}" for _ in range(count)]


def test_distances(cases):
    for case in cases["num_differing_bits"]:
        assert distance(case["a"], case["b"]) == case["expected"]


def test_simhash_of_given_hashes(cases):
    for case in cases["compute"]:
        assert simhash(np.array(case["hashes"], dtype=np.uint64)) & MASK == case["expected"]


def test_pairs_within_three_bits(cases):
    for case in cases["find_all_distance_3"]:
        expected = {tuple(pair) for pair in case["expected_pairs"]}
        for number in filter(None, case["hashes"]):
            others = [other for other in case["hashes"] if other not in (0, number)]
            near = {other for other in others if (min(number, other), max(number, other)) in expected}
            for other in others:
                pages = Duplicates()
                pages.add(1, "1", other)
                assert (pages.find("2", number) == 1) == (other in near)


def test_text_pairs(cases):
    for case in cases["text_pairs"]:
        gap = distance(signature(case["a"]), signature(case["b"]))
        assert (gap <= MAX_DISTANCE) == case["near_duplicate"]


def test_a_page_with_damaged_bytes_is_alike_but_no_copy(shared):
    folder = shared / "fixtures/duplicates_traps/near_duplicate_pages"
    first, second = (
        parse_page((folder / name).read_bytes(), "http://xkcd.com/1/").text
        for name in ("xkcd_1.html", "xkcd_1_evil.html")
    )
    assert len(runs(first) & runs(second)) < 0.75 * len(runs(first) | runs(second))
    assert MAX_DISTANCE < distance(signature(first), signature(second)) < 24


@pytest.mark.parametrize("count", [400, 20_000])
def test_small_changes_are_near_and_other_texts_far(count):
    text = words(1, count)
    changed = [*text[: count // 3], "new", *text[count // 3 :], "Print"]
    assert distance(signature(" ".join(text)), signature(" ".join(changed))) <= MAX_DISTANCE
    assert distance(signature(" ".join(text)), signature(" ".join(words(2, count)))) > 10


def test_short_texts_have_no_signature():
    assert signature(" ".join(words(1, LEAST_WORDS - 1))) == NO_SIGNATURE
    assert signature(" ".join(words(1, LEAST_WORDS))) != NO_SIGNATURE
    assert signature("") == NO_SIGNATURE


def test_writing_without_spaces():
    assert signature(CHINESE) != NO_SIGNATURE
    assert distance(signature(CHINESE), signature(CHINESE[::-1])) > MAX_DISTANCE


def test_signatures_never_change():
    assert signature(" ".join(str(number) for number in range(100))) == SIGNATURE_OF_NUMBERS


@given(st.text(max_size=2000))
def test_any_text_has_a_signature_that_a_database_can_hold(text):
    assert -(2**63) <= signature(text) < 2**63


def test_copies_by_digest_and_by_signature():
    pages = Duplicates()
    pages.add(7, "ab" * 20, signature(" ".join(words(1, 100))))
    pages.add(8, "cd" * 20, NO_SIGNATURE)
    assert pages.find("ab" * 20, NO_SIGNATURE) == 7
    assert pages.find("cd" * 20, NO_SIGNATURE) == 8
    assert pages.find("ef" * 20, signature(" ".join(words(1, 100)))) == 7
    assert pages.find("ef" * 20, NO_SIGNATURE) is None


@given(st.integers(1 - 2**63, 2**63 - 1), st.sets(st.integers(0, 63), max_size=6))
def test_up_to_three_bits_anywhere(number, flipped):
    other = number & MASK
    for bit in flipped:
        other ^= 1 << bit
    other -= (other >> 63) << 64
    pages = Duplicates()
    pages.add(5, "1", number)
    if NO_SIGNATURE not in (number, other):
        assert (pages.find("2", other) == 5) == (len(flipped) <= MAX_DISTANCE)


def test_only_the_last_pages_are_remembered():
    pages = Duplicates(memory=10)
    pages.restore((number, f"{number:040x}"[::-1], NO_SIGNATURE) for number in range(1, 100))
    found = [number for number in range(1, 100) if pages.find(f"{number:040x}"[::-1], NO_SIGNATURE)]
    assert found == list(range(found[0], 100))
    assert 10 <= len(found) <= 20


def test_pages_made_to_share_a_part_cost_no_more():
    pages = Duplicates()
    dice = random.Random(1)
    for number in range(5_000):
        pages.add(number, f"{number:x}", dice.getrandbits(47) << 16 | 0xBEEF)
    assert pages.find("fffffff", dice.getrandbits(47) << 16 | 0xBEEF) is None


def test_copies_in_the_sample_web():
    web = SampleWeb(pages=300, seed=3)
    pages = Duplicates()
    for number in range(100):
        url = web.url(number)
        pages.add(number, f"{number:x}", signature(parse_page(web.html(number), url).text))
    for number in range(100):
        copy = web.fetch(web.url(number) + "?print=1")
        assert pages.find("fffffff", signature(parse_page(copy.body, copy.url).text)) == number


def read_pages(shared, corpus, count):
    with gzip.open(shared / "corpora" / corpus / "pages.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line, _ in zip(lines, range(count), strict=False):
            page = json.loads(line)
            parsed = parse_page(page["html"].encode(), page["url"])
            yield page["url"], parsed.title, parsed.text


def test_different_articles_are_no_copies(shared):
    pages = Duplicates()
    texts = {}
    for number, (_, _, text) in enumerate(read_pages(shared, "wikispeedia", 300), 1):
        found = pages.find(f"{number:x}", signature(text))
        if found is not None:
            assert runs(texts[found]) & runs(text), (texts[found][:200], text[:200])
            assert len(runs(texts[found]) & runs(text)) > 0.7 * len(runs(texts[found]) | runs(text))
        texts[number] = text
        pages.add(number, f"{number:x}", signature(text))


def runs(text):
    parts = text.split()
    return set(zip(parts, parts[1:], parts[2:], strict=False))


@pytest.mark.parametrize(
    ("title", "text", "url"),
    [
        ("404 Not Found", "The requested URL was not found on this server.", "http://a.org/x"),
        ("Seite nicht gefunden - Bienenfreunde", "Start Verein Kontakt", "http://a.org/x"),
        ("Page introuvable", "Accueil", "http://a.org/x"),
        ("Página no encontrada", "Inicio", "http://a.org/x"),
        ("Страница не найдена", "Главная", "http://a.org/x"),
        ("页面不存在", "首页", "http://a.org/x"),
        ("Bee shop", "Oops! That page can't be found. Go home.", "http://a.org/x"),
        ("404", "Nothing here", "http://a.org/404.html"),
        ("Not found", "Nothing here", "http://a.org/error/not-found"),
    ],
)
def test_missing_pages(title, text, url):
    assert looks_missing(title, text, url)


@pytest.mark.parametrize(
    ("title", "text", "url"),
    [
        ("Bees", "Bees are insects.", "http://a.org/bees"),
        ("HTTP 404 error", "word " * 400, "http://a.org/wiki/x"),
        ("Page not found: an essay", "Why?", "http://a.org/page-not-found-an-essay"),
        ("CS 404/504 Software Project Management", "Course", "http://a.org/cs482.html"),
        ("4040 bees", "Many", "http://a.org/x"),
        ("Bees", "word " * 50 + "not found", "http://a.org/x"),
        ("", "", "http://a.org/"),
    ],
)
def test_pages_that_are_there(title, text, url):
    assert not looks_missing(title, text, url)


@pytest.mark.parametrize("corpus", ["webkb", "wikispeedia", "uci-ics"])
def test_real_pages_are_not_taken_for_missing(shared, corpus):
    missing = [page for page in read_pages(shared, corpus, 200) if looks_missing(page[1], page[2], page[0])]
    assert missing == []


@pytest.mark.parametrize("memory", [1_000, 70])
def test_pages_restored_at_once_are_found_as_if_added_one_by_one(memory):
    dice = np.random.default_rng(3)
    signatures = dice.integers(-(2**63), 2**63, 200) * dice.integers(0, 2, 200)  # some have none
    pages = [(at, f"{at:040x}", int(own)) for at, own in enumerate(signatures.tolist(), start=1)]
    restored, added = Duplicates(memory), Duplicates(memory)
    restored.restore(pages[:150])
    for page in pages[:150]:
        added.add(*page)
    for page in pages[150:]:
        restored.add(*page)
        added.add(*page)
    for number, digest, marks in pages:
        near = marks ^ 0b101 if marks != NO_SIGNATURE else NO_SIGNATURE
        for asked in ((digest, NO_SIGNATURE), ("no digest", near)):
            assert restored.find(*asked) == added.find(*asked)
        assert restored.find("no digest", near) in (None, number)
    assert restored.find(pages[-1][1], NO_SIGNATURE) == pages[-1][0]
