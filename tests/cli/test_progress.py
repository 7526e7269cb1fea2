import io
import sys

import pytest

from honeyguide.cli import progress
from honeyguide.telemetry.reporter import Progress

HALFWAY = Progress(
    pages=1_234,
    relevant=617,
    harvest_last_50=0.6,
    harvest_last_500=0.55,
    harvest_all=0.5,
    requests=1_300,
    failures=12,
    queued=34_567,
    known=40_000,
    under_way=3,
    seconds=2.0,
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_crawl_in_one_line() -> None:
    line = progress.crawl_line(HALFWAY, 5_000, speed=617)
    assert line == "1,234/5,000  617/s  harvest 60/55/50 %  queue 34,567  failed 12"
    assert progress.crawl_line(HALFWAY, 0, speed=617).startswith("1,234  617/s")


def test_the_bar_is_drawn_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress.crawl_bar(5_000, before=234, quiet=False) as show:
        show(HALFWAY)
    assert "1,234/5,000  500/s" in sys.stderr.getvalue()  # type: ignore[attr-defined]


def test_what_is_left_of_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress.long_bar("counting", quiet=False) as show:
        show("otie", 1_200, 4_205, 5_400.0)
    assert "otie: 1,200 of 4,205 runs, about 90 minutes left" in sys.stderr.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize(("stream", "quiet"), [(io.StringIO, False), (Terminal, True)])
def test_no_bar_where_nobody_looks(
    stream: type[io.StringIO], quiet: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", stream())
    with progress.bar("indexing", quiet) as show:
        show(1, 2)
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]
