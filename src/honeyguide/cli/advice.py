"""What to do after a crawl: the commands to give next, and why it brought nothing if it did. Used by running."""

from __future__ import annotations

import json
from collections import Counter
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide import wording
from honeyguide.cli import terminal
from honeyguide.cli.failures import NOT_RECORDED
from honeyguide.errors import StoreError

if TYPE_CHECKING:
    from honeyguide.crawls import Crawl
    from honeyguide.settings import CrawlOrder
    from honeyguide.telemetry.reporter import Progress

FEW_PAGES = 50
"""Among fewer pages it is no wonder if none is relevant."""

_REMEDIES = {
    NOT_RECORDED: "are the seeds urls of this recording?",
    "RobotsDenied": "choose seeds on hosts that let crawlers in",
    "HostUnreachable": "are the seeds right, and is there a network?",
    "AddressForbidden": "only public addresses are asked, and those of the networks that you name",
}
_MOST_ADDRESSES = 10


def next_commands(reason: str, order: CrawlOrder, folder: Path, pages: int) -> list[str]:
    """List the commands that make sense after a crawl ended for this reason."""
    resume = terminal.command("resume", folder)
    top = [terminal.command("top", folder)] if pages else []
    if reason in ("frontier_empty", "robots_blocked_all"):
        return top
    if reason == "page_limit":
        return [*top, f"{resume} --pages {2 * max(pages, order.limits.max_pages)}"]
    if reason == "request_limit":
        return [*top, f"{resume} --set limits.max_requests={2 * order.limits.max_requests}"]
    if reason == "failure_limit":
        return [f"{resume} --set limits.max_failures={2 * order.limits.max_failures}"]
    return [resume]


def warnings(crawl: Crawl, progress: Progress, failures: Counter[str]) -> list[str]:
    """Say what is wrong with a crawl that brought nothing, or nothing relevant."""
    if not progress.pages:
        why = _why_no_page(crawl, failures) or "none has arrived yet"
        return [f"no page was fetched: {why}; {_way_out(crawl, progress, failures)}"]
    if not progress.relevant and (progress.pages >= FEW_PAGES or not progress.queued):
        return [_why_none_relevant(crawl.order, progress)]
    return []


def _why_none_relevant(order: CrawlOrder, progress: Progress) -> str:
    nothing = f"none of the {wording.count(progress.pages, 'page')} is relevant: perhaps the "
    if order.topic.file:
        return f"{nothing}topic does not know the language of these pages; `honeyguide topic explain` tells"
    if not progress.queued:
        return f"{nothing}seeds do not have the words of the topic, and the strategy follows no links of such pages"
    return (
        f'{nothing}words of the topic ("{order.topic.text}") do not occur in the language of these pages, or in most'
        " pages of any; choose words that only the pages wanted have"
    )


def _why_no_page(crawl: Crawl, failures: Counter[str]) -> str:
    if failures:
        reason, count = failures.most_common(1)[0]
        remedy = _REMEDIES.get(reason.partition(":")[0], "is the list of seeds right?")
        often = "" if len(failures) == 1 else f" ({count:,} of {failures.total():,} failures)"
        listed = terminal.command("export", crawl.folder, "-", "--what", "failures")
        return f"{reason}{often}; {remedy}; `{listed}` lists all"
    refused = _refused(crawl)
    return f"the rules of [scope] refused every seed ({refused}); change them or the seeds" if refused else ""


def _way_out(crawl: Crawl, progress: Progress, failures: Counter[str]) -> str:
    """Name the command that goes on, or begins again, once what is wrong is mended."""
    order, folder = crawl.order, crawl.folder
    if progress.queued:
        return f"`{terminal.command('resume', folder)}` goes on"
    again = "give `honeyguide crawl` again with what you change: as long as there is no page, it starts anew"
    if any(reason.startswith("AddressForbidden") for reason in failures) and (own := _own(crawl)):
        networks = json.dumps([*order.fetch.allow_networks, *own])
        allowing = terminal.command("resume", folder, "--set", f"fetch.allow_networks={networks}")
        return f"if that host is your own, `{allowing}` asks it; or {again}"
    return again


def _own(crawl: Crawl) -> list[str]:
    """List the networks of seeds with forbidden addresses; where redirects lead is nobody's to advise."""
    from honeyguide.making import read_order_seeds
    from honeyguide.urls import host_of

    hosts = set(map(host_of, read_order_seeds(crawl.order).urls))
    with crawl.reader() as reader:
        forbidden = (
            _network(failure.message.partition(" ")[0])
            for failure in reader.failures()
            if failure.error == "AddressForbidden" and host_of(failure.url) in hosts
        )
        return list(dict.fromkeys(filter(None, forbidden)))[:_MOST_ADDRESSES]


def _network(address: str) -> str:
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    return "127.0.0.0/8" if found.version == 4 and found.is_loopback else str(found)


def _refused(crawl: Crawl) -> str:
    try:
        counts = crawl.status().counts
    except StoreError:  # say, on a full disk
        return ""
    rules = {name: number for name, number in counts.items() if name.startswith("refused_")}
    return ", ".join(
        f"{number:,} {name.removeprefix('refused_').replace('_', ' ')}" for name, number in rules.items()
    )
