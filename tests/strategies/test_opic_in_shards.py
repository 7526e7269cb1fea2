"""OPIC in shards: a link gets what it would get if all links of its page were here."""

import numpy as np
import pytest

from honeyguide.strategies.opic import Opic, cash_of
from tests.strategies.graph import TinyCrawl


def divided(share):
    """Page a had cash 1; the shard of its links that lead here, b and c, has a share of it."""
    crawl = TinyCrawl(Opic())
    crawl.view.set_value("cash", crawl.ids_of(["root"]), 1.0)
    crawl.seed("a")
    crawl.strategy.take_learning(crawl.view, [{}])
    for name in ("cash", "part"):
        crawl.view.set_value(name, crawl.ids_of("a"), share)
    crawl.fetch(("a", 0.5, "bc"))
    return crawl


@pytest.mark.parametrize(("share", "links"), [(1.0, 2), (0.5, 4), (0.125, 16)])
def test_a_link_gets_its_part_of_the_whole_page(share, links):
    crawl = divided(share)
    assert cash_of(crawl.ids_of("bc"), crawl.view).tolist() == pytest.approx([1 / (links + 1)] * 2)
    assert crawl.view.array("opic bank").tolist() == pytest.approx([share / (links + 1), 0.0])
    assert crawl.values("part", "a") == [1.0]  # it may be divided again


def test_in_shards_the_virtual_page_keeps_what_it_has():
    crawl = divided(1.0)
    crawl.fetch(("b", 0.5, ""))  # all that b has, which is more than anybody else has
    virtual, gifts = crawl.view.array("opic bank").tolist()
    assert (virtual, gifts) == (pytest.approx(2 / 3), 0.0)


def test_alone_it_gives():
    crawl = TinyCrawl(Opic())
    crawl.view.set_value("cash", crawl.ids_of(["root"]), 1.0)
    crawl.seed("a")
    crawl.fetch(("a", 0.5, "bc"))
    crawl.fetch(("b", 0.5, ""))
    assert crawl.view.array("opic bank")[1] > 0
    assert np.isfinite(cash_of(crawl.ids_of("abc"), crawl.view)).all()
