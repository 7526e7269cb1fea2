"""`honeyguide label`: asks a person about pages of a crawl, and has its topic learn from the answers."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.cli.options import Folder, Quiet
from honeyguide.cli.progress import bar
from honeyguide.cli.revise import learn_and_tell
from honeyguide.errors import NothingNew, SettingsError
from honeyguide.wording import count

if TYPE_CHECKING:
    from honeyguide.commands import Label
    from honeyguide.crawled import CrawledPage
    from honeyguide.crawls import Crawl
    from honeyguide.lessons import Lessons
    from honeyguide.questions import Queue
    from honeyguide.store.base import LabelRow

EXAMPLES = """Examples:
  honeyguide label crawls/beekeeping
  honeyguide label crawls/beekeeping --queue random --number 60
  honeyguide label crawls/beekeeping --file labels.csv
  honeyguide label crawls/beekeeping --from crawls/beekeeping-of-last-year
  honeyguide label crawls/beekeeping --url https://example.org/hives --yes
  honeyguide label crawls/beekeeping --url https://example.org/hives --forget
  honeyguide label crawls/beekeeping --hub https://example.org/links --no"""

KEYS = "y = on the topic, n = not, ? = unsure, s = skip, u = undo the last one, q = enough"
SNIPPET_CHARS = 300
MOST_WORDS = 8
_NAMED = re.compile(r'(?:word )?"?([^\s":(]+)[^:(]*? x\d')
"""As in `bee x2`, `word bee x2` and `"honey bee" x2`."""


def label(
    folder: Folder,
    queue: Annotated[
        str, typer.Option(metavar="QUEUE", help="Ask about the best pages, those that teach most, or random.")
    ] = "best",
    number: Annotated[int, typer.Option("--number", "-n", metavar="N", min=1, help="So many pages.")] = 20,
    file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Labels from a file: url, label, note; or what `export` wrote."),
    ] = None,
    former: Annotated[
        Path | None, typer.Option("--from", metavar="CRAWL", help="Take over the labels of another crawl.")
    ] = None,
    url: Annotated[
        str, typer.Option(metavar="URL", help="Label one page: --yes, --no, --unsure or --forget.")
    ] = "",
    hub: Annotated[
        str, typer.Option(metavar="URL", help="Say of a page whether its links are worth following.")
    ] = "",
    verdict: Annotated[
        bool | None, typer.Option("--yes/--no", help="What is said of --url or --hub.")
    ] = None,
    unsure: Annotated[bool, typer.Option("--unsure", help="One cannot tell of --url.")] = False,
    forget: Annotated[
        bool, typer.Option("--forget", help="Take back what was said of --url or --hub.")
    ] = False,
    by: Annotated[str, typer.Option(metavar="NAME", help="Who says so.")] = "",
    learn: Annotated[bool, typer.Option("--learn/--no-learn", help="Revise the topic at the end.")] = True,
    quiet: Quiet = False,
) -> None:
    """Say of pages whether they are on the topic; the topic learns from it, and the crawl follows, also while it runs.

    Asks page by page in the terminal: y = on the topic, n = not, ? = unsure, s = skip, u = undo, q = enough. The best
    pages without a label are asked about first; --queue teach asks about those that are hardest to tell, --queue random
    about any, which also tells how good the rest is. What is said of a --hub is for the strategy `distilled`.
    """
    from honeyguide.crawls import Crawl
    from honeyguide.questions import QUEUES

    chosen = next((name for name in QUEUES if name == queue), None)
    if chosen is None:
        raise SettingsError(f"--queue {queue}: there are {', '.join(QUEUES)}")
    _check_verdict(url, hub, verdict is not None, unsure, forget)
    _check_name(by)
    if sum(map(bool, (url, hub, file, former))) > 1:
        raise SettingsError("give one of --url, --hub, --file and --from")
    crawl = Crawl.open(folder)
    if forget:
        _check_said(crawl, url, hub)
    before = _lessons(crawl).verdicts
    if hub:
        crawl.mark_hub(hub, verdict, by=by)
        terminal.note(f"noted; `{terminal.command('hubs', folder)}` shows all that was said of hubs")
        return
    if url:
        crawl.label(url, verdict, unsure=unsure, by=by)
        said = 1
    elif file:
        said = _from_file(crawl, file, by, quiet)
    elif former:
        said = _from_crawl(crawl, former)
    else:
        said = _asked(crawl, chosen, number, by)
    done = "taken back" if forget else "given"
    terminal.note(f"{count(said, 'label')} {done}, {len(crawl.labels()):,} in all")
    _tell_estimate(crawl)  # what is overlooked is told by labels that were not learned from yet
    if said and learn:
        _learn(crawl, before, quiet, forget)
    elif said:
        _tell_lost(crawl)


