"""The ontology topic."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.checks.topic_model import check_topic_model
from honeyguide.errors import TopicError
from honeyguide.settings.plugin_settings import plugin_keywords
from honeyguide.topics.base import TopicParts
from honeyguide.topics.ontology import OntologySettings, OntologyTopic, WeightClasses
from honeyguide.topics.ontology.topic import FOCAL_SHARE
from tests.topics.ontology import toyota

ON = "The Toyota Corolla is a Japanese car. Toyota sells the Corolla Verso too."
OFF = "The railway opened in 1850 and closed in 1960."


@pytest.fixture
def topic(cars):
    return OntologyTopic.of_map(cars, ["toyota"])


def test_conforms(topic):
    check_topic_model(topic, ON, OFF)


def test_relevance_by_hand(cars):
    topic = OntologyTopic.of_map(cars, ["toyota"], OntologySettings(idf="running"))
    topic.judge(["toyota", "toyota corolla", *["something else"] * 7])
    # tf / maxtf * log10(D / df): toyota twice in the tenth page and on 3 of 10, corolla once and on 2, Verso on 1.
    toyota_part = 1.0 * (2 / 2) * math.log10(10 / 3)
    corolla_part = 0.8 * (1 / 2) * math.log10(10 / 2)
    verso_part = 0.1 * (1 / 2) * math.log10(10 / 1)
    total = 1.0 + 0.8 + 0.8 + 0.8 + 0.5 + 0.1 + 0.1
    expected = (toyota_part + corolla_part + verso_part) / total
    assert topic.judge(["Toyota, the Corolla Verso of Toyota"])[0] == pytest.approx(expected, abs=1e-12)


def test_relevance_never_exceeds_1(cars):
    only = OntologySettings(weights=WeightClasses(1.0, 0.0, 0.0, 0.0))
    topic = OntologyTopic.of_map(cars, ["avensis"], only)
    assert topic.idf[cars.find("avensis")] > 1
    assert topic.judge(["Avensis"])[0] == 1.0


def test_the_focus_decides(cars):
    corolla = OntologyTopic.of_map(cars, ["corolla"])
    toyoda = OntologyTopic.of_map(cars, ["Kiichiro Toyoda"])
    page = "Kiichiro Toyoda founded it."
    assert toyoda.judge([page])[0] > 5 * corolla.judge([page])[0] > 0


def test_the_limit_is_the_hard_rule(cars):
    strict = OntologyTopic.of_map(cars, ["toyota"], OntologySettings(limit=0.9))
    lenient = OntologyTopic.of_map(cars, ["toyota"])
    assert lenient.classify([ON, "Avensis", OFF]).accepted.tolist() == [True, True, False]
    assert strict.classify([ON, "Avensis", OFF]).accepted.tolist() == [True, False, False]


def test_without_a_limit_it_is_a_share_of_what_the_focus_alone_gets(cars):
    topic = OntologyTopic.of_map(cars, ["toyota"])
    assert topic.relevant_above == pytest.approx(FOCAL_SHARE * topic.judge(["Toyota"])[0])
    both = OntologyTopic.of_map(cars, ["toyota", "avensis"])
    assert both.relevant_above == pytest.approx(FOCAL_SHARE * both.judge(["Toyota", "Avensis"]).min())
    counted = OntologyTopic.of_map(cars, ["toyota"], OntologySettings(idf="running"))
    assert counted.relevant_above == 0.01
    again = OntologyTopic.from_parts(topic.parts())
    assert again.relevant_above == topic.relevant_above


def test_a_large_map_does_not_drown_its_focus(read):
    words = [
        f"{one}{two}{three}" for one in "bcdfg" for two in "aeiou" for three in ("zzle", "mbrick", "ndorf")
    ]
    others = "".join(f':{word} a skos:Concept ; skos:prefLabel "{word}"@en .\n' for word in words)
    made = read(LABELS + others)
    about_bees, about_anything = "Beeswax is what the honey bee makes.", " ".join(words[::3])
    topic = OntologyTopic.of_map(made, ["bee"])
    near, far = topic.judge([about_bees, about_anything])
    assert near > topic.relevant_above > far
    published = OntologyTopic.of_map(made, ["bee"], OntologySettings(weights=WeightClasses(rest=0.1)))
    near, far = published.judge([about_bees, about_anything])
    assert far > near
    assert len(topic.explain(about_anything).parts) == 1
    assert topic.weights[made.find("wax")] == published.weights[made.find("wax")] == 0.8


def test_topics_near_the_focus_that_a_page_mentions(cars, topic):
    found = topic.mentioned("Corolla and Corolla Verso; the Toyota and the Toyota; Kiichiro Toyoda")
    assert [cars.topics[number].label for number in found] == ["Toyota", "Corolla"]
    assert topic.mentioned(OFF) == ()


def test_settings_of_a_crawl_order_make_a_topic(tmp_path):
    path = tmp_path / "cars.xtm"
    path.write_text(toyota.xtm2(), encoding="utf-8")
    given = {
        "file": str(path),
        "focus": ["Toyota"],
        "limit": 0.02,
        "rest_weight": 0,
        "hierarchy": {"produces": ""},
    }
    topic = OntologyTopic(**plugin_keywords(OntologyTopic, given, "topic"))
    assert topic.relevant_above == 0.02
    assert topic.weights[topic.map.find("tmm")] == 0.8
    assert topic.weights[topic.map.find("verso")] == 0.0


def test_running_idf_depends_on_the_pages_before_and_only_on_them(cars):
    settings = OntologySettings(idf="running")
    pages = [ON, OFF, "Corolla", ON, "Avensis and Toyota", ON]
    one, other = (OntologyTopic.of_map(cars, ["toyota"], settings) for _ in range(2))
    whole = one.judge(pages)
    assert whole[0] == 0  # on the first page everything is on every page so far
    assert whole[3] > 0
    assert (np.concatenate([other.judge([page]) for page in pages]) == whole).all()
    elsewhere = pickle.loads(pickle.dumps(one))
    assert elsewhere.judge([ON])[0] == 0  # the counts stay behind


def test_explaining_does_not_count_pages(cars):
    settings = OntologySettings(idf="running")
    one, other = (OntologyTopic.of_map(cars, ["toyota"], settings) for _ in range(2))
    for model in (one, other):
        model.judge([ON, OFF, OFF])
    one.explain(ON)
    one.footprint(ON)
    assert one.judge([ON])[0] == other.judge([ON])[0]


def test_the_explanation_names_topics_with_weight_and_tfidf_and_adds_up(cars):
    topic = OntologyTopic.of_map(cars, ["toyota"], OntologySettings(idf="running"))
    topic.judge(["Corolla", OFF, OFF, OFF])
    explanation = topic.explain(ON)
    assert sum(part.number for part in explanation.parts) == pytest.approx(topic.judge([ON])[0])
    assert explanation.parts[0].label.startswith("Toyota x2 (weight 1, tf-idf ")
    assert {part.label.partition(" x")[0] for part in explanation.parts} == {
        "Toyota",
        "Corolla",
        "elsewhere in the map: Corolla Verso (weight 0.1 each)",
        "Japanese car",
    }
    assert "in focus: Toyota" in explanation.summary


def test_parts_make_the_same_topic_again(cars):
    settings = OntologySettings(
        limit=0.02, weights=WeightClasses(rest=0.05), hierarchy={"produces": "producer"}
    )
    topic = OntologyTopic.of_map(cars, ["toyota", "tmm"], settings)
    again = OntologyTopic.from_parts(topic.parts())
    assert again.map == cars
    assert again.settings == OntologySettings(**{**vars_of(settings), "language": "en"})
    assert (again.judge([ON, OFF]) == topic.judge([ON, OFF])).all()
    assert again.footprint(ON) == topic.footprint(ON)


def vars_of(settings):
    return {name: getattr(settings, name) for name in OntologySettings.__slots__}


@pytest.mark.parametrize(
    "damage",
    [
        {"settings": {}},
        {"settings": {"focus": [99]}},
        {"settings": {"focus": ["x"]}},
        {"settings": {"weights": {"focal": 7}}},
        {"settings": {"surprise": 1}},
        {"arrays": {"map": np.frombuffer(b"{}", dtype=np.uint8)}},
        {"arrays": {"map": np.frombuffer(b"\xff", dtype=np.uint8)}},
        {"arrays": {"idf": np.zeros(3)}},
        {"arrays": {"idf": np.full(17, np.nan)}},
    ],
    ids=["nothing", "focus", "no-number", "weight", "unknown", "no-map", "no-text", "short", "no-numbers"],
)
def test_damaged_parts_are_refused(topic, damage):
    good = topic.parts()
    settings = {**good.settings, **damage.get("settings", {})} if damage.get("settings") != {} else {}
    arrays = {**good.arrays, **damage.get("arrays", {})}
    with pytest.raises(TopicError):
        OntologyTopic.from_parts(TopicParts(settings, arrays))


def test_a_focus_is_needed_and_must_be_in_the_map(cars):
    with pytest.raises(TopicError, match="needs a focus"):
        OntologyTopic.of_map(cars, [])
    with pytest.raises(TopicError, match="no topic 'Corola'; did you mean corolla"):
        OntologyTopic.of_map(cars, ["Corola"])
    with pytest.raises(TopicError, match="limit must be"):
        OntologyTopic.of_map(cars, ["toyota"], OntologySettings(limit=2))


def test_a_focal_topic_without_a_name_is_refused_by_name(cars):
    with pytest.raises(TopicError, match=r"'file:///cars.xtm#produces' has no name"):
        OntologyTopic.of_map(cars, ["produces"])


def test_topics_without_names_do_not_count(cars, read):
    more = '<topic id="nameless"/></topicMap>'
    padded = read(toyota.xtm2().replace("</topicMap>", more), "cars.xtm")
    plain, with_nameless = (OntologyTopic.of_map(one, ["toyota"]) for one in (cars, padded))
    assert plain.judge([ON])[0] == with_nameless.judge([ON])[0]


LABELS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://example.org/> .
:bee a skos:Concept ; skos:prefLabel "honey bee"@en, "Biene"@de ; skos:altLabel "Apis"@la, "Hymenoptera" .
:wax a skos:Concept ; skos:prefLabel "beeswax"@en ; skos:broader :bee .
"""


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        (OntologySettings(), {"honey bees", "hymenoptera", "beeswax"}),
        (OntologySettings(language="de"), {"Bienen", "hymenoptera"}),
        (OntologySettings(all_languages=True), {"honey bees", "hymenoptera", "beeswax", "Apis", "Biene"}),
    ],
    ids=["most", "german", "all"],
)
def test_names_of_the_models_language_and_of_none_are_looked_for(read, settings, found):
    topic = OntologyTopic.of_map(read(LABELS), ["bee"], settings)
    texts = ["honey bees", "Bienen", "Biene", "Apis", "hymenoptera", "beeswax"]
    seen = {text for text, judged in zip(texts, topic.judge(texts), strict=True) if judged > 0}
    assert seen - {"Biene"} == found - {"Biene"}
    assert ("Biene" in seen) == (settings.language == "de" or settings.all_languages)


