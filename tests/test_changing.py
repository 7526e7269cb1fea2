"""What has changed in a crawl: new, changed with a difference, gone; as a list, as JSON and as Atom."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from typer.testing import CliRunner

from honeyguide import Crawl
from honeyguide.changing import changes_as_atom, moment
from honeyguide.cli.main import app
from honeyguide.errors import SettingsError
from tests.engine.test_keeping import order

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    crawl = Crawl.start(order=order(tmp_path_factory.mktemp("kept") / "crawl"))
    crawl.run()
    return crawl


def test_all_kinds_are_told_the_latest_first(kept: Crawl) -> None:
    found = kept.changes(0.0)
    assert [change.time for change in found] == sorted((change.time for change in found), reverse=True)
    assert {change.kind for change in found} == {"new", "changed", "gone"}
    changed = [change for change in found if change.kind == "changed"]
    assert all(change.difference.startswith(("- ", "+ ")) for change in changed)
    assert not any("Read" in change.difference for change in changed)
    new = [change.url for change in found if change.kind == "new"]
    assert len(new) == len(set(new)) == kept.status().pages + sum(change.kind == "gone" for change in found)


def test_only_what_is_later_is_told(kept: Crawl) -> None:
    found = kept.changes(0.0)
    middle = found[len(found) // 2].time
    assert kept.changes(middle) == [change for change in found if change.time >= middle]


def test_so_long_ago_is_counted_by_the_clock_of_the_web(kept: Crawl) -> None:
    """That of a sample web began long ago, and stands still between runs."""
    found = kept.changes(0.0)
    with kept.reader() as reader:
        (last,) = reader.latest(1)
    assert kept.changes("2w") == [change for change in found if change.time >= last.time - 14 * 86_400]
    assert 0 < len(kept.changes("2w")) < len(found)


def test_the_command_line_prints_json_and_atom(kept: Crawl) -> None:
    def printed(*options: str) -> str:
        done = CliRunner().invoke(app, ["changes", str(kept.folder), "--since", "2020-01-01", *options])
        assert done.exit_code == 0, done.output
        return done.stdout

    told = json.loads(printed("--json"))
    assert len(told) == len(kept.changes(0.0))
    entries = Xml.fromstring(printed("--atom")).findall(f"{ATOM}entry")
    assert len(entries) == len(told)
    assert {entry.find(f"{ATOM}category").get("term") for entry in entries} == {"new", "changed", "gone"}  # type: ignore[union-attr]
    assert "changed" in printed()


def test_hostile_texts_stay_texts() -> None:
    from honeyguide.changing import Change

    change = Change("changed", "http://a.example/?a=1&b=<", 0.0, "<script>\x00\ud800", 0.5, "+ ]]> & \x08")
    (entry,) = Xml.fromstring(changes_as_atom([change], "x", "<t>")).findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == "changed: <script>  "
    assert entry.find(f"{ATOM}link").get("href") == change.url  # type: ignore[union-attr]


def test_moments() -> None:
    assert moment("7d", now=8 * 86_400) == 86_400
    assert moment("1970-01-02", now=0.0) == 86_400
    for wrong in ("", "7", "7y", "-3d", "soon", "9" * 99):
        with pytest.raises(SettingsError, match="is no time"):
            moment(wrong, now=0.0)


def test_a_crawl_that_is_not_kept_fresh_has_new_pages_alone(tmp_path: Path) -> None:
    wanted = {"crawl.keep_fresh": False, "limits.max_requests": 12, "web.sample_change_days": 0.0}
    crawl = Crawl.start(order=order(tmp_path / "crawl", **wanted))
    crawl.run()
    assert {change.kind for change in crawl.changes("1h")} == {"new"}


def test_gone_pages_are_found_no_more(kept: Crawl) -> None:
    gone = {change.url for change in kept.changes(0.0) if change.kind == "gone"}
    kept.index()
    found = {hit.url for hit in kept.search(most=100).hits}
    assert found
    assert gone
    assert not gone & found
