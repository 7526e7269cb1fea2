"""Which words of a phrase are looked for, told where it is not all that was typed."""

from __future__ import annotations

from honeyguide.cli import terminal

_MOST = 12
"""Words of a paragraph beyond these are counted."""


def tell_of_words(text: str, language: str) -> None:
    """Name the words, if others that were typed are not among them."""
    from honeyguide.topics.keywords import KeywordTopic
    from honeyguide.topics.phrase import left_out

    topic = KeywordTopic(text, language)
    if others := left_out(text, topic.language):
        quoted = [f'"{word}"' for word in others]
        says = "says too little by itself" if len(others) == 1 else "say too little by themselves"
        terminal.note(
            f"it looks for {_listed([*topic.weights])}; {_listed(quoted)} {says}: "
            "put a phrase in quotes to have all of it"
        )


def _listed(words: list[str]) -> str:
    more = len(words) - _MOST
    return ", ".join(words[:_MOST]) + (f" and {more} more" if more > 0 else "")
