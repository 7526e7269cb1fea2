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
from honeyguide.lab.results import Run
from honeyguide.lab.tasks.closed_web import Guide
from honeyguide.lab.tasks.tasks import Task, corpus_folder, find_tasks
from honeyguide.lab.trial import KEYWORDS, GuideChoice, make_guide, run_trial
from honeyguide.strategies import STRATEGIES
from honeyguide.strategies.base import Strategy
from honeyguide.strategies.hcla import Hcla
from honeyguide.strategies.soft_focus import SoftFocus

SHARED = Path(os.environ.get("HONEYGUIDE_SHARED", Path(__file__).parents[2] / "shared"))
WIKISPEEDIA_TASK, WEBKB_TASK = "wikispeedia/Science.Biology", "webkb/cornell/student"
RECORDED_PAGES = 700
JUDGED_PAGES = 500
SAMPLE_PAGES = 200_000
FEWER_PAGES = {
    **dict.fromkeys(("cc-bfs", "honeyguide", "link-context", "otie", "shark-search"), 100_000),
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
    guide = _guide(WIKISPEEDIA_TASK, corpora)
    for strategy in STRATEGIES:
        run = _run(guide, strategy())
        cost = _milliseconds(run)
        figure(f"rank_ms_{_key(strategy.name)}", cost, f"ms a page (wikispeedia, {len(run.step):,} pages)")
    guide = _guide(WEBKB_TASK, corpora)
    soft, hcla = (_milliseconds(_run(guide, strategy)) for strategy in (SoftFocus(), Hcla()))
    figure("rank_ms_hcla_webkb", hcla, "ms a page (webkb)")
    figure("rank_hcla_over_soft_focus", hcla / soft, "x (webkb)")
    judging = judge_milliseconds(guide[1])
    figure(
        "rank_hcla_over_judged_soft_focus",
        hcla / (soft + judging),
        f"x (webkb, with the {judging:.2g} ms that judging a page takes)",
    )


def _guide(name: str, corpora: Path) -> tuple[Task, Guide]:
    task = find_tasks([name], corpora)[0]
    return task, make_guide(task, corpus_folder(task, corpora), GuideChoice(KEYWORDS))


def _run(guide: tuple[Task, Guide], strategy: Strategy) -> Run:
    return run_trial(*guide, strategy, pages=RECORDED_PAGES, batch=50)


def _milliseconds(run: Run) -> float:
    return 1000 * float(run.rank_seconds[-1]) / len(run.step)


def judge_milliseconds(guide: Guide) -> float:
    """What soft focus rests on and hcla does without: the topic's relevance of a whole page."""
    texts = [guide.web.text(url) for url in islice(guide.web.urls, JUDGED_PAGES)]
    start = cpu_seconds()
    guide.topic.judge(texts)
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
