"""What can be done on the views of the console: logging in, running, steering, sorting, looking closer."""

import re
from pathlib import Path

import honeyguide as hg
from honeyguide.serve.workspace import Workspace
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.topic_file import write_topic
from tests.serve.conftest import wait_until
from tests.serve.console.conftest import LONG, WEB, expect, objections, open_view, settle


def test_a_hostile_page_is_shown_and_does_nothing(tab, served):
    open_view(tab, served, "crawls/hostile/monitor")
    title = tab.get_by_role("link", name="<script>document.title='taken over'</script>").first
    expect(title).to_be_visible()
    assert title.get_attribute("rel") == "noopener noreferrer nofollow"
    tab.get_by_role("button", name="Page 2: why").click()
    tab.get_by_role("heading", name="The path from the seed").wait_for()
    settle(tab)
    assert objections(tab) == []
    assert tab.title() == "Monitor · hostile · honeyguide"
    assert tab.evaluate("document.scripts.length") == 1
    assert tab.said == []
    tab.keyboard.press("Escape")
    expect(tab.locator("dialog")).to_have_count(0)
    expect(tab).not_to_have_url(re.compile("page="))


def test_whoever_has_no_token_sees_the_door_alone(browser, served):
    context = browser.new_context()
    tab = context.new_page()
    tab.goto(f"{served.url}/console/#/crawls/bees/monitor")
    tab.get_by_label("Token").fill("wrong")
    tab.get_by_role("button", name="Log in").click()
    tab.get_by_text("this token is not known here").wait_for()
    assert objections(tab) == []
    tab.get_by_label("Token").fill(served.token)
    tab.keyboard.press("Enter")
    tab.get_by_role("heading", name="bees").wait_for()
    tab.get_by_role("button", name="Log out").click()
    tab.get_by_label("Token").wait_for()
    context.close()


def test_the_server_is_killed_and_comes_back(tab, served):
    open_view(tab, served, "crawls/bees/monitor")
    served.stop()
    tab.get_by_text("The server does not answer").wait_for()
    served.start()
    tab.get_by_text("The server does not answer").wait_for(state="hidden")
    open_view(tab, served, "crawls/fresh/monitor")
    expect(tab.get_by_role("heading", name="fresh")).to_be_visible()


def test_a_crawl_is_run_thrown_away_and_taken_back(tab, served):
    open_view(tab, served, "")
    card = tab.get_by_role("article", name="fresh")
    card.get_by_role("button", name="Clone").click()
    tab.get_by_label("Its name").fill("twin")
    tab.get_by_role("dialog").get_by_role("button", name="Clone").click()
    twin = tab.get_by_role("article", name="twin")
    twin.get_by_role("button", name="Delete").click()
    tab.get_by_text("twin is in the trash.").wait_for()
    twin.wait_for(state="hidden")
    tab.get_by_role("button", name="Undo").click()
    twin.wait_for()
    twin.get_by_role("button", name="Run").click()
    twin.get_by_text("60 ").first.wait_for(timeout=60_000)
    tab.goto(f"{served.url}/console/#/crawls/twin/monitor")
    tab.get_by_text("60", exact=True).first.wait_for()


def test_a_view_is_reached_by_the_keyboard_alone(tab, served):
    open_view(tab, served, "")
    tab.keyboard.press("Tab")
    expect(tab.get_by_text("Skip to the content")).to_be_focused()
    tab.keyboard.press("Enter")
    for _ in range(40):
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.textContent") == "bees":
            break
    assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    tab.keyboard.press("Enter")
    tab.get_by_role("heading", name="Relevance of every page").wait_for()


def test_a_host_is_excluded_and_taken_back(tab, served):
    open_view(tab, served, "crawls/bees/queue")
    host = tab.locator("table").last.locator("tbody td").first.inner_text()
    tab.get_by_label("Host, url, or url with *").fill(host)
    tab.get_by_text("It would hit").wait_for()
    tab.get_by_role("button", name=f"Exclude {host}").first.click()
    tab.get_by_text(f"Excluded {host}: ").first.wait_for()
    rules = tab.get_by_role("button", name=f"Take back {host}")
    rules.wait_for()
    tab.get_by_role("button", name="Undo").click()
    rules.wait_for(state="hidden")
    tab.get_by_label("Host, url, or url with *").fill("a*b*c" * 30)
    tab.locator(".field-error").wait_for()


def test_tables_are_sorted_filtered_and_shared_by_their_address(tab, served):
    open_view(tab, served, "crawls/bees/results")
    tab.get_by_role("button", name="Relevance", exact=True).click()
    tab.get_by_role("button", name="Relevance", exact=True).click()
    expect(tab.locator("th[aria-sort=ascending]")).to_have_count(1)
    worst = tab.locator("tbody tr").first.inner_text()
    tab.goto(tab.url)
    tab.reload()
    settle(tab)
    expect(tab.locator("tbody tr").first).to_have_text(worst, use_inner_text=True)
    expect(tab.locator("th[aria-sort=ascending]")).to_have_count(1)
    tab.get_by_label("Filter: Best pages").fill("no such page")
    tab.get_by_text("0 of ").wait_for()
    tab.get_by_label("Filter: Best pages").fill("")
    with tab.expect_download() as saved:
        tab.get_by_role("button", name="Save Best pages as CSV").click()
    assert saved.value.suggested_filename == "pages.csv"


