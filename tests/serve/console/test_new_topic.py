"""A topic is made in a real browser: words tried at once, examples, a taxonomy, a map, a box to test it."""

import json

import pytest

from honeyguide.serve.workspace import Workspace
from honeyguide.topics.taxonomy.backbone import topic_from_examples
from honeyguide.topics.topic_file import read_topic, write_topic
from tests.serve.console.conftest import expect, objections, open_view, settle
from tests.serve.portal.conftest import SCRIPT
from tests.serve.test_sketches import BEES, MAP

LONG = 90_000


@pytest.fixture(scope="module")
def topics(served):
    """A taxonomy in the workspace."""
    workspace = Workspace(served.folder)
    write_topic(workspace.new_topic_file("tree"), topic_from_examples("Beekeeping", [], words=BEES))
    return workspace


def test_words_are_tried_struck_out_and_saved(tab, served):
    open_view(tab, served, "new-topic")
    words = tab.get_by_label("What are good pages about?")
    tab.get_by_label("Try it on").select_option("hostile")
    words.fill("bees, honey")
    tab.get_by_text("would count as relevant").wait_for()
    tab.get_by_text(SCRIPT).first.wait_for()
    tab.get_by_role("button", name="Strike out honey").click()
    expect(words).to_have_value("bees")
    tab.get_by_role("button", name="Strike out honey").wait_for(state="hidden")
    tab.get_by_label("Try it on").select_option("")
    tab.get_by_label("Texts or urls").fill(f"bees, bees and bees {SCRIPT}\n---\nThe railway opened.")
    tab.get_by_text("1 of 2 pages would count as relevant.").wait_for()
    tab.get_by_label("Texts or urls").fill("http://pupa-0.example/\nhttp://pupa-0.example/bee-2/")
    tab.get_by_label("Taken from the crawl").select_option("bees")
    tab.get_by_role("link", name="Bee column").wait_for()
    tab.get_by_text("2 of 2 pages would count as relevant.").wait_for()
    tab.get_by_label("Name of the topic").fill("buzz")
    tab.get_by_role("button", name="Save the topic").click()
    tab.get_by_text("The topic buzz is saved.").wait_for(timeout=LONG)
    assert read_topic(Workspace(served.folder).topic_file("buzz")).text == "bees"
    assert tab.title() == "New topic · honeyguide"
    assert tab.said == []


def test_examples_are_pasted_dropped_accepted_and_rejected(tab, served):
    open_view(tab, served, "new-topic?step=examples&words=beekeeping honey")
    tab.get_by_label("Urls, or the text of a page").fill("The beekeeper opens the hive.")
    tab.get_by_role("button", name="Add as meant", exact=True).click()
    tab.evaluate(
        """() => {
          const given = new DataTransfer();
          const text = '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><H3>Bees &amp; hives</H3><DL>'
            + '<DT><A HREF="https://example.org/a">Keeping bees for honey</A></DL><DT><H3>Trains</H3><DL>'
            + '<DT><A HREF="https://example.org/b">Steam trains of the railway</A></DL></DL>';
          given.items.add(new File([text], 'bookmarks.html'));
          document.getElementById('example-text')
            .dispatchEvent(new DragEvent('drop', {dataTransfer: given, bubbles: true, cancelable: true}));
        }"""
    )
    tab.get_by_text("Import the folders as a taxonomy").wait_for()
    tab.get_by_role("button", name="Accept").first.click()
    tab.get_by_role("button", name="Reject").first.click()
    tab.get_by_role("heading", name="4 examples meant, 1 not meant").wait_for()
    for page in "ab":
        tab.get_by_role("button", name=f"Remove https://example.org/{page}").click()
    tab.get_by_role("heading", name="2 examples meant, 1 not meant").wait_for()
    expect(tab.get_by_label("Good").locator("option")).to_have_text(
        ["Bees & hives", "Trains"], use_inner_text=True
    )
    assert objections(tab) == []
    tab.get_by_label("Name of the topic").fill("wider")
    tab.get_by_text("Take more words from them").click()
    tab.get_by_role("button", name="Make it from 2 examples").click()
    tab.get_by_text("The topic wider is saved.").wait_for(timeout=LONG)
    assert "beekeeping" in read_topic(Workspace(served.folder).topic_file("wider")).text
    settle(tab)
    tab.get_by_label("A text, or the url of a page").fill("Beekeeping and honey: the hive of the beekeeper.")
    tab.get_by_text("words or phrases occur").wait_for()
    expect(tab.locator(".verdict").get_by_text("relevant", exact=True)).to_be_visible()