def _check_verdict(url: str, hub: str, is_decided: bool, is_unsure: bool, is_taken_back: bool) -> None:
    if is_decided + is_unsure + is_taken_back != bool(url or hub) or (hub and is_unsure):
        raise SettingsError(
            "--url goes with one of --yes, --no, --unsure and --forget; --hub with --yes, --no or --forget"
        )


def _check_name(by: str) -> None:
    """Raise SettingsError before anybody has answered a question in vain."""
    from honeyguide.commands import Label, made

    try:
        made(Label, url="of any page", relevant=None, by=by)
    except SettingsError as error:
        raise SettingsError(f"--{error}") from None


def _check_said(crawl: Crawl, url: str, hub: str) -> None:
    """Raise SettingsError if there is nothing to take back."""
    with crawl.reader() as reader:
        known, _ = crawl.find(reader, url or hub)
        if known not in (reader.labels() if url else reader.hub_marks()):
            raise SettingsError(f"--forget: nobody has said anything of {known}")


def _lessons(crawl: Crawl) -> Lessons:
    from honeyguide.lessons import read_lessons

    with crawl.reader() as reader:
        return read_lessons(reader)


def _tell_lost(crawl: Crawl) -> None:
    for line in _lessons(crawl).lost():
        terminal.note(line)


def _learn(crawl: Crawl, before: Mapping[str, bool], quiet: bool, is_taken_back: bool) -> None:
    """Revise the topic if there is anything to learn from that there was not before."""
    lessons = _lessons(crawl)
    if lessons.verdicts == before and is_taken_back:
        terminal.note("nothing was learned from that label, so there is nothing to learn anew")
        return
    if lessons.verdicts == before:
        terminal.note(f"nothing is learned from that: {lessons.untaught() or 'it was said before'}")
        if lessons.unfetched:
            terminal.note(f"later on `{terminal.command('revise', crawl.folder)}` learns from them")
        return
    if not lessons.taught:
        first = terminal.command("revise", crawl.folder, "--use", 0)
        terminal.note(
            f"no label is left to learn from; `{first}` goes back to the topic the crawl began with"
        )
        return
    try:
        learn_and_tell(crawl, quiet)
    except NothingNew as error:  # such as a label that was taken back and given again
        terminal.note(str(error))


def _from_file(crawl: Crawl, path: Path, by: str, quiet: bool) -> int:
    from honeyguide.cli.label_file import read_labels_file

    # The whole file is checked before anything is said.
    with crawl.reader() as reader, bar("checking labels", quiet) as progress:
        labels = read_labels_file(path, lambda url: crawl.find(reader, url)[0], by, progress)
    own = crawl.labels()
    return len(crawl.label_all(_as_asked_here(label, own) for label in labels))


def _as_asked_here(label: Label, own: Mapping[str, LabelRow]) -> Label:
    """A label of a file, which does not tell the crawl it is of: only what this one asked at random is so here."""
    from honeyguide.teaching import asked_elsewhere

    if label.url in own and own[label.url].asked == label.asked:
        return label
    return label.model_copy(update={"asked": asked_elsewhere(label.asked)})


def _from_crawl(crawl: Crawl, folder: Path) -> int:
    from honeyguide.crawls import Crawl

    if folder.is_file():
        raise SettingsError(f"--from {folder}: this is a file; --file reads labels from one")
    former = Crawl.open(folder)
    topics = [one.order.topic.text for one in (former, crawl)]
    if all(topics) and topics[0] != topics[1]:
        terminal.warn(f"the labels were given for the topic {topics[0]!r}, and are taken for {topics[1]!r}")
    return crawl.take_labels(former)


