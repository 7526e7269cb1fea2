"""Small words of languages without spaces: phrases are cut at them, lest one and its neighbor be a topic."""

from __future__ import annotations

import re

from honeyguide.topics.text import UNSPACED

_TWO = f"{UNSPACED}{{2}}"  # on each side: of a single letter no pair would be left
_HIRAGANA = "[\u3041-\u3096]"
_JAPANESE = rf"(?:を|の(?!{_HIRAGANA})|(?<!{_HIRAGANA})[とはがにでもへや](?!{_HIRAGANA}))"
# But not where it is a part of a usual word: 目的 aim, 和平 peace, 参与 take part, 现在 now, 于是 then, 了解 know.
_CHINESE = (
    "(?:(?<!目)的(?!士)|和(?![平谐解服声])|(?<!参)与(?!会)|(?<![现存正所潜内外])在(?!线)"
    "|(?<![于但还])是(?!非)|了(?!解))"
)
_CUT = {
    "ja": re.compile(rf"(?<={UNSPACED}{UNSPACED}){_JAPANESE}(?={_TWO}|\W|$)"),
    "zh": re.compile(rf"(?<={UNSPACED}{UNSPACED}){_CHINESE}(?={_TWO}|\W|$)|(?<!\w)在(?={_TWO})"),
}


def without_particles(text: str, language: str) -> str:
    """A text with spaces for such words.

    >>> without_particles("日本の歴史と文化", "ja"), without_particles("茶の湯", "ja")
    ('日本 歴史 文化', '茶の湯')
    """
    return _CUT[language].sub(" ", text) if language in _CUT else text
