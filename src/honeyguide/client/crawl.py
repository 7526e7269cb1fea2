"""A crawl of a server, as `Crawl` is one of this machine."""

from __future__ import annotations

import io
import json
import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from honeyguide.client.problems import NotThere
from honeyguide.client.shapes import Json, as_kind, explanation_of, post_of, visit_of
from honeyguide.commands import Command, written
from honeyguide.crawled import CrawledPage, CrawlStatus
from honeyguide.crawls import Crawl
from honeyguide.errors import SettingsError, StoreError
from honeyguide.explained import UrlExplanation
from honeyguide.model import Failure, Learned, Status
from honeyguide.search.results import Results
from honeyguide.searching import question_of
from honeyguide.settings import CrawlOrder
from honeyguide.store.base import LabelRow, Post
from honeyguide.store.reader import HostSummary, LinkRow
from honeyguide.store.site_rows import SiteSummary
from honeyguide.store.sql_question import MEMORY_MB, MOST_ROWS, SECONDS, SqlAnswer
from honeyguide.surveying import SortedBy
from honeyguide.teaching import Estimate, Queue, Revision
from honeyguide.telemetry.reporter import Progress
from honeyguide.urls import UrlPolicy

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped,unused-ignore]

    from honeyguide.client.server import Client

LOOK_SECONDS = (0.05, 1.0)
"""Between two looks at a job, at first and at most."""
MOST_SITES = 1_000


