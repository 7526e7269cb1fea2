"""Labels: which pages to ask a person about, what was said, and what the topic learns from it. A part of `Crawl`."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Protocol

import numpy as np

from honeyguide.asking import Asking
from honeyguide.commands import Label, MarkHub, UseRevision, made
from honeyguide.compared import Guide, TopicDifference, compare_guides, label_sources
from honeyguide.crawled import CrawledPage
from honeyguide.engine.guidance import Guidance
from honeyguide.errors import NothingNew, SettingsError
from honeyguide.lessons import labelled_visits, read_lessons
from honeyguide.making import RecordingProgress
from honeyguide.model import Bools
from honeyguide.questions import Queue, choose_questions, promising_visits, random_visits
from honeyguide.revisions import kept_revision, learned_at, struck_stems
from honeyguide.store import bring_revisions, is_divided, share_revision
from honeyguide.store.archived_page import archived_text
from honeyguide.store.base import LabelRow
from honeyguide.store.folder import kept_revisions, revision_file
from honeyguide.store.reader import Reader
from honeyguide.topics.base import TopicModel
from honeyguide.topics.revised import Labelled, RevisedTopic, RevisionReport, revise
from honeyguide.topics.topic_file import write_topic

ELSEWHERE = "random elsewhere"
"""What labels answer that were given to random pages of another crawl."""
UNLABELLED = 500
"""Pages without a label that a revision is learned from as well."""
SETTLED = 0.01
"""A revision that changes the verdict on a smaller share of the fetched pages changes hardly any."""
CONFIDENT = 1.959964  # standard errors on either side: 95 %
COMPARED = 500
"""Pages that two topics are compared on, beside those with a label: half of them the best, half any."""
MOST_LABELLED = 200
"""Pages with a label that two topics are compared on, the latest."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision of the topic that was learned."""

    number: int
    report: RevisionReport
    is_used: bool  # it guides the crawl from here on: nothing speaks against it (`report.objection`)
    changed: (
        float  # share of the fetched pages that are called relevant now and were not, or the other way round
    )
    is_settled: (
        bool  # new labels of both kinds have changed hardly a verdict: little is left to learn from more
    )


@dataclass(frozen=True, slots=True)
class Estimate:
    """The share of good pages, from random ones that somebody labelled, with its interval of 95 % (Wilson).

    Likewise the share of those that the topic overlooks, among the pages that it does not call relevant, by labels that
    it was not learned from.
    """

    labelled: int
    share: float
    lowest: float
    highest: float
    not_called: int = 0  # of the labelled ones, those that the topic does not call relevant
    overlooked: int = 0  # and of these, those that are on it
    overlooked_lowest: float = 0.0
    overlooked_highest: float = 1.0


class HasLabels(Protocol):
    """A crawl, here or on a server."""

    def labels(self) -> dict[str, LabelRow]:
        """What people said of pages, by url."""


def taken_over(url: str, row: LabelRow) -> Label:
    """A label of another crawl, as it is given to this one."""
    said = {"relevant": row.relevant, "unsure": row.is_unsure, "note": row.note, "by": row.by}
    return made(Label, url=url, **said, asked=asked_elsewhere(row.asked), said_at=min(row.time, time.time()))


def asked_elsewhere(asked: str) -> str:
    """The question that a label of another crawl answers: pages that are random there are not so here."""
    return ELSEWHERE if asked == "random" else asked


