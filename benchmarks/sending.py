"""What an archive elsewhere costs: the same crawls with it in their folder, in a shared one, and in objects.

Figures: processor time of the crawling process over that of a crawl that keeps its archive in its folder, medians of
rounds; and bytes of the archive for each page, with its indexes, which is what has to be stored and sent.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from tests.object_store import object_server

from benchmarks._figures import figure
from honeyguide.crawls import Crawl
from honeyguide.sample_web.web import SampleWeb

WEB_PAGES, PAGES, ROUNDS = 20_000, 4_000, 3


def _crawl(folder: Path, address: str, web: SampleWeb) -> float:
    """Seconds of this process, until everything is sent."""
    topic = web.topic_names[0]
    settings = {"web.sample_pages": web.pages, "limits.max_pages": PAGES, "output.archive_at": address}
    crawl = Crawl.start(folder, topic=web.description(topic), seeds=web.seeds(topic), settings=settings)
    used = time.process_time()
    crawl.run()
    return time.process_time() - used


def _round(web: SampleWeb, number: int) -> tuple[float, float, float, float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shared = folder / "shared"
        addresses = ("", shared.as_uri(), f"s3://pages/round-{number}")
        here, there, objects = (
            _crawl(folder / str(place), address, web) for place, address in enumerate(addresses)
        )
        size = sum(path.stat().st_size for path in shared.iterdir())
    return here, there, objects, size


def main() -> None:
    """Crawl in rounds."""
    web = SampleWeb(pages=WEB_PAGES)
    with object_server():
        _round(web, ROUNDS)  # the first is slower, wherever it writes
        rounds = [_round(web, number) for number in range(ROUNDS)]
    figure("archive_shared_cpu", statistics.median(there / here for here, there, _, _ in rounds), "times")
    figure(
        "archive_objects_cpu", statistics.median(objects / here for here, _, objects, _ in rounds), "times"
    )
    figure("archive_bytes_per_page", rounds[0][3] / PAGES, "bytes of the sample web")


if __name__ == "__main__":
    main()
