"""The pages of the portal, over HTTP: valid, without script, safe whatever a page holds."""

import re
from urllib.parse import parse_qsl, quote, urlsplit

import html5lib
import pytest

from honeyguide.search.results import Results
from honeyguide.serve.portal.question import Question
from honeyguide.serve.portal.views import search_view
from tests.serve.portal.conftest import EVIL, served

PAGES = (
    "/",
    "/?q=hive",
    "/about",
    "/c/bees/search",
    "/c/bees/search?q=hive",
    "/c/bees/search?q=hive&page=2",
    "/c/bees/search?q=title:(%22hive&site=nowhere.example&year=2031&language=xx&relevant=1",
    "/c/bees/browse",
    "/c/bees/newest",
    "/c/hostile/search?q=bees",
    "/c/hostile/search?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
    "/c/hostile/browse",
    "/c/hostile/newest",
    "/c/nothing/search",
    "/c/%2e%2e/search",
    "/c/bees/page?url=javascript:alert(1)",
    "/c/bees/browse?at=nowhere",
    "/c/bees/search?like=no+url",
)
EVENT = re.compile(r"on[a-z]+")


def parsed(answered):
    """A page as a strict parser sees it; anything that is not HTML5 raises."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(answered.text)


def assert_harmless(tree):
    for element in tree.iter():
        assert element.tag not in ("script", "style", "iframe", "object", "embed", "base", "svg", "img")
        for name, value in element.attrib.items():
            assert not EVENT.fullmatch(str(name))
            assert name != "style"
            if name in ("href", "action", "src"):
                assert re.match(r"(https?://|/|#)", value), value
    ids = [element.attrib["id"] for element in tree.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_valid_and_harmless(portal, path):
    answered = portal.get(path)
    assert answered.status in (200, 404, 422)
    assert answered.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in answered.headers["content-security-policy"]
    assert "script-src" not in answered.headers["content-security-policy"]
    tree = parsed(answered)
    assert_harmless(tree)
    assert tree.find(".//main") is not None
    assert len(tree.findall(".//h1")) == 1
    assert "taken over" not in (tree.find(".//title").text or "").replace("document.title='taken over'", "")


def test_every_link_of_the_portal_leads_somewhere(portal):
    waiting, seen = ["/"], set()
    while waiting and len(seen) < 60:
        path = waiting.pop(0)
        kind = re.sub(r"=[^&]*", "", path)
        if kind in seen or not path.startswith("/"):
            continue
        seen.add(kind)
        answered = portal.get(path)
        assert answered.status == 200, path
        if answered.headers["content-type"].startswith("text/html"):
            tree = parsed(answered)
            assert_harmless(tree)
            waiting += [
                one.attrib["href"] for one in tree.iter() if one.attrib.get("href", "").startswith("/")
            ]
    assert {
        f"/c/bees/{own}" for own in ("page?url", "browse?at", "feed.atom", "search?site", "search?like")
    } <= seen
    assert len(seen) > 15


def test_results_show_where_the_words_stand(portal):
    tree = parsed(portal.get("/c/bees/search?q=hive"))
    marked = [one.text.lower() for one in tree.iter("mark")]
    assert marked
    assert all("hive" in word for word in marked)
    results = tree.find(".//ol[@class='results']")
    assert 1 < len(results.findall("li")) <= 10
    assert results.find(".//h3/a").attrib["href"].startswith("http")


def test_a_question_to_the_collection_is_one_to_its_search_page(portal):
    answered = portal.get("/c/bees/?q=honey+%26+bees")
    assert parsed(answered).find(".//input[@name='q']").attrib["value"] == "honey & bees"


def test_pages_of_results_follow_each_other(portal):
    def titles(page):
        tree = parsed(portal.get(f"/c/bees/search?page={page}"))
        return [one.attrib["href"] for one in tree.findall(".//ol[@class='results']/li//h3/a")], tree

    first, tree = titles(1)
    second, _ = titles(2)
    assert len(first) == 10
    assert not set(first) & set(second)
    assert tree.find(".//a[@rel='next']").attrib["href"] == "/c/bees/search?page=2"
    assert tree.find(".//nav[@class='pages']//a[@aria-current='page']").attrib["href"] == "/c/bees/search"


def test_facets_narrow_down_and_are_taken_back(portal):
    tree = parsed(portal.get("/c/bees/search?q=hive"))
    facets = tree.find(".//nav[@class='facets']")
    choice = next(one for one in facets.iter("a") if "site=" in one.attrib["href"])
    narrowed = parsed(portal.get(choice.attrib["href"]))
    sites = {
        urlsplit(one.attrib["href"]).hostname for one in narrowed.findall(".//ol[@class='results']/li//h3/a")
    }
    assert len(sites) == 1
    back = narrowed.find(".//ul[@class='chosen']//a")
    assert back.attrib["href"] == "/c/bees/search?q=hive"


def test_results_are_counted_by_site_topic_language_and_year():
    values = {
        "site": (("a.example", 2), ("b.example", 1)),
        "topic_class": (("Home/Bees", 2), ("Home/Cooking", 1)),
        "language": (("en", 2), ("de", 1)),
        "year": (("2026", 2), ("2025", 1)),
    }
    view = search_view(Results("hive", total=3, facets=values), Question.of({"q": "hive"}), "/c/bees")
    links = [choice.link for facet in view.facets for choice in facet.choices]
    asked = [dict(parse_qsl(urlsplit(link).query)) for link in links]
    assert asked == [{"q": "hive", name: value} for name in values for value, _ in values[name]]
    assert [choice.count for facet in view.facets for choice in facet.choices] == ["2", "1"] * 4


def test_the_portal_says_what_it_did_not_understand_and_what_may_be_meant(portal):
    text = portal.get("/c/bees/search?q=%22unclosed+hive+AND+(").text
    assert "Not everything counts as it was asked" in text
    assert "the quotation mark that is not closed" in text
    assert "Did you mean" in portal.get("/c/bees/search?q=hivve").text


def test_the_front_page_says_it_too(portal):
    text = portal.get("/?q=hivve+AND").text
    assert re.search(r'Did you mean <a href="/\?q=hive%20AND"><b>hive AND</b>', text)
    assert "AND: all words are looked for anyway" in text
    text = portal.get("/?q=hive").text
    assert "Did you mean" not in text
    assert "as it was asked" not in text


def test_the_page_about_a_page_says_what_the_crawler_knows(portal, bees):
    page = next(page for page in bees.top(20) if page.visit.depth > 1)
    tree = parsed(portal.get(portal.page_of("bees", page.url)))
    text = " ".join(" ".join(tree.itertext()).split())
    assert f"{page.relevance:.3f}, relevant" in text
    steps = ["".join(one.itertext()) for one in tree.findall(".//ol[@class='path']/li")]
    assert len(steps) == page.visit.depth + 1
    with bees.reader() as reader:
        links = reader.inlinks(page.visit.url_id, 50)
    shown = ["".join(one.itertext()) for one in tree.findall(".//ul[@class='path']/li")]
    assert links
    assert shown == [
        link.source + (f" as “{' '.join(link.anchor.split())}”" if link.anchor else "") for link in links
    ]


def test_what_people_said_is_shown(portal, bees):
    page = bees.top(2)[1]
    bees.label(page.url, relevant=True)
    assert "on the topic" in portal.get(portal.page_of("bees", page.url)).text


def test_hostile_anchors_and_titles_are_shown_as_text(portal):
    answered = portal.get("/c/hostile/search?q=bees&relevant=1")
    tree = parsed(answered)
    text = "".join(tree.itertext())
    assert "<script>document.title='taken over'</script>" in text
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert len(answered.body) < 60_000  # though a title has 100,000 characters
    about = [one.attrib["href"] for one in tree.iter("a") if "/page?" in one.attrib["href"]]
    assert about
    for link in about:
        assert_harmless(parsed(portal.get(link)))


def test_topics_are_browsed_as_a_tree_down_to_their_pages(portal):
    tree = parsed(portal.get("/c/bees/browse"))
    good = tree.find(".//a[@class='good']")
    assert "".join(good.itertext()) == "Bees"
    leaf = parsed(portal.get(good.attrib["href"]))
    assert leaf.find(".//nav[@class='crumbs']") is not None
    assert leaf.findall(".//ol[@class='results']/li")


def test_a_portal_that_is_not_public_shows_nothing(workspace):
    with served(workspace) as closed:
        for path in ("/", "/c/bees/search", "/c/bees/feed.atom", "/c/bees/sitemap.xml", "/opensearch.xml"):
            answered = closed.get(path)
            assert answered.status == 401, path
            assert b"hive" not in answered.body
        assert closed.get("/robots.txt").body == b"User-agent: *\nDisallow: /\n"


def test_a_page_that_is_not_there_is_told_without_places_on_the_disk(portal):
    for path in (
        "/c/nothing/search",
        portal.page_of("bees", f"{EVIL}/never"),
        f"/c/{quote('a' * 300)}/search",
    ):
        answered = portal.get(path)
        assert answered.status in (404, 422)
        assert str(portal.folder) not in answered.text
