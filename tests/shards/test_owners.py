"""Which shard owns a url."""

import pytest

from honeyguide.errors import SettingsError
from honeyguide.shards.owners import Owners


def test_a_site_has_one_owner():
    urls = [
        "https://a.example.org/x",
        "http://example.org:8080/",
        "https://www.example.org/?q",
        "https://b.net/",
    ]
    owners = Owners(64, 0).of(urls)
    assert len({*owners[:3].tolist()}) == 1


def test_every_shard_knows_the_same_owners():
    urls = [f"https://site{number}.example/" for number in range(200)]
    owned = [Owners(8, shard).own(urls) for shard in range(8)]
    assert sum(is_own.astype(int) for is_own in owned).tolist() == [1] * 200
    assert min(is_own.sum() for is_own in owned) > 5


def test_a_number_of_shards_that_cannot_be():
    with pytest.raises(SettingsError, match="from 1 to"):
        Owners(0, 0)
