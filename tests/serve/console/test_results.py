"""Results, reports and what is put aside, in a real browser: marks, who cites, footprints, files, sandboxed reports."""

import io
import json
import re
from urllib.parse import urlsplit

import pyarrow.parquet as pq
import pytest

import honeyguide as hg
from honeyguide.serve.workspace import Workspace
from honeyguide.topics.ontology import OntologyTopic, read_topic_map
from honeyguide.topics.topic_file import write_topic
from tests.engine.test_keeping import order
from tests.serve.conftest import wait_until
from tests.serve.console.conftest import NARROW, WEB, WIDE, expect, objections, open_view, settle, tab_of
from tests.serve.portal.conftest import SCRIPT
from tests.serve.test_sketches import MAP

LONG = 90_000


@pytest.fixture(scope="module")
def mapped(served, tmp_path_factory):
    """A topic map in the workspace."""
    path = tmp_path_factory.mktemp("map") / "map.ttl"
    path.write_text(MAP)
    write_topic(
        Workspace(served.folder).new_topic_file("garden"),
        OntologyTopic.of_map(read_topic_map(path), ["Honey bee"]),
    )


@pytest.mark.parametrize(("width", "theme"), [(WIDE, "dark"), (NARROW, "light")])
def test_no_kind_of_result_is_an_obstacle(browser, served, mapped, width, theme):
    with tab_of(browser, served, width, theme) as tab:
        for view in (
            "crawls/bees/results?show=map",
            "crawls/bees/results?show=sites&site=pupa-0.example",
            "reports",
        ):
            open_view(tab, served, view)
            assert (view, objections(tab)) == (view, [])
            assert tab.evaluate("document.documentElement.scrollWidth") <= width, view
        assert tab.said == []


def test_hubs_are_marked_and_the_mark_is_undone(tab, served):
    crawl = hg.Crawl.open(served.folder / "crawls" / "bees")
    open_view(tab, served, "crawls/bees/results?show=hubs")
    hub, authority = (tab.get_by_role("region", name=name) for name in ("Hubs", "Authorities"))
    hub.get_by_role("button", name="Not ").first.click()
    tab.get_by_text("Marked as not useful").wait_for()
    hub.locator("button[aria-pressed=true]").wait_for()
    assert [row.relevant for row in crawl.hub_marks().values()] == [False]
    tab.get_by_role("button", name="Undo").click()
    tab.get_by_text("Taken back.").wait_for()
    hub.locator("button[aria-pressed=true]").wait_for(state="detached")
    assert crawl.hub_marks() == {}
    refused = lambda: sum(label.relevant is False for label in crawl.labels().values())  # noqa: E731
    before = refused()  # other tests have labelled pages
    authority.get_by_role("button", name="Not ", pressed=False).last.click()
    wait_until(lambda: refused() == before + 1)
    tab.get_by_role("button", name="Undo").last.click()
    wait_until(lambda: refused() == before)


def test_a_site_tells_who_cites_it_and_tables_are_saved(tab, served):
    open_view(tab, served, "crawls/bees/results?show=sites")
    tab.get_by_role("link", name="Who cites pupa-0.example").click()
    tab.get_by_role("heading", name="Who cites pupa-0.example").wait_for()
    settle(tab)
    sites = tab.locator("tbody tr td:first-child").all_inner_texts()
    assert sites
    assert "pupa-0.example" not in sites
    with tab.expect_download() as saved:
        tab.get_by_role("button", name="Save Who cites pupa-0.example as Parquet").click()
    table = pq.read_table(io.BytesIO(saved.value.path().read_bytes()))
    assert sorted(table.column("Site").to_pylist()) == sorted(sites)
    tab.get_by_role("button", name="Copy a link to Who cites").click()
    tab.get_by_text("link is").wait_for()
    open_view(tab, served, "crawls/bees/results")
    with tab.expect_download() as saved:
        tab.get_by_role("button", name="Save Best pages as JSONL").click()
    first = json.loads(saved.value.path().read_text().splitlines()[0])
    assert first["Url"].startswith("http")
    assert "Why" not in first
    with tab.expect_download() as saved:
        tab.get_by_role("link", name="kept pages as WACZ").click()
    assert saved.value.suggested_filename == "bees.wacz"


def test_sites_stand_by_relevance_with_those_that_no_seed_named(tab, served):
    open_view(tab, served, "crawls/bees/results?show=sites")
    sites = hg.Crawl.open(served.folder / "crawls" / "bees").sites()
    rows = tab.get_by_role("region", name="Sites by what they brought").locator("tbody tr")
    expect(rows.locator("td[data-name=Site]")).to_have_text(
        [site.site for site in sites], use_inner_text=True
    )
    first = rows.first
    expect(first.locator("td[data-name=Waiting]")).to_have_text(str(sites[0].waiting), use_inner_text=True)
    tab.get_by_label("Filter: Sites by what they brought").fill("found")
    found = {urlsplit(seed).hostname for seed in WEB.seeds("bees")}.isdisjoint
    expect(rows).not_to_have_count(len(sites))
    assert found(rows.locator("td[data-name=Site]").all_inner_texts())
    assert 0 < rows.count() < len(sites)