@pytest.mark.parametrize(
    ("focus", "language"),
    [
        (["Biene"], "de"),
        (["honey bee"], "en"),
        (["bee"], "en"),
        (["Hymenoptera"], "en"),
        (["Biene", "wax"], "de"),
    ],
)
def test_the_language_of_a_map_is_that_the_focus_was_typed_in(read, focus, language):
    topic = OntologyTopic.of_map(read(LABELS + ':wax skos:prefLabel "Wachs"@de .'), focus)
    assert topic.language == language
    assert OntologyTopic.from_parts(topic.parts()).language == language
    assert OntologyTopic.of_map(read(LABELS), ["bee"], OntologySettings(language="la")).language == "la"


@given(st.lists(st.text(), max_size=4))
def test_any_text_gets_a_relevance(texts):
    judged = TOPIC.judge(texts)
    assert judged.shape == (len(texts),)
    assert ((judged >= 0) & (judged <= 1)).all()


def _small_topic():
    from honeyguide.topics.ontology.building import MapBuilder
    from honeyguide.topics.ontology.identifiers import TOPIC_NAME
    from honeyguide.topics.ontology.topic_map import Name

    builder = MapBuilder()
    for id_ in ("a", "b", "the a"):
        builder.add_name(builder.by_item(id_), Name(f"{id_} bee", builder.by_subject(TOPIC_NAME)))
    return OntologyTopic.of_map(builder.finish(), ["a"])


TOPIC = _small_topic()
