"""Logs, alarms and metrics."""

import asyncio
import json
import re

import aiohttp
import pytest

from honeyguide.errors import SettingsError
from honeyguide.model import Failure, Visit
from honeyguide.telemetry.alarms import Alarms
from honeyguide.telemetry.crawl_log import CrawlLog, LogEntry
from honeyguide.telemetry.metrics import HELP, render, serve_metrics

VISIT = Visit(
    7,
    "http://a.example/x",
    1_000_000_000.5,
    200,
    0.25,
    0.5,
    2,
    1234,
    "t",
    "en",
    "text/html; x",
    "sha1:AB",
    seconds=0.25,
    via="http://a.example/",
)


def test_a_page_as_heritrix_writes_it():
    line = LogEntry.of_visit(VISIT).line()
    assert line == (
        "2001-09-09T01:46:40.500Z   200       1234 http://a.example/x LL http://a.example/ text/html #000 "
        "20010909014640250+250 sha1:AB - relevance:0.2500"
    )
    assert len(line.split()) == 12


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [("HttpStatusError", 404, 404), ("RobotsDenied", 0, -9998), ("Strange", 0, -5)],
)
def test_failures_have_heritrix_codes(error, status, code):
    failure = Failure(1, "http://a.example/", 0.0, error, "", 2, final=True, status=status)
    entry = LogEntry.of_failure(failure)
    assert re.split(r"\s+", entry.line())[1] == str(code)
    assert entry.line().endswith(f" {error}:try2")


def test_nothing_from_a_page_can_break_a_line(tmp_path):
    log = CrawlLog(tmp_path)
    visit = Visit(
        7, "http://a.example/", 0.0, 200, 0.5, 0.0, 0, 1, content_type="text/html\r\nfake \x1b[31m line"
    )
    log.add(iter([LogEntry.of_visit(visit)]))
    log.close()
    lines = (tmp_path / "crawl.log").read_bytes()
    assert lines.count(b"\n") == 1
    assert b"\x1b" not in lines
    assert json.loads((tmp_path / "crawl.jsonl").read_text())["url"] == "http://a.example/"


def test_alarms_ring_once_and_again_after_a_recovery():
    alarms = Alarms()
    rung = []
    harvests = [0.5] * 20 + [0.05] * 10 + [0.5] * 5 + [0.05] * 5
    for step, harvest in enumerate(harvests):
        rung += [(step, alarm) for alarm in alarms.note(100 * step, harvest, 10.0 * step)]
    assert [step for step, _ in rung] == [20, 35]
    assert "drifts off its topic" in rung[0][1]


def test_a_falling_acquisition_rate_rings():
    alarms, rung, seconds = Alarms(), [], 0.0
    for step in range(30):
        seconds += 1.0 if step < 15 else 20.0
        rung += alarms.note(100 * step, 0.5, seconds)
    assert len(rung) == 1
    assert "pages/s" in rung[0]


def test_metrics_are_served_on_loopback_only_and_well_formed():
    numbers = dict.fromkeys(HELP, 3.5)

    async def ask():
        runner = await serve_metrics(0, lambda: numbers)
        host, port = runner.addresses[0][:2]
        async with aiohttp.ClientSession() as session, session.get(f"http://{host}:{port}/metrics") as answer:
            text = await answer.text()
        with pytest.raises(SettingsError, match="cannot be used"):
            await serve_metrics(port, lambda: numbers)
        await runner.cleanup()
        return host, text

    host, text = asyncio.run(ask())
    assert host == "127.0.0.1"
    assert text == render(numbers)
    assert "honeyguide_pages_total 3.5\n" in text
    assert all(re.fullmatch(r"#.*|honeyguide_\w+ \S+", line) for line in text.splitlines())