def test_what_changed_is_told_by_kind_and_since_when(tab, served):
    kept = hg.Crawl.start(order=order(served.folder / "crawls" / "kept"))
    kept.run()
    open_view(tab, served, "crawls/kept/results?show=changes")
    tab.get_by_role("heading", name="What has changed").wait_for()
    assert objections(tab) == []
    tab.get_by_label("Since").select_option("the beginning")
    rows = tab.get_by_role("region", name="What has changed").locator("tbody tr")
    rows.first.wait_for()
    changes = kept.changes(0.0, 200)
    for shown in range(50, len(changes), 50):
        expect(rows).to_have_count(shown)  # not those of another time, which are there until these have come
        tab.get_by_role("button", name="Show more rows").click()
    expect(rows.locator("td[data-name=Change]")).to_have_text(
        [change.kind for change in changes], use_inner_text=True
    )
    told = next(change for change in changes if change.kind == "changed")
    expect(rows.get_by_text(told.difference, exact=True).first).to_be_visible()
    assert objections(tab) == []
    with tab.expect_download() as saved:
        tab.get_by_role("link", name="as a feed (Atom)").click()
    assert told.url in saved.value.path().read_text(encoding="utf-8")
    expect(tab).to_have_url(re.compile("since=1970-01-01"))


def test_the_map_with_the_pages_in_it_is_saved(tab, served, mapped):
    open_view(tab, served, "crawls/bees/results?show=map&map=garden")
    best = hg.Crawl.open(served.folder / "crawls" / "bees").top(1)[0].url
    for kind, begin in (("XTM 2.0", "<topicMap"), ("SKOS (Turtle)", "@prefix")):
        tab.get_by_role("combobox", name="As", exact=True).select_option(kind)
        with tab.expect_download(timeout=LONG) as saved:
            tab.get_by_role("button", name="Write the pages into the map").click()
        written = saved.value.path().read_text(encoding="utf-8")
        assert begin in written
        assert best in written
        assert "Honey bee" in written


def test_pages_are_laid_on_the_map_and_compared(tab, served, mapped):
    open_view(tab, served, "crawls/bees/results?show=map&map=garden")
    expect(tab.locator("tbody tr").first).to_contain_text("Honey")
    tab.get_by_role("button", name="compare with").first.click()
    tab.get_by_role("button", name="compared with").wait_for()
    tab.locator("tbody tr").first.locator("td[data-name=Alike]").get_by_text("100 %").wait_for()


def test_a_report_is_written_and_opened_where_nothing_runs(browser, served):
    with tab_of(browser, served) as tab:
        open_view(tab, served, "reports?crawl=hostile")
        tab.get_by_role("button", name="Write a report").click()
        tab.get_by_text("The report on hostile is written.").wait_for(timeout=LONG)
        with tab.context.expect_page() as opened:
            tab.get_by_role("link", name="hostile (opens a new tab)").click()
        report = opened.value
        report.get_by_role("heading", level=1).wait_for()
        assert SCRIPT in report.inner_text("body")
        assert "taken over" not in report.title()
        assert report.evaluate("window.origin") == "null", "it belongs to nobody"


def test_a_crawl_is_archived_and_taken_up_again(tab, served):
    open_view(tab, served, "")
    card = tab.get_by_role("article", name="hostile")
    expect(card.get_by_text("No urls are left to follow: add seeds")).to_be_visible()
    card.get_by_role("button", name="Archive").click()
    tab.get_by_text("hostile is archived.").wait_for()
    card.wait_for(state="hidden")
    tab.get_by_role("button", name="Undo").click()
    card.wait_for()
    card.get_by_role("button", name="Archive").click()
    tab.get_by_label("Show").select_option("archived")
    card.get_by_role("button", name="Take up again").click()
    tab.get_by_text("No crawl is archived").wait_for()


def test_a_tour_leads_through_the_views(tab, served):
    open_view(tab, served, "")
    tab.get_by_text("A tour, in 5 steps").click()
    assert objections(tab) == []
    tab.get_by_role("link", name="Exclude a host").click()
    tab.get_by_role("heading", name="Next to be fetched").wait_for()
    tab.go_back()
    tab.get_by_text("A tour, in 5 steps: 2 done").wait_for()
    expect(tab.get_by_role("link", name="Label ten pages")).to_have_attribute("aria-current", "step")


def test_the_monitor_tells_of_hosts_traps_and_what_was_skipped(tab, served):
    open_view(tab, served, "crawls/bees/monitor")
    for name in (
        "Queue against done",
        "Pages and links",
        "Skipped urls by reason",
        "Traps found",
        "Bytes and types",
    ):
        expect(tab.get_by_role("heading", name=name)).to_be_visible()
    hosts = tab.get_by_role("region", name="Hosts lately: failing, slow, resting")
    expect(hosts.get_by_role("columnheader", name="Rests until")).to_be_visible()
    expect(hosts.get_by_role("columnheader", name="Mean answer time")).to_be_visible()
    expect(hosts.get_by_role("row", name="pupa-0.example")).to_be_visible()
