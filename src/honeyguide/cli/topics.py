"""`honeyguide topics`: the topic models there are."""

from __future__ import annotations

from honeyguide.cli.plugin_table import print_plugins

EXAMPLES = """Examples:
  honeyguide topics
  honeyguide crawl bees.toml --set topic.model=keywords"""


def topics() -> None:
    """List the topic models, which judge how relevant a page is, with their settings."""
    from honeyguide.topics import TOPIC_MODELS

    print_plugins("topics", TOPIC_MODELS)
