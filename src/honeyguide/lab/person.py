"""A person who labels pages while a crawl goes on, simulated: asked as people are, answering by the truth of a task."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from honeyguide.commands import Label, UseRevision
from honeyguide.errors import TopicError
from honeyguide.lab.tasks.closed_web import ClosedWeb
from honeyguide.lab.tasks.tasks import Task
from honeyguide.model import Visit
from honeyguide.questions import Queue, choose_questions, promising_visits
from honeyguide.selftaught import MOST_REVISIONS, after_seeds, has_fallen, lessons
from honeyguide.store import open_reader
from honeyguide.store.folder import kept_revisions, revision_file
from honeyguide.store.inbox import post
from honeyguide.teaching import UNLABELLED
from honeyguide.topics.base import TopicModel
from honeyguide.topics.revised import Labelled, revise
from honeyguide.topics.topic_file import read_topic, write_topic

ROUNDS = (0.05, 0.1, 0.2)
"""Shares of the budget left after the seeds, at which the person is asked, a third of the questions each time: of many
seeds there is nothing to be said but that they are home pages."""


@dataclass(frozen=True)
class Lessons:
    """How a crawl is taught while it goes on."""

    labels: int = 0  # given by the person in all
    wrong: float = 0.0  # share of them that is wrong
    ask: Literal["both", "best", "teach", "random"] = "both"  # half of the best and half that teach most
    itself: bool = False  # without a person, from the pages it is surest of

    def stages(self, pages: int, seeds: int) -> list[int]:
        """After how many pages the crawl stops to learn, and where it ends."""
        if self.itself:
            return [*lessons(pages, seeds)[:MOST_REVISIONS], pages]
        return [*(after_seeds(share, pages, seeds) for share in ROUNDS if self.labels), pages]

    def at(self, stage: int) -> dict[Queue, int]:
        """How many pages are asked about, by queue."""
        most = self.labels * (stage + 1) // len(ROUNDS) - self.labels * stage // len(ROUNDS)
        if self.ask == "both":
            return {"best": most - most // 2, "teach": most // 2}
        return {self.ask: most}


def teach(folder: Path, task: Task, web: ClosedWeb, first: TopicModel, lessons: Lessons, stage: int) -> None:
    """Ask the person, learn from all that was said so far, and leave the new revision for the crawl."""
    kept = kept_revisions(folder)
    if lessons.itself and kept and _turns_back(folder, web, first):
        return
    now = read_topic(revision_file(folder, kept[-1])) if kept else first
    for queue, most in lessons.at(stage).items():
        with open_reader(folder) as reader:
            asked = choose_questions(reader, most, queue, now.least_sure_at, kept_only=False)
        for visit in asked:
            answer = (visit.url in task.relevant) != _is_wrong(visit.url, lessons.wrong)
            post(folder, Label(url=visit.url, relevant=answer, asked=queue))
    with open_reader(folder) as reader:
        said = reader.labels()
        promising = [web.text(visit.url) for visit in promising_visits(reader)] if lessons.itself else []
        others = [visit.url for visit in reader.visits() if visit.url not in said]
    if not others:  # all that was fetched so far has a label: there is nothing to compare with yet
        return
    random.Random(0).shuffle(others)
    labels = [
        Labelled(web.text(url), bool(row.relevant), is_random=row.asked == "random")
        for url, row in said.items()
    ]
    unlabelled = [web.text(url) for url in others[:UNLABELLED]]
    try:
        revised = revise(first, labels, unlabelled, promising=promising)
    except TopicError:
        if lessons.itself:  # no page is sure
            return
        raise
    if not revised.report.objection:
        number = 1 + max(kept, default=0)
        write_topic(revision_file(folder, number), revised.topic)
        post(folder, UseRevision(revision=number))


def _turns_back(folder: Path, web: ClosedWeb, first: TopicModel) -> bool:
    """Whether a crawl that teaches itself goes by its first topic, now or from here on: see `SelfTaught`."""

    def good(visits: Sequence[Visit]) -> Sequence[bool]:
        relevance = first.judge([web.text(visit.url) for visit in visits])
        return [each >= first.relevant_above for each in relevance.tolist()]

    with open_reader(folder) as reader:
        if not reader.revisions()[-1][0]:  # whatever was kept was used
            return True
        falls = has_fallen(reader, good)
    if falls:
        post(folder, UseRevision(revision=0))
    return falls


def _is_wrong(url: str, share: float) -> bool:
    """Always the same pages, by a hash."""
    return int.from_bytes(sha256(f"wrong label {url}".encode()).digest()[:4]) < share * 2**32
