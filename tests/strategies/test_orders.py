"""The order in which every strategy fetches pages, compared url by url with the one that was recorded.

`orders.json` has a hash of each order. A change that means to change an order records it anew, by
`python -m tests.strategies.test_orders`, and says why; where nothing is fetched again, nothing else may.
"""

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from honeyguide.assembly import assemble
from honeyguide.checks.strategy import DRAWN, RELEVANT, _crawl
from honeyguide.checks.tiny_web import TinyWeb
from honeyguide.making import make_fetcher, make_strategy, make_topic
from honeyguide.sample_web.web import SampleWeb
from honeyguide.settings import CrawlOrder
from honeyguide.store import open_reader
from honeyguide.strategies import STRATEGIES

SHARED = Path(os.environ.get("HONEYGUIDE_SHARED", Path(__file__).parents[3] / "shared"))
RECORDED = Path(__file__).with_name("orders.json")
BY_NAME = {strategy.name: strategy for strategy in STRATEGIES}
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    **{name: {} for name in BY_NAME},
    **{
        f"{name} mean": {"combine": "mean"}
        for name in ("soft-focus", "best-first", "link-context", "shark-search")
    },
    "hard-focus discovery": {"order": "discovery"},
    "best-first bounded": {"n": 16, "queue": 64},
    "distilled often": {"every": 20, "growth": 0.0, "hubs": 5, "inner": "opic"},
}
SAMPLE = SampleWeb(pages=600)


def order_on_tiny_web(name: str, keywords: Mapping[str, Any], folder: Path) -> list[str]:
    made = lambda: BY_NAME[name](**keywords)  # noqa: E731
    return [url for url, _ in _crawl(made, TinyWeb(DRAWN, RELEVANT), folder, batch=3)]


def crawled(name: str, keywords: Mapping[str, Any], folder: Path, further: Mapping[str, Any]) -> list[str]:
    settings = {f"strategy.{key}": value for key, value in keywords.items()}
    order = CrawlOrder().with_overrides(
        {"strategy.name": name, **settings, "crawl.batch": 8, "output.archive": False, **further}
    )
    with assemble(order, folder, make_fetcher(order), make_topic(order), make_strategy(order)) as engine:
        engine.run()
    with open_reader(folder) as reader:
        return [visit.url for visit in reader.visits()]


def order_on_sample_web(name: str, keywords: Mapping[str, Any], folder: Path) -> list[str]:
    topic = SAMPLE.topic_names[0]
    web = {"topic.text": SAMPLE.description(topic), "seeds.urls": SAMPLE.seeds(topic)}
    return crawled(name, keywords, folder, {**web, "web.sample_pages": SAMPLE.pages, "limits.max_pages": 120})


def order_on_webkb(name: str, keywords: Mapping[str, Any], folder: Path) -> list[str]:
    web = {
        "topic.text": "machine learning research course",
        "web.recording": str(SHARED / "corpora" / "webkb"),
    }
    seeds = [
        "http://www.cs.utexas.edu/docs/grad.html",
        "http://www.cs.washington.edu/education/course-webs.html",
    ]
    return crawled(name, keywords, folder, {**web, "seeds.urls": seeds, "limits.max_pages": 400})


WEBS = {"tiny": order_on_tiny_web, "sample": order_on_sample_web}


def hashed(urls: list[str]) -> str:
    return f"{len(urls)} pages, {hashlib.sha256(chr(10).join(urls).encode()).hexdigest()[:16]}"


@pytest.mark.parametrize("web", WEBS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_order_is_the_recorded_one(variant, web, tmp_path):
    urls = WEBS[web](variant.partition(" ")[0], VARIANTS[variant], tmp_path / "crawl")
    assert hashed(urls) == json.loads(RECORDED.read_text())[web][variant]


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_order_on_a_real_web_is_the_recorded_one(variant, tmp_path, shared):
    urls = order_on_webkb(variant.partition(" ")[0], VARIANTS[variant], tmp_path / "crawl")
    assert hashed(urls) == json.loads(RECORDED.read_text())["webkb"][variant]


def main() -> None:
    found: dict[str, dict[str, str]] = {}
    for web, order in {**WEBS, "webkb": order_on_webkb}.items():
        for variant, keywords in VARIANTS.items():
            with tempfile.TemporaryDirectory() as folder:
                urls = order(variant.partition(" ")[0], keywords, Path(folder) / "crawl")
            found.setdefault(web, {})[variant] = hashed(urls)
            print(web, variant, found[web][variant], file=sys.stderr)
    RECORDED.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
