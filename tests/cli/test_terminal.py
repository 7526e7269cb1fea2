from hypothesis import given
from hypothesis import strategies as st

from honeyguide.cli.terminal import clean


@given(st.text())
def test_cleaned_text_is_one_printable_line_of_the_same_length(text: str) -> None:
    assert clean(text).isprintable()
    assert len(clean(text)) == len(text)


def test_readable_text_stays_as_it_is() -> None:
    assert clean("Bienen: Königin, 蜜蜂 🐝 [b]") == "Bienen: Königin, 蜜蜂 🐝 [b]"


def test_what_turns_the_reading_direction_is_replaced() -> None:
    assert clean("a\u202eb") == "a\ufffdb"
