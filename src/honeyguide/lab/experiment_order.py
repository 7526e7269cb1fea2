"""An experiment, described: which strategies on which tasks, by which guide, how long and how often."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from honeyguide.errors import SettingsError
from honeyguide.lab.levels import in_shards
from honeyguide.lab.person import Lessons
from honeyguide.lab.results import USUAL_BOUNDS
from honeyguide.lab.tasks.tasks import Shape
from honeyguide.lab.trial import GuideChoice
from honeyguide.settings.problems import describe, settings_error
from honeyguide.settings.sections import AtLeastOne, Count, PluginSection, Section, Text, Texts
from honeyguide.settings.toml_text import parse_toml
from honeyguide.strategies import STRATEGIES

ALL: Literal["all"] = "all"
EXAMPLES: Literal["examples"] = "examples"
REPEATED = frozenset({"best-first"})
"""With its defaults best-first is soft focus: among all strategies it would only repeat a row."""


class ConfiguredStrategy(PluginSection):
    """A strategy with other settings than its defaults: its name, and its own keys."""

    strategy: Text


class ExperimentOrder(Section):
    """An experiment, described."""

    name: Text = ""
    tasks: Texts = ()
    split: Literal["all", "tuning", "reporting"] = ALL
    most_tasks: Count = 0  # of those that match, spread over their parents; 0: all
    pages: Count = 0  # to be fetched in each run; 0: the task's own number
    draws: Annotated[tuple[AtLeastOne, ...], Field(strict=False)] = (1,)
    strategies: Texts = (ALL,)
    configurations: Annotated[tuple[ConfiguredStrategy, ...], Field(strict=False)] = ()
    # A classifier's model, "keywords", "phrase", "meaning", "ontology", "taxonomy" or "broad-taxonomy".
    guide: Text = "svm"
    examples: Count = 0  # of the topic that a classifier learns from, with twice as many others; 0: all
    weighting: Literal["damped", "raw"] = "damped"  # of terms, for a classifier
    flipped: Annotated[float, Field(ge=0.0, le=1.0)] = 0.0  # share of pages judged the wrong way round
    texts: Literal["examples", "elsewhere"] = (
        EXAMPLES  # given to strategies that want a collection; or all others
    )
    urls_per_site: Count = 0  # that a crawl takes at most; 0: any number
    labels: Count = 0  # that a simulated person gives while the crawl goes on
    wrong_labels: Annotated[float, Field(ge=0.0, le=1.0)] = 0.0  # share of them
    ask: Literal["both", "best", "teach", "random"] = "both"  # which pages the person is asked about
    shards: Annotated[tuple[AtLeastOne, ...], Field(strict=False)] = (1,)  # each strategy with each number
    learn_itself: bool = False  # the topic is revised without a person, from the pages it is surest of
    batch: AtLeastOne = 8
    bounds: bool = True
    topic_level: AtLeastOne = 2
    max_depth: Count = 9
    seeds: AtLeastOne = 5
    distance: Count | None = None
    halves: bool = False  # where a web is crawled from its home pages: each draw has another half of them

    @classmethod
    def read(cls, path: Path) -> ExperimentOrder:
        """Read the experiment in a TOML file; it is called after the file unless it has a name."""
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"{path}: cannot be read: {error}") from None
        return cls.from_mapping({"name": path.stem, **parse_toml(text, str(path))}, str(path))

    @classmethod
    def from_mapping(cls, data: Mapping[str, object], origin: str) -> ExperimentOrder:
        """Make an experiment of these settings; all that are wrong are told at once."""
        try:
            order = cls.model_validate(dict(data))
        except ValidationError as error:
            raise settings_error(origin, describe(error, list(cls.model_fields))) from None
        if not order.tasks:
            raise SettingsError(f'{origin}: no tasks; give some, as in tasks = ["webkb/*/course"]')
        return order

    def shape(self, draw: int) -> Shape:
        """How tasks are cut for a draw of seeds."""
        return Shape(self.topic_level, self.max_depth, self.seeds, self.distance, draw, self.halves)

    def lessons(self) -> Lessons:
        """How all runs are taught."""
        return Lessons(self.labels, self.wrong_labels, self.ask, self.learn_itself)

    def guide_choice(self) -> GuideChoice:
        """The guide of all runs."""
        return GuideChoice(self.guide, self.examples, self.flipped, self.weighting)

    def chosen(self) -> list[tuple[str, Mapping[str, Any]]]:
        """Every strategy to be run, with its settings; the bounds first."""
        everyone = [strategy.name for strategy in STRATEGIES if strategy.name not in REPEATED]
        names = everyone if ALL in self.strategies else self.strategies
        configured = [(own.strategy, dict(sorted(own.keywords.items()))) for own in self.configurations]
        bounds = USUAL_BOUNDS if self.bounds else ()
        asked = [*((name, {}) for name in names), *configured]
        return [*((name, {}) for name in bounds), *in_shards(asked, self.shards)]
