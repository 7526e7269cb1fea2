"""A crawl of pages of which every other one asks not to be kept."""

import json
from pathlib import Path

from honeyguide import Crawl

SITE = "http://bees.example/"


def crawl_part_kept(folder: Path) -> Crawl:
    """The home page and twelve others, kept if their numbers are even."""
    corpus = folder / "corpus"
    corpus.mkdir()
    links = "".join(f'<a href="/{number}">bees in hive {number}</a>' for number in range(12))
    with (corpus / "pages.jsonl").open("w") as file:
        for path, text in [
            ("", links),
            *((f"{number}", f"bees and honey of {number}") for number in range(12)),
        ]:
            robots = '<meta name="robots" content="noindex">' if path and int(path) % 2 else ""
            file.write(json.dumps({"url": SITE + path, "html": f"{robots}<p>bees {text}</p>"}) + "\n")
    crawl = Crawl.start(folder / "crawl", "bees", [SITE], web=corpus)
    crawl.run()
    return crawl
