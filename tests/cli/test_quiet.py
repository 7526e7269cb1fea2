"""With --quiet a crawl says nothing, unless somebody has to do something about it."""

import subprocess
from pathlib import Path

import pytest

from honeyguide.sample_web.web import SampleWeb
from tests.cli.conftest import Cli
from tests.cli.test_crawl import BEES

SAMPLE = ("--topic", "honey bees", "--set", "web.sample_pages=3000")


def test_a_full_disk_is_told(cli: Cli, small_disk: Path) -> None:
    seeds = (option for url in SampleWeb(pages=3000).seeds("bees") for option in ("--seed", url))
    result = cli("crawl", *SAMPLE, *seeds, "--folder", small_disk / "bees", "--pages", 2500, "-q")
    assert (result.exit_code, result.stdout) == (3, "")
    resume = f"`honeyguide resume {small_disk / 'bees'}`"
    assert result.stderr == (
        f"error: disk_full: no room is left on the disk; make some, then resume; next: {resume}\n"
    )


@pytest.mark.parametrize("kilobytes", [60, 140, 240])
def test_a_disk_that_is_full_at_once_is_told(kilobytes: int, cli: Cli, small_disk: Path) -> None:
    subprocess.run(["mount", "-o", f"remount,size={kilobytes}k", str(small_disk)], check=True)
    seed = ("--seed", SampleWeb(pages=3000).url(0))
    result = cli("crawl", *SAMPLE, *seed, "--folder", small_disk / "bees", "-q")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith("error: ")
    assert "`honeyguide resume" in result.stderr


def test_too_many_failures_are_told(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    result = cli(
        *("crawl", "--topic", "bees", "--seed", "http://none.example/", "--recording", corpus, "-q"),
        *("--folder", tmp_path / "bees", "--set", "limits.max_failures=1"),
    )
    assert (result.exit_code, result.stdout) == (4, "")
    assert result.stderr.startswith(
        "error: failure_limit: too many pages could not be had;"
        f" next: `honeyguide resume {tmp_path / 'bees'} --set limits.max_failures=2`\n"
    )


@pytest.mark.parametrize(
    "limits", [("--pages", 1), ("--pages", 0), ("--pages", 0, "--set", "limits.max_seconds=1")]
)
def test_a_crawl_that_is_done_says_nothing(
    limits: tuple[object, ...], cli: Cli, corpus: Path, tmp_path: Path
) -> None:
    result = cli("crawl", *BEES, "--recording", corpus, "--folder", tmp_path / "bees", *limits, "--quiet")
    assert (result.exit_code, result.output) == (0, "")
