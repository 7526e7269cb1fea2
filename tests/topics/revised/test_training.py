from dataclasses import replace

import numpy as np
import pytest

from honeyguide.errors import TopicError
from honeyguide.topics.base import TopicParts
from honeyguide.topics.classifier import train_classifier
from honeyguide.topics.classifier.quality import area_under_curve
from honeyguide.topics.examples import Example
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.revised import Labelled, RevisedTopic, revise
from honeyguide.topics.revised.line import expected_share
from honeyguide.topics.revised.topic import log_odds_above
from honeyguide.topics.revised.training import KEPT, SUREST
from honeyguide.topics.taxonomy import Taxonomy, TaxonomyTopic, TopicTree
from honeyguide.topics.topic_file import read_topic, write_topic

DICE = np.random.default_rng(3)
COMMON = ["people", "year", "work", "house", "water", "time", "place", "country", "city", "road"]
BEES = ["hive", "honey", "queen", "swarm", "brood", "nectar", "apiary", "comb", "worker", "drone"]
SHOPS = ["honey", "price", "shop", "order", "delivery", "basket", "cart", "sale", "discount", "jar"]
OTHERS = [
    "railway",
    "engine",
    "track",
    "station",
    "timetable",
    "coach",
    "signal",
    "bridge",
    "tunnel",
    "driver",
]