class Teaching(Asking):
    """What people tell a crawl of its pages."""

    @abstractmethod
    def find(self, reader: Reader, url: str) -> tuple[str, int | None]:
        """A url as the crawl knows it."""

    @property
    @abstractmethod
    def first_topic(self) -> TopicModel:
        """The topic that the crawl began with."""

    @property
    @abstractmethod
    def topic(self) -> TopicModel:
        """What judges its pages now."""

    @property
    @abstractmethod
    def threshold(self) -> float:
        """From which relevance on a page counts."""

    @property
    @abstractmethod
    def _guidance(self) -> Guidance:
        """The topic in all its revisions."""

    @property
    @abstractmethod
    def process(self) -> int | None:
        """The process that is crawling."""

    @abstractmethod
    def judge_again(
        self, on_progress: Callable[[int, int], None] | None = None, on_index: RecordingProgress | None = None
    ) -> int:
        """Judge what was fetched by the topic in use."""

    def label(
        self,
        url: str,
        relevant: bool | None,
        *,
        unsure: bool = False,
        note: str = "",
        by: str = "",
        asked: str = "",
    ) -> int:
        """Say whether a page is on the topic; `unsure` says that one cannot tell, None takes back what was said.

        Gives the number of the command; a crawl that does not run notes it down when it runs next.
        """
        said = {"relevant": relevant, "unsure": unsure, "note": note, "by": by, "asked": asked}
        return self.send(made(Label, url=self._spelling(url), **said))

    def label_all(self, labels: Iterable[Label]) -> list[int]:
        """The same of many pages at once; where one url is none, nothing is said. Gives the numbers of the commands."""
        with self.reader() as reader:
            spelled = [one.model_copy(update={"url": self.find(reader, one.url)[0]}) for one in labels]
        return self._send_all(spelled)

    def mark_hub(self, url: str, good: bool | None, *, note: str = "", by: str = "") -> int:
        """Say whether what a page links to is worth following; None takes back what was said.

        The strategy `distilled` follows it: what a good hub cites comes first, a bad one hands out nothing.
        """
        return self.send(made(MarkHub, url=self._spelling(url), good=good, note=note, by=by))

    def _spelling(self, url: str) -> str:
        """A url as the crawl knows it, or would write it."""
        with self.reader() as reader:
            return self.find(reader, url)[0]

    def labels(self) -> dict[str, LabelRow]:
        """What people said of pages, by url."""
        with self.reader() as reader:
            return reader.labels()

    def hub_marks(self) -> dict[str, LabelRow]:
        """What people said of pages as hubs, by url."""
        with self.reader() as reader:
            return reader.hub_marks()

    def take_labels(self, other: HasLabels) -> int:
        """Take over the labels of another crawl, as of one of the same pages; what was said here stays.

        Gives their number. They count as soon as this crawl has fetched their pages; what was asked at random there is
        no random share of the pages here, so that they enter no estimate (`asked` is then `random elsewhere`).
        """
        own = self.labels()
        with self.reader() as reader:
            there = {self.find(reader, url)[0]: row for url, row in other.labels().items()}
        return len(self._send_all(taken_over(url, row) for url, row in there.items() if url not in own))

    def fetched_labels(self) -> int:
        """How many labels are of pages that were fetched: only these teach."""
        with self.reader() as reader:
            return sum(1 for _ in labelled_visits(reader, reader.labels()))

    def questions(self, most: int = 10, queue: Queue = "best") -> list[CrawledPage]:
        """Pages to ask a person about, without a label so far; of copies one, of one site not all.

        `best` are the most relevant, `teach` those that are hardest to tell. `random` are any pages: only these say
        how good the rest is (`estimate`), and only among these are such as are not kept, of which nothing is learned.
        """
        with self.reader() as reader:
            least_sure = self.topic.least_sure_at if self.revision else self.threshold
            chosen = choose_questions(reader, most, queue, least_sure)
        return [CrawledPage(visit, self) for visit in chosen]  # type: ignore[arg-type]  # it is a Crawl

    def learn(self, on_progress: Callable[[int, int], None] | None = None) -> Revision:
        """Learn a new revision of the topic from all labels, and have the crawl guided by it if it is no worse.

        Pages fetched before are judged again: by the process that is crawling, or here if there is none.
        """
        began = time.time()
        with self.reader() as reader:
            lessons = read_lessons(reader)
            if not lessons.taught:
                why = f" ({lessons.untaught()})" if lessons.labels else ""
                raise SettingsError(
                    f"{self.folder}: there is no label to learn from{why};"
                    f" `honeyguide label {self.folder}` asks for some"
                )
            labels = [
                Labelled(archived_text(reader, one.location), one.is_relevant, one.is_random)
                for one in lessons.taught
            ]
            others = [*islice(_random_texts(reader, lessons.verdicts), UNLABELLED)]
        return self._learned(labels, others, on_progress, began)

    def learn_itself(self, on_progress: Callable[[int, int], None] | None = None) -> Revision:
        """The same without any label: from the pages that the first topic is surest of."""
        with self.reader() as reader:
            kept = (visit.location for visit in promising_visits(reader))
            promising = [archived_text(reader, location) for location in kept if location]
            others = [*islice(_random_texts(reader, ()), UNLABELLED)]
        return self._learned([], others, on_progress, time.time(), promising)

    def _learned(
        self,
        labels: Sequence[Labelled],
        others: list[str],
        on_progress: Callable[[int, int], None] | None,
        began: float,
        promising: Sequence[str] = (),
    ) -> Revision:
        struck = struck_stems(self)
        revised = revise(
            self.first_topic, labels, others, learned_at=began, promising=promising, struck=struck
        )
        if (later := struck_stems(self)) != struck:  # while it was learned
            revised = replace(revised, topic=revised.topic.without(later))
        number = self._number_of(revised.topic)
        write_topic(revision_file(self.folder, number), revised.topic)
        changed = float(np.mean(self._called(self.topic, others) != self._called(revised.topic, others)))
        is_settled = changed < SETTLED and _has_more_of_both(revised.topic, self.topic)
        revision = Revision(number, revised.report, not revised.report.objection, changed, is_settled)
        if revision.is_used:
            self.use_revision(number, on_progress)
        return revision

    def strike(self, words: Sequence[str], on_progress: Callable[[int, int], None] | None = None) -> int:
        """Leave words out of what the topic has learned, now and later; gives the number of the new revision."""
        topic = self.topic
        if not isinstance(topic, RevisedTopic):
            raise SettingsError(
                f"{self.folder}: its topic has not learned any words yet, so none can be struck out"
            )
        if not words:
            raise SettingsError("there is no word to strike out; give at least one")
        stems = [*topic.learned_stems(words), *struck_stems(self)]
        number = self.revisions()[-1] + 1
        write_topic(revision_file(self.folder, number), topic.without(stems))
        self.use_revision(number, on_progress)
        return number

    def _number_of(self, learned: RevisedTopic) -> int:
        """The next, or that of the last one if it says the same and its learner died before it was used.

        Raise NothingNew if it was.
        """
        last = self.revisions()[-1]
        kept = kept_revision(self, last)
        if kept is None or not kept.says_the_same_as(learned):
            return last + 1
        with self.reader() as reader:
            was_used = last in dict(reader.revisions())
        if not was_used and kept.origin and not kept.origin.objection:
            return last
        goes_back = f"; `honeyguide revise {self.folder} --use {last}` goes back to it"
        raise NothingNew(
            f"{self.folder}: there is nothing new to learn since revision {last}: label more pages, or crawl"
            f" some more{goes_back if last != self.revision else ''}"
        )

    def _called(self, topic: TopicModel, texts: list[str]) -> Bools:
        """Which texts a topic calls relevant."""
        if topic is self.first_topic:
            return topic.judge(texts) >= self._guidance.threshold_of(0)
        return topic.judge(texts) >= topic.relevant_above

    def use_revision(self, number: int, on_progress: Callable[[int, int], None] | None = None) -> None:
        """Have the crawl guided by a revision of the topic that was learned before; 0 is what it began with."""
        self.check_revision(number)
        has_workers = is_divided(self.folder)
        if has_workers and number:
            share_revision(self.folder, number)
        self.send(UseRevision(revision=number))
        if self.process is None and not has_workers:  # who do it, or will when they are started
            self.judge_again(on_progress)

    def check_revision(self, number: int) -> None:
        """Raise SettingsError if there is no such revision of the topic."""
        if number not in (kept := self.revisions()):
            raise SettingsError(
                f"{self.folder}: there is no revision {number} of its topic; there are {', '.join(map(str, kept))}"
            )

    def of_revision(self, number: int) -> TopicModel:
        """A revision of the topic; 0 is what the crawl began with."""
        self.check_revision(number)
        return self._guidance.of(number)

    def revisions(self) -> list[int]:
        """The revisions of the topic that are kept; the first is 0."""
        if is_divided(self.folder):
            bring_revisions(self.folder)
        return [0, *kept_revisions(self.folder)]

    @property
    def revision(self) -> int:
        """The revision of the topic that guides the crawl."""
        with self.reader() as reader:
            used = reader.revisions()
        return used[-1][0] if used else 0

    def compare(self, one: int | TopicModel, other: int | TopicModel, most: int = 20) -> TopicDifference:
        """What is different between two revisions of the topic, or between any two topics, on this crawl's pages.

        Of many pages, those with a label and five hundred others are looked at, half of these the best ones.
        """
        with self.reader() as reader:
            labels = reader.labels()
            said = {url: row.relevant for url, row in labels.items() if row.relevant is not None}
            best, some = islice(reader.best(), COMPARED // 2), random_visits(reader, COMPARED // 2, salt=0)
            found = chain(labelled_visits(reader, [*said][-MOST_LABELLED:]), best, some)
            pages = {visit.url: visit for visit in found}.values()
            guides = self._guide(one), self._guide(other)
            difference = compare_guides(*guides, reader, pages, most, said)
            if not isinstance(one, int) or not isinstance(other, int):
                return difference
            since, until = sorted((learned_at(self, one), learned_at(self, other)))
            return replace(difference, labels=label_sources(labels.values(), since, until))

    def _guide(self, given: int | TopicModel) -> Guide:
        if isinstance(given, TopicModel):
            return Guide.of(given)
        return Guide(self.of_revision(given), self._guidance.threshold_of(given))

    def estimate(self) -> Estimate | None:
        """The share of good pages among all that were fetched, by the labels of random pages; None without any."""
        learned, threshold = learned_at(self, self.revision), self.threshold
        with self.reader() as reader:
            random = {url: row for url, row in reader.labels().items() if row.asked == "random"}
            known = {url: bool(row.relevant) for url, row in random.items() if row.relevant is not None}
            new = [url for url in known if random[url].time > learned]
            below = [known[one.url] for one in labelled_visits(reader, new) if one.relevance < threshold]
        if not known:
            return None
        good, number, overlooked = sum(known.values()), len(known), sum(below)
        shares = (*wilson(good, number), len(below), overlooked, *wilson(overlooked, len(below)))
        return Estimate(number, good / number, *shares)


def _has_more_of_both(learned: RevisedTopic, used: TopicModel) -> bool:
    """Whether a revision has learned from more labels of both kinds than the one in use."""
    now, before = learned.origin, used.origin if isinstance(used, RevisedTopic) else None
    if now is None or before is None:
        return False
    return now.relevant > before.relevant and now.irrelevant > before.irrelevant


def _random_texts(reader: Reader, without: Container[str]) -> Iterator[str]:
    for visit in random_visits(reader, 2 * UNLABELLED, salt=0):
        if visit.url not in without and visit.location:
            yield archived_text(reader, visit.location)


def wilson(hits: int, count: int) -> tuple[float, float]:
    """Limits of a share with 95 % confidence."""
    if not count:
        return 0.0, 1.0
    share, z2 = hits / count, CONFIDENT**2
    middle = share + z2 / (2 * count)
    half = CONFIDENT * float(np.sqrt(share * (1 - share) / count + z2 / (4 * count**2)))
    # At the ends the limits are exact; rounding must not push them past.
    low = 0.0 if hits == 0 else (middle - half) / (1 + z2 / count)
    high = 1.0 if hits == count else (middle + half) / (1 + z2 / count)
    return low, high
