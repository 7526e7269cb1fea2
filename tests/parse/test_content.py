"""What a page says: dates, counters and advertisements do not count, words do. And how often either goes wrong."""

from __future__ import annotations

import random

import pytest

from honeyguide.parse.content import NOTHING_SAID, content_signature, short_diff, signature_of

ADS = ("Buy cheap hives now", "Win a holiday", "Ten tricks that doctors hate", "Our shop has a sale")
NOISE = (
    "<p>Last updated: {day} March 2024, 14:0{digit}</p>",
    "<p>This page was read {many} times.</p>",
    "<div class=banner><a href=/x{digit}>{ad}</a></div>",
    "<aside class=advertisement><p>{ad}</p></aside>",
    "<footer>Copyright 20{day} - {many} visitors - {ad}</footer>",
    "<p>Posted {digit} hours ago</p>",
    "<nav><a href=/{digit}>{ad}</a></nav>",
)


def _page(text: str, noise: str, dice: random.Random) -> bytes:
    shown = noise.format(
        day=dice.randint(10, 28), digit=dice.randint(1, 9), many=dice.randint(99, 9_999), ad=dice.choice(ADS)
    )
    return f"<html><body><main><article>{text}</article></main>{shown}</body></html>".encode()


@pytest.mark.parametrize("noise", NOISE)
def test_what_is_no_content_changes_nothing(noise: str) -> None:
    dice = random.Random(noise)
    text = "<h1>Bees</h1>" + "<p>Bees make honey, and wax, and keep their hive warm in winter.</p>" * 6
    marks = {content_signature(_page(text, noise, dice), "http://a.example/", "text/html") for _ in range(20)}
    assert len(marks) == 1


def test_a_word_more_is_a_change() -> None:
    text = "<p>" + "Bees make honey, and wax, and keep their hive warm in winter. " * 6 + "</p>"
    plain = content_signature(_page(text, "", random.Random(1)), "", "text/html")
    more = text.replace("in winter. </p>", "in cold winter. </p>")
    assert content_signature(_page(more, "", random.Random(1)), "", "text/html") != plain


def test_hostile_texts_cost_little() -> None:
    assert signature_of("") == signature_of("12 34 May 5") == NOTHING_SAID
    for text in ("9" * 1_000_000, "a" * 1_000_000, "a1" * 500_000, "\x00" * 500_000, ". " * 400_000):
        signature_of(text)
        assert len(short_diff(text, "a" + text)) <= 310


def test_the_difference_is_told_in_a_line() -> None:
    before = "Bees make honey. Read 12 times. They live in hives."
    after = "Bees make honey. Read 990 times. They live in hives and hollow trees."
    assert short_diff(before, after) == "- They live in hives. + They live in hives and hollow trees."
    assert short_diff(before, before + " Queens lay eggs.") == "+ Queens lay eggs."
    assert short_diff("All gone.", "") == "- All gone."
    assert short_diff("Read 1 time", "Read 2 times") == "- Read 1 time + Read 2 times"
