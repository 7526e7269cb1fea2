"""Index a crawl; killed from outside at any moment. `python killed_indexer.py FOLDER [hold]`."""

import sys
import time
from pathlib import Path

from honeyguide.search import indexer


def main(folder: str, *hold: str) -> None:
    indexer.COMMIT_PAGES, indexer.BATCH = 20, 10  # so that it dies in a commit now and then
    with indexer.Indexer(Path(folder)) as made:
        print("locked", flush=True)
        made.catch_up(lambda done, last: print(done, flush=True))
        print("done", flush=True)
        if hold:
            time.sleep(60)


if __name__ == "__main__":
    main(*sys.argv[1:])