def _asked(crawl: Crawl, queue: Queue, number: int, by: str) -> int:
    pages = crawl.questions(number, queue)
    if not pages:
        terminal.note("there is no page left without a label, of those that are kept")
        return 0
    terminal.note(KEYS)
    done: list[tuple[CrawledPage, bool]] = []  # and whether it was labelled, not skipped
    try:
        _ask_about(crawl, pages, done, queue, by)
    except KeyboardInterrupt:
        if said := _labelled(done):
            it = "it" if said == 1 else "them"
            learn = terminal.command("revise", crawl.folder)
            sys.stderr.write("\n")  # the answer that was not given
            terminal.note(f"{count(said, 'label')} given so far, and kept; `{learn}` learns from {it}")
        raise
    return _labelled(done)


def _labelled(done: list[tuple[CrawledPage, bool]]) -> int:
    return sum(was_labelled for _, was_labelled in done)


def _ask_about(
    crawl: Crawl, pages: list[CrawledPage], done: list[tuple[CrawledPage, bool]], queue: Queue, by: str
) -> None:
    """Ask page by page, and note in `done` what became of each."""
    at = 0
    while at < len(pages):
        page = pages[at]
        _show(crawl, page, f"{at + 1}/{len(pages)}")
        match _answer():
            case "q":
                break
            case "u" if done:
                last, was_labelled = done.pop()
                if was_labelled:
                    at -= 1
                    crawl.label(last.url, None, by=by)
                else:
                    pages.insert(at, last)
                continue
            case "y" | "n" | "?" as said:
                verdict = None if said == "?" else said == "y"
                crawl.label(page.url, verdict, unsure=said == "?", by=by, asked=queue)
                done.append((page, True))
            case "s":
                done.append((pages.pop(at), False))
                continue
            case _:
                terminal.note(KEYS)
                continue
        at += 1


def _answer() -> str:
    sys.stderr.write("? ")
    sys.stderr.flush()
    line = sys.stdin.readline(100)
    return line.strip().lower()[:1] if line else "q"  # the input has ended


def _show(crawl: Crawl, page: CrawledPage, place: str) -> None:
    text = page.text()
    terminal.say("")
    terminal.say(f"[{place}] {page.title or '(no title)'}", style="bold")
    terminal.say(page.url)
    deciding = _deciding(crawl, text)
    terminal.say(f"relevance {page.relevance:.3f}; decided by {', '.join(deciding) or 'no word'}")
    if page.is_kept:
        terminal.say(snippet(text, named_words(deciding)))
    else:
        terminal.say("(not kept, so that it counts for the share of good pages, but teaches nothing)")


def _deciding(crawl: Crawl, text: str) -> list[str]:
    parts = crawl.topic.explain(text).parts
    return [f"{part.label} {part.number:+.2f}" for part in parts if not part.label.startswith("(")][
        :MOST_WORDS
    ]


def named_words(parts: Iterable[str]) -> list[str]:
    """The words that parts of an explanation name; some name none, such as what the first topic says of a page."""
    return [found[1] for part in parts if (found := _NAMED.match(part))]


def snippet(text: str, stems: list[str]) -> str:
    """The part of a text where words with these beginnings stand first, or its beginning."""
    lower = text.lower()
    found = [at for at in (lower.find(stem.lower()) for stem in stems if stem) if at >= 0]
    start = max(0, min(found, default=0) - SNIPPET_CHARS // 3)
    cut = " ".join(text[start : start + SNIPPET_CHARS].split())
    return f"{'...' if start else ''}{cut}..." if cut else "(no text)"


def _tell_estimate(crawl: Crawl) -> None:
    estimate = crawl.estimate()
    if estimate:
        terminal.note(
            f"of {estimate.labelled:,} random pages {estimate.share:.0%} are on the topic; of all that was fetched,"
            f" {estimate.lowest:.0%} to {estimate.highest:.0%} (95 %)"
        )
        if estimate.not_called:
            terminal.note(
                f"of the {estimate.not_called:,} among them that the topic does not call relevant"
                f" {estimate.overlooked:,} are on it: it overlooks {estimate.overlooked_lowest:.0%} to"
                f" {estimate.overlooked_highest:.0%} of such pages (95 %)"
            )
