"""The report on a crawl."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from honeyguide.assembly import start_crawl
from honeyguide.errors import StoreError
from honeyguide.lab.recall.estimate import estimate_by_list
from honeyguide.lab.report.crawl import crawl_report, write_crawl_report
from honeyguide.lab.report.document import Table, to_markdown
from honeyguide.settings import CrawlOrder

Order = Callable[..., CrawlOrder]


@pytest.fixture
def order(tmp_path: Path) -> CrawlOrder:
    page = '{"url": "http://bees.example/%s", "html": "<title>%s</title><p>%s</p><a href=/b>b</a><a href=/c>c</a>"}\n'
    hostile = "<img src=x onerror=alert(1)>&lt;script&gt;alert(2)&lt;/script&gt;"
    pages = [("", "Bees", "honey bees"), ("b", hostile, "bees and honey"), ("c", "Cars", "wheels")]
    recording = tmp_path / "web"
    recording.mkdir()
    (recording / "pages.jsonl").write_text("".join(page % one for one in pages))
    changed = {"topic.text": "honey bees", "seeds.urls": ["http://bees.example/"], "web.recording": str(recording),
               "output.folder": str(tmp_path / "crawl"), "output.archive": False}  # fmt: skip
    return CrawlOrder().with_overrides(changed)


def test_a_crawl_in_numbers_and_figures(order, tmp_path):
    with closing(start_crawl(order)) as crawler:
        crawler.run()
    page = write_crawl_report(tmp_path / "crawl", tmp_path / "out", [estimate_by_list({"a"}, {"a", "b"})])
    html, text = page.read_text(), (tmp_path / "out" / "report.md").read_text()
    table = next(block for block in crawl_report(tmp_path / "crawl").blocks if isinstance(block, Table))
    numbers = dict(table.rows)
    assert numbers["pages fetched"] == "3"
    assert next(value for name, value in numbers.items() if name.startswith("relevant")) == "2"
    assert numbers["harvest rate"] == "0.667"
    assert "ESTIMATE" in html
    assert "0.50" in html
    assert "true recall is often lower" in html
    assert html.count("<svg") == text.count("](figures/") == 4
    assert "<script" not in html
    assert "<img" not in html


def test_without_an_estimate_the_way_to_one_is_told(order, tmp_path):
    with closing(start_crawl(order)) as crawler:
        crawler.run()
    folder = tmp_path / "crawl"
    assert f"honeyguide lab recall {folder}" in to_markdown(crawl_report(folder))


def test_an_empty_crawl_is_told(order, tmp_path):
    start_crawl(order.with_overrides({"seeds.urls": ["http://nowhere.example/"]})).close()
    with pytest.raises(StoreError):
        crawl_report(tmp_path / "crawl")
