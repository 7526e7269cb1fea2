"""The nouns every part shares. Data only: arrays and frozen dataclasses, no behaviour that needs another part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple, Self, overload

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Places = NDArray[np.int64]

ROOT = 0
"""Id of the virtual page whose links are the seeds; it is judged fully relevant and never fetched."""

REDIRECTS = frozenset((301, 302, 303, 307, 308))
"""Answers that say where a page is instead."""
NOT_MODIFIED = 304

MOST_REDIRECTS = 10  # in a row; a crawl follows no more


class Status(IntEnum):
    """Where a url stands: outside the queue, in it, or at rest as its last visit left it.

    A url has two of them. Its `status` is where it stands now; its `outcome` is what its last visit left it as, `KNOWN`
    if there was none. At rest both are the same, and a url that is queued again changes its status alone.
    """

    KNOWN = 0  # seen as a link target, not queued (no strategy wanted it, or it was dropped as the worst)
    QUEUED = 1
    IN_FLIGHT = 2  # handed out; in the store it is still queued, so a crash gives it back
    FETCHED = 3
    FAILED = 4
    MOVED = 5  # answered with a redirect; the page is another url
    LISTING = 6  # a sitemap or feed: read for its links, but no page
    GONE = 7  # was a page once; two looks found it missing
    FOREIGN = 8  # a page of another shard, of which only links into this one are known


class Sent:
    """Base of dataclasses with slots that travel between processes: pickled in a third of the usual time."""

    __slots__: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        return type(self), tuple([getattr(self, name) for name in self.__slots__])


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server said of a page when it was last fetched; asked again with them it may answer "not modified"."""

    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Response(Sent):
    """What a fetcher brings back. A redirect is a response too: it is never followed inside a fetcher."""

    url: str
    status: int
    body: bytes  # unpacked
    headers: Mapping[str, str] = field(default_factory=dict)  # names in lower case, as sent
    address: str = ""  # of the host that answered, where there was one
    request: bytes = b""  # the request's first line and headers, as sent
    seconds: float = 0.0  # from the request to the end of the body
    packed: bytes = field(default=b"", compare=False, repr=False)  # the body by gzip, where it was sent so

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        kind, told = Sent.__reduce__(self)
        return kind, told[:-1]  # what is packed is for the archive, which is written where the page arrived

    @property
    def content_type(self) -> str:
        """The Content-Type header, or an empty string."""
        return self.headers.get("content-type", "")

    @property
    def redirect(self) -> str | None:
        """The Location header of a redirect, as written by the server."""
        return self.headers.get("location") if self.status in REDIRECTS else None


@dataclass(frozen=True, slots=True, eq=False)
class Passages(Sequence[str]):
    """Parts of texts that may overlap; strings are only made of those that somebody looks at, a space between words.

    >>> around = Passages(["all about  bees "], np.array([0, 4]), np.array([9, 15]))
    >>> list(around), Passages.joined([Passages.of(["x", ""]), around]).take([0, 3])[1]
    (['all about', 'about bees'], 'about bees')
    """

    texts: Sequence[str]  # each ends with a space, lest words run together
    starts: Places  # counted as if all texts were one
    ends: Places

    @classmethod
    def of(cls, strings: Sequence[str]) -> Passages:
        """Strings as parts of one text."""
        if isinstance(strings, Passages):
            return strings
        ends = np.cumsum(np.array([len(string) + 1 for string in strings], dtype=np.int64))
        starts = np.concatenate((np.zeros(1, dtype=np.int64), ends))[: len(ends)]
        return cls([" ".join((*strings, ""))], starts, ends)

    @classmethod
    def joined(cls, some: Sequence[Passages]) -> Passages:
        """All passages one after the other."""
        lengths = [sum(map(len, one.texts)) for one in some]
        counts = [len(one) for one in some]
        shift = np.repeat(np.cumsum(np.array([0, *lengths]))[:-1], counts)
        nothing = [np.empty(0, dtype=np.int64)]
        starts, ends = (
            np.concatenate(nothing + own)
            for own in ([one.starts for one in some], [one.ends for one in some])
        )
        return cls([text for one in some for text in one.texts], starts + shift, ends + shift)

    def take(self, places: Places | Sequence[int]) -> Passages:
        """Some of them."""
        chosen = np.asarray(places, dtype=np.int64)
        return Passages(self.texts, self.starts[chosen], self.ends[chosen])

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[str]:
        text = "".join(self.texts)
        for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True):
            yield " ".join(text[start:end].split())

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Passages: ...
    def __getitem__(self, index: int | slice) -> str | Passages:
        if isinstance(index, slice):
            return Passages(self.texts, self.starts[index], self.ends[index])
        start, end = int(self.starts[index]), int(self.ends[index])
        for text in self.texts:
            if end <= len(text):
                return " ".join(text[start:end].split())
            start, end = start - len(text), end - len(text)
        raise IndexError(index)


