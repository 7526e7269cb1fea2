"""What a visitor asks of a collection, as it stands in the address of the search page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from honeyguide.serve.portal.shown import parameters, plain

PER_PAGE = 10
MOST_PAGES = 50
"""Nobody reads further, and to find the hits of a later page an index has to rank all before it."""
MOST_QUERY = 500
MOST_VALUE = 4096


@dataclass(frozen=True, slots=True)
class Question:
    """The fields are the parameters of the address. Whatever is no sensible value counts as not given."""

    q: str = ""
    site: str = ""
    language: str = ""
    topic_class: str = ""
    year: int = 0
    relevant: bool = False
    like: str = ""  # pages like this one
    page: int = 1

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Self:
        """Read the parameters of an address."""
        return cls(
            q=plain(given.get("q", ""), MOST_QUERY),
            **{
                name: plain(given.get(name, ""), MOST_VALUE)
                for name in ("site", "language", "topic_class", "like")
            },
            year=_number(given.get("year", ""), 0, 9999),
            relevant=given.get("relevant", "") in ("1", "true", "on"),
            page=_number(given.get("page", ""), 1, MOST_PAGES),
        )

    @property
    def wanted(self) -> dict[str, Any]:
        """The same as `Crawl.search` takes it."""
        return {
            "query": self.q,
            "site": self.site,
            "language": self.language,
            "topic_class": self.topic_class,
            "year": self.year or None,
            "relevant": self.relevant,
            "like": self.like,
            "offset": (self.page - 1) * PER_PAGE,
            "most": PER_PAGE,
        }

    @property
    def is_empty(self) -> bool:
        """Whether nothing was asked."""
        return self == Question()

    def link(self, to: str, **changes: Any) -> str:
        """The address of this question with some changes; unless it says which, it is the first page."""
        changed = replace(self, **{"page": 1, **changes})
        given = {field.name: getattr(changed, field.name) for field in fields(self)}
        given |= {"page": changed.page if changed.page > 1 else 0, "relevant": int(changed.relevant)}
        return to + parameters(**given)


def _number(text: str, least: int, most: int) -> int:
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else least
    return min(max(number, least), most)
