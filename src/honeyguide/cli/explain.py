"""`honeyguide explain`: why a url has its relevance and priority, and by which path it was found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.cli.failures import reason_of
from honeyguide.cli.options import Folder, open_crawl, threshold
from honeyguide.errors import SettingsError, StoreError

if TYPE_CHECKING:
    from honeyguide.model import Explanation
    from honeyguide.settings import CrawlOrder
    from honeyguide.state.state import State
    from honeyguide.store.reader import CrawlReader
    from honeyguide.topics.base import TopicModel

EXAMPLES = """Examples:
  honeyguide explain crawls/beekeeping https://example.org/hives"""

MOST_PARTS = 15
_URL_ID = re.compile(r"\burl ([0-9]{1,10})\b")


def explain(
    folder: Folder, url: Annotated[str, typer.Argument(metavar="URL", help="Any url, in any spelling.")]
) -> None:
    """Tell why a page has its relevance and priority, and by which links it was found.

    Of a url that was not fetched, tells why not.
    """
    from honeyguide.assembly import make_strategy, make_topic, read_order

    order = read_order(folder)
    spellings = spellings_of(url, order)
    with open_crawl(folder) as reader:
        known = ((spelling, reader.find_url(spelling)) for spelling in spellings)
        canonical, url_id = next((found for found in known if found[1] is not None), (spellings[0], None))
        _print(canonical)
        if url_id is None:
            _print(why_unknown(canonical, order, reader))
            return
        case = _Case(reader, order, make_topic(order), reader.state(make_strategy(order).values), url_id)
        case.print_standing()
        case.print_relevance()
        case.print_priority()
        case.print_path()


def spellings_of(url: str, order: CrawlOrder) -> list[str]:
    """Write a url as the crawl would know it: as given, and with the other of http and https."""
    from honeyguide.seeds import check_seeds
    from honeyguide.urls import UrlPolicy

    policy = UrlPolicy(order.scope.dropped_parameters)
    found = check_seeds([url], policy)
    if not found.urls:
        reason = next((problem.reason for problem in found.problems), "")
        raise SettingsError(f"{url!r} is no url: {reason.removeprefix('no url; ')}".removesuffix(": "))
    scheme, _, rest = found.urls[0].partition(":")
    other = policy.canonical(f"{'http' if scheme == 'https' else 'https'}:{rest}")
    return [found.urls[0], *([other] if other else [])]


def why_unknown(url: str, order: CrawlOrder, reader: CrawlReader) -> str:
    """Say why the crawl does not know a url at all."""
    from honeyguide.admission.scope import Scope
    from honeyguide.assembly import make_yields
    from honeyguide.urls import host_of

    scope, host = Scope(order.scope), host_of(url)
    if name := scope.refusal(url, host, depth=0):
        reason = scope.explain(url, host, depth=0)
        return f"not in this crawl: the rule {name.replace('_', ' ')} of [scope] refuses it: {reason}"
    if reason := make_yields(order, reader.state()).explain(host):
        return f"not in this crawl: {reason}; links to it are refused"
    return (
        "not in this crawl: no page fetched so far links to it, or only by links that were not followed"
        " (nofollow, too deep, host full); `honeyguide status` counts those"
    )


