"""Phrases in many languages."""

import numpy as np
import pytest

from honeyguide.errors import TopicError
from honeyguide.lab.phrases import read_phrases
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.phrase import check_phrase
from honeyguide.topics.phrase_language import phrase_language
from tests.topics.sentences import PHRASES, SUBJECTS, pages
from tests.topics.short_phrases import PHRASES_BY_LANGUAGE


@pytest.mark.parametrize("language", PHRASES)
def test_a_phrase_in_its_language_finds_its_pages(language):
    listed = pages(language)
    assert len(listed) == 30
    for subject, phrase in zip(SUBJECTS, PHRASES[language], strict=True):
        topic = KeywordTopic(phrase)
        assert topic.language == language, phrase
        relevance = topic.judge([text for _, text in listed])
        is_right = np.array([own == subject for own, _ in listed])
        assert relevance[is_right].min() > relevance[~is_right].max(), phrase


@pytest.mark.parametrize(
    ("phrase", "small_word"),
    [
        ("die Bienen und der Honig", "die der und"),
        ("les abeilles et le miel", "les et le"),
        ("пчёлы и мёд", "и"),
    ],
)
def test_small_words_of_any_language_are_no_topic_words(phrase, small_word):
    assert KeywordTopic(phrase).judge([small_word])[0] == 0.0


@pytest.mark.parametrize(
    ("phrase", "seeds", "expected"),
    [
        ("Bienenzucht", ["https://imker.example.de/", "https://honig.example.at/"], "de"),
        ("Bienenzucht", [], "de"),
        ("Segeln", ["https://www.boote.example.ch/de/a"], "de"),
        ("apicultura", ["https://pt.wikipedia.org/wiki/Apicultura"], "pt"),
        ("fotografia", ["https://it.wikipedia.org/"], "it"),
        ("beekeeping", ["https://fr.wikipedia.org/"], "en"),
        ("人工知能", ["https://a.example.jp/"], "ja"),
        ("apicultura", ["https://mel.example.br/a"], "pt"),
        ("honey bees", ["https://imker.example.de/"], "en"),
        ("war games", ["https://spiele.example.de/"], "en"),
        ("docker", ["https://a.example.com/", "https://b.example.com/", "https://c.example.de/"], "en"),
        ("蜂蜜", [], "zh"),
        ("car", [], "en"),
        ("page -car", [], "en"),
        ("guerra fria", ["https://pt.wikipedia.org/"], "pt"),
        ("", [], "en"),
    ],
)
def test_seeds_decide_where_the_phrase_does_not_tell(phrase, seeds, expected):
    assert phrase_language(phrase, seeds) == expected


GUESSED = {
    "de": ["Geschichte der Eisenbahn", "Honig und Wachs", "römische Geschichte", "Wanderwege in den Alpen"],
    "fr": ["les abeilles et le miel", "recettes de cuisine", "énergie solaire", "oiseaux migrateurs"],
    "es": ["abejas y miel", "recetas de cocina", "energía solar", "aves migratorias"],
    "pt": ["abelhas e mel", "receitas de cozinha", "inteligência artificial", "criação de abelhas"],
    "ru": ["пчёлы и мёд", "солнечная энергия"],
    "zh": ["人工智能", "中国历史"],
    "ja": ["ミツバチ", "日本の歴史"],
    "ar": ["نحل وعسل", "الطاقة الشمسية"],
    "en": [
        "beekeeping",
        "quantum computing",
        "Kubernetes",
        "permaculture",
        "haskell",
        "android apps",
        "video games",
    ],
}


@pytest.mark.parametrize("language", GUESSED)
def test_the_language_of_short_phrases_is_guessed(language):
    elsewhere = ["https://a.example.nl/", "https://b.example.nl/"]
    for phrase in GUESSED[language]:
        assert phrase_language(phrase) == language, phrase
        assert phrase_language(phrase, elsewhere) == language, f"{phrase}, whatever the seeds"


@pytest.mark.parametrize(
    ("phrase", "country", "expected"),
    [
        ("energia solar", "br", "pt"),
        ("energia solar", "it", "it"),
        ("apicultura", "es", "es"),
        ("beekeeping", "de", "en"),
    ],
)
def test_seeds_decide_between_languages_that_are_alike(phrase, country, expected):
    assert phrase_language(phrase, [f"https://a.example.{country}/"]) == expected