def test_what_is_saved_harms_no_spreadsheet(tab, served):
    open_view(tab, served, "")
    rows = [{"title": '=HYPERLINK("http://evil.example")', "number": -1, "note": "a|b\n<script>"}]
    csv, markdown = (
        tab.evaluate(
            "([kind, rows]) => import('/console/parts/saving.js').then(own => own.written(kind, rows))",
            [kind, rows],
        )
        for kind in ("CSV", "Markdown")
    )
    assert csv.splitlines()[1].startswith("\"'=HYPERLINK(")
    assert ",-1," in csv
    assert "a\\|b \\<script\\>" in markdown


def test_a_click_on_a_dot_tells_of_its_page(tab, served):
    open_view(tab, served, "crawls/bees/monitor")
    plot = tab.locator(".u-over")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    for step in range(400):
        tab.mouse.move(box["x"] + 20 + step % 40 * (box["width"] - 40) / 40, box["y"] + box["height"] - 10)
        if "Click to see it" in tab.locator(".hint").inner_text():
            break
    tab.mouse.down()
    tab.mouse.up()
    tab.get_by_role("heading", name="Why it was judged so").wait_for()
    expect(tab).to_have_url(re.compile("page=http"))


def test_a_crawl_that_has_all_its_pages_goes_on_with_more(tab, served):
    folder = served.folder / "crawls" / "full"
    settings = {"web.sample_pages": 300, "limits.max_pages": 12}
    hg.Crawl.start(folder, WEB.description("bees"), WEB.seeds("bees"), settings=settings).run()
    open_view(tab, served, "crawls/full/monitor")
    expect(tab.get_by_text("of 12", exact=True)).to_be_visible()
    tab.get_by_role("button", name="Run 12 more pages").click()
    tab.get_by_text("of 24", exact=True).wait_for()
    tab.get_by_role("button", name="Run 24 more pages").wait_for(timeout=LONG)
    assert hg.Crawl.open(folder).status().pages == 24


def test_seeds_are_added_to_a_crawl_that_is_there(tab, served):
    folder = served.folder / "crawls" / "narrow"
    first, second = WEB.seeds("bees")[:2]
    settings = {"web.sample_pages": 300, "limits.max_pages": 1}
    hg.Crawl.start(folder, WEB.description("bees"), [first], settings=settings).run()
    open_view(tab, served, "crawls/narrow/queue")
    tab.get_by_text("Add seeds", exact=True).click()
    tab.get_by_label("Urls to start from").fill(f"{second}\nnothing of the kind")
    tab.get_by_role("button", name="Add 1 seed").click()
    tab.get_by_text("the crawl takes them when it next runs").wait_for()
    expect(tab.get_by_label("Urls to start from")).to_have_value("")
    tab.get_by_role("button", name="Run 1 more page").click()
    wait_until(lambda: second in {page.url for page in hg.Crawl.open(folder).visits()}, LONG / 1000)


def test_a_crawl_by_a_topic_of_the_workspace_is_cloned(tab, served):
    """The topic is a file of the old crawl, which becomes one of the new."""
    write_topic(Workspace(served.folder).new_topic_file("hives"), KeywordTopic("bees honey hive"))
    order = {"name": "by-topic", "topic_name": "hives", "seeds": WEB.seeds("bees")}
    order |= {"settings": {"web.sample_pages": 300, "scope.max_depth": 3}}
    made = tab.context.request.post(f"{served.url}/api/v1/crawls", data=order, headers={"Origin": served.url})
    assert made.ok, made.text()
    open_view(tab, served, "")
    tab.get_by_role("article", name="by-topic").get_by_role("button", name="Clone").click()
    tab.get_by_role("dialog").get_by_role("button", name="Clone").click()
    tab.get_by_text("by-topic-2 is there, not started yet.").wait_for()
    clone = hg.Crawl.open(served.folder / "crawls" / "by-topic-2").order
    assert (clone.scope.max_depth, clone.web.sample_pages, clone.seeds.urls) == (
        3,
        300,
        (*WEB.seeds("bees"),),
    )
    assert Path(clone.topic.file).parent.name == "by-topic-2"


def test_what_is_not_kept_is_not_offered_and_times_are_those_of_the_reader(tab, served):
    settings = {"web.sample_pages": 300, "limits.max_pages": 12, "output.archive": False}
    folder = served.folder / "crawls" / "unkept"
    hg.Crawl.start(folder, WEB.description("bees"), WEB.seeds("bees"), settings=settings).run()
    for name, offered in (("bees", 1), ("unkept", 0)):
        open_view(tab, served, f"crawls/{name}/results")
        expect(tab.get_by_role("link", name="all pages as csv")).to_be_visible()
        expect(tab.get_by_role("link", name="kept pages as WACZ")).to_have_count(offered)
    open_view(tab, served, "crawls/bees/results?show=search")
    expect(tab.get_by_text("Type some words")).to_be_visible()
    open_view(tab, served, "crawls/bees/sql?q=select+time,+depth+from+pages+limit+1")
    expect(tab.locator("td time")).to_have_attribute("title", re.compile("your time"))
    expect(tab.locator("tbody td").last).to_have_text("0", use_inner_text=True)