def page(words, number=60):
    return " ".join([*DICE.choice(words, number // 2), *DICE.choice(COMMON, number // 2)])


@pytest.fixture(scope="module")
def first():
    return KeywordTopic("honey", language="en")


@pytest.fixture(scope="module")
def fetched():
    return [
        *(page(OTHERS) for _ in range(150)),
        *(page(SHOPS) for _ in range(40)),
        *(page(BEES) for _ in range(30)),
    ]


def labels(good, bad):
    return [
        *(Labelled(page(BEES), True) for _ in range(good)),
        *(Labelled(page(SHOPS), False) for _ in range(bad)),
    ]


def test_labels_tell_apart_what_the_first_topic_confuses(first, fetched):
    revised = revise(first, labels(8, 8), fetched)
    bees, shops, trains = ([page(words) for _ in range(30)] for words in (BEES, SHOPS, OTHERS))
    topic = revised.topic
    line = topic.relevant_above
    assert np.median(topic.judge(bees)) > line
    assert np.mean(topic.judge(shops) >= line) < 0.15
    assert topic.judge(trains).max() < line
    assert not first.judge(shops).mean() < first.judge(bees).mean() / 2
    assert revised.report.auc_after == 1.0 > revised.report.auc_before
    assert (revised.report.relevant, revised.report.irrelevant, revised.report.unlabelled) == (8, 8, 220)
    assert len(revised.report.telling) == 15


def test_pages_without_labels_keep_chosen_ones_from_speaking_for_all(first, fetched):
    """Only shops were labelled as wrong: trains must not be taken for relevant because nobody asked about them."""
    topic = revise(first, labels(6, 6), fetched).topic
    assert topic.judge([page(OTHERS) for _ in range(20)]).max() < topic.relevant_above


def test_pages_without_labels_do_not_speak_for_the_errors_of_the_first_topic(first, fetched):
    """Trains that carry honey are relevant to the first topic; what other trains have tells that they are not."""
    trains_with_honey = [page(OTHERS) + " honey honey" for _ in range(40)]
    topic = revise(first, labels(8, 0), [*fetched, *trains_with_honey]).topic
    assert first.judge(trains_with_honey).min() > first.relevant_above
    assert topic.judge(trains_with_honey).max() < topic.relevant_above
    assert np.median(topic.judge([page(BEES) for _ in range(20)])) > topic.relevant_above


@pytest.mark.parametrize(("good", "bad"), [(6, 4), (12, 8)])
def test_however_many_pages_have_no_label_the_labels_draw_the_line(good, bad):
    """Most pages that were fetched are good ones, of which the first topic knows few; all of them count as bad ones."""
    narrow = KeywordTopic('"queen brood"', language="en")
    many = [*(page(BEES, 20) for _ in range(300)), *(page(SHOPS, 20) for _ in range(200))]
    topic = revise(narrow, labels(good, bad), many).topic
    bees, shops = ([page(words, 20) for _ in range(100)] for words in (BEES, SHOPS))
    assert np.mean(narrow.judge(bees) >= narrow.relevant_above) < 0.25
    assert np.mean(topic.judge(bees) >= topic.relevant_above) > 0.6
    assert np.mean(topic.judge(shops) >= topic.relevant_above) < 0.05
    assert topic.relevant_above <= topic.least_sure_at, (
        "where labels are as often yes as no others are more often yes"
    )


def test_labels_that_are_all_alike_leave_the_line_where_it_is_expected(first, fetched):
    topic = revise(first, labels(6, 0), fetched).topic
    expected = expected_share(float(np.mean(first.judge(fetched) >= first.relevant_above)), len(fetched))
    assert np.mean(topic.judge(fetched) >= topic.relevant_above) == pytest.approx(expected, abs=0.02)


def test_it_asks_where_labels_are_as_often_yes_as_no_and_draws_the_line_below(first, fetched):
    """People are asked about the best: of these only some are good, so that one half is far above all other pages."""
    chosen = [*labels(6, 0), *(Labelled(page(BEES, 100), False) for _ in range(6))]
    topic = revise(first, chosen, fetched).topic
    assert topic.least_sure_at > topic.relevant_above
    again = RevisedTopic.from_parts(topic.parts())
    assert again.least_sure_at == topic.least_sure_at
    settings = {name: value for name, value in topic.parts().settings.items() if name != "least_sure"}
    former = RevisedTopic.from_parts(TopicParts(settings, topic.parts().arrays))
    assert former.least_sure_at == former.relevant_above == topic.relevant_above


def test_a_first_topic_that_labels_contradict_counts_less():
    misled = KeywordTopic("jar sale", language="en")
    bees, shops, trains = ([page(words, 20) for _ in range(150)] for words in (BEES, SHOPS, OTHERS))
    asked = [*(Labelled(text, True) for text in bees[:4]), *(Labelled(text, False) for text in shops[:4])]
    topic = revise(misled, asked, [*bees[4:34], *shops[4:44], *trains]).topic
    is_good = np.repeat([True, False], 100)
    before, after = (
        area_under_curve(one.judge([*bees[50:], *shops[50:]]), is_good) for one in (misled, topic)
    )
    assert before < 0.2
    assert after > 0.8


def test_what_the_first_topic_learned_from_is_not_forgotten(fetched):
    """All that people were asked about has honey; the examples tell that wax is on the topic, too."""
    wax = ["wax", "candle", "polish", "foundation", "mould"]
    examples = [Example(page(words)) for words in (BEES, wax) for _ in range(4)]
    first = train_classifier(examples, [Example(page(OTHERS)) for _ in range(16)]).topic
    topic = revise(first, labels(40, 10), fetched).topic
    parts = first.parts()
    arrays = {name: array for name, array in parts.arrays.items() if not name.startswith("examples.")}
    without = revise(
        type(first).from_parts(TopicParts(parts.settings, arrays)), labels(40, 10), fetched
    ).topic
    candles, shops = [page(wax) for _ in range(20)], [page(SHOPS) for _ in range(20)]

    def lead(revised):
        return np.median(revised.judge(candles)) - np.median(revised.judge(shops))

    assert lead(topic) > lead(without) + 0.1


def test_what_is_not_meant_teaches_where_examples_tell_what_is(fetched):
    """A crawl that has found nothing good yet can be told only what is not meant."""
    examples = [Example(page(BEES)) for _ in range(5)], [Example(page(OTHERS)) for _ in range(10)]
    first = train_classifier(*examples).topic
    revised = revise(first, labels(0, 12), fetched)
    assert not revised.report.objection
    assert revised.report.examples == 5
    bees, shops = ([page(words) for _ in range(30)] for words in (BEES, SHOPS))
    apart, before = (
        np.median(one.judge(bees)) - np.median(one.judge(shops)) for one in (revised.topic, first)
    )
    assert apart > 1.1 * before
    line = revised.topic.relevant_above
    assert np.mean(revised.topic.judge(bees) >= line) > 0.3
    assert np.mean(revised.topic.judge(shops) >= line) < 0.15


def test_a_wrong_label_does_not_outweigh_what_the_others_say(first, fetched):
    wrong = [*labels(12, 12), Labelled(page(SHOPS), True), Labelled(page(BEES), False)]
    topic = revise(first, wrong, fetched).topic
    bees, shops = ([page(words) for _ in range(30)] for words in (BEES, SHOPS))
    assert np.median(topic.judge(bees)) > topic.relevant_above > np.median(topic.judge(shops))


def test_few_labels_leave_the_word_to_the_first_topic(first, fetched):
    topic = revise(first, [Labelled(page(SHOPS), False)], fetched).topic
    bees, trains = (np.median(topic.judge([page(words) for _ in range(9)])) for words in (BEES, OTHERS))
    assert bees > topic.relevant_above > trains


def test_words_around_a_link_are_judged_by_what_pages_taught_as_well(first, fetched):
    """The first topic knows one word alone: to it such links are all the same."""
    topic = revise(first, labels(8, 8), fetched).topic
    good, bad = (topic.judge([words])[0] for words in ("the queen and her brood", "basket and discount"))
    assert good > topic.judge(["the house by the water"])[0] > bad
    assert not first.judge(["the queen and her brood"])[0]


def test_without_labels_it_learns_from_what_the_first_topic_is_surest_of(first, fetched):
    topic = revise(first, [], fetched).topic
    without_the_word = " ".join(word for word in page(BEES).split() if word != "honey")
    assert first.judge([without_the_word])[0] == 0
    assert topic.judge([without_the_word])[0] > topic.judge([page(OTHERS)])[0]


def test_without_labels_as_many_pages_are_relevant_as_before(first, fetched):
    topic = revise(first, [], fetched).topic
    called, before = (np.mean(one.judge(fetched) >= one.relevant_above) for one in (topic, first))
    assert before > 0
    assert abs(called - before) < 0.01


@pytest.mark.parametrize("sure", [2, 10, SUREST, 40])
def test_without_labels_words_count_the_more_the_more_pages_are_sure(first, sure):
    """To the phrase most pages are alike, so that a crawl among them has no direction; but two have little to teach."""
    fetched = [*(f"honey honey {page(BEES)}" for _ in range(sure)), *(page(OTHERS) for _ in range(60))]
    assert (first.judge(fetched) >= first.relevant_above).sum() == sure
    topic = revise(first, [], fetched).topic
    words = topic.features.weighed(topic.features.vocabulary.counts(fetched)) @ topic.weights.words
    phrase = topic.weights.prior * log_odds_above(first, first.judge(fetched))
    share = (1 - KEPT) * min(sure, SUREST) / SUREST
    assert words.std() / (words.std() + phrase.std()) == pytest.approx(share, abs=0.01)


def test_where_no_page_is_sure_there_is_nothing_to_learn(first):
    with pytest.raises(TopicError, match="there is nothing to learn from"):
        revise(first, [], [page(OTHERS) for _ in range(30)])


def test_what_speaks_against_a_revision_is_told(first, fetched):
    assert not revise(first, labels(5, 0), fetched).report.objection
    assert not revise(first, labels(5, 5), fetched).report.objection
    assert "no page is labelled as on" in revise(first, labels(0, 5), fetched).report.objection
    report = revise(first, labels(5, 5), fetched).report
    worse = replace(report, relevant=50, irrelevant=50, auc_before=0.9, auc_after=0.7)
    assert "worse than the first topic" in worse.objection
    assert not replace(worse, relevant=3, irrelevant=3, auc_after=0.8).objection, "so few cannot tell"
    perfect = replace(worse, relevant=3, irrelevant=1, auc_before=1.0, auc_after=0.67)
    assert not perfect.objection, "one pair of three"
    assert not replace(perfect, relevant=8, irrelevant=8, auc_after=0.95).objection
    assert replace(perfect, relevant=8, irrelevant=8, auc_after=0.8).objection
    assert replace(perfect, relevant=100, irrelevant=100, auc_after=0.95).objection


def test_random_pages_that_were_labelled_say_how_many_are_relevant(first, fetched):
    """Chosen pages, half of them good, say nothing of that; the order of pages stays what it was."""
    asked = [Labelled(text, number >= 160, is_random=True) for number, text in enumerate(fetched[:200])]
    unasked = [replace(label, is_random=False) for label in asked]
    chosen = labels(9, 9)
    with_share, without = (revise(first, [*chosen, *some], fetched).topic for some in (asked, unasked))
    assert (with_share.judge(fetched) == without.judge(fetched)).all()
    called = np.mean(with_share.judge(fetched) >= with_share.relevant_above)
    share = np.mean([label.is_relevant for label in asked])
    assert abs(called - share) < 0.05
    assert abs(called - share) <= abs(np.mean(without.judge(fetched) >= without.relevant_above) - share)


def test_a_revised_topic_is_revised_from_its_first_again(first, fetched):
    once = revise(first, labels(5, 5), fetched).topic
    twice = revise(once, labels(5, 5), fetched).topic
    assert twice.first is first
    with pytest.raises(TopicError, match="not revised again"):
        RevisedTopic(once, once.features, once.weights)


def test_it_explains_itself_word_by_word(first, fetched):
    topic = revise(first, labels(8, 8), fetched).topic
    text = "The queen of the hive swarms, the brood in the comb; order from the shop, basket, price, discount"
    why = topic.explain(text)
    odds = sum(part.number for part in why.parts)
    assert topic.judge([text])[0] == pytest.approx(1 / (1 + np.exp(-odds)))
    named = {part.label.split()[0]: part.number for part in why.parts}
    bees, shops = (
        sum(named[stem] for stem in stems.split())
        for stems in ("queen hive swarm brood comb", "order shop basket price discount")
    )
    assert bees > 0 > shops


def test_its_file_is_refused_without_the_first_topic(first, fetched, tmp_path):
    topic = revise(first, labels(5, 5), fetched).topic
    write_topic(tmp_path / "a.topic", topic)
    texts = [page(BEES), page(SHOPS)]
    assert (read_topic(tmp_path / "a.topic").judge(texts) == topic.judge(texts)).all()
    parts = topic.parts()
    for spoiled in (
        {"first": None},
        {"first": {"kind": "nobody", "settings": {}}},
        {"spread": 1.0},
        {"prior": "x"},
        {"line": None},
        {"stems": [1]},
    ):
        with pytest.raises(TopicError):
            RevisedTopic.from_parts(type(parts)({**parts.settings, **spoiled}, parts.arrays))


def test_nothing_to_compare_with_is_told(first):
    with pytest.raises(TopicError, match="without a label"):
        revise(first, labels(3, 3), [])
    with pytest.raises(TopicError, match="share no word"):
        revise(first, [Labelled("alpha", True)], ["beta"])


def test_a_revised_taxonomy_goes_on_to_name_classes():
    tree = TopicTree()
    examples = [Example(page(words)) for words in (BEES, OTHERS)]
    taxonomy = Taxonomy.train(tree, examples, [tree.place(["Bees"]), tree.place(["Trains"])])
    taxonomy.mark_good("Bees")
    first = TaxonomyTopic(taxonomy)
    texts = [page(BEES), page(OTHERS), page(SHOPS)]
    topic = revise(first, labels(6, 6), texts).topic
    judged = topic.classify(texts)
    assert judged.classes == first.classify(texts).classes
    assert judged.classes[:2] == ["Bees", "Trains"]
    np.testing.assert_array_equal(judged.relevance, topic.judge(texts))
