"""Words, stems, vocabularies and languages."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.model import Passages
from honeyguide.topics import text as module
from honeyguide.topics.text import (
    LONGEST_WORD,
    MAX_CHARS,
    STEMMERS,
    StemTable,
    Vocabulary,
    common_language,
    count_stems,
    language_of,
    stem_phrase,
    stop_words,
    words_of,
)

GERMAN = "Die Imkerin öffnet den Stock und sieht nach, ob die Bienen genug Honig für den Winter haben."
FRENCH = (
    "L\u2019apicultrice ouvre la ruche et regarde si les abeilles ont assez de miel pour passer l\u2019hiver."
)
RUSSIAN = "Пчеловод открывает улей и смотрит, хватит ли пчёлам мёда на зиму, чтобы они дожили до весны."
JAPANESE = "養蜂家は巣箱を開けて、蜜蜂が冬を越すのに十分な蜂蜜を持っているかどうかを確かめます。とても大切な仕事です。"


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("Don\u2019t! 2024's x86 e-mail_list", ["don", "t", "s", "x", "e", "mail", "list"]),
        ("ÉCOLE Œuvre straße m² ½", ["école", "œuvre", "straße", "m"]),
        ("cafe\u0301 → мёд", ["café", "мёд"]),
        ("हिन्दी में शहद।", ["हिन्दी", "में", "शहद"]),
        ("蜂蜜を2つ", ["蜂蜜", "蜜を", "つ"]),
        ("น้ำผึ้ง", ["น้", "้ำ", "ำผ", "ผึ", "ึ้", "้ง"]),
        ("\ud800\u202e\x00", []),
    ],
    ids=["english", "western", "cyrillic", "hindi", "japanese", "thai", "no text"],
)
def test_words(written, words):
    assert words_of(written) == words


def test_endless_words_are_cut_and_only_the_beginning_of_a_text_is_read():
    assert words_of("a" * 5_000) == ["a" * LONGEST_WORD]
    assert len(words_of("bee " * MAX_CHARS)) == MAX_CHARS // 4 + (MAX_CHARS % 4 > 0)


WESTERN = st.characters(codec="cp1252") | st.characters(codec="latin-1")


@given(st.text(WESTERN | st.sampled_from("aeiou .,-\u2019")))
def test_all_ways_to_words_agree(written):
    """The quick ways for Western texts, and the one for all others, which an arrow asks for."""
    assert words_of(written) == words_of(written + " →")


@given(st.text())
def test_words_of_any_text_are_bounded_letters(written):
    for word in words_of(written):
        assert 0 < len(word) <= LONGEST_WORD
        assert word == word.lower() or unicodedata.normalize("NFC", word.lower()) != word
        assert not any(character.isdecimal() or character.isspace() for character in word)


def test_sequence_keeps_stop_words_and_counts_do_not():
    vocabulary = Vocabulary(stem_phrase("University of Oslo"))
    assert vocabulary.sequence("the universities of Bergen, of Oslo").tolist() == [-1, 0, 1, -1, 1, 2]
    assert vocabulary.counts(["the universities of Bergen, of Oslo"]).toarray().tolist() == [[1, 0, 1]]


def test_a_stop_word_is_not_counted_as_the_word_whose_stem_it_shares():
    assert stem_phrase("does") == ["doe"]
    assert Vocabulary(["doe"]).counts(["Does a doe run?"]).toarray().tolist() == [[1]]


def test_counts_are_the_same_whatever_stands_beside_a_text():
    vocabulary = Vocabulary(["bee", "honey", "hive"])
    texts = ["Bees and honey", "", "hive hives bee", "nothing"]
    together = vocabulary.counts(texts)
    assert together.shape == (4, 3)
    assert together.has_sorted_indices
    for place, text in enumerate(texts):
        assert (vocabulary.counts([text]).toarray() == together[[place]].toarray()).all()
    assert vocabulary.counts([]).shape == (0, 3)


@given(st.lists(st.lists(st.sampled_from(["bee", "honey", "wasp"])).map(" ".join)))
def test_counts_are_the_same_in_few_stems_and_in_many(texts):
    few, many = ["bee", "honey"], ["bee", *(f"stem{number}" for number in range(1_000)), "honey"]
    counts = Vocabulary(many).counts(texts).toarray()
    assert Vocabulary(few).counts(texts).toarray().tolist() == counts[:, [0, -1]].tolist()


def test_a_flood_of_new_words_does_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(module, "MAX_WORDS", 50)
    table = StemTable(["bee"], "en", grows=False, skipped=frozenset())
    for start in range(100):
        table.sequence(" ".join(f"{chr(97 + n)}{'y' * (start % 30)}" for n in range(26)))
        table.sequence("z" * (LONGEST_WORD + 1 + start))
    assert len(table) <= 50
    assert table.sequence("bees " + "z" * 100).tolist() == [0, -1]
    assert "z" * 100 not in table


def test_learned_stems_are_sorted_without_stop_words_and_single_letters():
    stems, counts = count_stems(["The bees of c, bees", "a hive"])
    assert stems == ["bee", "hive"]
    assert counts.toarray().tolist() == [[2, 0], [0, 1]]
    again = Vocabulary(stems).counts(["The bees of c, bees", "a hive"])
    assert (again.toarray() == counts.toarray()).all()


def test_the_most_widespread_stems_are_kept():
    stems, counts = count_stems(["wax wax wax bee", "bee hive", "hive bee"], max_stems=2)
    assert stems == ["bee", "hive"]
    assert counts.shape == (3, 2)
    assert count_stems([])[0] == []
    assert count_stems(["the of", ""])[1].shape == (2, 0)


@pytest.mark.parametrize(
    ("text", "language"),
    [(GERMAN, "de"), (FRENCH, "fr"), (RUSSIAN, "ru"), (JAPANESE, "ja"), ("bees", "")],
    ids=["de", "fr", "ru", "ja", "short"],
)
def test_language(text, language):
    assert language_of(text) == language


def test_language_of_a_collection():
    assert common_language([FRENCH, GERMAN, GERMAN, GERMAN]) == "de"
    assert common_language(iter([])) == ""
    assert common_language(["\ud800" * 100]) == ""


@pytest.mark.parametrize("language", sorted(STEMMERS))
def test_every_stemmer_takes_every_word(language):
    for text in (GERMAN, FRENCH, RUSSIAN, JAPANESE, "हिन्दी", "a" * 100):
        assert len(stem_phrase(text, language)) == len(words_of(text))


def test_stems_by_language():
    assert stem_phrase("Bienen", "de") == stem_phrase("Biene", "de")
    assert stem_phrase("пчёлы", "ru") == stem_phrase("пчёлам", "ru")
    assert stem_phrase("bees", "zu") == ["bees"], "a language without stemmer is left as it is"


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "ru", "pl", "ja", "zh"])
def test_stop_words_are_words_as_texts_have_them(language):
    words = stop_words(language)
    assert len(words) > 30
    assert {"".join(words_of(word)) for word in words} == words
    assert stop_words("tlh") == frozenset()


@given(st.lists(st.text(), max_size=4))
def test_any_text_can_be_counted(texts):
    counts = Vocabulary(["bee"]).counts(texts)
    assert counts.shape == (len(texts), 1)
    assert np.isfinite(counts.data).all()
    assert count_stems(texts)[1].shape[0] == len(texts)


PASSAGES = st.lists(
    st.lists(
        st.sampled_from(["Bee", "honey", "of", "wasps", "→", "мёд", "蜂蜜を", "œuf", "é", "12", "z" * 60])
    ),
    max_size=6,
)


@given(PASSAGES, PASSAGES)
def test_passages_are_read_as_the_strings_they_stand_for(first, second):
    vocabulary = Vocabulary(["bee", "honey", "of", "мёд", "蜂蜜", "œuf", "é"])
    strings = [" ".join(words) for words in (*first, *second)]
    half = len(first)
    passages = Passages.joined([Passages.of(strings[:half]), Passages.of(strings[half:])])
    assert list(passages) == strings
    assert list(passages[1:-1]) == strings[1:-1]
    assert (vocabulary.counts(passages).toarray() == vocabulary.counts(strings).toarray()).all()
    sequences = [sequence.tolist() for sequence in vocabulary.sequences(strings)]
    assert [sequence.tolist() for sequence in vocabulary.sequences(passages)] == sequences


@pytest.mark.parametrize(
    "text", ["honey bees of the hive", "honey bees → of the hive", "honey bees of the улей"]
)
def test_passages_may_overlap(text):
    passages = Passages(
        [text, " bees"], np.array([0, 6, 6, 0, len(text)]), np.array([10, 10, 6, len(text), len(text) + 5])
    )
    counts = Vocabulary(["bee", "honey", "hive"]).counts(passages).toarray().tolist()
    assert counts == [[1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, float("hive" in text)], [1, 0, 0]]


def test_of_a_passage_only_the_beginning_is_read():
    endless = Passages.of(["bee " * MAX_CHARS, "bee"])
    assert Vocabulary(["bee"]).counts(endless).toarray().ravel().tolist() == [-(-MAX_CHARS // 4), 1]


def test_symbols_do_not_stand_for_letters():
    vocabulary = Vocabulary(["bee", "bées"], "")
    assert vocabulary.sequence("bee→bee ★bee " * 200).tolist() == [0] * 600
    assert vocabulary.sequence("be\u0301es bee\u0301 " * 200).tolist() == [1, -1] * 200
