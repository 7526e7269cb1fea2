"""The keyword topic."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.errors import TopicError
from honeyguide.model import Passages
from honeyguide.topics import text
from honeyguide.topics.base import TopicParts
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.phrase import check_phrase
from honeyguide.topics.rarity import rarity_of_stem
from honeyguide.topics.word_family import singular


def test_relevance_by_hand():
    topic = KeywordTopic("nectar hive")
    nectar, hive = (math.sqrt(rarity_of_stem(stem)) for stem in ("nectar", "hive"))
    half = 1.5 * (0.25 + 0.75 * 30 / 500 + 5 / 30)
    times = 3 + 1  # once among the first words, which count as three, and once after them
    lack = (nectar * (1 - times / (times + half)) ** 1.5 + hive) / (nectar + hive)
    text = f"Nectar {'zebra ' * 28} nectar"
    assert topic.judge([text])[0] == pytest.approx(1 - lack ** (2 / 3), abs=1e-12)


def test_of_several_words_a_text_needs_more_to_be_relevant():
    lines = [
        KeywordTopic(phrase, "en").relevant_above for phrase in ("bees", "bees wax", "bees wax hive", "a bee")
    ]
    assert lines == [0.3, 0.3, 0.4, 0.3]
    paragraph = "bees make wax and honey in the hives of beekeepers"
    assert KeywordTopic(paragraph, "en").relevant_above == 0.3, "it need not have them all"


def test_all_words_of_a_phrase_beat_many_of_one():
    topic = KeywordTopic("tropical diseases")
    both, one = topic.judge(
        [
            "A disease of tropical lands, and some more words.",
            "Tropical storms, tropical rain, tropical winds, wet.",
        ]
    )
    assert both > 1.5 * one > 0


def test_an_article_beats_a_heading():
    topic = KeywordTopic("honey bees")
    article = "Honey bees. " + "A queen lays eggs and bees bring honey to the hive in summer. " * 30
    heading, whole = topic.judge(["Honey bees", article])
    assert whole > heading > 0


def test_the_title_counts_more_than_what_stands_far_below():
    topic = KeywordTopic("bees")
    early, late = topic.judge([f"Bees {'wax ' * 300}", f"{'wax ' * 300} bees"])
    assert early > late


def test_words_in_quotes_stand_side_by_side():
    topic = KeywordTopic('"art of war"')
    judged = topic.judge(
        ["on the art of war", "the war of art", "art, war", "of war and the art of", "arts of wars"]
    )
    assert (judged > 0).tolist() == [True, False, False, False, True]
    assert topic.explain("on the art of war").parts[0].label == '"art of war" x1'


def test_passages_that_cut_a_quoted_phrase_do_not_have_it():
    topic = KeywordTopic('"art of war"')
    text = "the art of war"
    cut = Passages([text], np.array([0, 4]), np.array([10, len(text)]))
    assert (topic.judge(cut) == topic.judge(["the art of", "art of war"])).all()
    assert (topic.judge(cut) > 0).tolist() == [False, True]


def test_what_is_not_meant_takes_relevance_away():
    page, other = "The jaguar is a cat of the forest.", "The jaguar is a car for the road."
    topic = KeywordTopic("jaguar -car")
    meant, not_meant = topic.judge([page, other])
    assert meant == KeywordTopic("jaguar").judge([page])[0]
    assert not_meant < 0.6 * meant
    parts = topic.explain(other).parts
    assert parts[-1].label == "not meant: car x1"
    assert sum(part.number for part in parts) == pytest.approx(not_meant)
    for phrase in ("-car", "NOT car", '-"sports car" -road'):
        with pytest.raises(TopicError, match="only says what is not meant"):
            KeywordTopic(phrase)


@pytest.mark.parametrize(
    "phrase",
    ["jaguar \u2212car", "jaguar \u2013car", "jaguar NOT car", "jaguar AND NOT car", 'jaguar NOT "car"'],
)
def test_other_signs_for_what_is_not_meant(phrase):
    pages = ["The jaguar is a cat of the forest.", "The jaguar is a car for the road."]
    assert (KeywordTopic(phrase).judge(pages) == KeywordTopic("jaguar -car").judge(pages)).all()


def test_words_that_only_join_others_are_not_looked_for():
    assert KeywordTopic("miel OR abejas", "es").weights.keys() == {"miel", "abejas"}
    assert KeywordTopic("BEES AND NOT WASPS", "de").weights.keys() == {"bees", "wasps"}, (
        "all is in upper case"
    )


def test_a_quotation_that_is_not_closed_ends_with_the_phrase():
    assert KeywordTopic('books "art of war').weights.keys() == {"books", '"art of war"'}
    assert KeywordTopic('a 27" screen').weights.keys() == {"27", "screen"}


@pytest.mark.parametrize(
    ("phrase", "has", "has_not"),
    [
        (
            "C programming",
            "programming in C, with a compiler and other tools",
            "programming of section c, by C.C. Smith at 5 °C, in C++",
        ),
        ("programming in C", "C programming", "programming"),
        ("R statistics", "statistics with R.", "statistics of r and R2"),
        ("vitamin A", "A vitamin: vitamin A", "a vitamin"),
    ],
)
def test_a_letter_beside_words_is_a_name(phrase, has, has_not):
    topic = KeywordTopic(phrase)
    assert phrase.split()[-1] in topic.weights or phrase.split()[0] in topic.weights
    found, other = topic.judge([has, has_not])
    assert found > 1.2 * other > 0
    assert (topic.judge(Passages.of([has, has_not])) == [found, other]).all()


def test_letters_that_are_no_names_are_left_out():
    for phrase in ("A history of bees", "Y bees", "J. R. bees", "Bees' D-day"):
        assert all(len(word) > 1 for word in KeywordTopic(phrase).weights)


@pytest.mark.parametrize(
    ("words", "has", "has_not"),
    [
        ("C++", "written in c++.", "written in C, grade C+"),
        ("C#", "C# code", "the C code, #tag"),
        (".NET", "on .NET and more", "the internet, a net, example.net"),
        ("1984", "the novel 1984", "19845 or 984"),
        ("mp3 player", "an MP3", "mp4"),
        ("AT&T", "by at&t", "at the T"),
        ("Q&A", "a Q&A", "a q, Q&B"),
        ("C++", "wörter in C++ → ж", "C ж"),
    ],
)
def test_names_that_are_no_words_are_found(words, has, has_not):
    topic = KeywordTopic(words)
    found, other = topic.judge([has, has_not])
    assert found > 0
    assert other == 0
    assert (topic.judge(Passages.of([has, has_not])) == [found, other]).all()
    assert topic.explain(has).parts[0].label.startswith(words.lower().split()[0])


@pytest.mark.parametrize(
    ("word", "derived"),
    [("volcano", "volcanic"), ("rome", "roman"), ("painters", "painting"), ("cooking", "cook")],
)
def test_derived_forms_count_less_than_the_word_and_plurals_as_much(word, derived):
    topic = KeywordTopic(word)
    own, other, plural = topic.judge([f"a {word}", f"a {derived}", f"a {singular(word)}s"])
    assert own == plural > other > 0


def test_other_forms_alone_are_not_enough():
    topic = KeywordTopic("cooking")
    name, page = topic.judge(
        ["Captain Cook " + "and Cook " * 60, "On cooking " + "and cooking with a cook " * 4]
    )
    assert page > name > 0


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("cooking", "a cookie"),
        ("universe", "the university"),
        ("police", "a policy"),
        ("general", "a generator"),
        ("animal", "animation"),
        ("corn", "a corner"),
        ("german", "a germ"),
        ("march", "marchers"),
        ("iron", "irony"),
        ("physics", "a physician"),
    ],
)
def test_words_that_only_begin_alike_are_no_relatives(word, other):
    assert KeywordTopic(word).judge([other])[0] == 0
    assert KeywordTopic(other).judge([word])[0] == 0


@pytest.mark.parametrize(
    ("one", "many"),
    [
        *(
            ("child", "children"),
            ("mouse", "mice"),
            ("knife", "knives"),
            ("crisis", "crises"),
            ("bee", "bees"),
        ),
        *(("movie", "movies"), ("virus", "viruses"), ("gas", "gases"), ("bus", "buses"), ("quiz", "quizzes")),
        *(("iris", "irises"), ("cookie", "cookies"), ("octopus", "octopi"), ("colour", "colors")),
    ],
)
def test_plurals_that_no_ending_tells_are_found(one, many):
    judged = [
        KeywordTopic(asked, "en").judge([text])[0]
        for asked in (one, many, f"{one} {many}")
        for text in (one, many)
    ]
    assert judged == pytest.approx([judged[0]] * len(judged))
    assert judged[0] > 0


@pytest.mark.parametrize(
    ("country", "people"), [("greece", "greek"), ("spain", "spanish"), ("china", "Chinese")]
)
def test_a_country_and_its_people_are_relatives(country, people):
    own, other = KeywordTopic(country).judge([country, people])
    assert own > other > 0
    assert KeywordTopic(people).judge([country])[0] > 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("use", "used"),
        ("try", "tried"),
        ("traveling", "travelled"),
        ("planning", "plan"),
        ("prefer", "preference"),
        ("special", "specialization"),
        ("person", "personality"),
        ("chemistry", "chemical"),
        ("democracy", "democratic"),
        ("musician", "music"),
    ],
)
def test_words_with_endings_that_go_together_are_relatives(one, other):
    assert KeywordTopic(one).judge([other])[0] > 0
    assert KeywordTopic(other).judge([one])[0] > 0


def test_words_of_a_phrase_that_are_relatives_count_as_one():
    assert KeywordTopic("painter painting").judge(["a painter"]) == KeywordTopic("painter").judge(
        ["a painter"]
    )


URLS = [
    "https://bees.example/",
    "bees www.bees.example/a",
    "example.org",
    "en.wikipedia.org",
    "(example.org/bees)",
    "bees at bees.museum:8080/x.",
    "localhost:8080/x",
    "mailto:a@b.c",
    "bees a@example.org",
    "http://",
    "//example.org",
    "imker.de",
]


@pytest.mark.parametrize("words", URLS)
def test_a_url_is_no_topic(words):
    with pytest.raises(TopicError, match=r"is a url.*--example"):
        check_phrase(words)


def test_a_topic_that_was_made_of_a_host_is_still_read():
    """Crawls that were begun when that was not told can be opened, and gone on with."""
    assert KeywordTopic("booking.com bees").weights
    with pytest.raises(TopicError, match="is a url"):
        KeywordTopic("https://example.org/bees")


@pytest.mark.parametrize(
    "words",
    [
        "Node.js",
        ".NET",
        "ASP.NET core",
        "ASP.NET/C#",
        "St. Petersburg",
        "U.S. history",
        "e.g. bees",
        "bees.in a hive",
        "socket.io",
        "TCP/IP",
        '"booking.com"',
        "bees and/or wasps",
        "10.5 metres",
    ],
)
def test_names_with_dots_are_no_urls(words):
    check_phrase(words)
    assert KeywordTopic(words).weights


def test_a_paragraph_need_not_be_found_whole():
    paragraph = KeywordTopic("bees honey hive nectar pollen wax queen drone swarm apiary smoker frames")
    page = "Bees, honey, a hive and wax: what a page has. " * 3
    assert paragraph.judge([page])[0] > paragraph.relevant_above


def test_frequent_words_weigh_little():
    topic = KeywordTopic("the history of bees")
    bees, history = topic.judge(["all about bees", "the history of the"])
    assert bees > 1.5 * history


@pytest.mark.parametrize("words", ["", "   ", "1 2", "???", "the of"])
def test_a_topic_without_words_is_refused(words):
    with pytest.raises(TopicError, match="no distinctive word"):
        KeywordTopic(words)


def test_explanation_adds_up_to_the_relevance():
    topic = KeywordTopic("bees honey hive")
    page = "Honey bees. Bees and bees, and wax from trees."
    explanation = topic.explain(page)
    assert sum(part.number for part in explanation.parts) == pytest.approx(topic.judge([page])[0])
    assert explanation.parts[0].label == "bees x3"


def test_only_the_beginning_of_a_long_text_is_read():
    topic = KeywordTopic("bees")
    filler = "wax " * (text.MAX_CHARS // 4)
    assert topic.judge([filler + " bees" * 100])[0] == 0.0


@given(st.lists(st.text(), max_size=5))
def test_any_text_gets_a_relevance(texts):
    judged = KeywordTopic("bees").judge(texts)
    assert judged.shape == (len(texts),)
    assert np.isfinite(judged).all()
    assert ((judged >= 0) & (judged <= 1)).all()


def test_a_paragraph_is_judged_in_its_own_language():
    topic = KeywordTopic(
        "Die Haltung von Bienen in Stöcken und die Ernte von Honig, Wachs und Propolis durch Imker"
    )
    assert topic.language == "de"
    near, far = topic.judge(["Eine Biene sammelt für den Stock", "Der Zug und die Ernte von der Bahn"])
    assert near > far > 0
    one, many = KeywordTopic("Bienen", language="de").judge(["Biene", "Bienen"])
    assert one == many > 0


def test_its_parts_make_it_again():
    topic = KeywordTopic("Bienen und Honig", language="de")
    again = KeywordTopic.from_parts(topic.parts())
    assert (again.text, again.language) == (topic.text, "de")
    for settings in ({}, {"text": 1, "language": "de"}, {"text": "bees"}, {"text": "", "language": ""}):
        with pytest.raises(TopicError):
            KeywordTopic.from_parts(TopicParts(settings))
