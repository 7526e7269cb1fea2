"""`honeyguide topic test`: how well a topic does on labeled examples, or what it says of pages without labels."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honeyguide import wording
from honeyguide.cli import progress, terminal
from honeyguide.cli.options import AsJson, Assignments
from honeyguide.cli.topic.given import Labels, Web, is_url, read_given, read_labeled_folder
from honeyguide.cli.topic.options import (
    Contact,
    Negative,
    NegativeUrls,
    Positive,
    PositiveUrls,
    Recording,
    TopicFile,
)
from honeyguide.cli.topic.train import print_quality
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from honeyguide.model import Floats
    from honeyguide.topics.base import TopicModel
    from honeyguide.topics.classifier.quality import Quality
    from honeyguide.topics.examples import Example

EXAMPLES = """Examples:
  honeyguide topic test bees.topic examples
  honeyguide topic test bees.topic --positive pages/bees --negative pages/others
  honeyguide topic test bees.topic page1.html page2.html
  honeyguide topic test bees.topic pages --json | jq -r '.pages[].relevance'"""

BATCH = 100
MOST_MISTAKES = 10


def measure(
    file: TopicFile,
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH...", help="Pages to judge; a folder with positive/ in it holds labeled ones."
        ),
    ] = None,
    positive: Positive = None,
    negative: Negative = None,
    positive_urls: PositiveUrls = None,
    negative_urls: NegativeUrls = None,
    recording: Recording = None,
    contact: Contact = None,
    assignments: Assignments = None,
    as_json: AsJson = False,
) -> None:
    """Tell how well a topic does on labeled examples it was not made of, with its worst mistakes.

    Of pages without labels, tells the relevance of each.
    """
    from honeyguide.topics.topic_file import read_topic

    topic = read_topic(file)
    web = Web(recording, contact, assignments)
    positives = Labels(positive, positive_urls).read(web)
    negatives = Labels(negative, negative_urls).read(web)
    unlabeled: list[str] = []
    for place in paths or ():
        if not is_url(place) and (Path(place) / "positive").is_dir():
            more = read_labeled_folder(Path(place))
            positives, negatives = [*positives, *more[0]], [*negatives, *more[1]]
        else:
            unlabeled.append(place)
    if positives or negatives:
        if unlabeled:
            raise SettingsError(f"{unlabeled[0]} has no labels; test pages with and without labels apart")
        found: _Judged | _Tested = _Tested(topic, positives, negatives)
    elif unlabeled:
        found = _Judged(topic, read_given(unlabeled, web))
    else:
        raise SettingsError("no pages to test with; give PATHs, or --positive and --negative")
    if as_json:
        typer.echo(json.dumps(found.facts(), indent=2))
    else:
        found.print()


class _Judged:
    """Pages without labels."""

    def __init__(self, topic: TopicModel, examples: Sequence[Example]) -> None:
        if not examples:
            raise SettingsError("there is no page to judge; give HTML or text files")
        self._topic = topic
        self._examples = examples
        self._relevance = relevance_of(topic, examples)

    def facts(self) -> dict[str, Any]:
        pages = [
            {"page": name_of(example), "relevance": number, "relevant": number >= self._topic.relevant_above}
            for example, number in zip(self._examples, self._relevance.tolist(), strict=True)
        ]
        return {"model": self._topic.name, "relevant_above": self._topic.relevant_above, "pages": pages}

    def print(self) -> None:
        table = terminal.table("relevance", "relevant", "page", right=("relevance",), fold=("page",))
        for page in self.facts()["pages"]:
            verdict = "yes" if page["relevant"] else "no"
            table.add_row(f"{page['relevance']:.3f}", verdict, terminal.clean(page["page"]))
        terminal.print_table(table)
        terminal.note(f"relevant from {self._topic.relevant_above:g} on")


class _Tested:
    """Pages with labels."""

    def __init__(self, topic: TopicModel, positives: Sequence[Example], negatives: Sequence[Example]) -> None:
        import numpy as np

        from honeyguide.topics.classifier.quality import quality
        from honeyguide.topics.combined import leveled

        if not positives or not negatives:
            missing = "--negative" if positives else "--positive"
            raise SettingsError(
                f"a test needs pages on the topic and pages that are not; {missing} is missing"
            )
        self._topic = topic
        self._examples = [*positives, *negatives]
        self._is_positive = np.arange(len(self._examples)) < len(positives)
        self._relevance = relevance_of(topic, self._examples)
        # Models use different parts of the scale; figures are about which side of its threshold a page is on.
        self._leveled = leveled(self._relevance, topic.relevant_above)
        self._quality: Quality = quality(self._leveled, self._is_positive)

    def mistakes(self) -> list[dict[str, Any]]:
        import numpy as np

        error = np.abs(self._leveled - self._is_positive)
        is_wrong = (self._leveled >= 0.5) != self._is_positive
        worst = [place for place in np.argsort(-error, kind="stable").tolist() if is_wrong[place]]
        return [
            {
                "page": name_of(self._examples[place]),
                "relevance": float(self._relevance[place]),
                "on_topic": bool(self._is_positive[place]),
            }
            for place in worst[:MOST_MISTAKES]
        ]

    def facts(self) -> dict[str, Any]:
        return {
            "model": self._topic.name,
            "relevant_above": self._topic.relevant_above,
            "positives": int(self._is_positive.sum()),
            "negatives": int((~self._is_positive).sum()),
            "quality": asdict(self._quality),
            "mistakes": self.mistakes(),
        }

    def print(self) -> None:
        positives = int(self._is_positive.sum())
        terminal.say(
            f"{wording.count(positives, 'page')} on the topic, {len(self._examples) - positives:,} not; "
            f"relevant from {self._topic.relevant_above:g} on"
        )
        terminal.say("")
        print_quality({self._topic.name: self._quality})
        if mistakes := self.mistakes():
            terminal.say("")
            table = terminal.table(
                "worst mistakes", "relevance", "page", right=("relevance",), fold=("page",)
            )
            for one in mistakes:
                kind = "missed" if one["on_topic"] else "not on the topic"
                table.add_row(kind, f"{one['relevance']:.3f}", terminal.clean(one["page"]))
            terminal.print_table(table)


def relevance_of(topic: TopicModel, examples: Sequence[Example]) -> Floats:
    """Judge examples, with a progress bar."""
    import numpy as np

    found: list[Floats] = [np.empty(0)]
    with progress.bar("judging") as show:
        for start in range(0, len(examples), BATCH):
            show(start, len(examples))
            found.append(topic.judge([example.readable for example in examples[start : start + BATCH]]))
    return np.concatenate(found)


def name_of(example: Example) -> str:
    """Where an example came from: a path as the user knows it, or a url."""
    from urllib.parse import unquote, urlsplit

    if not example.url.startswith("file:"):
        return example.url or example.title
    path = Path(unquote(urlsplit(example.url).path))
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
