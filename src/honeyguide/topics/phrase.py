"""What a phrase asks for: its words, phrases in quotes, names such as C++, and what is not meant. Used by keywords."""

from __future__ import annotations

import re
from dataclasses import dataclass

from honeyguide.errors import TopicError
from honeyguide.topics.stop_words import stop_words
from honeyguide.topics.text import words_of

_URL = re.compile(r"(?:^|\s)(\w+://\S+|www\.\S+)", re.IGNORECASE)
_TOKEN = re.compile(r'(?P<minus>(?<!\S)-)?(?:"(?P<quoted>[^"]*)"|(?P<plain>[^\s"]+))')
_QUOTES = str.maketrans("“”„«»‟", '""""""')

# What a name has that words have not: signs after a letter, a dot before one, or digits.
_NAME = re.compile(r"(?<![\w.+#])(?:\w+(?:\+\+|#)|\.[^\W\d]\w+|\w*\d\w+|\w+\d\w*)(?![\w+#])")
_FEWEST_SIGNS = 2
_SPELLED = str.maketrans("+#.0123456789_", "þðÿþðÿýûúùøõöñ")  # a letter a sign, lest places in a text change


@dataclass(frozen=True, slots=True)
class Asked:
    """A part of a phrase: one word, or several that must stand side by side."""

    words: tuple[str, ...]
    is_meant: bool = True


class Names:
    """Names that no reader of words would see, such as C++, .NET or 1984: each is spelled as a word of letters.

    >>> Names("C++ or plain C").spelled("C and c++")
    'C and cþþ'
    """

    def __init__(self, phrase: str) -> None:
        found = {name.lower() for name in _NAME.findall(phrase) if len(name) >= _FEWEST_SIGNS}
        any_of = "|".join(re.escape(name) for name in sorted(found, key=len, reverse=True))
        self._pattern = re.compile(rf"(?<![\w.+#])(?:{any_of})(?![\w+#])", re.IGNORECASE) if found else None
        self.by_spelling = {_spelled(name): name for name in found}

    def __bool__(self) -> bool:
        return self._pattern is not None

    def spelled(self, text: str) -> str:
        """A text with such names as words, every other letter where it was."""
        return self._pattern.sub(lambda found: _spelled(found[0]), text) if self._pattern else text


def _spelled(name: str) -> str:
    lower = name.lower()
    return (lower if len(lower) == len(name) else name).translate(_SPELLED)


def read_phrase(phrase: str, language: str, names: Names) -> list[Asked]:
    """Take a phrase apart; a word that says nothing is only kept within quotes.

    >>> [(asked.words, asked.is_meant) for asked in read_phrase('the "art of war" -film', "en", Names(""))]
    [(('art', 'of', 'war'), True), (('film',), False)]
    """
    if url := _URL.search(phrase):
        raise TopicError(
            f"{url[1][:200]!r} is a url, and a topic is made of words; to begin a crawl there give it with --seed; "
            "for pages like it make a topic with `honeyguide topic new FILE --name NAME --example URL`"
        )
    asked: list[Asked] = []
    for token in _TOKEN.finditer(names.spelled(phrase.translate(_QUOTES))):
        is_meant = token["minus"] is None
        words = words_of(token["quoted"] or token["plain"] or "")
        if token["quoted"] and len(words) > 1:
            asked.append(Asked(tuple(words), is_meant))
        else:
            ignored = stop_words(language)
            asked += [Asked((word,), is_meant) for word in words if len(word) > 1 and word not in ignored]
    return asked
