import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from honeyguide.sample_web.web import SampleWeb
from honeyguide.store import open_reader
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.topic_file import write_topic
from tests.cli.conftest import Cli
from tests.fetch.warc_records import http, record

BEES = ("--topic", "honey bees", "--seed", "http://bees.example/")


def pages_in(folder: Path) -> int:
    reader = open_reader(folder)
    try:
        return reader.numbers(0.5).pages
    finally:
        reader.close()


def test_a_crawl_needs_no_file(
    cli: Cli, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = cli("crawl", *BEES, "--recording", corpus)
    assert result.exit_code == 0
    assert result.stdout.startswith("frontier_empty: no link is left to follow\n4 pages, ")
    assert "2 relevant" in result.stdout
    assert "next: honeyguide top crawls/honey-bees" in result.stdout
    assert pages_in(tmp_path / "crawls" / "honey-bees") == 4


def test_options_change_the_order_of_a_file(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "bees.toml").write_text(
        '[topic]\ntext = "honey bees"\n[seeds]\nfile = "seeds.txt"\n[limits]\nmax_pages = 3\n'
    )
    (tmp_path / "seeds.txt").write_text("http://bees.example/\n")
    result = cli(
        *("crawl", tmp_path / "bees.toml", "--recording", corpus, "--folder", tmp_path / "bees"),
        *("--pages", 2, "--strategy", "breadth-first", "--set", "crawl.batch=1"),
    )
    assert result.exit_code == 0
    assert result.stdout.startswith("page_limit: ")
    assert pages_in(tmp_path / "bees") == 2
    order = (tmp_path / "bees" / "order.toml").read_text()
    assert 'name = "breadth-first"' in order
    assert "batch = 1\n" in order


def test_quiet_prints_nothing(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    result = cli("crawl", *BEES, "--recording", corpus, "--folder", tmp_path / "bees", "--quiet")
    assert (result.exit_code, result.output) == (0, "")


def test_every_bad_seed_is_named_with_its_line(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("# bees\nno url\nhttp://bees.example/\nmailto:bee@bees.example\n")
    result = cli(
        *("crawl", "--topic", "bees", "--seeds", seeds, "--seed", "ftp://a.example/"),
        *("--recording", corpus, "--folder", tmp_path / "bees"),
    )
    assert result.exit_code == 0
    *warnings, language = result.stderr.splitlines()
    assert "taken for the language 'en'" in language
    assert [line[: line.index(": ", 9)] for line in warnings] == [
        "warning: seed 1",
        f"warning: {seeds}:2",
        f"warning: {seeds}:4",
    ]


def test_no_usable_seed_is_an_error_and_leaves_nothing_behind(cli: Cli, tmp_path: Path) -> None:
    result = cli("crawl", "--topic", "bees", "--seed", "no url", "--folder", tmp_path / "bees")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[0].startswith("warning: seed 1: ")
    assert result.stderr.splitlines()[1].startswith("error: no usable seed")
    assert not (tmp_path / "bees").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), "error: crawl order: no topic: give --topic WORDS"),
        ((*BEES, "--pages", "-1"), "error: command line: limits.max_pages: should be greater"),
        ((*BEES, "--set", "limits.max_pagse=1"), "error: command line: limits.max_pagse: unknown setting"),
        ((*BEES, "--set", "oops"), "error: --set oops: write KEY=VALUE"),
        (
            (*BEES, "--recording", "nowhere", "--strategy", "x"),
            "error: no strategy is called 'x'; there are ",
        ),
        ((*BEES, "--recording", "nowhere"), "error: "),
        (("nowhere.toml",), "error: nowhere.toml: cannot be read: No such file or directory\n"),
        ((*BEES, "--pages", "7", "--set", "limits.max_pages=5"), "error: --pages and --set limits.max_pages"),
        ((*BEES, "--topic", "cars"), "error: --topic: given twice"),
    ],
)
def test_wrong_orders_are_told_with_exit_code_2(
    arguments: tuple[str, ...], expected: str, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = cli("crawl", *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(expected)
    assert all(line.startswith("error: ") for line in result.stderr.splitlines())


def test_of_many_bad_seeds_ten_are_named(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("http://bees.example/\n" + "no\n" * 300)
    arguments = ("crawl", "--topic", "bees", "--seeds", seeds, "--recording", corpus, "--folder")
    *warnings, _ = cli(*arguments, tmp_path / "bees").stderr.splitlines()
    assert len(warnings) == 11
    assert warnings[-1] == f"warning: {seeds}: and 290 more that are no urls"
    again = cli(*arguments, tmp_path / "bees").stderr.splitlines()
    assert len(again) == 1, "what keeps the crawl from starting is told alone"
    assert "already holds a crawl" in again[0]


def test_a_binary_file_is_no_list_of_seeds(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.gz"
    seeds.write_bytes(b"\x1f\x8b\x08\x00" + b"\x01\n" * 300)
    result = cli("crawl", "--topic", "bees", "--seeds", seeds, "--recording", corpus)
    assert (result.exit_code, result.stderr) == (
        2,
        f"error: {seeds}: this is no list of urls but a binary file\n",
    )


def test_an_empty_option_counts_as_not_given(
    cli: Cli, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("crawl", *BEES, "--recording", corpus, "--folder", "").exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["crawls"]


def test_options_of_a_live_crawl_are_settings(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    options = ("--contact", "https://example.org/us", "--metrics-port", 0)
    result = cli("crawl", *BEES, "--recording", corpus, "--folder", tmp_path / "bees", *options)
    assert result.exit_code == 0
    order = (tmp_path / "bees" / "order.toml").read_text()
    assert 'contact = "https://example.org/us"' in order
    assert "metrics_port = 0" in order


def test_missing_links_of_a_recording_are_no_failures(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    result = cli("crawl", *BEES, "--recording", corpus, "--folder", tmp_path / "bees")
    assert "2 links not in the recording, 0 urls waiting" in result.stdout
    assert "failure" not in result.stdout


def test_seeds_refused_by_scope_are_explained(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    result = cli(
        *("crawl", *BEES, "--recording", corpus, "--folder", tmp_path / "bees"),
        *("--set", "scope.deny_hosts=['bees.example']"),
    )
    assert "no page was fetched: the rules of [scope] refused every seed (1 host denied)" in result.stderr
    assert "next:" not in result.stdout


def test_damaged_places_of_a_recording_are_named(cli: Cli, tmp_path: Path) -> None:
    recording = tmp_path / "web.warc.gz"
    pages = [
        gzip.compress(
            record(
                http(b"<p>Bees make honey, and honey bees make wax"),
                WARC_Target_URI=f"http://bees.example/{name}",
            )
        )
        for name in ("", "hives", *range(12))
    ]
    broken = [page[:-8] for page in pages[1:]]
    recording.write_bytes(b"".join([pages[0], *broken]))
    result = cli("crawl", *BEES, "--recording", recording, "--folder", tmp_path / "bees", "--quiet")
    assert (result.exit_code, result.stdout, pages_in(tmp_path / "bees")) == (0, "", 1)
    warnings = result.stderr.splitlines()
    assert len(warnings) == 11
    assert warnings[0] == (
        f"warning: {recording}: damaged at byte {len(pages[0])}; what stands there is left out, the rest is used"
    )
    assert warnings[-1] == f"warning: {recording}: and 3 more damaged places"
    assert cli("resume", tmp_path / "bees", "-q").stderr.splitlines() == warnings


def test_a_topic_in_the_wrong_language_is_hinted_at(cli: Cli, tmp_path: Path) -> None:
    web = SampleWeb(pages=400)
    result = cli(
        *("crawl", "--topic", "Bienenzucht", "--seed", web.url(0), "--pages", 60, "--quiet"),
        *("--folder", tmp_path / "bees", "--set", "web.sample_pages=400"),
    )
    assert result.exit_code == 0
    assert "none of the 60 pages is relevant: perhaps the words of the topic" in result.stderr


def test_a_crawl_is_never_overwritten(cli: Cli, corpus: Path, crawled: Path) -> None:
    result = cli("crawl", *BEES, "--recording", corpus, "--folder", crawled)
    assert result.exit_code == 2
    assert f"go on with it by `honeyguide resume {crawled}`" in result.stderr


def test_too_many_failures_end_with_exit_code_4(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    result = cli(
        *("crawl", "--topic", "bees", "--seed", "http://none.example/", "--recording", corpus),
        *("--folder", tmp_path / "bees", "--set", "limits.max_failures=1"),
    )
    assert result.exit_code == 4
    assert result.stdout.startswith("failure_limit: ")
    assert f"next: honeyguide resume {tmp_path / 'bees'} --set limits.max_failures=2\n" in result.stdout
    assert "warning: no page was fetched: not in this recording; are the seeds urls" in result.stderr


def test_resume_goes_on_where_the_crawl_stopped(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bees"
    cli("crawl", *BEES, "--recording", corpus, "--folder", folder, "--pages", 1)
    full = cli("resume", folder)
    assert full.exit_code == 0
    assert f"next: honeyguide top {folder}\n      honeyguide resume {folder} --pages 2\n" in full.stdout
    assert "the crawl has 1 page already, and its limit is 1\n" in full.stderr
    more = cli("resume", folder, "--pages", 2, "--set", "crawl.batch=1")
    assert more.stdout.startswith("page_limit: ")
    assert cli("resume", folder, "--pages", 0).stdout.startswith("frontier_empty: ")
    assert pages_in(folder) == 4


def start(folder: Path, seeds: int, *settings: str) -> subprocess.Popen[str]:
    """Run an endless crawl and wait until it is at work."""
    web = SampleWeb(pages=200_000)
    listed = folder.with_suffix(".txt")
    listed.write_text("\n".join(web.url(number) for number in range(seeds)))
    crawl = subprocess.Popen(
        [
            *(sys.executable, "-c", "from honeyguide.cli.main import app; app()", "crawl"),
            *("--topic", "honey", "--seeds", str(listed), "--pages", "0", "--folder", str(folder)),
            *(option for each in ("web.sample_pages=200000", *settings) for option in ("--set", each)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 300
    while not is_at_work(folder):
        assert crawl.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return crawl


def work(process: subprocess.Popen[str], seconds: float) -> None:
    """Wait until a process has worked for so long, however long others keep it waiting."""

    def worked() -> float:
        times = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")

    if not Path("/proc/self/stat").exists():
        time.sleep(seconds)
        return
    before = worked()
    while process.poll() is None and worked() < before + seconds:
        time.sleep(0.02)


def is_at_work(folder: Path) -> bool:
    if not (folder / "harvest.log").exists():
        return False
    reader = open_reader(folder)
    try:
        return reader.numbers(0.5).urls > 0
    finally:
        reader.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_gracefully_and_the_crawl_can_go_on(
    number: signal.Signals, cli: Cli, tmp_path: Path
) -> None:
    crawl = start(tmp_path / "crawl", 5)
    running = json.loads(cli("status", tmp_path / "crawl", "--json").stdout)
    assert running["process"] == crawl.pid
    crawl.send_signal(number)
    stdout, stderr = crawl.communicate(timeout=300)
    assert crawl.returncode == 130
    assert stdout.startswith("stopped_by_user: ")
    assert f"next: honeyguide resume {tmp_path / 'crawl'}\n" in stdout
    assert "Traceback" not in stderr
    pages = pages_in(tmp_path / "crawl")
    assert pages > 0
    assert cli("resume", tmp_path / "crawl", "--pages", pages + 5).exit_code == 0
    assert pages_in(tmp_path / "crawl") == pages + 5


def test_the_second_ctrl_c_stops_at_once(tmp_path: Path) -> None:
    # So many pages under way that a graceful stop would take far longer than a test.
    crawl = start(tmp_path / "crawl", 20_000, "crawl.batch=20000")
    assert crawl.stderr is not None
    work(crawl, 0.5)  # the seeds are stored; now their pages are under way
    crawl.send_signal(signal.SIGINT)
    while "stopping" not in crawl.stderr.readline():
        pass
    crawl.send_signal(signal.SIGINT)
    stdout, stderr = crawl.communicate(timeout=300)
    assert (crawl.returncode, stdout) == (130, "")
    assert "Traceback" not in stderr
    assert f"stopped at once; `honeyguide resume {tmp_path / 'crawl'}` goes on" in stderr
    assert pages_in(tmp_path / "crawl") == 0


def test_a_topic_file_is_kept_with_the_crawl(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    topic = tmp_path / "bees.topic"
    write_topic(topic, KeywordTopic("honey bees"))
    (tmp_path / "bees.toml").write_text('[topic]\nfile = "bees.topic"\n')
    seed = ("--seed", "http://bees.example/", "--recording", corpus, "--folder", tmp_path / "crawl")
    result = cli("crawl", tmp_path / "bees.toml", *seed, "--pages", 2)
    assert (result.exit_code, pages_in(tmp_path / "crawl")) == (0, 2)
    topic.unlink()
    result = cli("resume", tmp_path / "crawl", "--pages", 4)
    assert (result.exit_code, pages_in(tmp_path / "crawl")) == (0, 4)
    assert "2 relevant" in result.stdout
    assert "keywords: 0." in cli("explain", tmp_path / "crawl", "http://bees.example/").stdout


def test_two_topics_are_one_too_many(cli: Cli, tmp_path: Path) -> None:
    result = cli("crawl", *BEES, "--topic-file", tmp_path / "bees.topic")
    assert result.exit_code == 2
    assert "give one of them" in result.stderr


def test_the_language_of_a_phrase_is_told_and_kept(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    options = ("--seed", "http://bees.example/", "--recording", corpus)
    result = cli("crawl", "--topic", "Bienen und Honig", *options, "--folder", tmp_path / "a")
    assert "taken for the language 'de'; --language sets another" in result.stderr
    assert 'language = "de"' in (tmp_path / "a" / "order.toml").read_text()
    result = cli(
        "crawl", "--topic", "Bienen und Honig", *options, "--folder", tmp_path / "b", "--language", "nl"
    )
    assert "taken for" not in result.stderr
    assert 'language = "nl"' in (tmp_path / "b" / "order.toml").read_text()


def test_that_words_are_taken_for_english_is_told_too(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    web = ("--recording", corpus, "--folder")
    result = cli("crawl", *BEES, *web, tmp_path / "a")
    assert "taken for the language 'en'; --language sets another" in result.stderr
    assert "language =" not in (tmp_path / "a" / "order.toml").read_text()
    assert "taken for" not in cli("crawl", *BEES, *web, tmp_path / "b", "--language", "en").stderr
    write_topic(tmp_path / "bees.topic", KeywordTopic("honey bees"))
    topic = ("--topic-file", tmp_path / "bees.topic", "--seed", "http://bees.example/")
    assert "taken for" not in cli("crawl", *topic, *web, tmp_path / "c").stderr


def test_words_are_told_where_not_all_are_looked_for(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    web = ("--seed", "http://bees.example/", "--recording", corpus, "--folder")
    result = cli("crawl", "--topic", "us honey bees", *web, tmp_path / "a")
    assert (
        'it looks for honey, bees; "us" says too little by itself: put a phrase in quotes to have all of it'
    ) in result.stderr
    assert "looks for" not in cli("crawl", "--topic", "the honey of bees", *web, tmp_path / "b").stderr


@pytest.mark.parametrize(("given", "kept"), [("DE", "de"), ("pt-BR", "pt"), ("he", "he")])
def test_a_language_is_kept_as_two_letters(
    given: str, kept: str, cli: Cli, corpus: Path, tmp_path: Path
) -> None:
    result = cli("crawl", *BEES, "--recording", corpus, "--folder", tmp_path / "a", "--language", given)
    assert result.exit_code == 0
    assert f'language = "{kept}"' in (tmp_path / "a" / "order.toml").read_text()


def test_a_topic_file_has_its_settings_in_it(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    write_topic(tmp_path / "bees.topic", KeywordTopic("honey bees"))
    result = cli(
        *("crawl", "--topic-file", tmp_path / "bees.topic", "--seed", "http://bees.example/"),
        *("--recording", corpus, "--folder", tmp_path / "crawl", "--set", "topic.relevnt_above=0.2"),
    )
    assert result.exit_code == 2
    assert "relevnt_above: unknown setting; did you mean relevant_above?" in result.stderr
