"""What may be asked of a crawl while it runs, from anywhere: its terminal, another one, a program, a web page.

A command is a row in the crawl's inbox. The crawl looks there between batches, and answers each command in the
transaction that makes it true: after a crash it has happened once, or is still to happen.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from honeyguide.errors import SettingsError
from honeyguide.patterns import Action, Pattern

MOST_URLS = 100_000
LONGEST_NOTE = 10_000
LONGEST_NAME = 200
LATEST = 4_102_444_800.0
"""The year 2100, in seconds since 1970: no label was given after it."""

_Url = Annotated[str, Field(min_length=1, max_length=10_000)]


def _checked_pattern(text: str) -> str:
    try:
        Pattern.read(text)
    except SettingsError as error:
        raise ValueError(str(error)) from None
    return text


class _Asked(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Pause(_Asked):
    """Wait, once the pages under way are stored."""

    kind: Literal["pause"] = "pause"


class Resume(_Asked):
    """Go on after a pause."""

    kind: Literal["resume"] = "resume"


class Stop(_Asked):
    """End, once the pages under way are stored."""

    kind: Literal["stop"] = "stop"


class AddSeeds(_Asked):
    """Start from these urls as well."""

    kind: Literal["add_seeds"] = "add_seeds"
    urls: tuple[_Url, ...] = Field(min_length=1, max_length=MOST_URLS)


class SetLimits(_Asked):
    """Change when the crawl ends, for now and when it is resumed; 0 is no limit, None leaves a limit as it is."""

    kind: Literal["set_limits"] = "set_limits"
    max_pages: int | None = Field(default=None, ge=0)
    max_requests: int | None = Field(default=None, ge=0)
    max_seconds: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    max_failures: int | None = Field(default=None, ge=0)


class SetPriorities(_Asked):
    """Move urls in the queue; their strategy may move them again when it learns more of them."""

    kind: Literal["set_priorities"] = "set_priorities"
    priorities: dict[_Url, Annotated[float, Field(allow_inf_nan=False)]] = Field(
        min_length=1, max_length=MOST_URLS
    )


class Steer(_Asked):
    """Raise, lower or exclude all urls that a pattern hits, waiting now or found later; see `patterns`.

    It is a rule with the number of this command, until `Unsteer` takes it back.
    """

    kind: Literal["steer"] = "steer"
    action: Action
    pattern: Annotated[str, AfterValidator(_checked_pattern)]


class Unsteer(_Asked):
    """Take back a rule: urls return to the place that the strategy, or an older rule, gives them."""

    kind: Literal["unsteer"] = "unsteer"
    rule: int = Field(ge=1, le=2**53)


class Label(_Asked):
    """Say whether a page is on the topic, or that one is unsure; None alone takes back what was said."""

    kind: Literal["label"] = "label"
    url: _Url
    relevant: bool | None
    unsure: bool = False
    note: str = Field(default="", max_length=LONGEST_NOTE)
    by: str = Field(default="", max_length=LONGEST_NAME)
    asked: str = Field(default="", max_length=LONGEST_NAME)
    said_at: float | None = Field(default=None, ge=0, le=LATEST, allow_inf_nan=False)  # None: now

    def given_at(self, posted: float) -> float:
        """When it was said, in seconds since 1970: before it was left for the crawl, if it was said elsewhere."""
        return posted if self.said_at is None else min(self.said_at, posted)


class MarkHub(_Asked):
    """Say whether what a page links to is worth following; None takes back what was said."""

    kind: Literal["mark_hub"] = "mark_hub"
    url: _Url
    good: bool | None
    note: str = Field(default="", max_length=LONGEST_NOTE)
    by: str = Field(default="", max_length=LONGEST_NAME)


class UseRevision(_Asked):
    """Be guided by this revision of the topic from here on, and judge what was fetched again; 0 is the first."""

    kind: Literal["use_revision"] = "use_revision"
    revision: int = Field(ge=0)


Command = (
    Pause
    | Resume
    | Stop
    | AddSeeds
    | SetLimits
    | SetPriorities
    | Steer
    | Unsteer
    | Label
    | MarkHub
    | UseRevision
)
TRANSIENT = (Pause, Resume, Stop)
"""Meant for the process that is at work, and for no later one."""

_COMMANDS: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="kind")])


Made = TypeVar("Made", bound=_Asked)


def made(kind: type[Made], **fields: object) -> Made:
    """A command of a kind; SettingsError if there is none with such fields."""
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        raise SettingsError(_what_is_wrong(error)) from None


def written(command: Command) -> str:
    """A command as text."""
    # A process of an earlier version that is at work would refuse a field it does not know.
    is_now = isinstance(command, Label) and command.said_at is None
    return command.model_dump_json(exclude={"said_at"} if is_now else None)


def read_command(text: str) -> Command:
    """A command from its text; SettingsError if there is none like it."""
    try:
        return _COMMANDS.validate_json(text)
    except ValidationError as error:
        raise SettingsError(f"no command that a crawl knows: {_what_is_wrong(error)}") from None


def _what_is_wrong(error: ValidationError) -> str:
    """The first field that is wrong, why, and what to give."""
    first = error.errors(include_url=False)[0]
    match first["type"]:
        case "string_too_long":
            why = f"it has {len(first['input']):,} characters; give at most {first['ctx']['max_length']:,}"
        case "string_unicode":
            why = "it has half of a character in it (a lone surrogate); leave that out"
        case _:
            why = first["msg"]
    return f"{'.'.join(map(str, first['loc']))}: {why}"
