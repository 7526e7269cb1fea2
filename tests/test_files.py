"""A file is there whole or not at all."""

import os
import threading
from pathlib import Path

import pytest

from honeyguide.files import cache_folder, whole_file


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_is_complete_takes_the_place_of_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with whole_file(path) as part:
        part.write_text("new")
        assert path.read_text() == "old"
    assert (path.read_text(), names(tmp_path)) == ("new", ["file"])


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_what_fails_leaves_what_was_there(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def fail() -> None:
        with whole_file(path) as part:
            part.write_text("half")
            raise error

    with pytest.raises(error):
        fail()
    assert (path.read_text(), names(tmp_path)) == ("old", ["file"])


def test_what_a_dead_process_left_is_not_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / f".file.{os.getpid()}.part").write_text("half")
    with whole_file(tmp_path / "file") as part:
        assert not part.exists()
        part.write_text("new")
    assert names(tmp_path) == ["file"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "elsewhere" / "file")
    with whole_file(link) as part:
        part.write_text("new")
    assert link.is_symlink()
    assert (tmp_path / "elsewhere" / "file").read_text() == "new"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    with whole_file(pipe) as part:
        part.write_text("new")
    reader.join()
    assert (read, pipe.is_fifo()) == (["new"], True)


def test_a_loop_of_links_is_an_error_of_the_disk(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError), whole_file(tmp_path / "a" / "file") as part:  # noqa: PT011
        part.write_text("new")


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    with whole_file(tmp_path / "file") as part:
        part.write_text("")
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_where_caches_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "desktop"))
    monkeypatch.delenv("HONEYGUIDE_CACHE", raising=False)
    assert cache_folder("kind") == tmp_path / "desktop" / "honeyguide" / "kind"
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "own"))
    assert cache_folder("kind") == tmp_path / "own" / "kind"
