import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from honeyguide import __version__
from honeyguide.cli import main
from tests.cli.conftest import Cli

REPOSITORY = Path(__file__).parents[2]
VERBS = [
    *(
        "demo",
        "crawl",
        "resume",
        "worker",
        "pause",
        "stop",
        "status",
        "top",
        "changes",
        "hubs",
        "sites",
        "search",
        "index",
        "explain",
        "queue",
        "steer",
        "label",
        "move",
        "revise",
        "export",
        "sql",
        "serve",
    ),
    *("settings", "strategies", "topics"),
]


def test_version(cli: Cli) -> None:
    assert cli("--version").output == f"honeyguide {__version__}\n"


def test_help_lists_every_verb(cli: Cli) -> None:
    output = cli("--help").output
    for verb in VERBS:
        assert f"\n  {verb} " in output


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_description_and_examples(verb: str, cli: Cli) -> None:
    result = cli(verb, "--help")
    assert result.exit_code == 0
    assert "\n  Examples:\n    honeyguide " in result.output
    assert len(result.output.splitlines()[2]) > 20
    assert max(map(len, result.output.splitlines())) < 90


def test_help_for_crawl_tells_the_exit_codes(cli: Cli) -> None:
    output = cli("crawl", "--help").output
    for code in (0, 2, 3, 4, 5, 6, 130, 141):
        assert f"\n    {code}  " in output


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys, honeyguide.cli.main; "
        "print(*{'numpy', 'scipy', 'pydantic', 'selectolax', 'rich', 'sqlite3', 'asyncio'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("status", "nowhere"),
        ("top", "nowhere"),
        ("explain", "nowhere", "http://a.example/"),
        ("export", "nowhere", "-"),
        ("resume", "nowhere"),
        ("pause", "nowhere"),
        ("stop", "nowhere"),
    ],
)
def test_a_folder_without_a_crawl_is_told_in_one_line(
    arguments: tuple[str, ...], cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = cli(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: nowhere holds no crawl")
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "nowhere").exists()


def test_a_damaged_database_is_told_in_one_line(cli: Cli, crawled: Path, tmp_path: Path) -> None:
    (tmp_path / "order.toml").write_bytes((crawled / "order.toml").read_bytes())
    for content in (b"no database at all " * 100, b""):
        (tmp_path / "crawl.db").write_bytes(content)
        result = cli("status", tmp_path)
        assert result.exit_code == 2
        assert result.stderr.startswith("error: ")
        assert len(result.stderr.splitlines()) == 1


def test_a_file_system_error_is_told_in_one_line(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    result = cli(
        *("crawl", "--topic", "bees", "--seed", "http://a.example/", "--folder", tmp_path / "file" / "crawl"),
        *("--set", "web.sample_pages=100"),
    )
    assert result.exit_code == 2
    place = tmp_path / "file" / "crawl" / "order.toml"
    assert result.stderr == f"error: {place}: Not a directory; choose another folder with --folder\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("crawl", "--pages", "x"), "--pages: should be a whole number; see `honeyguide crawl --help`"),
        (("demo", "--pages", "3"), "--pages: should be at least 20; see `honeyguide demo --help`"),
        (("status",), "FOLDER is missing; see `honeyguide status --help`"),
        (("status", "a", "b"), "b: more arguments than expected; see `honeyguide status --help`"),
        (("stats",), "there is no verb 'stats'; did you mean 'status'"),
        (("crawl", "--nosuch"), "there is no option --nosuch; see `honeyguide crawl --help`"),
        (("top", "a", "--pages", "1", "--pages", "2"), "--pages: given twice; give it once; see"),
    ],
)
def test_wrong_usage_is_told_in_one_plain_line(arguments: tuple[str, ...], expected: str, cli: Cli) -> None:
    result = cli(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {expected}")
    assert len(result.stderr.splitlines()) == 1


def test_without_a_verb_the_help_is_shown(cli: Cli) -> None:
    assert "\nUsage: honeyguide" in "\n" + cli().stderr


def test_an_error_cannot_send_orders_to_the_terminal(cli: Cli) -> None:
    result = cli("status", "no\x1b[31mwhere")
    assert result.exit_code == 2
    assert "\x1b" not in result.stderr


def test_the_reference_page_is_up_to_date() -> None:
    script = REPOSITORY / "scripts" / "write_cli_page.py"
    page = runpy.run_path(str(script))["page"]()
    written = (REPOSITORY / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    assert written == page, f"docs/reference/cli.md is stale; run: python {script.relative_to(REPOSITORY)}"


def test_every_verb_is_registered() -> None:
    assert [
        command.callback.__name__ for command in main.app.registered_commands if command.callback
    ] == VERBS
