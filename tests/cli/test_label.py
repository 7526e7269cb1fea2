import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from honeyguide.cli.label import named_words, snippet
from honeyguide.cli.label_file import read_labels_file
from honeyguide.cli.main import app
from honeyguide.crawls import Crawl
from tests.cli.conftest import Cli
from tests.part_kept import SITE, crawl_part_kept


@pytest.fixture
def folder(crawled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(crawled, tmp_path / "crawl"))


def answering(keys: str, *arguments: object) -> Result:
    typed = "".join(f"{key}\n" for key in keys)
    return CliRunner().invoke(
        app, [str(argument) for argument in arguments], input=typed, catch_exceptions=False
    )


def verdicts(folder: Path) -> dict[str, bool | None]:
    return {url: row.relevant for url, row in Crawl.open(folder).labels().items()}


def test_it_asks_page_by_page_and_the_topic_learns(folder: Path) -> None:
    result = answering("yyyq", "label", folder, "--by", "Ada")
    assert result.exit_code == 0, result.stderr
    assert "=[red]Bees[/red]" in result.stdout, "hostile titles are shown, not obeyed"
    assert "\x1b" not in result.stdout
    assert "decided by" in result.stdout
    assert "3 labels given, 3 in all" in result.stderr
    assert "revision 1 of the topic learned from 3 pages on it and 0 off it" in result.stderr
    assert sorted(verdicts(folder).values()) == [True, True, True]
    assert {row.by for row in Crawl.open(folder).labels().values()} == {"Ada"}


def test_answers_can_be_undone_skipped_or_left_open(folder: Path) -> None:
    result = answering("yu?sxq", "label", folder, "--no-learn")
    assert result.stdout.count("[1/4]") == 2
    assert result.stderr.count("y = on the topic") == 2, "what is not understood is explained again"
    assert "revision" not in result.stderr
    ((url, row),) = Crawl.open(folder).labels().items()
    assert row.is_unsure, url


def test_undoing_a_skip_asks_again_about_the_page_that_was_skipped(folder: Path) -> None:
    result = answering("ynsuq", "label", folder, "--no-learn")
    shown = [line for line in result.stdout.splitlines() if line.startswith("http")]
    assert shown[2] == shown[4] != shown[3], "the skipped page is back, and the next one waits"
    assert verdicts(folder) == {shown[0]: True, shown[1]: False}
    result = answering("suuyq", "label", folder, "--no-learn")
    assert len(verdicts(folder)) == 3, "there is nothing before the first to undo"


def test_the_end_of_the_input_is_enough(folder: Path) -> None:
    assert answering("", "label", folder).exit_code == 0
    assert not verdicts(folder)


def test_labels_are_kept_when_somebody_stops_it(folder: Path) -> None:
    program = [sys.executable, "-m", "honeyguide", "label", folder]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(program, text=True, **pipes) as asking:  # type: ignore[call-overload]
        asking.stdin.write("y\nn\n")
        asking.stdin.flush()
        while "[3/" not in asking.stdout.readline():
            assert asking.poll() is None
        asking.send_signal(signal.SIGINT)
        _, told = asking.communicate(timeout=60)
    assert asking.returncode == 130
    assert f"2 labels given so far, and kept; `honeyguide revise {folder}` learns from them\n" in told
    assert told.endswith("error: stopped by Ctrl-C\n")
    assert len(verdicts(folder)) == 2


