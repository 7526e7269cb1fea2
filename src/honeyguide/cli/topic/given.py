"""Examples given on a command line: files, folders, urls and lists of urls. What cannot be read is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide import wording
from honeyguide.cli import progress, terminal
from honeyguide.cli.options import changes
from honeyguide.errors import ContactMissing, ImportFailed, SettingsError

if TYPE_CHECKING:
    from honeyguide.examples import FoundExamples
    from honeyguide.fetch.base import Fetcher
    from honeyguide.settings import CrawlOrder
    from honeyguide.topics.examples import Example

MOST_SHOWN = 10
MAX_URLS = 5_000
"""Training uses no more of one class; a longer list is cut."""


@dataclass(frozen=True, slots=True)
class Web:
    """Where urls are fetched from."""

    recording: str | None = None
    contact: str | None = None
    assignments: Sequence[str] | None = None

    def __post_init__(self) -> None:
        """Settings that do not exist are refused whether or not anything is fetched."""
        if self.assignments:
            order_of((), self)


@dataclass(frozen=True, slots=True)
class Labels:
    """Examples of one class, as given: places, and a file of urls."""

    places: Sequence[str] | None
    urls: Path | None

    def read(self, web: Web) -> list[Example]:
        """All of them."""
        listed = _listed(self.urls) if self.urls else []
        return read_given([*(self.places or ()), *listed], web)


def read_given(places: Sequence[str], web: Web) -> list[Example]:
    """Read files and folders, then fetch urls."""
    from honeyguide.examples import read_examples

    paths = [Path(place) for place in places if not is_url(place)]
    for path in paths:
        if not path.exists():
            raise ImportFailed(f"{path}: there is no such file or folder")
    found = read_examples(paths)
    _tell_problems(found)
    urls = list(dict.fromkeys(_canonical(place) for place in places if is_url(place)))
    return [*found.examples, *(_fetched(urls, web) if urls else ())]


def read_labeled_folder(folder: Path) -> tuple[list[Example], list[Example]]:
    """Read a folder with positive/ and perhaps negative/ in it."""
    from honeyguide.examples import read_labeled

    labeled = read_labeled(folder)
    for found in (labeled.positives, labeled.negatives):
        _tell_problems(found)
    return labeled.positives.examples, labeled.negatives.examples


def _canonical(place: str) -> str:
    from honeyguide.urls import DEFAULT_POLICY

    url = DEFAULT_POLICY.canonical(place)
    if url is None:
        raise ImportFailed(f"{place!r} is no url")
    return url


def is_url(place: str) -> bool:
    """Tell a url from a path."""
    return place.lower().startswith(("http://", "https://"))


def _listed(path: Path) -> list[str]:
    """The urls in a file."""
    from honeyguide.cli.seeds import NamedSeeds, warn_of
    from honeyguide.seeds import read_seeds

    listed = read_seeds(path)
    warn_of(NamedSeeds(str(path), listed))
    if not listed.urls:
        raise SettingsError(f"{path}: there is no url in it")
    return list(listed.urls)


def _fetched(urls: Sequence[str], web: Web) -> list[Example]:
    import asyncio

    if len(urls) > MAX_URLS:
        terminal.warn(f"{len(urls):,} urls are more than are used; only the first {MAX_URLS:,} are fetched")
    urls = urls[:MAX_URLS]
    fetcher = _fetcher(urls, web)
    with progress.bar("fetching examples") as show:
        found = asyncio.run(_fetch(urls, fetcher, show))
    _tell_problems(found)
    return found.examples


def _fetcher(urls: Sequence[str], web: Web) -> Fetcher:
    from honeyguide.making import make_fetcher

    try:
        with progress.bar("indexing the recording") as show:
            return make_fetcher(order_of(urls, web), show)
    except ContactMissing as error:
        raise SettingsError(f"{error} Give it with --contact, or a --recording of the pages.") from None


def order_of(urls: Sequence[str], web: Web) -> CrawlOrder:
    """The crawl order by which urls are fetched; it has neither topic nor strategy, so no settings of theirs."""
    from honeyguide.settings import CrawlOrder, plugin_keywords

    options: dict[str, tuple[str, object]] = {
        "--recording": ("web.recording", web.recording),
        "--contact": ("politeness.contact", web.contact),
    }
    order = CrawlOrder().with_overrides({**changes(options, web.assignments), "seeds.urls": list(urls)})
    for section in ("topic", "strategy"):
        plugin_keywords(object, getattr(order, section).keywords, section)
    return order


async def _fetch(
    urls: Sequence[str], fetcher: Fetcher, show: Callable[[int, int | None], None]
) -> FoundExamples:
    from honeyguide.examples import AT_ONCE, FoundExamples, fetch_examples

    found = FoundExamples()
    try:
        for start in range(0, len(urls), AT_ONCE):
            show(start, len(urls))
            some = await fetch_examples(urls[start : start + AT_ONCE], fetcher)
            found.examples.extend(some.examples)
            found.problems.extend(some.problems)
    finally:
        await fetcher.close()
    return found


def warn_of_languages(examples: Sequence[Example], language: str) -> None:
    """Tell of examples whose words a taxonomy in one language does not know how to read."""
    from collections import Counter

    from honeyguide.topics.text import language_of

    found = Counter(language_of(example.readable) for example in examples)
    foreign = {code: number for code, number in found.most_common() if code not in ("", language)}
    if foreign:
        terminal.warn(
            f"{sum(foreign.values())} of {wording.count(len(examples), 'example')} in another language "
            f"({', '.join(foreign)}) than the taxonomy's ({language}): pages in it are told by shared words alone; "
            f"make a taxonomy for each language"
        )


def _tell_problems(found: FoundExamples) -> None:
    for problem in found.problems[:MOST_SHOWN]:
        terminal.warn(problem)
    if len(found.problems) > MOST_SHOWN:
        terminal.warn(f"and {len(found.problems) - MOST_SHOWN:,} more that could not be read")
