"""A tiny labelled web, for what needs tasks and crawls of no time."""

import json
from pathlib import Path

RULES = """
topics = "subject:*"
seeds = "homes"
fewest_pages = 8
largest_share = 0.6
budget_share = 0.5
"""
TEXTS = {
    "bees": "Honey bees live in hives, make honey and wax, and the queen lays eggs in the comb.",
    "cars": "Engines, wheels, brakes and gears of motor cars that are driven on roads.",
}


def write_labelled_web(folder: Path, hosts: str = "abc", pages: int = 10) -> Path:
    """Home pages link to the pages of their hosts, which are on bees or on cars by turns, and link on."""
    folder.mkdir(parents=True)
    lines = []
    for host in hosts:
        links = " ".join(f'<a href="/{number}">more</a>' for number in range(1, pages // 2 + 1))
        lines.append(
            {"url": f"http://{host}.example/", "html": f"<title>Home</title><p>{links}", "labels": []}
        )
        for number in range(1, pages + 1):
            topic = "bees" if number % 2 else "cars"
            words = f"{TEXTS[topic]} {host}{chr(96 + number)}word."  # of its own: copies teach nothing
            text = f'<title>{topic}</title><p>{words} <a href="/{number + 2}">{topic}</a>'
            url = f"http://{host}.example/{number}"
            lines.append({"url": url, "html": text, "labels": [f"subject:{topic}"]})
    (folder / "pages.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder
