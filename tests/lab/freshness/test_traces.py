"""Traces of changes: made of a repository and of changelogs, written and read; hostile ones are refused."""

from __future__ import annotations

import gzip
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from honeyguide.errors import SettingsError
from honeyguide.lab.freshness.made_up import PROCESSES, made_up
from honeyguide.lab.freshness.traces import Trace, Window, shipped, trace_of

DAY = 86_400
START = 1_600_000_000


def commit(folder: Path, day: int, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f"{name} {day}")
    date = f"{START + day * DAY} +0000"
    who = {
        f"GIT_{who}_{what}": "x@a.example" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    env = os.environ | who | {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    for command in (["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run(["git", "-C", folder, *command], env=env, check=True)


def test_commits_to_pages_are_changes(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    commit(tmp_path, 0, "docs/a.md", "docs/b.md", "code.py")
    commit(tmp_path, 10, "docs/a.md", "code.py")
    commit(tmp_path, 40, "docs/a.md", "other/ä c.md")
    made = trace_of(tmp_path, "mine", Window())
    assert (len(made), made.days) == (3, 40.0)
    assert sorted(own.tolist() for own in made.changes) == [[], [], [10.0, 40.0]]
    assert sorted(made.born.tolist()) == [0.0, 0.0, 40.0]
    assert len(set(made.sites.tolist())) == 2
    assert len(trace_of(tmp_path, "mine", Window(), "docs")) == 2
    lately = trace_of(tmp_path, "mine", Window(years=20 / 365))
    assert sorted(own.tolist() for own in lately.changes) == [[], [], [20.0]]


def test_releases_are_changes(tmp_path: Path) -> None:
    for name, days in (
        ("liba", ("Mon, 02 Jan 2023", "Sun, 01 Jan 2023", "nonsense 99 99")),
        ("copy", ()),
        ("b", ()),
    ):
        text = "".join(f"x\n -- A B <a@b.example>  {day} 10:00:00 +0000\n" for day in days) or "nothing"
        (tmp_path / name).mkdir()
        (tmp_path / name / "changelog.Debian.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "b" / "changelog.gz").write_bytes(b"no gzip")
    made = trace_of(tmp_path, "packages", Window())
    assert [own.tolist() for own in made.changes] == [[1.0]]


def test_a_trace_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = made_up("bursts")
    made.write(tmp_path / "t.json")
    read = Trace.read(tmp_path / "t.json")
    assert (read.name, len(read), read.days) == (made.name, len(made), made.days)
    assert np.allclose(np.concatenate(read.changes), np.concatenate(made.changes), atol=0.001)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"changes": [[1]], "sites": [], "born": []}', "\x00"])
def test_what_is_no_trace_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.json").write_text(text)
    with pytest.raises(SettingsError, match="no change trace"):
        Trace.read(tmp_path / "t.json")


def test_a_folder_without_history_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no page with a history"):
        trace_of(tmp_path, "none", Window())


def test_shipped_traces_hold_times_alone_and_made_up_ones_say_so() -> None:
    assert {trace.name for trace in shipped()} == {"debian-packages", "honeyguide-docs"}
    assert all(made_up(name).about.startswith("made up: ") for name in PROCESSES)
    for trace in (*shipped(), made_up("weekly")):
        assert all((np.diff(own) >= 0).all() for own in trace.changes)
