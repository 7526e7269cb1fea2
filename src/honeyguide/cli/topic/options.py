"""Arguments and options that several verbs of `honeyguide topic` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

TopicFile = Annotated[Path, typer.Argument(metavar="FILE", help="The topic file, by custom NAME.topic.")]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that is there already.")]
CrawlFolder = Annotated[Path | None, typer.Option("--crawl", metavar="FOLDER", help="The folder of a crawl.")]

Positive = Annotated[
    list[str] | None,
    typer.Option(metavar="PATH", help="A page on the topic: file, folder or url. Repeatable."),
]
Negative = Annotated[
    list[str] | None,
    typer.Option(metavar="PATH", help="A page that is not: file, folder or url. Repeatable."),
]
PositiveUrls = Annotated[
    Path | None, typer.Option(metavar="LIST", help="A file of urls on the topic, one a line.")
]
NegativeUrls = Annotated[
    Path | None, typer.Option(metavar="LIST", help="A file of urls that are not, one a line.")
]

Recording = Annotated[
    str | None,
    typer.Option(metavar="PATH", help="Take urls from a recorded web: corpus folder, WARC, or a crawl."),
]
Contact = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="To fetch urls live: web page or mail address that tells who asks."),
]
