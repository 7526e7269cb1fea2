import numpy as np
import pytest

from honeyguide.checks import check_topic_model
from honeyguide.errors import TopicError
from honeyguide.topics.base import TopicParts
from honeyguide.topics.combined import RULES, CombinedTopic, leveled
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.topic_file import read_topic, write_topic

BEES = "Bees make honey in a hive; the beekeeper harvests honey."
HONEY_CAKE = "A cake with honey, flour and eggs: bake the cake for an hour."
TRAINS = "The railway opened in 1850 with a steam train."


def combined(rule: str = "mean") -> CombinedTopic:
    return CombinedTopic([KeywordTopic("bees hive beekeeper"), KeywordTopic("honey cake flour")], rule)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_conforms(rule):
    check_topic_model(combined(rule), f"{BEES} {HONEY_CAKE}", TRAINS)


def test_rules_on_leveled_relevance():
    bees, cakes = (KeywordTopic(text) for text in ("bees hive beekeeper", "honey cake flour"))
    texts = [BEES, HONEY_CAKE, TRAINS]
    each = np.array([leveled(member.judge(texts), member.relevant_above) for member in (bees, cakes)])
    assert combined("any").judge(texts).tolist() == each.max(axis=0).tolist()
    assert combined("all").judge(texts).tolist() == each.min(axis=0).tolist()
    assert combined("mean").judge(texts).tolist() == each.mean(axis=0).tolist()
    assert combined("all").judge(texts)[1] == 0 < combined("any").judge(texts)[1]


def test_the_hard_rule_follows_the_rule():
    assert combined("all").classify([f"{BEES} {HONEY_CAKE}", HONEY_CAKE]).accepted.tolist() == [True, False]
    assert combined("any").classify([BEES, HONEY_CAKE, TRAINS]).accepted.tolist() == [True, True, False]


@pytest.mark.parametrize("threshold", [0.0, 0.01, 0.5, 1.0])
def test_leveling_keeps_order_and_ends(threshold):
    relevance = np.linspace(0, 1, 101)
    moved = leveled(relevance, threshold)
    assert (np.diff(moved) >= 0).all()
    assert moved[-1] == 1 or threshold == 1
    assert leveled(np.array([threshold]), threshold)[0] == pytest.approx(0.5)


def test_explanation_names_members():
    parts = combined().explain(BEES).parts
    assert [part.label.partition(":")[0] for part in parts[:2]] == ["keywords", "keywords"]
    assert any("hive" in part.label for part in parts)


def test_a_file_holds_all_members(tmp_path):
    write_topic(tmp_path / "both.topic", combined("all"))
    again = read_topic(tmp_path / "both.topic")
    assert isinstance(again, CombinedTopic)
    assert again.rule == "all"
    assert again.judge([BEES, HONEY_CAKE]).tolist() == combined("all").judge([BEES, HONEY_CAKE]).tolist()


def test_what_cannot_be_combined_says_so():
    with pytest.raises(TopicError, match="2 to 20 topics"):
        CombinedTopic([KeywordTopic("bees")])
    with pytest.raises(TopicError, match="there are any, all, mean"):
        combined("most")


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"rule": "mean", "members": "x"},
        {"rule": "mean", "members": [1, 2]},
        {"rule": "mean", "members": [{"kind": "keywords", "settings": {}}] * 2},
        {"rule": "mean", "members": [{"kind": "nothing", "settings": {}}] * 2},
        {"rule": "mean", "members": [{"kind": "combined", "settings": {}}] * 2},
    ],
)
def test_damaged_parts_are_refused(settings):
    with pytest.raises(TopicError):
        CombinedTopic.from_parts(TopicParts(settings))