@dataclass(frozen=True, slots=True)
class _Case:
    """One known url and all that is needed to explain it."""

    reader: CrawlReader
    order: CrawlOrder
    topic: TopicModel
    state: State
    url_id: int

    def print_standing(self) -> None:
        """Print what became of the url."""
        from honeyguide.assembly import make_yields
        from honeyguide.model import Status

        status = Status(int(self.state.urls["status"][self.url_id]))
        visit = self.reader.last_visit(self.url_id)
        if visit:
            _print(f"title: {visit.title}")
            _print(
                f"fetched {terminal.moment(visit.time)}, status {visit.status}, {terminal.count(visit.bytes, 'byte')},"
                f" depth {visit.depth}, {terminal.count(visit.links, 'link')}"
            )
        else:
            _print(self._unfetched(status.name.lower()))
        host = self.state.host_names[self.state.urls["host"][self.url_id]]
        if reason := make_yields(self.order, self.state).explain(host):
            _print(f"left alone: {reason}")
        for failure in self.reader.failures_of(self.url_id):
            what_next = "given up" if failure.final else "to be tried again"
            _print(f"failed {terminal.moment(failure.time)}: {reason_of(failure, self.order)}; {what_next}")

    def _unfetched(self, status: str) -> str:
        targets = self.state.links.outlinks(self.url_id)
        if status == "listing":
            return (
                f"no page: a sitemap or feed, which was read for its {terminal.count(len(targets), 'link')}"
            )
        meanings = {
            "known": "known, but not waiting: no strategy wanted it, or it was dropped, as the worst or with its host",
            "queued": "waiting in the queue",
            "failed": "could not be fetched",
            "moved": "moved to " + ", ".join(self.reader.url_text(int(target)) for target in targets),
        }
        return f"not fetched: {meanings.get(status, status)}"

    def print_relevance(self) -> None:
        """Print the parts of the page's relevance, from the archived page."""
        visit = self.reader.last_visit(self.url_id)
        if visit is None:
            return
        above = threshold(self.order)
        judged = "relevant" if visit.relevance >= above else "not relevant"
        _head(f"Relevance {visit.relevance:.3f} ({judged}; the threshold is {above:g})")
        text = self._archived_text()
        if text is None:
            _print("  the page is not in the archive, so nothing more can be said (see output.archive)")
        else:
            self._print_explanation(self.topic.explain(text))

    def _archived_text(self) -> str | None:
        from honeyguide.assembly import ARCHIVE_NAME
        from honeyguide.store.archived_page import archived_text

        location = self.reader.location(self.url_id)
        if location is None:
            return None
        try:
            return archived_text(Path(self.reader.folder) / ARCHIVE_NAME, location)
        except StoreError as error:
            terminal.warn(str(error))
            return None

    def print_priority(self) -> None:
        """Print the parts of the priority, as the strategy tells them."""
        import numpy as np

        from honeyguide.assembly import make_strategy
        from honeyguide.state.view import CrawlView

        strategy = make_strategy(self.order)
        for name, initial in strategy.values.items():
            self.state.declare_value(name, initial)
        priority = self.state.urls["priority"][self.url_id]
        _head(f"Priority {priority:.3f}" if np.isfinite(priority) else "Priority: none was given")
        self._print_explanation(strategy.explain(self.url_id, CrawlView(self.state, self.topic)))

    def _print_explanation(self, explanation: Explanation) -> None:
        _print(f"  {self._with_urls(explanation.summary)}")
        for text, number in explanation.parts[:MOST_PARTS]:
            _print(f"  {number:8.3f}  {self._with_urls(text)}")
        if len(explanation.parts) > MOST_PARTS:
            _print(f"  and {len(explanation.parts) - MOST_PARTS:,} more")

    def _with_urls(self, text: str) -> str:
        """Write urls where an explanation has their numbers."""
        return _URL_ID.sub(lambda match: self._name_of(int(match[1])), text)

    def _name_of(self, url_id: int) -> str:
        known = self.reader.url_text(url_id) if url_id < len(self.state) else f"url {url_id}"
        return known or "the list of seeds"

    def print_path(self) -> None:
        """Print the links that led from a seed to the url."""
        path = self.reader.path_from_seed(self.url_id)
        _head("Found by this path from a seed")
        for step, url_id in enumerate(path, 1):
            anchor = self.reader.anchor(path[step - 2], url_id) if step > 1 else ""
            _print(f"  {step:3}. {self.reader.url_text(url_id)}" + (f'  "{anchor}"' if anchor else ""))


def _head(text: str) -> None:
    terminal.say("")
    terminal.say(text, style="bold")


def _print(text: str) -> None:
    terminal.say(text)
