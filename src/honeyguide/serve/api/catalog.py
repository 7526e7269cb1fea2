"""What can be set and chosen: settings, strategies, topic models."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field

from honeyguide.plugins import outside_plugins
from honeyguide.sample_web.web import SampleWeb
from honeyguide.settings import CrawlOrder, Setting, all_settings
from honeyguide.store.sql_views import VIEWS
from honeyguide.strategies import STRATEGIES
from honeyguide.topics import TOPIC_MODELS

router = APIRouter(tags=["catalog"])
MOST_SAMPLE_PAGES = 20_000


class Plugin(BaseModel):
    """A strategy or topic model."""

    name: str = Field(examples=["honeyguide"])
    purpose: str
    settings: dict[str, Any] = Field(description="Its own settings with their defaults; null: none.")
    is_built_in: bool


class SampleTopic(BaseModel):
    """A topic of the sample web."""

    topic: str = Field(examples=["bees"])
    words: str
    seeds: list[str]


@router.get("/settings")
def settings() -> list[Setting]:
    """Every setting of a crawl with type, default, unit and meaning."""
    return all_settings()


@router.get("/settings/toml", response_class=PlainTextResponse)
def settings_as_toml() -> str:
    """A complete, commented crawl order."""
    return CrawlOrder().to_toml()


class SqlView(BaseModel):
    """A table that can be asked in SQL."""

    name: str = Field(examples=["pages"])
    meaning: str
    columns: dict[str, str] = Field(description="With what each means.")


@router.get("/sql/views")
def sql_views() -> list[SqlView]:
    """What can be asked of a crawl in SQL."""
    return [
        SqlView(name=name, meaning=view.meaning, columns=dict(view.columns)) for name, view in VIEWS.items()
    ]


@router.get("/strategies")
def strategies() -> list[Plugin]:
    """The strategies there are."""
    return _plugins("strategies", STRATEGIES)


@router.get("/topic-models")
def topic_models() -> list[Plugin]:
    """The topic models there are."""
    return _plugins("topics", TOPIC_MODELS)


@router.get("/sample-web")
def sample_web(
    pages: Annotated[
        int, Query(ge=50, le=MOST_SAMPLE_PAGES, description="As `web.sample_pages` will have it.")
    ] = 2000,
) -> list[SampleTopic]:
    """The topics of the built-in sample web, with words and seeds, to try a crawl without the Web."""
    web = SampleWeb(pages=pages)
    return [
        SampleTopic(topic=topic, words=web.description(topic), seeds=web.seeds(topic))
        for topic in web.topic_names[:-1]  # the last is of everything
    ]


def _plugins(kind: str, built_in: Iterable[type]) -> list[Plugin]:
    own = [_plugin(str(getattr(plugin, "name", "")), plugin) for plugin in built_in]
    # Those of other packages by name alone: nothing is loaded because somebody asks for a list.
    others = [
        Plugin(name=name, purpose="of another package", settings={}, is_built_in=False)
        for name in outside_plugins(kind)
    ]
    return [*own, *others]


def _plugin(name: str, plugin: type) -> Plugin:
    parameters = inspect.signature(plugin).parameters.values()
    plain = (str, int, float, bool)
    given = {
        one.name: one.default if isinstance(one.default, plain) else None
        for one in parameters
        if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    }
    purpose = (inspect.getdoc(plugin) or "").partition("\n")[0]
    return Plugin(name=name, purpose=purpose, settings=given, is_built_in=True)