def test_labels_from_a_file_and_of_one_url(cli: Cli, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("url,label,note\nhttp://bees.example/hives,Yes,hives\n\nhttp://cars.example/,0\n")
    assert cli("label", folder, "--file", file, "--no-learn").exit_code == 0
    cli("label", folder, "--url", "HTTP://bees.example:80/", "--yes", "--no-learn")
    assert verdicts(folder) == {
        "http://bees.example/hives": True,
        "http://cars.example/": False,
        "http://bees.example/": True,
    }
    assert Crawl.open(folder).labels()["http://bees.example/hives"].note == "hives"


@pytest.mark.parametrize(
    "content",
    [
        "url;label\nhttp://bees.example/?a,b;yes\n",
        "label\turl\nyes\thttp://bees.example/?a,b\n",
        '"Note","Label","URL"\n"a, b","yes","http://bees.example/?a,b"\n',
        'url,label\n"http://bees.example/?a,b",yes\n"http://bees.example/?a,b",yes\n',
    ],
    ids=["semicolons", "tabs", "another order", "twice the same"],
)
def test_columns_of_a_file_may_be_named(cli: Cli, folder: Path, tmp_path: Path, content: str) -> None:
    (tmp_path / "labels.csv").write_text(content)
    result = cli("label", folder, "--file", tmp_path / "labels.csv", "--no-learn")
    assert result.exit_code == 0, result.stderr
    assert verdicts(folder) == {"http://bees.example/?a,b": True}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("http://a.example/,perhaps\n", "line 1: 'perhaps' is no label; write yes, no or unsure"),
        ("http://a.example/,1\nhttp://b.example/\n", "line 2: it should be url,label"),
        (
            "page,verdict\nhttp://a.example/,yes\n",
            "line 1: the columns are page, verdict; they should be named url and label, and perhaps note, by",
        ),
        ("url,label\n", "no label in it"),
        ("http://a.example/;yes\n", "with commas; where columns stand otherwise"),
        (
            'http://a.example/,yes,"two\nlines"\nhttp://b.example/,yes\nhttp://a.example/,no\n',
            "line 4 contradicts line 1 on http://a.example/; keep one of them",
        ),
        (
            "http://a.example,yes\nHTTP://A.example:80/#top,no\n",
            "line 2 contradicts line 1 on http://a.example/; keep one of them",
        ),
        (b"http://a.example/\xff,1\n", "cannot be read"),
        ("http://a.example/,yes\nexample,no\n", "labels.csv: line 2: 'example' is no url: write it in full"),
        (
            f"http://a.example/,yes\nhttp://a.example/{'x' * 5000},no\n",
            f"line 2: 'http://a.example/{'x' * 63}'... is no url: longer than 4,096 characters",
        ),
        (
            f"http://a.example/,yes,{'x' * 10_001}\n",
            "line 1: note: it has 10,001 characters; give at most 10,000",
        ),
        (
            'http://a.example/,yes\nhttp://b.example/,yes,"hives\nhttp://c.example/,yes\n',
            'line 2: the row that begins here cannot be read (unexpected end of data); close what a " opens',
        ),
        (
            "url,label,said_at\nhttp://b.example/,yes,14.03.2026 15:09\n",
            "line 2: said_at: '14.03.2026 15:09' is no time at which a label can have been given; write it as in",
        ),
        ("url,label,said_at\nhttp://b.example/,yes,2999-01-01\n", "line 2: said_at: '2999-01-01' is no time"),
        ("url,label,said_at\nhttp://b.example/,yes,0001-01-01\n", "line 2: said_at: '0001-01-01' is no time"),
        (
            f"url,label,asked\nhttp://b.example/,yes,{'x' * 201}\n",
            "line 2: asked: it has 201 characters; give at most 200",
        ),
        ('http://b.example/,yes,"a\nhttp://c.example/,yes,"b"\n', "line 1: the row that begins here cannot"),
    ],
    ids=[
        *("no label", "one cell", "other columns", "only a head", "semicolons", "contradiction"),
        *("another spelling", "no UTF-8"),
        *(
            "no url",
            "long url",
            "long note",
            "open quote",
            "no time",
            "time to come",
            "first year",
            "long queue",
            "quote that another one closes",
        ),
    ],
)
def test_a_bad_file_is_told_and_nothing_is_said(
    cli: Cli, folder: Path, tmp_path: Path, content: str | bytes, told: str
) -> None:
    file = tmp_path / "labels.csv"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    result = cli("label", folder, "--file", file)
    assert result.exit_code == 2
    assert told in result.stderr
    assert not verdicts(folder)


