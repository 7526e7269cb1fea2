from dataclasses import replace
from pathlib import Path

import pytest

from honeyguide.cli import running
from honeyguide.engine.running import StopReason
from honeyguide.sample_web.web import SampleWeb
from honeyguide.telemetry import alarms
from tests.cli.conftest import Cli
from tests.cli.test_progress import HALFWAY


def test_every_stop_reason_has_an_exit_code_and_a_meaning() -> None:
    reasons = {reason.value for reason in StopReason}
    assert set(running.EXIT_CODES) == set(running.MEANINGS) == reasons
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


def test_an_alarm_is_told_as_a_warning_once(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alarms, "WINDOW_PAGES", 20)
    monkeypatch.setattr(alarms, "FALLEN_TO", 5.0)  # whatever the harvest is, it is too little
    web = SampleWeb(pages=400)
    result = cli(
        *("crawl", "--topic", web.description("bees"), "--seed", web.seeds("bees")[0], "--quiet"),
        *("--pages", 100, "--folder", tmp_path / "bees"),
        *("--set", "web.sample_pages=400", "--set", "crawl.batch=10"),
    )
    drifts = [line for line in result.stderr.splitlines() if "drifts off its topic" in line]
    assert len(drifts) == 1
    assert drifts[0].startswith("warning: harvest rate")


def test_a_crawl_that_nobody_answers_says_so_before_its_end(cli: Cli, tmp_path: Path) -> None:
    result = cli(
        *(
            "crawl",
            "--topic",
            "bees",
            "--seed",
            "http://127.0.0.1:9/",
            "--folder",
            tmp_path / "bees",
            "--quiet",
        ),
        *("--set", "fetch.allow_networks=['127.0.0.0/8']", "--set", "limits.max_seconds=2"),
    )
    told = [line for line in result.stderr.splitlines() if "nobody has answered yet" in line]
    assert len(told) == 1
    assert result.stderr.index(told[0]) < result.stderr.index("no page was fetched")
