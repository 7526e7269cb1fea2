"""What a terminal is shown of texts that hide something or turn the reading direction."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

HIDING = "".join(
    map(
        chr,
        (
            *range(0x202A, 0x202F),
            *range(0x2066, 0x206A),
            *range(0x200B, 0x2010),
            *(0xFEFF, 0x061C, 0x00AD, 0xE0001, 0xE0041, 0xE007F),
        ),
    )
)
VERBS = (
    ("status",),
    ("top",),
    ("top", "--json"),
    ("hubs", "--all-links"),
    ("explain", "http://bees.example/b"),
    *(("export", "-", "--what", what) for what in ("pages", "links", "hosts", "failures")),
    *(("export", "-", "--what", what, "--format", "csv") for what in ("pages", "links")),
    ("export", "/dev/stdout", "--format", "csv"),
    ("resume",),
)
END = "that was all of it"
PROGRAM = f"""
import json, sys
from honeyguide.cli.main import app
for arguments in json.loads(sys.argv[1]):
    try:
        app(arguments)
    except SystemExit as ended:
        assert not ended.code, arguments
    print({END!r}, flush=True)
"""
TITLE = f"honey{HIDING}bees"
HOME = "http://bees.example/"


@pytest.fixture(scope="module")
def crawled(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of pages whose titles and anchors are full of such characters."""
    corpus, folder = tmp_path_factory.mktemp("corpus"), tmp_path_factory.mktemp("crawls") / "bees"
    html = (
        f'<title>{TITLE}</title><p>honey bees <a href="/{HIDING}">bees{HIDING}</a><a href="/b">b{HIDING}</a>'
    )
    lines = [json.dumps({"url": url, "html": html}) for url in (HOME, f"{HOME}b")]
    (corpus / "pages.jsonl").write_text("\n".join(lines))
    result = cli("crawl", "--topic", "bees", "--seed", HOME, "--recording", corpus, "--folder", folder)
    assert result.exit_code == 0
    return folder


@pytest.fixture(scope="module")
def shown(crawled: Path) -> dict[tuple[str, ...], str]:
    """All that a terminal gets as output of each verb; they are run in one process."""
    ours, theirs = pty.openpty()
    verbs = [[verb, str(crawled), *others] for verb, *others in VERBS]
    command = [sys.executable, "-c", PROGRAM, json.dumps(verbs)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        got = b""
        try:
            while block := os.read(ours, 1 << 16):
                got += block
        except OSError:  # how a terminal says that nobody writes to it any more
            pass
        finally:
            os.close(ours)
    assert process.returncode == 0, got.decode()
    return dict(zip(VERBS, got.decode().split(END), strict=False))


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_terminal_gets_nothing_that_hides(verb: tuple[str, ...], shown: dict[tuple[str, ...], str]) -> None:
    output = shown[verb]
    assert output.strip()
    assert [character for character in HIDING if character in output] == []


def test_json_on_a_terminal_means_the_same(shown: dict[tuple[str, ...], str]) -> None:
    pages = shown["export", "-", "--what", "pages"]
    lines = [line[line.index("{") :] for line in pages.splitlines() if "{" in line]
    assert [json.JSONDecoder().raw_decode(line)[0]["title"] for line in lines] == [TITLE] * 2


def test_a_program_gets_texts_as_they_are(cli: Cli, crawled: Path, tmp_path: Path) -> None:
    for name in ("pages.csv", "pages.jsonl"):
        assert cli("export", crawled, tmp_path / name).exit_code == 0
        assert TITLE in (tmp_path / name).read_text(encoding="utf-8")
    assert TITLE in cli("export", crawled, "-").stdout
