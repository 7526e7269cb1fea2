"""Labels, hubs and revisions of the topic, said and asked for elsewhere. A part of `RemoteCrawl`."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable, Sequence

from honeyguide.client.asking import RemoteAsking
from honeyguide.client.pages import RemotePage
from honeyguide.client.shapes import as_kind
from honeyguide.commands import Label
from honeyguide.compared import TopicDifference
from honeyguide.errors import SettingsError
from honeyguide.questions import Queue
from honeyguide.seeds import spellings_of
from honeyguide.store.base import LabelRow
from honeyguide.teaching import Estimate, HasLabels, Revision, taken_over
from honeyguide.topics.base import TopicModel
from honeyguide.urls import UrlPolicy

LABELS_AT_ONCE = 1_000


class RemoteTeaching(RemoteAsking):
    """What people tell a crawl of its pages."""

    @property
    @abstractmethod
    def url_policy(self) -> UrlPolicy:
        """How urls are written."""

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
        """Say whether a page is on the topic; gives the number of the command."""
        said = {"url": url, "relevant": relevant, "unsure": unsure, "note": note, "by": by, "asked": asked}
        return int(self._post("/labels", {"labels": [said]})["numbers"][0])

    def label_all(self, labels: Iterable[Label]) -> list[int]:
        """The same of many pages; a thousand at once are said, or none of them. Gives the numbers of the commands."""
        said = [one.model_dump(exclude={"kind"}) for one in labels]
        numbers: list[int] = []
        for start in range(0, len(said), LABELS_AT_ONCE):
            part = {"labels": said[start : start + LABELS_AT_ONCE]}
            numbers += self._post("/labels", part)["numbers"]
        return numbers

    def labels(self) -> dict[str, LabelRow]:
        """What people said of pages, by url."""
        return {row["url"]: as_kind(LabelRow, row) for row in self._listed("/labels")}

    def questions(self, most: int = 10, queue: Queue = "best") -> list[RemotePage]:
        """Pages to ask a person about."""
        return [*map(self._page, self._get("/questions", most=most, queue=queue)["items"])] if most else []

    def learn(self) -> Revision:
        """Learn a new revision of the topic from all labels, over there; waits for it."""
        return as_kind(Revision, json.loads(self._ended(self._post("/learn"))["output"]))

    def strike(self, words: Sequence[str]) -> int:
        """Leave words out of what the topic has learned, now and later; gives the number of the new revision."""
        return int(json.loads(self._ended(self._post("/strike", {"words": [*words]}))["output"])["number"])

    def use_revision(self, number: int) -> None:
        """Have the crawl guided by a revision of the topic, and wait until pages fetched before are judged by it."""
        self._ended(self._post(f"/revisions/{number}/use"))

    def revisions(self) -> list[int]:
        """The revisions of the topic that are kept; the first is 0."""
        return [*self._get("/revisions")["kept"]]

    @property
    def revision(self) -> int:
        """The revision of the topic that guides the crawl."""
        return int(self._get("/revisions")["used"])

    def estimate(self) -> Estimate | None:
        """The share of good pages among all that were fetched, by the labels of random pages; None without any."""
        told = self._get("/estimate")
        return None if told is None else as_kind(Estimate, told)

    def mark_hub(self, url: str, good: bool | None, *, note: str = "", by: str = "") -> int:
        """Say whether what a page links to is worth following; gives the number of the command."""
        return int(self._post("/hub-marks", {"url": url, "good": good, "note": note, "by": by})["numbers"][0])

    def hub_marks(self) -> dict[str, LabelRow]:
        """What people said of pages as hubs, by url."""
        return {row["url"]: as_kind(LabelRow, row) for row in self._listed("/hub-marks")}

    def take_labels(self, other: HasLabels) -> int:
        """Take over the labels of another crawl, wherever that is; what was said of this one's pages stays."""
        own, policy = self.labels(), self.url_policy
        said = [
            taken_over(url, row)
            for url, row in other.labels().items()
            if own.keys().isdisjoint(spellings_of(url, policy))
        ]
        return len(self.label_all(said))

    def fetched_labels(self) -> int:
        """How many labels are of pages that were fetched: only these teach."""
        return int(self._get("/labels/fetched")["number"])

    def check_revision(self, number: int) -> None:
        """Raise SettingsError if there is no such revision of the topic."""
        if number not in (kept := self.revisions()):
            raise SettingsError(
                f"{self.name}: there is no revision {number} of its topic; there are {', '.join(map(str, kept))}"
            )

    def compare(self, one: int | TopicModel, other: int | TopicModel, most: int = 20) -> TopicDifference:
        """What is different between two revisions of the topic, on this crawl's pages; models cannot be sent."""
        if isinstance(one, TopicModel) or isinstance(other, TopicModel):
            raise SettingsError("a topic in memory cannot be sent; give two revisions of the crawl's topic")
        return as_kind(TopicDifference, self._get("/revisions/compare", before=one, after=other, most=most))
