"""What a job over the whole graph says, on its way to the shards."""

import numpy as np
import pytest

from honeyguide.errors import StoreError
from honeyguide.shards.scores import Scores

IDS = np.array([3, 5, 9], dtype=np.int32)
SCORES = Scores(
    IDS,
    np.array([0, 0, 3], dtype=np.uint8),
    np.array([0.5, -1.0, 2.0]),
    True,
    {
        "hub": (IDS[:2], np.array([0.1, 0.2])),
        "a name with / and blanks": (IDS[2:], np.ones(1, dtype=np.float32)),
    },
)


def same(one, other):
    for name in ("ids", "outcomes", "priorities"):
        own, their = getattr(one, name), getattr(other, name)
        assert own.dtype == their.dtype
        assert own.tolist() == their.tolist()
    assert one.revisit is other.revisit
    assert {name: [part.tolist() for part in pair] for name, pair in one.values.items()} == {
        name: [part.tolist() for part in pair] for name, pair in other.values.items()
    }


def test_what_is_packed_is_unpacked():
    same(Scores.unpack(SCORES.pack()), SCORES)
    assert len(SCORES) == 6


def test_each_shard_gets_its_own_in_its_own_numbers():
    own = SCORES.of(lambda ids: ids > 4).numbered(lambda ids: ids - 4)
    assert own.ids.tolist() == [1, 5]
    assert own.priorities.tolist() == [-1.0, 2.0]
    assert [ids.tolist() for ids, _ in own.values.values()] == [[1], [5]]
    assert not len(SCORES.of(lambda ids: ids > 9))


@pytest.mark.parametrize("packed", [b"", b"PK", SCORES.pack()[:-40], SCORES.pack()[40:]])
def test_what_is_damaged_is_told(packed):
    with pytest.raises(StoreError, match="cannot be read"):
        Scores.unpack(packed)
