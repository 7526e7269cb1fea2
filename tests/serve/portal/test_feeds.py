"""Feeds, OpenSearch, sitemaps and robots.txt: well-formed, escaped, and true."""

import json
from datetime import datetime
from email.utils import parsedate_to_datetime
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

from protego import Protego

ATOM = "{http://www.w3.org/2005/Atom}"
OPENSEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def newest(bees):
    return [page.url for page in reversed([*bees.visits(relevant=True)])]


def test_atom_tells_the_newest_good_pages(portal, bees):
    answered = portal.get("/c/bees/feed.atom")
    assert answered.headers["content-type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answered.body)
    entries = feed.findall(f"{ATOM}entry")
    told = [entry.find(f"{ATOM}link[@rel='alternate']").attrib["href"] for entry in entries]
    assert 1 < len(told) <= 30
    assert told[0] == newest(bees)[0]
    assert set(told) <= set(newest(bees))
    assert feed.find(f"{ATOM}id").text == f"{portal.url}/c/bees/feed.atom"
    for entry in entries:
        assert entry.find(f"{ATOM}title").text
        datetime.fromisoformat(entry.find(f"{ATOM}updated").text)
        about = entry.find(f"{ATOM}link[@rel='related']").attrib["href"]
        assert about.startswith(f"{portal.url}/c/bees/page?url=")


def test_rss_and_json_tell_the_same(portal):
    rss = ElementTree.fromstring(portal.get("/c/bees/feed.rss").body)
    items = rss.findall("channel/item")
    told = json.loads(portal.get("/c/bees/feed.json").body)
    assert told["version"] == "https://jsonfeed.org/version/1.1"
    assert [item.find("link").text for item in items] == [item["url"] for item in told["items"]]
    assert all(parsedate_to_datetime(item.find("pubDate").text) for item in items)
    assert all(item["content_text"] and 0 <= item["_honeyguide"]["relevance"] <= 1 for item in told["items"])


def test_feeds_of_hostile_pages_are_text(portal):
    for form in ("atom", "rss"):
        body = portal.get(f"/c/hostile/feed.{form}").body
        feed = ElementTree.fromstring(body)
        assert not [one for one in feed.iter() if one.tag.endswith("script")]
        texts = "".join(feed.itertext())
        assert "taken over" in texts
        assert "\u202e" not in texts
        assert len(body) < 30_000
    rss = ElementTree.fromstring(portal.get("/c/hostile/feed.rss").body)
    assert not any("<" in (one.text or "") for one in rss.iter("description"))
    assert "taken over" in str(portal.get("/c/hostile/feed.json").json)


def test_who_has_the_feed_already_gets_nothing(portal):
    first = portal.get("/c/bees/feed.atom")
    assert portal.get("/c/bees/feed.atom", If_None_Match=first.headers["etag"]).status == 304
    assert portal.get("/c/bees/feed.rss", If_None_Match=first.headers["etag"]).status == 200


def test_browsers_can_add_the_search(portal):
    for path, search in (("/opensearch.xml", "/"), ("/c/bees/opensearch.xml", "/c/bees/search")):
        answered = portal.get(path)
        assert answered.headers["content-type"].startswith("application/opensearchdescription+xml")
        described = ElementTree.fromstring(answered.body)
        assert 0 < len(described.find(f"{OPENSEARCH}ShortName").text) <= 16
        template = described.find(f"{OPENSEARCH}Url[@type='text/html']").attrib["template"]
        assert template == f"{portal.url}{search}?q={{searchTerms}}"
        asked = template.replace("{searchTerms}", "hive").removeprefix(portal.url)
        assert "hive" in portal.get(asked).text


def test_sitemaps_lead_to_pages_of_the_portal(portal):
    index = ElementTree.fromstring(portal.get("/sitemap.xml").body)
    maps = [one.text for one in index.iter(f"{SITEMAP}loc")]
    assert maps == [f"{portal.url}/c/bees/sitemap.xml", f"{portal.url}/c/hostile/sitemap.xml"]
    listed = [
        one.text
        for one in ElementTree.fromstring(portal.get("/c/bees/sitemap.xml").body).iter(f"{SITEMAP}loc")
    ]
    assert len(listed) > 5
    for url in [*listed[:4], listed[-1]]:
        answered = portal.get(url.removeprefix(portal.url))
        assert answered.status == 200
        assert 'content="noindex' not in answered.text


def test_robots_may_read_but_not_search(portal, bees):
    rules = Protego.parse(portal.get("/robots.txt").text)
    assert rules.can_fetch(f"{portal.url}/c/bees/search", "anybot")
    assert rules.can_fetch(portal.url + portal.page_of("bees", bees.top(1)[0].url), "anybot")
    assert not rules.can_fetch(f"{portal.url}/c/bees/search?q=hive", "anybot")
    assert not rules.can_fetch(f"{portal.url}/?q=hive", "anybot")
    assert not rules.can_fetch(f"{portal.url}/api/v1/crawls/bees/search?q=hive", "anybot")
    assert [*rules.sitemaps] == [f"{portal.url}/sitemap.xml"]
    assert 'content="noindex, follow"' in portal.get("/c/bees/search?q=hive").text


def test_links_carry_the_url_they_are_about(portal, bees):
    url = newest(bees)[0]
    about = portal.get("/c/bees/feed.json").json["items"][0]["_honeyguide"]["about"]
    assert parse_qs(urlsplit(about).query)["url"] == [url]
