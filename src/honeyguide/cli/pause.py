"""`honeyguide pause`: a running crawl waits."""

from __future__ import annotations

from honeyguide.cli import at_work, terminal
from honeyguide.cli.options import Folder

EXAMPLES = """Examples:
  honeyguide pause crawls/beekeeping
  honeyguide resume crawls/beekeeping"""


def pause(folder: Folder) -> None:
    """Let a running crawl wait, once the pages under way are stored.

    Its process stays; `honeyguide resume` lets it go on, `honeyguide stop` ends it.
    """
    from honeyguide.engine.control import Wish

    process = at_work.ask(folder, Wish.PAUSE)
    terminal.say(f"{at_work.named(process)} will pause once the pages under way are stored")
    terminal.say(f"next: {terminal.command('resume', folder)}")
