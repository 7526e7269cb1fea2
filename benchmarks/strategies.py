"""What ranking costs per page, and how it grows: every strategy on wikispeedia, webkb and a large sample web.

Fetching, parsing, judging whole pages and storing are not counted; judging anchors and words around links is. Most
strategies rank 200,000 pages of the sample web, the slow ones fewer, as each figure says. A number as argument, as in
`python -m benchmarks strategies 20000`, is for all of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks._figures import cpu_seconds, figure
from benchmarks._ranked_web import RankedWeb, Ranking
from honeyguide.fetch.replay import open_recording
from honeyguide.lab.compare_strategies import TASKS, Task, compare
from honeyguide.parse import parse_page
from honeyguide.strategies import STRATEGIES
from honeyguide.strategies.base import Strategy
from honeyguide.strategies.hcla import Hcla
from honeyguide.strategies.soft_focus import SoftFocus
from honeyguide.topics.keywords import KeywordTopic

SHARED = Path(os.environ.get("HONEYGUIDE_SHARED", Path(__file__).parents[2] / "shared"))
WIKISPEEDIA_PAGES = 700
JUDGED_PAGES = 500
SAMPLE_PAGES = 200_000
FEWER_PAGES = {
    **dict.fromkeys(("cc-bfs", "link-context", "otie", "shark-search"), 100_000),
    **{"cc-bfs-k": 50_000, "hcla": 20_000},
}
TENTHS = 10


def growth(marks: Sequence[tuple[int, float]]) -> float:
    """Cost per page in the last tenth over that in the first."""
    pages, seconds = np.array(marks).T
    tenths = np.diff(np.interp(np.linspace(0, pages[-1], TENTHS + 1), pages, seconds))
    return float(tenths[-1] / max(tenths[0], 1e-9))


def on_recorded_webs() -> None:
    corpora = SHARED / "corpora"
    if not (corpora / "wikispeedia").is_dir():
        print(f"# no corpora at {corpora}: set HONEYGUIDE_SHARED")
        return
    webkb, wikispeedia = TASKS
    for outcome in compare(corpora, WIKISPEEDIA_PAGES, tasks=[wikispeedia]):
        cost = outcome.milliseconds_per_page
        figure(f"rank_ms_{_key(outcome.strategy)}", cost, f"ms a page (wikispeedia, {outcome.pages:,} pages)")
    soft, hcla = compare(corpora, WIKISPEEDIA_PAGES, tasks=[webkb], strategies=[SoftFocus, Hcla])
    ratio = hcla.milliseconds_per_page / soft.milliseconds_per_page
    figure("rank_ms_hcla_webkb", hcla.milliseconds_per_page, f"ms a page (webkb, {hcla.pages:,} pages)")
    figure("rank_hcla_over_soft_focus", ratio, "x (webkb)")
    judging = judge_milliseconds(webkb, corpora)
    ratio = hcla.milliseconds_per_page / (soft.milliseconds_per_page + judging)
    figure(
        "rank_hcla_over_judged_soft_focus",
        ratio,
        f"x (webkb, with the {judging:.2g} ms that judging a page takes)",
    )


def judge_milliseconds(task: Task, corpora: Path) -> float:
    """What soft focus rests on and hcla does without: the topic's relevance of a whole page."""
    recording, topic = open_recording(corpora / task.corpus), KeywordTopic(task.topic)
    pages = (recording.response(url) for url in islice(recording.urls(), JUDGED_PAGES))
    texts = [parse_page(page.body, page.url, page.content_type).text for page in pages if page]
    recording.close()
    start = cpu_seconds()
    topic.judge(texts)
    return 1000 * (cpu_seconds() - start) / len(texts)


def on_the_sample_web(pages: int | None) -> None:
    web = RankedWeb(pages or SAMPLE_PAGES)
    for strategy in STRATEGIES:
        count = pages or FEWER_PAGES.get(strategy.name, SAMPLE_PAGES)
        _report(strategy(), web, count)


def _report(strategy: Strategy, web: RankedWeb, pages: int) -> None:
    start = cpu_seconds()
    marks = Ranking(web, strategy).run(pages)
    cost = 1000 * marks[-1][1] / pages
    name = _key(strategy.name)
    figure(f"rank_ms_large_{name}", cost, f"ms a page (sample web, {pages:,} pages)")
    figure(f"rank_growth_{name}", growth(marks), f"x (last tenth of {pages:,} pages over first)")
    print(f"# {strategy.name}: {cpu_seconds() - start:.0f} s in all", flush=True)


def _key(name: str) -> str:
    return name.replace("-", "_")


def main() -> None:
    on_recorded_webs()
    on_the_sample_web(int(sys.argv[2]) if len(sys.argv) > 2 else None)


if __name__ == "__main__":
    main()
