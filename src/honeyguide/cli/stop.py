"""`honeyguide stop`: a running crawl ends gracefully."""

from __future__ import annotations

from honeyguide.cli import terminal
from honeyguide.cli.options import Folder

EXAMPLES = """Examples:
  honeyguide stop crawls/beekeeping"""


def stop(folder: Folder) -> None:
    """End a running crawl, once the pages under way are stored.

    The same as Ctrl-C in its terminal. `honeyguide resume` goes on later.
    """
    from honeyguide.commands import Stop
    from honeyguide.crawls import Crawl

    crawl = Crawl.open(folder)
    process = crawl.process
    crawl.answer(crawl.send(Stop()))
    terminal.say(f"{terminal.process(process)} will stop once the pages under way are stored")
    terminal.say(f"next: {terminal.command('resume', folder)}")