@pytest.mark.parametrize(
    ("word", "language"),
    [
        ("Vulkan", "de"),
        ("Pilze", "de"),
        ("Philosophie", "de"),
        ("Philosophie", "fr"),
        ("volcan", "fr"),
        ("Bretagne", "fr"),
        ("volcanes", "es"),
        ("historia", "es"),
    ],
)
def test_a_single_word_that_is_not_common_english_is_in_the_language_that_seeds_name(word, language):
    assert phrase_language(word, [f"https://{language}.wikipedia.org/wiki/A"]) == language
    assert phrase_language(word, [f"https://example.org/{language}/a"]) == language
    assert phrase_language(word, ["https://example.org/a"]) == "en"


def test_the_country_of_seeds_decides_for_a_word_that_looks_like_its_language():
    assert phrase_language("Pilze", ["https://a.example.de/"]) == "de"
    assert phrase_language("Kubernetes", ["https://a.example.de/"]) == "en"


@pytest.mark.parametrize("word", ["volcano", "volcanoes", "gardening", "beekeeping", "opera"])
def test_a_common_english_word_is_english_whatever_seeds_say(word):
    assert phrase_language(word, ["https://de.wikipedia.org/"]) == "en"


@pytest.mark.parametrize(
    ("phrase", "language"),
    [
        ("E. coli", "en"),
        ("U.S. Constitution", "en"),
        ("US history", "en"),
        ("Mount St. Helens", "en"),
        ("st. louis", "en"),
        ("IT Sicherheit", "de"),
        ("St. Gallen Wandern", "de"),
    ],
)
def test_initials_and_abbreviations_are_no_small_words(phrase, language):
    assert phrase_language(phrase) == language


@pytest.mark.parametrize("phrase", ["der die das und", "le la les des", "is it the"])
def test_small_words_alone_are_given_to_no_language_in_which_they_are_rare(phrase):
    with pytest.raises(TopicError, match="no distinctive word"):
        KeywordTopic(phrase)
    assert phrase_language("die war") == phrase_language("car door") == "en"


def test_most_short_phrases_are_taken_for_their_own_language():
    wrong = [
        (phrase, language)
        for language, phrases in PHRASES_BY_LANGUAGE.items()
        for phrase in phrases
        if phrase_language(phrase) != language
    ]
    assert len(wrong) <= 29, wrong
    assert [phrase for phrase, language in wrong if language == "en"] == [
        "tai chi"
    ]  # which begins as Finnish may


def test_phrases_of_the_lab_are_english():
    assert {phrase_language(phrase.words) for phrase in read_phrases()} == {"en"}


@pytest.mark.parametrize("language", ["deutsch", "xx", "pt:BR"])
def test_what_is_no_language_is_refused(language):
    with pytest.raises(TopicError, match=r"no language; give two letters, such as ar, ca, .*de"):
        check_phrase("Bienen", language)
    check_phrase("nyuki", "sw")


@pytest.mark.parametrize(
    ("given", "language"), [("DE", "de"), ("pt-BR", "pt"), ("zh_TW", "zh"), ("he", "he"), ("iw", "he")]
)
def test_a_language_may_be_written_in_other_ways(given, language):
    check_phrase("abelhas", given)
    assert KeywordTopic("abelhas", given).language == language


@pytest.mark.parametrize(
    ("phrase", "words"),
    [
        ("日本の歴史と文化", "日本 歴史 文化"),
        ("ミツバチの飼育", "ミツ ツバ バチ 飼育"),
        ("お祭りの歴史", "お祭 祭り 歴史"),
        ("養蜂をする", "養蜂"),
        ("もののけ姫", "のの のけ け姫"),
        ("茶の湯", "茶の の湯"),
        ("京都の寺", "京都 の寺"),
        ("東京の寺と神社", "東京 の寺 神社"),
        ("海の幸と山の幸", "海の の幸 山の"),
        ("北京的寺", "北京 的寺"),
        ("中国的历史和文化", "中国 历史 文化"),
        ("在北京的大学", "北京 大学"),
        ("中国和平发展", "中国 国和 和平 平发 发展"),
        ("旅行目的地点", "旅行 行目 目的 的地 地点"),
        ("现在的音乐", "现在 音乐"),
    ],
)
def test_phrases_without_spaces_are_cut_at_small_words(phrase, words):
    assert KeywordTopic(phrase).weights.keys() == set(words.split())


def test_small_words_within_quotes_are_kept():
    assert KeywordTopic('"日本の歴史"').weights.keys() == {'"日本 本の の歴 歴史"'}
