import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.cli import terminal
from honeyguide.cli.terminal import clean


@given(st.text())
def test_cleaned_text_is_one_printable_line_of_the_same_length(text: str) -> None:
    assert clean(text).isprintable()
    assert len(clean(text)) == len(text)


def test_readable_text_stays_as_it_is() -> None:
    assert clean("Bienen: Königin, 蜜蜂 🐝 [b]") == "Bienen: Königin, 蜜蜂 🐝 [b]"


def test_what_turns_the_reading_direction_is_replaced() -> None:
    assert clean("a\u202eb") == "a\ufffdb"


def script(folder: Path) -> Path:
    folder.mkdir()
    path = folder / "honeyguide"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_a_command_is_written_as_the_shell_would_find_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_path, elsewhere = script(tmp_path / "bin"), script(tmp_path / "venv")
    monkeypatch.setenv("PATH", str(on_path.parent))
    monkeypatch.setattr(sys, "argv", [str(on_path)])
    assert terminal.command("top", "my crawl") == "honeyguide top 'my crawl'"
    monkeypatch.setattr(sys, "argv", [str(elsewhere)])
    assert terminal.command("top", "bees") == f"{elsewhere} top bees"
    monkeypatch.setattr(sys, "argv", ["-c"])
    assert terminal.program() == "honeyguide"


def test_messages_name_commands_that_can_be_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    called = script(tmp_path / "venv")
    monkeypatch.setattr(sys, "argv", [str(called)])
    monkeypatch.setenv("PATH", "")
    terminal.error("no crawl; start one with `honeyguide crawl`")
    assert capsys.readouterr().err == f"error: no crawl; start one with `{called} crawl`\n"


def test_a_piped_table_has_no_blanks_around_it(capsys: pytest.CaptureFixture[str]) -> None:
    table = terminal.table("pages", "host", right=("pages",))
    table.add_row("1", "a.example")
    table.add_row("12", "b")
    terminal.print_table(table)
    lines = capsys.readouterr().out.splitlines()
    assert lines == [line.rstrip() for line in lines if line]
    assert lines[0] == "pages   host"
    assert lines[-1] == "   12   b"
