"""`honeyguide settings`: every setting of a crawl order, and an order to start from."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson

EXAMPLES = """Examples:
  honeyguide settings
  honeyguide settings --toml > bees.toml"""

LONGEST_DEFAULT = 30
PIPED_WIDTH = 120


def settings(
    as_toml: Annotated[bool, typer.Option("--toml", help="Print a complete, commented crawl order.")] = False,
    as_json: AsJson = False,
) -> None:
    """List every setting with type, default, unit and meaning.

    In [topic] and [strategy] the settings of the topic model or strategy come on top;
    `honeyguide topics` and `honeyguide strategies` list those.
    """
    from honeyguide.settings import CrawlOrder, all_settings

    if as_toml:
        typer.echo(CrawlOrder().to_toml(), nl=False)
    elif as_json:
        typer.echo(json.dumps([asdict(setting) for setting in all_settings()], indent=2))
    else:
        table = terminal.table("key", "type", "default", "unit", "meaning", fold=("key",))
        for setting in all_settings():
            default = setting.default_text
            shown = default if len(default) <= LONGEST_DEFAULT else "(see --toml)"
            table.add_row(setting.key, setting.type, shown, setting.unit, setting.help)
        terminal.print_table(table, PIPED_WIDTH)
