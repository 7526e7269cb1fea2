"""`honeyguide demo --console`: a workspace with a crawl of the sample web that waits to be run, served."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.cli import terminal
from honeyguide.cli.serve import serve

if TYPE_CHECKING:
    from honeyguide.sample_web.web import SampleWeb

CRAWL = "sample"


def show_console(web: SampleWeb, topic: str, pages: int, workspace: Path) -> None:
    """Make the workspace, tell what to do, and serve it until it is told to end."""
    from honeyguide.crawls import Crawl

    settings = {"web.sample_pages": web.pages, "limits.max_pages": pages}
    place = workspace / "crawls" / CRAWL
    Crawl.start(place, web.description(topic), web.seeds(topic), settings=settings).release()
    terminal.say(f"The crawl {CRAWL!r} in {workspace} waits to be run. Nothing leaves this machine.")
    terminal.say("Open the console below, log in with the token, and:")
    for step in (
        "press Run, open the crawl, and see its pages appear as dots; click one to see why it was chosen",
        "open Queue, and raise, lower or exclude hosts; every step can be undone",
        "open Label, and say of some pages whether they are on the topic; then let the topic learn",
        "open Results, and search what was found",
    ):
        terminal.say(f"  - {step}")
    serve(workspace, port=0)
