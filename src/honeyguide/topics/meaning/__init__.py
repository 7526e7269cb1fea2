"""Topics by meaning: words whose vectors are near to those of the phrase count, too. Takes the extra `meaning`."""

from honeyguide.topics.meaning.similarity import similarities

__all__ = ["similarities"]
