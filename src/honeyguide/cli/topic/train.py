"""`honeyguide topic train`: a topic that learns from pages that are on it and pages that are not."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honeyguide import wording
from honeyguide.cli import progress, terminal
from honeyguide.cli.options import Assignments
from honeyguide.cli.topic.files import check_is_new, save
from honeyguide.cli.topic.given import Labels, Web, read_labeled_folder
from honeyguide.cli.topic.options import (
    Contact,
    Force,
    Negative,
    NegativeUrls,
    Positive,
    PositiveUrls,
    Recording,
    TopicFile,
)
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from honeyguide.topics.classifier import TrainingReport
    from honeyguide.topics.classifier.quality import Quality

EXAMPLES = """Examples:
  honeyguide topic train bees.topic examples
  honeyguide topic train bees.topic --positive pages/bees --negative pages/others
  honeyguide topic train bees.topic --positive-urls bees.txt --recording web.warc.gz
  honeyguide topic train bees.topic --positive-urls bees.txt --negative pages/others \\
      --contact https://example.org/our-crawler --model majority"""


NEGATIVES_PER_POSITIVE = 4.0
"""Of a few positive examples, twice as many as were published with: pages of a web were told apart better so. With all
there are, some topics were found no more, as nearly everything was called irrelevant."""


class Model(StrEnum):
    """What can be trained."""

    SVM = "svm"
    NAIVE_BAYES = "naive-bayes"
    NETWORK = "network"
    MAJORITY = "majority"


def train(
    file: TopicFile,
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="FOLDER", help="A folder with folders positive/ and negative/ in it."),
    ] = None,
    positive: Positive = None,
    negative: Negative = None,
    positive_urls: PositiveUrls = None,
    negative_urls: NegativeUrls = None,
    recording: Recording = None,
    contact: Contact = None,
    model: Annotated[
        Model, typer.Option(metavar="|".join(Model), help="What is trained; majority is all three.")
    ] = Model.SVM,
    assignments: Assignments = None,
    force: Force = False,
) -> None:
    """Learn a topic from examples, and tell how well it is told from others.

    Without negative examples a built-in background collection stands in for them, in English. Of many negative
    examples some are drawn. Only the beginning of a page is read, about 1,000 words.
    The figures come from cross-validation: each example is judged by a model that has not seen it.
    """
    from honeyguide.topics.classifier import train_classifier

    check_is_new(file, force)
    web = Web(recording, contact, assignments)
    positives, negatives = read_labeled_folder(folder) if folder else ([], [])
    positives = [*positives, *Labels(positive, positive_urls).read(web)]
    negatives = [*negatives, *Labels(negative, negative_urls).read(web)]
    if not positives:
        raise SettingsError(
            "no examples on the topic; give --positive PATH, --positive-urls LIST, or a FOLDER with positive/ in it"
        )
    with progress.bar("learning") as show:
        show(0, None)
        drawn: dict[str, Any] = {"negatives_per_positive": NEGATIVES_PER_POSITIVE} if negatives else {}
        trained = train_classifier(positives, negatives, model=model.value, **drawn)
    _print_report(trained.report, len(negatives))
    save(file, trained.topic)


def _print_report(report: TrainingReport, negatives: int) -> None:
    source = " from the background collection" if report.is_background else ""
    if report.negatives < negatives:
        source = (
            f", of {negatives:,}: at most {NEGATIVES_PER_POSITIVE:g} for each positive one are learned from"
        )
    terminal.say(
        f"trained on {wording.count(report.positives, 'positive example')} and {report.negatives:,} negative "
        f"ones{source}; language: {report.language}"
    )
    terminal.say("")
    each = {**report.members, report.model: report.quality}
    print_quality(each)
    terminal.say("")
    terminal.say(f"telling words: {', '.join(report.telling_stems)}")
    for warning in report.warnings:
        terminal.warn(warning)


def print_quality(models: dict[str, Quality]) -> None:
    """Print the figures of one or more models."""
    names = ("precision", "recall", "F1", "AUC", "Brier")
    table = terminal.table("model", *names, right=names)
    for name, quality in models.items():
        figures = (quality.precision, quality.recall, quality.f1, quality.auc, quality.brier)
        table.add_row(name, *(f"{figure:.3f}" for figure in figures))
    terminal.print_table(table)
