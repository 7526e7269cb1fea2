"""Commands carried out: what each does to a running crawl, and what is answered. Called by the engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from honeyguide import commands
from honeyguide.commands import Command
from honeyguide.engine.ingest import Ingest
from honeyguide.engine.steering import LookUp
from honeyguide.errors import SettingsError, TopicError, in_one_line
from honeyguide.patterns import Pattern, Rule
from honeyguide.settings import CrawlOrder
from honeyguide.store.base import Batch, LabelRow, Post, Store

LOOK_EVERY_SECONDS = 0.05


@dataclass(slots=True)
class Controls:
    """What a person may turn while a crawl runs."""

    order: CrawlOrder
    save_order: Callable[[CrawlOrder], None]
    is_paused: bool = False
    is_stopping: bool = False

    def set_limits(self, limits: Mapping[str, object]) -> None:
        """Change limits, for now and later."""
        self.order = self.order.with_overrides(limits)
        self.save_order(self.order)


@dataclass(frozen=True, slots=True)
class _LookUp:
    """The command of this number, of which some urls have been looked at."""

    number: int
    ingest: Ingest
    steps: LookUp


class Inbox:
    """Looks for commands, and turns each into a batch with its effect and its receipt."""

    def __init__(self, store: Store, controls: Controls) -> None:
        self._store = store
        self._controls = controls
        self._look_at = 0.0
        self._looking: _LookUp | None = None

    def posts(self) -> list[Post]:
        """What nobody has answered yet. To look costs little, but not nothing."""
        now = time.monotonic()
        if now < self._look_at:
            return []
        self._look_at = now + LOOK_EVERY_SECONDS
        return self._store.posts()

    def backlog(self) -> Iterator[Post]:
        """All that wait, each once: what takes many steps is gone on with later, between pages."""
        last = 0
        while posts := [post for post in self._store.posts() if post.number > last]:
            yield from posts
            last = posts[-1].number

    def carry_out(self, post: Post, ingest: Ingest) -> Batch:
        """Do what is asked, or a part of it; what cannot be done is answered as well.

        What has no answer yet is given again, and gone on with.
        """
        answer: str | None
        try:
            batch, answer = self._done(commands.read_command(post.command), post, ingest)
        except (SettingsError, TopicError) as error:
            batch, answer = ingest.nothing(), f"refused: {error}"
        receipts = {} if answer is None else {post.number: answer}
        return replace(batch, receipts=receipts, is_paused=self._controls.is_paused)

    def refuse(self, post: Post, problem: Exception, ingest: Ingest) -> Batch:
        """Answer a command that broke something; memory has been made anew since."""
        return replace(ingest.nothing(), receipts={post.number: f"failed: {in_one_line(problem)}"})

    def _done(self, command: Command, post: Post, ingest: Ingest) -> tuple[Batch, str | None]:
        controls = self._controls
        match command:
            case commands.Pause():
                controls.is_paused = True
                return ingest.nothing(), "paused"
            case commands.Resume():
                controls.is_paused = False
                return ingest.nothing(), "goes on"
            case commands.Stop():
                controls.is_stopping = True
                return ingest.nothing(), "stops"
            case commands.AddSeeds(urls=urls):
                return ingest.add_seeds(urls)
            case commands.SetPriorities(priorities=priorities):
                return ingest.set_priorities(priorities)
            case commands.Steer() | commands.Unsteer():
                return self._steered(command, post, ingest)
            case commands.SetLimits():
                return ingest.nothing(), self._set_limits(command)
            case commands.Label() | commands.MarkHub():
                return ingest.label(_label(command, post.time, ingest))
            case commands.UseRevision(revision=revision):
                return ingest.use_revision(revision), f"guided by revision {revision} of the topic"

    def _steered(
        self, command: commands.Steer | commands.Unsteer, post: Post, ingest: Ingest
    ) -> tuple[Batch, str | None]:
        """Begin or end a rule, one after the other; what is excluded no more waits again."""
        rule = _rule(command, post, ingest) if isinstance(command, commands.Steer) else None
        ended = command.rule if isinstance(command, commands.Unsteer) else None
        if self._looking is None or self._looking.ingest is not ingest:  # memory was made anew
            steps = ingest.steering.begin(rule) if rule else ingest.steering.end(ended or 0)
            self._looking = _LookUp(post.number, ingest, steps)
        if self._looking.number != post.number:
            return ingest.nothing(), None
        looking, self._looking = self._looking, None
        try:
            next(looking.steps)
        except StopIteration as done:
            again, answer = done.value
            ingest.queue_again(again)
            return replace(ingest.nothing(), rule=rule, ended_rule=ended), answer
        self._looking = looking
        return ingest.nothing(), None

    def _set_limits(self, command: commands.SetLimits) -> str:
        wanted = command.model_dump(exclude={"kind"}, exclude_none=True)
        limits = {f"limits.{name}": value for name, value in wanted.items()}
        self._controls.set_limits(limits)  # again after a crash, to the same effect
        return ", ".join(f"{name} is {value:g}" for name, value in limits.items()) or "nothing to change"


def _label(command: commands.Label | commands.MarkHub, said: float, ingest: Ingest) -> LabelRow:
    url = ingest.known_spelling(command.url)
    if isinstance(command, commands.MarkHub):
        return LabelRow(url, said, command.good, command.note, by=command.by, of_hub=True)
    relevant = None if command.unsure else command.relevant
    what = relevant, command.note, command.unsure, command.by, command.asked
    return LabelRow(url, command.given_at(said), *what)


def _rule(command: commands.Steer, post: Post, ingest: Ingest) -> Rule:
    pattern = Pattern.read(command.pattern)
    text = ingest.known_spelling(command.pattern) if pattern.kind == "url" else pattern.text
    return Rule(post.number, command.action, text, post.time)