def test_a_taxonomy_is_changed_by_keyboard_and_trained_again(tab, served, topics):
    open_view(tab, served, "new-topic?step=taxonomy&topic=tree")
    tab.get_by_label("Find a class").fill("beekeep")
    change = tab.get_by_role("button", name="Beekeeping").filter(has_text="Change")
    change.focus()
    tab.keyboard.press("Enter")
    tab.get_by_label("Name", exact=True).fill("Apiculture")
    tab.keyboard.press("Enter")
    tab.get_by_text("is called Apiculture").wait_for()
    tab.get_by_label("Find a class").fill("")
    tab.get_by_role("button", name="good Science", exact=True).click()
    tab.get_by_text("Science becomes good").wait_for()
    tab.locator("li.class", has_text="Games").drag_to(tab.locator("li.class", has_text="Sports"))
    tab.get_by_text("Games goes below Sports").wait_for()
    broaden = tab.locator("section.card", has=tab.get_by_role("heading", name="Broaden"))
    broaden.get_by_label("By the links of").select_option("bees")
    broaden.get_by_role("button", name="Look").click()
    broaden.get_by_role("button", name="Mark good").first.click(timeout=LONG)
    broaden.get_by_role("button", name="marked").wait_for()
    tab.get_by_role("button", name="Train again").click()
    tab.get_by_text("tree is trained again.").wait_for(timeout=LONG)
    tree = read_topic(topics.topic_file("tree")).taxonomy.tree
    assert {tree.path(node).split("/")[-1] for node in tree.good} > {"Apiculture", "Science"}
    assert tree.find("Sports/Games") > 0


def test_a_map_is_dropped_and_its_focus_chosen(tab, served):
    open_view(tab, served, "new-topic?step=map")
    if not tab.get_by_label(
        "Name of the topic"
    ).is_visible():  # where there are maps, a new one is not the first thing
        tab.get_by_text("A new topic from a map").click()
    tab.get_by_label("Name of the topic").fill("mapped")
    given = {"name": "bees.ttl", "mimeType": "text/turtle", "buffer": MAP.encode()}
    tab.locator("#map-file").set_input_files(given)
    topic = tab.get_by_role("combobox", name="Topic", exact=True)
    expect(topic).to_have_value("mapped")  # until then it is the map of another test
    tab.get_by_role("heading", name="As a tree").wait_for()
    tab.locator(".graph canvas").first.wait_for(state="attached")
    for name in ("Insect", "Honey bee", "Honey"):
        tab.get_by_label(name, exact=True).set_checked(name == "Honey")
    tab.get_by_label("joined otherwise").fill("0.7")
    tab.get_by_role("button", name="Use this focus").click()
    tab.get_by_text("1 topic of mapped in focus.").wait_for()
    model = read_topic(Workspace(served.folder).topic_file("mapped"))
    assert [model.map.topics[number].label for number in model.focus] == ["Honey"]
    assert model.settings.weights.other == 0.7
    assert objections(tab) == []
    assert tab.said == []


def test_topics_are_tried_on_crawls_that_have_pages(tab, served, topics):
    """On the largest first; where there is none, a url is not taken for a text."""
    open_view(tab, served, "new-topic")
    offered = tab.get_by_label("Try it on").locator("option").all_inner_texts()
    assert offered[0] != "100 random pages of the crawl hostile", "it has a few pages"
    assert "100 random pages of the crawl fresh" not in offered, "it has none"
    nothing = json.dumps({"items": [], "next": None})
    tab.route(
        "**/api/v1/crawls?*", lambda route: route.fulfill(body=nothing, content_type="application/json")
    )
    open_view(tab, served, "new-topic?step=test&topic=tree")
    tab.reload()
    tab.get_by_label("A text, or the url of a page").fill("http://pupa-0.example/")
    tab.get_by_text("No crawl has pages yet: paste the text of this one.").wait_for()
    tab.get_by_label("A text, or the url of a page").fill(
        "The beekeeper opens the hive; the bees make honey."
    )
    tab.get_by_text("relevant from").wait_for()
    tab.unroute_all(behavior="ignoreErrors")
