"""`honeyguide stop`: a running crawl ends gracefully."""

from __future__ import annotations

from honeyguide.cli import at_work, terminal
from honeyguide.cli.options import Folder

EXAMPLES = """Examples:
  honeyguide stop crawls/beekeeping"""


def stop(folder: Folder) -> None:
    """End a running crawl, once the pages under way are stored.

    The same as Ctrl-C in its terminal. `honeyguide resume` goes on later.
    """
    from honeyguide.engine.control import Wish

    process = at_work.ask(folder, Wish.STOP)
    terminal.say(f"{at_work.named(process)} will stop once the pages under way are stored")
    terminal.say(f"next: {terminal.command('resume', folder)}")
