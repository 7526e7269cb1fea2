"""`honeyguide pause`: a running crawl waits."""

from __future__ import annotations

from honeyguide.cli import terminal
from honeyguide.cli.options import Folder

EXAMPLES = """Examples:
  honeyguide pause crawls/beekeeping
  honeyguide resume crawls/beekeeping"""


def pause(folder: Folder) -> None:
    """Let a running crawl wait, once the pages under way are stored.

    Its process stays; `honeyguide resume` lets it go on, `honeyguide stop` ends it.
    """
    from honeyguide.commands import Pause
    from honeyguide.crawls import Crawl

    crawl = Crawl.open(folder)
    process = crawl.process
    crawl.answer(crawl.send(Pause()))
    terminal.say(f"{terminal.process(process)} will pause once the pages under way are stored")
    terminal.say(f"next: {terminal.command('resume', folder)}")
