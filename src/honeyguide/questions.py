"""Which pages of a crawl to ask a person about, or to look at without one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Literal, SupportsIndex, get_args

from honeyguide.crawled import distinct
from honeyguide.errors import SettingsError
from honeyguide.model import Visit
from honeyguide.parse.repeats import shows_nothing_new
from honeyguide.store.reader import Reader
from honeyguide.urls import host_of, site_of

Queue = Literal["best", "teach", "random"]
"""Which pages to ask about: the most relevant without a label, those that are hardest to tell, or any."""
QUEUES: tuple[Queue, ...] = get_args(Queue)

LOOKED_AT_PER_QUESTION = 50
FEWEST_LOOKED_AT = 500
SITES_SHARE = 4
"""One site has at most every so many-th question, as long as there are others."""
PROMISING = 300
"""So many of the best pages are looked through for those that the first topic is surest of."""


def choose_questions(
    reader: Reader, most: int, queue: Queue, least_sure_at: float, kept_only: bool = True
) -> list[Visit]:
    """Pages to ask a person about, as `Teaching.questions` gives them.

    Of pages that are not in the archive nothing can be learned; but any may be among the random ones, whose share is
    that of all pages.
    """
    if queue not in QUEUES:
        raise SettingsError(f"there is no queue {queue!r}; there are {', '.join(QUEUES)}")
    if not isinstance(most, SupportsIndex):
        raise SettingsError(f"{most!r} is no number of pages to ask about; give a whole number, as in 10")
    if most < 0:
        raise SettingsError(f"{most} pages cannot be asked about; give 0 or more")
    most = min(most, reader.last_number())  # a larger number than a store can count to is no other question
    known = reader.labels()
    looked_at = max(FEWEST_LOOKED_AT, LOOKED_AT_PER_QUESTION * most)
    found = _candidates(reader, queue, looked_at, least_sure_at, len(known))
    new = (visit for visit in found if visit.url not in known)
    if queue == "random":
        return list(islice(new, most))
    teaching = (visit for visit in new if visit.location or not kept_only)
    return _of_many_sites(teaching, most, known)


def _candidates(reader: Reader, queue: Queue, most: int, least_sure_at: float, salt: int) -> Iterable[Visit]:
    if queue == "best":
        return islice(reader.best(), most)
    if queue == "teach":
        return reader.nearest(least_sure_at, most)
    return random_visits(reader, most, salt)


def random_visits(reader: Reader, most: int, salt: int) -> Iterator[Visit]:
    """Pages in an order that nothing but the dice has made; no copies."""
    last = reader.last_number()
    numbers = random.Random(salt).sample(range(1, last + 1), min(last, most))
    for start in range(0, len(numbers), 100):
        chosen = numbers[start : start + 100]
        found = {visit.number: visit for visit in reader.numbered(chosen)}
        yield from (found[number] for number in chosen if number in found and found[number].copy_of is None)


def promising_visits(reader: Reader) -> Iterator[Visit]:
    """The best pages by the revision in use, of copies one: what the first topic is surest of is among these."""
    return islice(distinct(reader.best(), PROMISING), PROMISING)


def _of_many_sites(visits: Iterable[Visit], most: int, asked: Iterable[str]) -> list[Visit]:
    """The first, but of one site no more than its share while there are others; what was asked before counts, too.

    Pages of one site share much besides their topic: thirty labels of one teach hardly more than a few.
    """
    hosts = Counter(map(host_of, asked))
    of_site: Counter[str] = Counter()
    for host, number in hosts.items():
        of_site[site_of(host)] += number
    share = max(1, (most + hosts.total()) // SITES_SHARE)
    chosen: list[Visit] = []
    left: list[Visit] = []
    for visit in visits:
        if len(chosen) == most:
            break
        site = site_of(host_of(visit.url))
        if of_site[site] >= share:
            left.append(visit)
        elif not _is_shown(visit, chosen):
            chosen.append(visit)
            of_site[site] += 1
    for visit in left:
        if len(chosen) == most:
            break
        if not _is_shown(visit, chosen):
            chosen.append(visit)
    return chosen


def _is_shown(visit: Visit, others: Iterable[Visit]) -> bool:
    return any(shows_nothing_new(visit, other) for other in others)
