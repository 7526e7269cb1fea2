"""A crawl is made in a real browser: told what is missing while one types, told what it costs, and started."""

from honeyguide.serve.workspace import Workspace
from tests.serve.conftest import wait_until
from tests.serve.console.conftest import NARROW, WEB, WIDE, expect, objections, open_view, tab_of


def test_what_is_missing_is_told_while_one_types(tab, served):
    open_view(tab, served, "new-crawl")
    start = tab.get_by_role("button", name="Start the crawl")
    tab.get_by_text("give the crawl a name").wait_for()
    expect(start).to_be_disabled()
    tab.get_by_label("In words").fill("beekeeping and honey")
    tab.get_by_text("give the urls to start from").wait_for()
    tab.get_by_label("Urls to start from").fill("https://example.org/")
    tab.get_by_text("politeness.contact").first.wait_for()
    tab.get_by_label("Who crawls").fill("https://example.org/about")
    tab.get_by_text("All is there.").wait_for()
    expect(start).to_be_enabled()
    tab.get_by_label("Name of the crawl").fill("bees")
    tab.get_by_text("there is a crawl 'bees' already").first.wait_for()
    expect(start).to_be_disabled()
    tab.get_by_label("Name of the crawl").fill("../out")
    tab.get_by_text("has other signs than letters").first.wait_for()
    assert tab.said == []


def test_the_cost_follows_what_is_asked(tab, served):
    open_view(tab, served, "new-crawl")
    tab.get_by_label("Urls to start from").fill("https://example.org/\nhttps://other.example/")
    tab.get_by_label("Pages at most").fill("10000")
    tab.get_by_label("Rest between two requests").fill("2.5")
    cost = tab.get_by_role("complementary")
    expect(cost).to_contain_text("10,000")
    expect(cost).to_contain_text("all on 2 hosts of the seeds")
    expect(cost).to_contain_text("310 MB")
    expect(cost).to_contain_text("4.2 h")  # 10,000 pages, 3 seconds each, from two hosts
    tab.get_by_label("Keep the pages themselves").uncheck()
    expect(cost).to_contain_text("60 MB")


def test_a_crawl_of_the_sample_web_is_started(browser, served):
    for width, theme in ((WIDE, "dark"), (NARROW, "light")):
        with tab_of(browser, served, width, theme) as tab:
            open_view(tab, served, "new-crawl")
            tab.get_by_label("Which web").select_option("sample")
            tab.get_by_label("Try a topic of the sample web").select_option("coffee")
            tab.get_by_label("Name of the crawl").fill(f"coffee-{theme}")
            tab.get_by_label("Pages at most").fill("30")
            tab.get_by_text("hard-focus").click()
            tab.get_by_text("All is there.").wait_for()
            assert objections(tab) == []
            assert tab.evaluate("document.documentElement.scrollWidth") <= width
            if theme == "dark":
                tab.get_by_role("button", name="Make it, start later").click()
                tab.get_by_role("article", name="coffee-dark").wait_for()
            else:
                tab.get_by_role("button", name="Start the crawl").click()
                tab.get_by_role("heading", name="Relevance of every page").wait_for()
    order = Workspace(served.folder).crawl("coffee-dark").order
    assert (order.strategy.name, order.limits.max_pages) == ("hard-focus", 30)
    assert order.web.sample_pages == 2000


def test_seeds_are_dropped_and_found(tab, served):
    open_view(tab, served, "new-crawl")
    tab.evaluate(
        """() => {
          const given = new DataTransfer();
          given.items.add(new File(['<a href="https://example.org/a">x</a> javascript:alert(1)'], 'bookmarks.html'));
          document.getElementById('seeds')
            .dispatchEvent(new DragEvent('drop', {dataTransfer: given, bubbles: true, cancelable: true}));
        }"""
    )
    tab.get_by_text("1 seed").first.wait_for()
    expect(tab.get_by_label("Urls to start from")).to_have_value("https://example.org/a")


def test_seeds_are_found_in_a_former_crawl(tab, served):
    open_view(tab, served, "new-crawl?words=bees+hive&name=from-bees&web=sample")
    tab.get_by_label("Urls to start from").fill(WEB.seeds("bees")[0])
    tab.get_by_text("All is there.").wait_for()
    tab.get_by_text("Find seeds in a former crawl").click()
    tab.get_by_role("combobox", name="Crawl", exact=True).select_option("bees")
    add = tab.get_by_role("list", name="Pages found").get_by_role("button", name="Add").first

    def found():
        tab.get_by_role("button", name="Find", exact=True).click()
        tab.get_by_role("list", name="Pages found").wait_for()
        return add.count()

    wait_until(found, 60)  # the index is made meanwhile
    add.click()
    tab.get_by_text("2 seeds").first.wait_for()