def test_a_page_counts_once_however_its_url_is_written(cli: Cli, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("https://bees.example,yes\nHTTP://bees.example:80/#top,yes,why\n")
    result = cli("label", folder, "--file", tmp_path / "labels.csv", "--no-learn")
    assert "1 label given, 1 in all" in result.stderr
    assert verdicts(folder) == {"http://bees.example/": True}, "as the crawl knows it"


def test_many_labels_are_said_at_once_with_a_sign_of_it(cli: Cli, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("".join(f"http://a.example/{number},yes\n" for number in range(250)))
    told: list[tuple[int, int]] = []
    labels = read_labels_file(file, str, on_progress=lambda *where: told.append(where))
    assert (len(labels), told) == (250, [(0, 250), (100, 250), (200, 250)])
    assert cli("label", folder, "--file", file).exit_code == 0
    posts = Crawl.open(folder).inbox()
    assert (len(posts), len({post.time for post in posts})) == (250, 1), "one transaction"


def test_wrong_options_are_told(cli: Cli, folder: Path) -> None:
    assert "there are best, teach, random" in cli("label", folder, "--queue", "x").stderr
    assert (
        "--url goes with one of --yes, --no, --unsure and --forget"
        in cli("label", folder, "--url", "http://bees.example/").stderr
    )
    for wrong in (("--url", "--yes", "--unsure"), ("--hub", "--unsure")):
        result = cli("label", folder, wrong[0], "http://bees.example/", *wrong[1:])
        assert (result.exit_code, "goes with one of" in result.stderr) == (2, True), wrong


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("x" * 201, "--by: it has 201 characters; give at most 200"),
        ("\udcff", "--by: it has half of a character in it"),
    ],
    ids=["long", "no UTF-8"],
)
def test_a_name_that_cannot_be_taken_is_told_before_anything_is_asked(
    folder: Path, name: str, told: str
) -> None:
    result = answering("yq", "label", folder, "--by", name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


def test_what_was_said_of_a_page_or_hub_is_taken_back(cli: Cli, folder: Path) -> None:
    url = "http://bees.example/"
    crawl = Crawl.open(folder)
    assert f"nobody has said anything of {url}" in cli("label", folder, "--url", url, "--forget").stderr
    cli("label", folder, "--url", url, "--unsure")
    assert crawl.labels()[url].is_unsure
    cli("label", folder, "--hub", url, "--no")
    told = cli("label", folder, "--url", url, "--forget").stderr
    assert "1 label taken back, 0 in all" in told
    assert "nothing was learned from that label, so there is nothing to learn anew" in told
    assert "said before" not in told
    assert not crawl.labels()
    assert crawl.hub_marks(), "a mark on a hub is another matter"
    cli("label", folder, "--hub", url, "--forget")
    assert not crawl.hub_marks()
    cli("label", folder, "--url", url, "--yes", "--no-learn")
    assert "no label is left to learn from" in cli("label", folder, "--url", url, "--forget").stderr


def test_revisions_are_listed_and_gone_back_to(cli: Cli, folder: Path) -> None:
    assert "no label to learn from" in cli("revise", folder).stderr
    answering("yyyq", "label", folder)
    first, second = cli("revise", folder, "--list").stdout.splitlines()
    assert first == "0  the topic it began with"
    assert re.fullmatch(r"1  learned 20\d\d-\S+ \S+ UTC, from 3 pages on it and 0 off it, in use", second)
    assert "revision 0 guides the crawl" in cli("revise", folder, "--use", 0).stderr
    assert Crawl.open(folder).revision == 0
    assert "there is no revision 5" in cli("revise", folder, "--use", 5).stderr


def test_revisions_are_listed_as_json_and_with_why_they_are_not_used(cli: Cli, folder: Path) -> None:
    cli("label", folder, "--url", "http://cars.example/", "--no")
    cli("label", folder, "--url", "http://bees.example/", "--yes")
    assert "off it, never used: no page is labelled as on the topic" in cli("revise", folder, "--list").stdout
    rows = json.loads(cli("revise", folder, "--list", "--json").stdout)
    told = [(row["number"], row["relevant"], row["irrelevant"], row["is_in_use"]) for row in rows]
    assert told == [(0, None, None, False), (1, 0, 1, False), (2, 1, 1, True)]
    assert rows[1]["used_at"] is None
    assert rows[1]["learned_at"] <= rows[2]["learned_at"] <= rows[2]["used_at"] <= time.time()


def test_what_teaches_nothing_makes_no_revision(cli: Cli, folder: Path) -> None:
    answering("yyyq", "label", folder)
    crawl = Crawl.open(folder)
    for said, told in (
        (("--url", "http://far.example/", "--yes"), "1 of 4 labels is of a page that was not fetched yet"),
        (("--url", next(iter(crawl.labels())), "--yes"), "nothing is learned from that: 1 of 4 labels"),
    ):
        result = cli("label", folder, *said)
        assert (result.exit_code, told in result.stderr) == (0, True), result.stderr
        assert "little is left" not in result.stderr
    result = cli("revise", folder)
    assert (result.exit_code, "nothing new to learn since revision 1" in result.stderr) == (2, True)
    cli("revise", folder, "--use", 0)
    assert f"`honeyguide revise {folder} --use 1` goes back to it" in cli("revise", folder).stderr
    assert crawl.revisions() == [0, 1]


def test_random_questions_tell_how_good_all_is(folder: Path) -> None:
    result = answering("yyyn", "label", folder, "--queue", "random", "--no-learn")
    assert (
        "of 4 random pages 75% are on the topic; of all that was fetched, 30% to 95% (95 %)" in result.stderr
    )
    estimate = Crawl.open(folder).estimate()
    assert estimate
    assert estimate.not_called
    told = f"of the {estimate.not_called} among them that the topic does not call relevant {estimate.overlooked} are"
    assert told in result.stderr


def test_snippets_begin_near_the_deciding_words() -> None:
    text = "menu " * 100 + "the queen bee lays eggs " + "and more " * 100
    assert "queen bee" in snippet(text, ["queen"])
    assert snippet(text, ["queen"]).startswith("...")
    assert snippet("short", ["nowhere"]) == "short..."
    assert snippet("", []) == "(no text)"


def test_only_words_of_the_page_decide_where_its_snippet_begins(folder: Path) -> None:
    answering("yyyq", "label", folder)
    parts = [part.label for part in Crawl.open(folder).topic.explain("menu, the hives of honey bees").parts]
    assert any(part.startswith("the first topic (") for part in parts)
    assert {"hive", "honey", "bee"} >= {*named_words(parts)} > set()
    others = ['"honey bee" x2 +0.50', "word bees x1 +0.20", "not meant: queen x1 -0.10", "(no word) -1.00"]
    assert named_words([*others, "word x3 +0.10"]) == ["honey", "bees", "word"]


def teach(folder: Path) -> dict[str, bool | None]:
    crawl = Crawl.open(folder)
    crawl.label("http://bees.example/", True, note='=a, "quoted"\nnote', by="Ada", asked="random")
    crawl.label("http://cars.example/", False, by="Bert")
    crawl.label("http://bees.example/queens", None, unsure=True)
    crawl.label("http://far.example/", True)
    return verdicts(folder)


@pytest.mark.parametrize("what", ["labels", "pages"])
@pytest.mark.parametrize("name", ["out.csv", "out.csv.gz", "out.jsonl", "out.jsonl.gz", "out.parquet"])
def test_what_was_exported_is_read_again(
    cli: Cli, folder: Path, crawled: Path, tmp_path: Path, what: str, name: str
) -> None:
    said = teach(folder)
    assert cli("export", folder, tmp_path / name, "--what", what).exit_code == 0
    new = Path(shutil.copytree(crawled, tmp_path / "new"))
    result = cli("label", new, "--file", tmp_path / name, "--no-learn")
    assert result.exit_code == 0, result.output
    fetched = {url: label for url, label in said.items() if url != "http://far.example/"}
    assert verdicts(new) == (said if what == "labels" else fetched)
    row = Crawl.open(new).labels()["http://bees.example/"]
    assert row.note.replace(chr(10), " ") == '=a, "quoted" note'
    assert row.by == "Ada"
    if what == "labels":
        before = Crawl.open(folder).labels()["http://bees.example/"]
        assert (row.asked, row.time) == ("random elsewhere", pytest.approx(before.time, abs=1e-3))
    assert Crawl.open(new).estimate() is None, "random there is not random here"


def test_labels_that_are_written_back_keep_when_and_why_they_were_said(
    cli: Cli, folder: Path, tmp_path: Path
) -> None:
    teach(folder)
    crawl = Crawl.open(folder)
    before = crawl.labels()
    cli("export", folder, tmp_path / "labels.csv", "--what", "labels")
    written = (tmp_path / "labels.csv").read_text()
    assert ",random," in written
    assert "4 labels given" in cli("label", folder, "--file", tmp_path / "labels.csv", "--no-learn").stderr
    crawl.run(pages=10)  # from the inbox to the table
    now = crawl.labels()
    assert {url: row.asked for url, row in now.items()} == {url: row.asked for url, row in before.items()}
    assert [row.time for row in now.values()] == pytest.approx(
        [row.time for row in before.values()], abs=1e-3
    )
    assert crawl.estimate(), "what was random here is so still"
    crawl.label("http://bees.example/", False)
    crawl.run(pages=10)
    assert all(post.receipt for post in crawl.inbox())
    cli("label", folder, "--file", tmp_path / "labels.csv", "--no-learn")
    assert verdicts(folder)["http://bees.example/"] is True, (
        "the last word counts, also on what was said before"
    )


@pytest.mark.parametrize(
    ("said_at", "seconds"),
    [
        ("2026-03-14T15:09:26.535Z", 1773500966.535),
        ("2026-03-14 16:09:26.535+01:00", 1773500966.535),
        ("2026-03-14", 1773446400.0),
        ("", None),
    ],
)
def test_times_of_labels_are_read(tmp_path: Path, said_at: str, seconds: float | None) -> None:
    (tmp_path / "labels.csv").write_text(f"url,label,said_at\nhttp://a.example/,yes,{said_at}\n")
    (label,) = read_labels_file(tmp_path / "labels.csv", str)
    assert label.said_at == seconds


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.jsonl", b'{"url": "http://a.example/", "label": "yes"}\n[1]\n', "line 2: it is no JSON object"),
        ("a.jsonl", b"[" * 100_000, "line 1: it is no JSON object"),
        ("a.jsonl", b'{"label": "yes"}\n', "line 1: it should be url,label"),
        (
            "a.jsonl",
            b'{"url": "http://a.example/", "label": "yes", "note": "\\ud800"}\n',
            "line 1: note: it has half of a character in it",
        ),
        ("a.parquet", b"PAR1 but no more", "cannot be read as parquet"),
        ("a.csv.gz", b"\x1f\x8b\x08 and no more", "cannot be read"),
    ],
)
def test_a_bad_table_is_told(
    cli: Cli, folder: Path, tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    (tmp_path / name).write_bytes(content)
    result = cli("label", folder, "--file", tmp_path / name)
    assert (result.exit_code, told in result.stderr) == (2, True), result.stderr
    assert not verdicts(folder)


def test_a_crawl_of_a_former_crawl_takes_over_its_labels(cli: Cli, folder: Path, tmp_path: Path) -> None:
    said = teach(folder)
    new = tmp_path / "new"
    begun = cli(
        *(
            "crawl",
            "--topic",
            "bees",
            "--seed",
            "http://bees.example/",
            "--recording",
            folder,
            "--folder",
            new,
        )
    )
    assert f"{folder} has 4 labels; `honeyguide label {new} --from {folder}` takes them over" in begun.stderr
    Crawl.open(new).label("http://cars.example/", None, unsure=True, by="me")
    result = cli("label", new, "--from", folder, "--no-learn")
    assert "3 labels given, 4 in all" in result.stderr
    assert "given for the topic 'honey bees', and are taken for 'bees'" in result.stderr
    assert verdicts(new) == {**said, "http://cars.example/": None}, "what was said here stays"
    labels = Crawl.open(new).labels()
    assert labels["http://cars.example/"].by == "me"
    assert labels["http://bees.example/"].by == "Ada"
    assert Crawl.open(new).estimate() is None, "random there is not random here"


def test_labels_of_pages_that_are_still_to_come_are_kept(cli: Cli, folder: Path) -> None:
    result = cli("label", folder, "--url", "http://far.example/", "--yes")
    assert result.exit_code == 0, result.output
    assert f"later on `honeyguide revise {folder}` learns" in result.stderr
    assert "this is a file" in cli("label", folder, "--from", folder / "order.toml").stderr
    assert "give one of" in cli("label", folder, "--from", folder, "--file", "a.csv").stderr


def test_labels_of_pages_that_are_not_kept_are_told(cli: Cli, tmp_path: Path) -> None:
    crawl = crawl_part_kept(tmp_path)
    result = answering("s" * 13, "label", crawl.folder, "--queue", "random", "--no-learn")
    assert result.stdout.count("(not kept, so that it counts for the share of good pages") == 6
    result = cli("label", crawl.folder, "--url", f"{SITE}1", "--yes")
    assert result.exit_code == 0, result.output
    assert "1 of 1 label is of a page that is not kept, so nothing is learned from it" in result.stderr
    assert crawl.revisions() == [0]
    told = cli("label", crawl.folder, "--url", f"{SITE}3", "--no", "--no-learn").stderr
    assert "2 of 2 labels are of pages that are not kept, so nothing is learned from them" in told
    result = cli("label", crawl.folder, "--url", f"{SITE}2", "--yes")
    assert "2 of 3 labels are of pages that are not kept, so nothing is learned from them" in result.stderr
    assert "learned from 1 page on it" in result.stderr
