"""Harvest rates and their log."""

from honeyguide.telemetry.harvest import HEADER, Harvest, HarvestLog


def test_rates_over_the_last_and_all_pages():
    harvest = Harvest(relevant_above=0.5)
    for number in range(600):
        harvest.add(1.0 if number < 100 else 0.4999)
    assert harvest.overall == 100 / 600
    assert harvest.last(50) == 0.0
    assert harvest.last(500) == 0.0
    harvest.add(0.5)
    assert harvest.last(50) == 1 / 50
    assert harvest.last(500) == 1 / 500


def test_nothing_fetched_is_no_harvest():
    assert Harvest(0.5).overall == 0.0
    assert Harvest(0.5).last(50) == 0.0


def test_one_line_every_so_many_pages_and_the_same_after_reopening(tmp_path):
    path = tmp_path / "harvest.log"
    visits = [(1_000_000_000.0 + n, n % 4 / 3) for n in range(25)]
    log = HarvestLog(path, Harvest(0.5), 10, [])
    log.add(visits)
    log.close()
    first = path.read_text()
    assert first == (
        f"{HEADER}2001-09-09T01:46:49+00:00\t10\t0.4000\t0.4000\t0.4000\n"
        "2001-09-09T01:46:59+00:00\t20\t0.5000\t0.5000\t0.5000\n"
    )
    path.write_text(first + "a line of pages that were never committed\n")
    HarvestLog(path, Harvest(0.5), 10, visits).close()
    assert path.read_text() == first
