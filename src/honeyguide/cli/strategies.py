"""`honeyguide strategies`: the strategies there are."""

from __future__ import annotations

from honeyguide.cli.plugin_table import print_plugins

EXAMPLES = """Examples:
  honeyguide strategies
  honeyguide crawl bees.toml --strategy best-first --set strategy.n=256"""


def strategies() -> None:
    """List the strategies, which decide what link comes next, with their settings."""
    from honeyguide.strategies import STRATEGIES

    print_plugins("strategies", STRATEGIES)
