from collections.abc import Callable
from dataclasses import replace

import pytest

from honeyguide.cli import running
from honeyguide.crawl.crawler import Crawler, StopReason
from honeyguide.crawl.reporter import Progress
from tests.cli.test_progress import HALFWAY


def test_every_stop_reason_has_an_exit_code_and_a_meaning() -> None:
    reasons = {reason.value for reason in StopReason}
    assert set(running.EXIT_CODES) == set(running._MEANINGS) == reasons
    for reason, code in running.EXIT_CODES.items():
        line = next(line for line in running.EXIT_CODES_HELP.splitlines() if reason in line)
        assert line.split()[0] == str(code)


def test_the_result_in_one_line() -> None:
    line = running.summary_line(replace(HALFWAY, failures=1), new_pages=1_000)
    assert line == (
        "1,234 pages, 617 relevant (harvest rate 50.0 %), 1 failure, 34,567 urls waiting; 2.0 s, 500 pages/s"
    )
    assert ", 11 links not in the recording, 1 failure, " in running.summary_line(HALFWAY, 1, 11)
    assert ", 12 links not in the recording, 34,567 urls" in running.summary_line(HALFWAY, 1, 12)


def test_alarms_are_told_as_warnings_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(self: Crawler, on_progress: Callable[[Progress], None]) -> StopReason:
        on_progress(replace(HALFWAY, alarms=("the crawl drifts off its topic",)))
        on_progress(HALFWAY)
        return StopReason.PAGE_LIMIT

    from honeyguide.assembly import start_crawl
    from honeyguide.settings import CrawlOrder

    monkeypatch.setattr(Crawler, "run", run)
    del start_crawl, CrawlOrder