class RemoteCrawl:
    """A crawl of a server. What is not explained here is as in `Crawl`."""

    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.name = name
        self._path = f"/crawls/{quote(name, safe='')}"

    def _get(self, path: str, **query: object) -> Json:
        return self.client.json("GET", self._path + path, **query)

    def _post(self, path: str, body: Json = None, **query: object) -> Json:
        return self.client.json("POST", self._path + path, {} if body is None else body, **query)

    def _listed(self, path: str, **query: object) -> Iterator[Json]:
        return self.client.listed(self._path + path, **query)

    # What it is

    @property
    def order(self) -> CrawlOrder:
        """Everything that describes the crawl; paths are those of the server."""
        return CrawlOrder.model_validate(self._get("/order"))

    @property
    def url_policy(self) -> UrlPolicy:
        """How urls are written in this crawl."""
        return self.order.url_policy

    @property
    def threshold(self) -> float:
        """The relevance from which a page counts as relevant."""
        return self.status().relevant_above

    @property
    def process(self) -> int | None:
        """The process that is crawling, on the server's machine."""
        return self.status().process

    # Running

    def go_on(self, pages: int | None = None, settings: Mapping[str, object] | None = None) -> None:
        """Have the crawl crawled by a process of its own over there, up to so many pages; `status` tells of it."""
        self._post("/run", {"pages": pages, "settings": settings or {}})

    def stop(self) -> None:
        """Have the crawl end once the pages under way are stored."""
        self._post("/stop")

    def send(self, command: Command) -> int:
        """Leave a command in the crawl's inbox; gives its number."""
        return int(self._post("/commands", json.loads(written(command)))["number"])

    def answer(self, number: int, seconds: float = 5.0) -> str | None:
        """What the crawl answered to the command of this number; None if it has not within so many seconds."""
        until = time.monotonic() + seconds
        while True:
            posts = self.inbox(since=number - 1)
            if (posts and posts[0].receipt is not None) or time.monotonic() >= until:
                return posts[0].receipt if posts else None
            time.sleep(LOOK_SECONDS[0])

    def inbox(self, since: int = 0) -> list[Post]:
        """Commands and what was answered to each, after the one with the number `since`."""
        return [post_of(row) for row in self._listed("/commands", cursor=since)]

    # Reading

    def status(self) -> CrawlStatus:
        """The crawl in numbers."""
        return as_kind(CrawlStatus, self._get("")["status"])

    def progress(self) -> Progress:
        """Where the crawl stands."""
        return self.status().as_progress()

    def visits(self, since: int = 0, relevant: bool = False) -> Iterator[RemotePage]:
        """Pages in the order they were fetched, after the one with the number `since`; all, or the relevant ones."""
        for row in self._listed("/visits", cursor=since, relevant=relevant):
            yield self._page(row)

    def top(self, most: int = 20, lists: bool = False) -> list[RemotePage]:
        """The most relevant pages; of copies and near copies, one."""
        return [*map(self._page, self._get("/top", most=most, lists=lists)["items"])] if most else []

    def hosts(self, most: int = 20) -> list[HostSummary]:
        """The hosts with most relevant pages."""
        return as_kind(list[HostSummary], self._get("/hosts", most=most)["items"]) if most else []

    def sites(self, most: int | None = None, by: SortedBy = "relevance") -> list[SiteSummary]:
        """The sites with a page, the most relevant first; at most as many as the server gives at once."""
        shown = MOST_SITES if most is None else min(most, MOST_SITES)
        found = self._get("/sites", most=shown, by=by)["items"] if shown else []
        return as_kind(list[SiteSummary], found)

    def page(self, url: str) -> RemotePage | None:
        """A page by its url, in any spelling; None if it was not fetched."""
        found = self._of_page("", url)
        return None if found is None else self._page(json.loads(found))

    def text(self, url: str) -> str:
        """The readable text of a page; empty if it is not kept."""
        return (self._of_page("/text", url) or b"").decode()

    def html(self, url: str) -> str:
        """A page as it was sent; empty if it is not kept."""
        return (self._of_page("/html", url) or b"").decode()

    def links(self, url: str) -> list[LinkRow]:
        """The links of a page that entered the crawl."""
        if self.page(url) is None:
            return []
        return as_kind(list[LinkRow], [*self._listed("/page/links", url=url)])

    def _of_page(self, what: str, url: str) -> bytes | None:
        try:
            return self.client.bytes("GET", f"{self._path}/page{what}", url=url)
        except NotThere:
            self.revisions()  # tells if it is the crawl that is not there
            return None

    def _page(self, row: Json) -> RemotePage:
        return RemotePage(visit_of(row), cast(Crawl, self), row["relevant"])

    def explain(self, url: str) -> UrlExplanation:
        """Why a url has its relevance and priority, or was not fetched; ids of urls are not those of the crawl."""
        told = self._get("/explain", url=url)
        names: dict[int, str] = {}
        return UrlExplanation(
            url=told["url"],
            standing=told["standing"],
            status=None if told["status"] is None else Status[told["status"].upper()],
            visit=visit_of(told["visit"]) if told["visit"] else None,
            failures=as_kind(list[Failure], told["failures"]),
            relevant_above=told["relevant_above"],
            relevance=explanation_of(told["relevance"], names),
            priority=told["priority"],
            ranking=explanation_of(told["ranking"], names),
            path=as_kind(list[LinkRow], told["path"]),
            names=names,
        )

    def learned(self) -> Learned:
        """What the strategy has learned so far, over time."""
        told = self._get("/learned")
        rows = [[math.nan if number is None else number for number in row] for row in told["rows"]]
        return as_kind(Learned, {**told, "rows": rows})

    def search(self, query: str = "", **wanted: Any) -> Results:
        """Find pages by their words, as far as the server has indexed them."""
        question_of(query, wanted)
        return as_kind(Results, self._get("/search", q=query, **wanted))

    def sql(
        self, question: str, most_rows: int = MOST_ROWS, seconds: float = SECONDS, memory_mb: int = MEMORY_MB
    ) -> SqlAnswer:
        """Ask something in SQL, of the views in docs/sql.md; the server has limits of its own."""
        asked = {"question": question, "most_rows": most_rows, "seconds": seconds, "memory_mb": memory_mb}
        return as_kind(SqlAnswer, self._post("/sql", asked))

    def frame(self, what: str = "visits") -> pyarrow.Table:
        """The visits, links, hosts or failures as a table of columns; needs `pip install 'honeyguide[parquet]'`."""
        try:
            import pyarrow.parquet as pq  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            raise SettingsError("parquet needs one more package: pip install 'honeyguide[parquet]'") from None
        name = "pages" if what == "visits" else what
        return pq.read_table(
            io.BytesIO(self.client.bytes("GET", f"{self._path}/export", what=name, kind="parquet"))
        )

    # Teaching

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

    def labels(self) -> dict[str, LabelRow]:
        """What people said of pages, by url."""
        return {row["url"]: as_kind(LabelRow, row) for row in self._listed("/labels")}

    def questions(self, most: int = 10, queue: Queue = "best") -> list[RemotePage]:
        """Pages to ask a person about."""
        return [*map(self._page, self._get("/questions", most=most, queue=queue)["items"])] if most else []

    def learn(self) -> Revision:
        """Learn a new revision of the topic from all labels, over there; waits for it."""
        return as_kind(Revision, json.loads(self._ended(self._post("/learn"))["output"]))

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

    def _ended(self, job: Json) -> Json:
        """A job once it has ended; one that failed says why."""
        pause, longest = LOOK_SECONDS
        while job["state"] == "running":
            time.sleep(pause)
            pause = min(2 * pause, longest)
            job = self.client.json("GET", f"/jobs/{job['id']}")
        if job["state"] == "done":
            return job
        said = [line for line in job["log"].splitlines() if line.startswith("error: ")]
        why = said[-1].removeprefix("error: ") if said else f"the job {job['id']} was {job['state']}"
        raise (SettingsError if job["code"] == 2 else StoreError)(why)

    def __repr__(self) -> str:
        return f"RemoteCrawl({self.client.url!r}, {self.name!r})"


@dataclass(frozen=True, slots=True)
class RemotePage(CrawledPage):
    """A page of a crawl elsewhere. Whether it is relevant is as of when it was asked for."""

    relevant: bool

    @property
    def is_relevant(self) -> bool:
        """Whether it counts as relevant."""
        return self.relevant

    def text(self) -> str:
        """Its readable text; empty if it is not kept."""
        return self.crawl.text(self.url)

    def html(self) -> str:
        """The page as it was sent; empty if it is not kept."""
        return self.crawl.html(self.url)

    def links(self) -> list[LinkRow]:
        """Its links that entered the crawl."""
        return self.crawl.links(self.url)