@dataclass(frozen=True, slots=True)
class ParsedLinks(Sent):
    """Links of a parsed page as columns; one entry per distinct target, in order of first appearance."""

    urls: Sequence[str] = ()  # canonical
    anchors: Sequence[str] = ()
    nofollow: Sequence[bool] = ()
    contexts: Sequence[str] = ()  # the words around each link, anchor included; empty unless asked for
    around: Floats | None = None  # how relevant these are, where it was told in place of them

    def __len__(self) -> int:
        return len(self.urls)


@dataclass(frozen=True, slots=True)
class ParsedPage(Sent):
    """A page's bytes made readable."""

    title: str = ""
    text: str = ""  # visible words, spaced as in the page
    links: ParsedLinks = field(default_factory=ParsedLinks)
    language: str = ""  # two letters, or empty when nobody can tell
    robots: frozenset[str] = frozenset()  # directives of meta robots: noindex, nofollow ...
    bad_links: int = 0  # links that are no http(s) url
    is_listing: bool = False  # a sitemap or feed: only links
    dates: Sequence[str] = ()  # of a listing: when each link's page changed, as written; empty: not told


_NOTHING: Ids = np.empty(0, dtype=np.int32)


@dataclass(frozen=True, slots=True)
class Version:
    """A page as it was when it was last visited."""

    targets: Ids
    contributions: NDArray[np.float32]  # what each link brought to its target; NaN where that is not known
    relevance: float  # NaN if it was no page then


@dataclass(frozen=True, slots=True)
class Page:
    """A fetched and judged page, as a strategy sees it."""

    id: int
    url: str
    relevance: float
    depth: int
    targets: Ids  # ids of its links' targets
    title: str = ""
    text: str = ""
    accepted: bool = True  # by the topic's hard rule
    is_listing: bool = False  # a sitemap or feed: links, but no page anybody reads
    is_foreign: bool = False  # fetched by another shard, which learns from it
    share: float = 1.0  # of the root: how many of all seeds it has here
    former: Version | None = None  # None if it was not visited before
    urls: Sequence[str] = ()  # of its links' targets
    anchors: Sequence[str] = ()
    contexts: Sequence[str] = ()
    around: Floats | None = None  # relevance of the words around each link, where it is known already
    around_before: Floats | None = None  # by a former topic, of a page that is judged again, likewise

    @property
    def is_revisit(self) -> bool:
        """Whether it was visited before."""
        return self.former is not None

    @property
    def added(self) -> Ids:
        """What it links to and its last version did not; of a first visit everything."""
        if self.former is None:
            return self.targets
        return self.targets[~np.isin(self.targets, self.former.targets)]

    @property
    def removed(self) -> Ids:
        """What its last version linked to and it does not."""
        if self.former is None:
            return _NOTHING
        return self.former.targets[~np.isin(self.former.targets, self.targets)]


