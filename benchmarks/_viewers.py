"""Watch a crawl as so many consoles do: `python -m benchmarks._viewers PORT TOKEN CRAWL COUNT`, until it is killed."""

from __future__ import annotations

import sys
import threading

from benchmarks._served import Connection


def watch(port: int, token: str, crawl: str) -> None:
    """Hear the events; whenever there are more visits, read the dots that have changed and the newest pages."""
    events, asked = Connection(port, token), Connection(port, token)
    events.send(f"/crawls/{crawl}/events")
    cursor = 0
    while True:
        if b"event: visits" in events.some():
            cells = asked.get(f"/crawls/{crawl}/cells?cursor={cursor}")
            cursor = int.from_bytes(cells[12:16], "little")
            asked.get(f"/crawls/{crawl}/visits?cursor={max(0, cursor - 10)}&most=10")


def main() -> None:
    port, token, crawl, count = sys.argv[1:]
    for _ in range(int(count)):
        threading.Thread(target=watch, args=(int(port), token, crawl)).start()


if __name__ == "__main__":
    main()
