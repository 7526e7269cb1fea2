"""Archived copies: on another origin, by signed links, unable to do anything."""

import re
from urllib.parse import urlsplit

import html5lib

import honeyguide as hg
from tests.serve.portal.conftest import EVIL, get


def copy_of(portal, collection, url):
    text = portal.get(portal.page_of(collection, url)).text
    return re.search(r'href="([^"]+/copy/[^"]+)"', text)[1].replace("&amp;", "&")


def hostile_url(portal):
    crawl = hg.Crawl.open(portal.folder / "crawls" / "hostile")
    return next(page.url for page in crawl.visits() if page.url.startswith(f"{EVIL}/0"))


def test_a_copy_is_shown_from_another_origin_without_its_reach(portal):
    link = copy_of(portal, "hostile", hostile_url(portal))
    assert urlsplit(link).port != urlsplit(portal.url).port
    answered = get(link)
    assert answered.status == 200
    policy = answered.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none';")
    assert "allow-" not in policy
    assert "script-src" not in policy
    assert answered.headers["content-type"] == "text/html; charset=utf-8"
    assert answered.headers["x-content-type-options"] == "nosniff"
    tree = html5lib.parse(answered.text, namespaceHTMLElements=False)
    assert not [one for tag in ("script", "link", "meta[@http-equiv]") for one in tree.findall(f".//{tag}")]
    assert "Bees make honey" in "".join(tree.itertext())
    assert tree.find(".//base").attrib["href"] == hostile_url(portal)


def test_links_are_good_for_one_copy_and_are_not_guessed(portal, bees):
    link = copy_of(portal, "bees", bees.top(1)[0].url)
    assert get(link).status == 200
    number = re.search(r"/copy/bees/(\d+)", link)[1]
    other = link.replace(f"/bees/{number}?", f"/bees/{int(number) % 50 + 1}?")
    later = re.sub(r"by=(\d+)", lambda found: f"by={int(found[1]) + 1000}", link)
    for wrong in (other, later, link.partition("?")[0], link[:-1], link.replace("/bees/", "/hostile/")):
        assert get(wrong).status == 403, wrong


def test_the_second_port_answers_nothing_else(portal):
    link = urlsplit(copy_of(portal, "hostile", hostile_url(portal)))
    for path in ("/", "/c/bees/search", "/api/v1/crawls", "/docs", "/openapi.json", "/copy/../../x"):
        answered = get(f"{link.scheme}://{link.netloc}{path}")
        assert answered.status in (403, 404), path
        assert answered.headers["content-security-policy"].startswith("sandbox;")