class Pages(Sequence[Page]):
    """A batch of judged pages, with their links also as flat arrays over the whole batch."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._pages = pages
        self.ids: Ids = np.array([page.id for page in pages], dtype=np.int32)
        self.relevance: Floats = np.array([page.relevance for page in pages], dtype=np.float64)
        self.link_counts = np.array([len(page.targets) for page in pages], dtype=np.int64)
        self.targets: Ids = np.concatenate([_NOTHING, *[page.targets for page in pages]])

    @property
    def sources(self) -> Ids:
        """The linking page of each of `targets`."""
        return np.repeat(self.ids, self.link_counts)

    def per_link(self, page_values: Floats) -> Floats:
        """One number a page, spread over that page's links."""
        return np.repeat(page_values, self.link_counts)

    def anchors(self) -> list[str]:
        """Anchor text of every link of the batch."""
        return [anchor for page in self._pages for anchor in page.anchors]

    def changed(self) -> Version | None:
        """All links of former versions of the batch's pages as those of one; None if there are none."""
        former = [page.former for page in self._pages if page.former is not None]
        if not former:
            return None
        targets, contributed = ([one.targets for one in former], [one.contributions for one in former])
        return Version(np.concatenate(targets), np.concatenate(contributed), np.nan)

    def is_added(self) -> Bools:
        """Which of the links the last versions of their pages did not have."""
        if all(page.former is None for page in self._pages):
            return np.ones(len(self.targets), dtype=np.bool_)
        return np.concatenate([np.isin(page.targets, page.added) for page in self._pages])

    def __len__(self) -> int:
        return len(self._pages)

    def __iter__(self) -> Iterator[Page]:
        return iter(self._pages)

    def __getitem__(self, index: int) -> Page:  # type: ignore[override]  # slices of a batch are not needed
        return self._pages[index]


@dataclass(frozen=True, slots=True)
class Priorities:
    """What a strategy wants: a new priority for each id. Fetched pages are ignored unless marked as revisits."""

    ids: Ids
    priorities: Floats
    revisit: bool = False

    @classmethod
    def none(cls) -> Priorities:
        """No change."""
        return cls(np.empty(0, dtype=np.int32), np.empty(0))

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Part:
    """A number that goes into another. Whoever shows it writes the url after the label."""

    label: str
    number: float
    url_id: int | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a number is what it is: a sentence, without numbers of urls, and the parts it is made of, largest first."""

    summary: str
    parts: Sequence[Part] = ()
    refers_to: Sequence[Part] = ()  # of a priority: what the sentence goes on to name, no part of the number


@dataclass(frozen=True, slots=True)
class Learned:
    """What a strategy has learned, over time: a sentence, and a row of numbers for each time it looked."""

    summary: str
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[float]] = ()


class Location(NamedTuple):
    """Where in the page archive a response stands, or up to where the archive is committed."""

    file: str
    offset: int


@dataclass(frozen=True, slots=True)
class Visit:
    """One row of the crawl log: a page that was fetched and judged."""

    url_id: int
    url: str
    time: float  # seconds since 1970
    status: int
    relevance: float
    priority: float  # at the moment it was handed out
    depth: int
    bytes: int
    title: str = ""
    language: str = ""
    content_type: str = ""
    digest: str = ""  # of the body, hexadecimal
    links: int = 0
    etag: str = ""
    last_modified: str = ""
    seconds: float = 0.0  # from the request to the end of the body
    copy_of: int | None = None  # the earlier page with the same or nearly the same text
    signature: int = 0  # of the text, to find copies by
    new_urls: int = 0  # that it was the first to link to
    revision: int = 0  # of the topic that gave it its relevance
    first_relevance: float | None = None  # what it was judged when fetched, if it was judged again since
    first_revision: int | None = None
    topic_class: str = ""  # where in the topic's taxonomy it belongs, if it has one
    noindex: bool = False  # it asks not to be kept, so it is not in the archive
    is_revisit: bool = False  # the url had been visited before
    content: int = 0  # of what it says, to tell whether that has changed; 0: nobody looked
    changed: bool | None = None  # whether it says something else than before; None: nobody can tell
    number: int = 0  # counted from 1 over the whole crawl, by the store
    via: str = ""  # the url that led to it; empty for a seed
    location: Location | None = None  # in the archive

    @property
    def harvest(self) -> float:
        """Its relevance, unless it only repeats an earlier page."""
        return self.relevance if self.copy_of is None else 0.0

    def is_relevant(self, above: float) -> bool:
        """Whether it counts as relevant from a threshold on; a copy never does."""
        return self.copy_of is None and self.relevance >= above


class Gone(NamedTuple):
    """A page that was there once; what was had of it is kept in the archive."""

    url_id: int
    time: float
    status: int  # that HTTP gave


@dataclass(frozen=True, slots=True)
class Failure:
    """A page that could not be had, and why."""

    url_id: int
    url: str
    time: float
    error: str  # name of the error class
    message: str
    tries: int
    final: bool  # no further try will be made
    status: int = 0  # that HTTP gave; 0 where it did not come to that
    depth: int = 0
    via: str = ""
