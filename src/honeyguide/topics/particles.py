"""Small words of languages without spaces: phrases are cut at them, lest one and its neighbor be a topic."""

from __future__ import annotations

import re

from honeyguide.topics.text import UNSPACED

_TWO = f"{UNSPACED}{UNSPACED}"  # on each side: of a single letter no pair would be left
_HIRAGANA = "[\u3041-\u3096]"
_JAPANESE = rf"(?:を|の(?!{_HIRAGANA})|(?<!{_HIRAGANA})[とはがにでもへや](?!{_HIRAGANA}))"
# But not where it is a part of a usual word: 目的 aim, 和平 peace, 参与 take part, 现在 now, 于是 then, 了解 know.
_CHINESE = (
    "(?:(?<!目)的(?!士)|和(?![平谐解服声])|(?<!参)与(?!会)|(?<![现存正所潜内外])在(?!线)"
    "|(?<![于但还])是(?!非)|了(?!解))"
)
_AFTER_TWO = f"(?<={_TWO})"
_CUT = {
    "ja": re.compile(rf"({_AFTER_TWO}{_JAPANESE}(?={_TWO}|\W|$))"),
    "zh": re.compile(rf"({_AFTER_TWO}{_CHINESE}(?={_TWO}|\W|$)|(?<!\w)在(?={_TWO}))"),
}
_BEFORE_LETTER = {
    language: re.compile(rf"{_AFTER_TWO}(?={particle}{UNSPACED}(?:\W|$))")
    for language, particle in (("ja", _JAPANESE), ("zh", _CHINESE))
}


def without_particles(text: str, language: str) -> str:
    """A text with spaces for such words; a single letter after one keeps it, as texts are read in pairs of letters.

    >>> [without_particles(phrase, "ja") for phrase in ("日本の歴史と文化", "京都の寺", "茶の湯")]
    ['日本 歴史 文化', '京都 の寺', '茶の湯']
    """
    if language not in _CUT:
        return text
    first, *others = _CUT[language].split(text)
    parts = (
        particle * (len(part) == 1) + part for particle, part in zip(others[::2], others[1::2], strict=True)
    )
    return _BEFORE_LETTER[language].sub(" ", " ".join([first, *parts]))
