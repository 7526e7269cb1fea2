"""A crawl of a server, as `Crawl` is one of this machine."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from honeyguide.changing import Change
from honeyguide.client.pages import RemotePage
from honeyguide.client.problems import NotThere
from honeyguide.client.shapes import as_kind, explanation_of, visit_of
from honeyguide.client.steering import RemoteSteering
from honeyguide.client.teaching import RemoteTeaching
from honeyguide.crawled import CrawlStatus
from honeyguide.errors import SettingsError
from honeyguide.explained import UrlExplanation
from honeyguide.model import Failure, Learned, Status
from honeyguide.search.results import Results
from honeyguide.searching import question_of
from honeyguide.settings import CrawlOrder
from honeyguide.store.reader import HostSummary, LinkRow
from honeyguide.store.site_rows import SiteSummary
from honeyguide.store.sql_question import MEMORY_MB, MOST_ROWS, SECONDS, SqlAnswer
from honeyguide.surveying import SiteExplanation, SortedBy
from honeyguide.telemetry.reporter import Progress
from honeyguide.urls import UrlPolicy

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped,unused-ignore]


MOST_SITES = 1_000


class RemoteCrawl(RemoteTeaching, RemoteSteering):
    """A crawl of a server. What is not explained here is as in `Crawl`."""

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
        """The most relevant pages but those labelled as not on the topic; of copies and near copies, one."""
        return [*map(self._page, self._get("/top", most=most, lists=lists)["items"])] if most else []

    def hosts(self, most: int = 20) -> list[HostSummary]:
        """The hosts with most relevant pages."""
        return as_kind(list[HostSummary], self._get("/hosts", most=most)["items"]) if most else []

    def sites(self, most: int | None = None, by: SortedBy = "relevance") -> list[SiteSummary]:
        """The sites with a page, the most relevant first; at most as many as the server gives at once."""
        shown = MOST_SITES if most is None else min(most, MOST_SITES)
        found = self._get("/sites", most=shown, by=by)["items"] if shown else []
        return as_kind(list[SiteSummary], found)

    def explain_site(self, name: str) -> SiteExplanation | None:
        """Why a site stands where it stands; None if the crawl knows no url of it."""
        try:
            told = self._get("/explain/site", site=name)
        except NotThere:
            return None
        known = {field.name: told[field.name] for field in fields(SiteExplanation)}
        known["summary"] = as_kind(SiteSummary, told["summary"]) if told["summary"] else None
        known["best"] = [visit_of(row) for row in told["best"]]
        known["path"] = as_kind(list[LinkRow], told["path"])
        return SiteExplanation(**known)

    def changes(self, since: float | str = "7d", most: int = 1_000) -> list[Change]:
        """Pages that are new, changed or gone, the latest first."""
        moment = since if isinstance(since, str) else datetime.fromtimestamp(since, UTC).isoformat()
        found = self._get("/changes", since=moment, most=most)["items"] if most else []
        return as_kind(list[Change], found)

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

    def index(self, *, rebuild: bool = False) -> int:
        """Have the pages indexed that are not in the index, or all of them anew; waits, and gives how many."""
        return int(json.loads(self._ended(self._post("/index", {"rebuild": rebuild}))["output"])["new"])

    def sql(
        self, question: str, most_rows: int = MOST_ROWS, seconds: float = SECONDS, memory_mb: int = MEMORY_MB
    ) -> SqlAnswer:
        """Ask something in SQL, of the views in docs/sql.md; the server has limits of its own."""
        asked = {"question": question, "most_rows": most_rows, "seconds": seconds, "memory_mb": memory_mb}
        return as_kind(SqlAnswer, self._post("/sql", asked))

    def frame(self, what: str = "pages") -> pyarrow.Table:
        """What `honeyguide export --what` has, as a table; needs `pip install 'honeyguide[parquet]'`."""
        try:
            import pyarrow.parquet as pq  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            raise SettingsError("parquet needs one more package: pip install 'honeyguide[parquet]'") from None
        return pq.read_table(
            io.BytesIO(self.client.bytes("GET", f"{self._path}/export", what=what, kind="parquet"))
        )

    def __repr__(self) -> str:
        return f"RemoteCrawl({self.client.url!r}, {self.name!r})"
