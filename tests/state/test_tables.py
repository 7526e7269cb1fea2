import numpy as np
import pytest

from honeyguide.state.state import State
from honeyguide.state.tables import Table


def keys(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.uint64)


def test_rows_are_numbered_as_their_keys_come_and_found_again():
    table = Table()
    table.declare("good", 0.5)
    first = table.rows(keys(7, 2**64 - 1, 7))
    assert first.tolist() == [0, 1, 0]
    assert table.rows(keys(0, 2**64 - 1)).tolist() == [2, 1]
    assert table.find(keys(0, 7, 5)).tolist() == [2, 0, -1]
    assert table.value("good").tolist() == [0.5] * 3


def test_what_is_read_cannot_be_written_past_the_store():
    table = Table()
    table.declare("good", 0.0)
    rows = table.rows(keys(1, 2))
    with pytest.raises(ValueError, match="read-only"):
        table.value("good")[rows] = 1.0
    table.set_value("good", rows, 1.0)
    assert table.value("good").tolist() == [1.0, 1.0]


def test_changes_are_taken_once_with_their_latest_numbers():
    table = Table()
    table.declare("good", 0.0)
    rows = table.rows(keys(5, 6, 7))
    table.set_value("good", rows[:2], np.array([1.0, 2.0]))
    table.set_value("good", rows[1:2], 3.0)
    changes = table.take_changes()
    assert {name: [part.tolist() for part in both] for name, both in changes.items()} == {
        "key": [[0, 1, 2], [5, 6, 7]],
        "good": [[0, 1], [1.0, 3.0]],
    }
    assert table.take_changes() == {}
    table.rows(keys(5))
    assert table.take_changes() == {}


def test_every_host_has_a_row_from_the_start():
    state = State()
    state.host_id("a.example")
    state.declare({}, {"hosts": {"good": 0.25}})
    state.host_id("b.example")
    assert state.tables["hosts"].value("good").tolist() == [0.25, 0.25]
    with pytest.raises(ValueError, match="no strategy's"):
        state.declare({}, {"hosts": {"trust": 0.0}})
    with pytest.raises(ValueError, match="no strategy's"):
        state.declare({}, {"folders": {"key": 0.0}})
