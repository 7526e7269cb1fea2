"""The how-to on topics: every command in it runs, in its order."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

PAGE = Path(__file__).parents[3] / "docs" / "topics.md"
FILES = {"html": "bookmarks.html", "turtle": "bees.ttl"}


def blocks(language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )


def test_every_command_runs(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for language, name in FILES.items():
        (content,) = blocks(language)
        Path(name).write_text(content, encoding="utf-8")
    (code,) = blocks("python")
    exec(code, {})
    lines = [line for block in blocks("sh") for line in block.replace("\\\n", " ").splitlines()]
    assert len(lines) > 20
    for line in lines:
        program, *arguments = shlex.split(line)
        assert program == "honeyguide"
        result = cli(*arguments)
        assert result.exit_code == 0, f"{line}\n{result.output}"
    assert {line.split()[2] for line in lines if line.startswith("honeyguide topic")} == {
        *("new", "train", "test", "explain", "import", "tree", "suggest", "export", "footprint")
    }
