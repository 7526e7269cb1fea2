"""The crawl order: everything that describes one crawl, read from a TOML file, the command line, or both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import ValidationError

from honeyguide.errors import SettingsError
from honeyguide.settings.catalog import Setting, section_text, settings_of
from honeyguide.settings.problems import describe, settings_error
from honeyguide.settings.sections import (
    CrawlSettings,
    FetchSettings,
    LimitSettings,
    OutputSettings,
    PolitenessSettings,
    ScopeSettings,
    Section,
    SeedSettings,
    StrategySettings,
    TopicSettings,
    WebSettings,
)
from honeyguide.settings.toml_text import key_text, parse_toml, parse_value
from honeyguide.urls import UrlPolicy

MAX_FILE_BYTES = 1_000_000


class CrawlOrder(Section):
    """One crawl, described. Every setting has a default; `check_complete` says what a crawl still needs."""

    topic: TopicSettings = TopicSettings()
    seeds: SeedSettings = SeedSettings()
    strategy: StrategySettings = StrategySettings()
    scope: ScopeSettings = ScopeSettings()
    limits: LimitSettings = LimitSettings()
    crawl: CrawlSettings = CrawlSettings()
    politeness: PolitenessSettings = PolitenessSettings()
    fetch: FetchSettings = FetchSettings()
    web: WebSettings = WebSettings()
    output: OutputSettings = OutputSettings()

    @classmethod
    def read(cls, path: Path) -> CrawlOrder:
        """Read the order in a TOML file. The files it names are looked for beside it."""
        order = cls.from_toml(_file_text(path), str(path))
        return order._with_files_from(path.parent)

    @classmethod
    def from_toml(cls, text: str, origin: str) -> CrawlOrder:
        """Read the order written in a text; `origin` says in errors where it came from."""
        return cls.from_mapping(parse_toml(text, origin), origin)

    @classmethod
    def from_mapping(cls, data: Mapping[str, object], origin: str) -> CrawlOrder:
        """Make an order of these settings; SettingsError tells all that are wrong at once."""
        try:
            return cls.model_validate(dict(data))
        except ValidationError as error:
            raise settings_error(origin, describe(error, valid_keys())) from None

    def with_overrides(self, values: Mapping[str, object], origin: str = "--set KEY=VALUE") -> CrawlOrder:
        """Return the order with some settings changed; the keys are dotted, as in `limits.max_pages`."""
        data = self.model_dump()
        for key, value in values.items():
            section, dot, name = key.partition(".")
            target = data.setdefault(section, {}) if dot else data
            # No dict when an override of the whole section came before, which validation then tells.
            if isinstance(target, dict):
                target[name if dot else key] = value
        return self.from_mapping(data, origin)._with_files_from(Path())

    def _with_files_from(self, folder: Path) -> CrawlOrder:
        # Absolute, so that a copy of the order kept in the crawl's folder means the same files.
        seeds = self.seeds.model_copy(update={"file": _absolute(folder, self.seeds.file)})
        topic = self.topic.model_copy(update={"file": _absolute(folder, self.topic.file)})
        web = self.web.model_copy(update={"recording": _absolute(folder, self.web.recording)})
        return self.model_copy(update={"seeds": seeds, "topic": topic, "web": web})

    def to_toml(self) -> str:
        """Write the whole order as a commented file that reads back as an equal order."""
        return "\n".join(section_text(name, getattr(self, name)) for name in type(self).model_fields)

    def check_complete(self) -> None:
        """Raise SettingsError when no crawl can start from this order, saying what to add."""
        problems = []
        if not self.topic.text.strip() and not self.topic.keywords and not self.topic.file:
            problems.append(
                "no topic: give --topic WORDS or --topic-file FILE, or set text or file below [topic]"
            )
        if self.topic.text.strip() and self.topic.file:
            problems.append(
                "two topics: topic.text and topic.file; the file is a whole topic, give one of them"
            )
        if not self.seeds.urls and not self.seeds.file:
            problems.append("no seeds: give --seed URL, or set urls or file below [seeds]")
        if self.crawl.shards and not self.output.store:
            problems.append(
                "crawl.shards needs a database for all workers: give --set output.store=postgresql://..."
            )
        if problems:
            raise settings_error("crawl order", problems)

    @property
    def url_policy(self) -> UrlPolicy:
        """How urls are written in this crawl."""
        return UrlPolicy(self.scope.dropped_parameters)

    @property
    def folder(self) -> Path:
        """The crawl's folder, named after the topic unless the order names it."""
        return Path(self.output.folder or f"crawls/{slug(self.topic.text or Path(self.topic.file).stem)}")


def sections() -> dict[str, str]:
    """List the sections in order, each with what it is about."""
    return {name: section.__doc__ or "" for name, section in _default_sections().items()}


def all_settings() -> list[Setting]:
    """List every setting that is not a plug-in's own, in the order of the file."""
    parts = _default_sections().items()
    return [setting for name, section in parts for setting in settings_of(name, type(section))]


def _default_sections() -> dict[str, Section]:
    return dict(CrawlOrder())


def valid_keys() -> list[str]:
    """List all sections and all dotted keys."""
    return [*CrawlOrder.model_fields, *(setting.key for setting in all_settings())]


def parse_assignments(texts: Iterable[str]) -> dict[str, object]:
    """Read overrides written like `limits.max_pages=200`; a value is TOML or, failing that, plain text.

    >>> parse_assignments(["limits.max_pages=200", "topic.text=2024", "scope.allow_hosts=['a.org']"])
    {'limits.max_pages': 200, 'topic.text': '2024', 'scope.allow_hosts': ['a.org']}
    """
    plain = {setting.key for setting in all_settings() if setting.type == "text"}
    overrides: dict[str, object] = {}
    for text in texts:
        key, equals, written = (part.strip() for part in text.partition("="))
        if not equals or not key:
            raise SettingsError(f"--set {key_text(text)}: write KEY=VALUE, as in limits.max_pages=200")
        value = parse_value(written)
        overrides[key] = written if key in plain and not isinstance(value, str) else value
    return overrides


def slug(text: str) -> str:
    """Make a folder name that tells what the topic is.

    >>> slug("  Solar energy: history/../economy "), slug("???")
    ('solar-energy-history-economy', 'crawl')
    """
    return re.sub(r"[\W_]+", "-", text[:60].lower()).strip("-") or "crawl"


def _absolute(folder: Path, name: str) -> str:
    return str((folder / name).absolute()) if name else ""


def _file_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise SettingsError(f"{path}: cannot be read: {error}") from None
    if len(content) > MAX_FILE_BYTES:
        raise SettingsError(f"{path}: larger than {MAX_FILE_BYTES:,} bytes; this is no crawl order")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SettingsError(f"{path}, line {line}: not UTF-8; save the file as UTF-8") from None
