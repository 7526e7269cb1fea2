import os
from collections import defaultdict
from pathlib import Path

import pytest

from honeyguide.errors import HoneyguideError
from honeyguide.lab.processes import _Shares, in_processes


def write_process(piece: str, folder: Path) -> None:
    if piece == "bad":
        raise HoneyguideError("it is bad")
    if piece == "worse":
        raise ValueError("it is worse")
    (folder / piece).write_text(str(os.getpid()))


@pytest.mark.parametrize("processes", [1, 2, 9])
def test_every_piece_is_done_once_and_what_goes_wrong_is_told(tmp_path: Path, processes: int) -> None:
    pieces = ["a1", "a2", "a3", "b1", "bad", "worse", "c1"]
    done = dict(in_processes(write_process, pieces, tmp_path, processes, lambda piece: piece[0]))
    assert done == dict.fromkeys(pieces, "") | {"bad": "it is bad", "worse": "ValueError: it is worse"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a1", "a2", "a3", "b1", "c1"]


def test_one_kind_is_for_one_process_until_all_are_begun() -> None:
    shares = _Shares(["a1", "a2", "a3", "b1", "c1", "c2", "c3", "c4"], lambda piece: piece[0], 2)
    given = defaultdict(list)
    for place in (0, 1, 1, 1, 0, 0, 0, 1, 0):
        if piece := shares.next_of(place):
            given[place].append(piece[0])
    # The second takes over c when b is done; the first helps it when a is done, from the end.
    assert given == {0: ["a1", "a2", "a3", "c4"], 1: ["b1", "c1", "c2", "c3"]}
    assert shares.next_of(1) is None
