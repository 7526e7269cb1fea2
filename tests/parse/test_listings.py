"""Pages that list others."""

import pytest

from honeyguide.parse import parse_page
from honeyguide.parse.listings import has_url_of_list, is_mostly_links, without_variant

LINKS = "".join(f"<li><a href=/{number}>All about bees, part {number}</a>" for number in range(30))


def test_a_page_of_links_lists_others_and_an_article_with_a_menu_does_not():
    article = "<p>" + "A queen lays eggs and her workers bring nectar to the hive. " * 40
    listed, menu = (
        parse_page(html.encode(), "https://a.example/", "text/html") for html in (LINKS, LINKS + article)
    )
    assert is_mostly_links(listed)
    assert not is_mostly_links(menu)


def test_a_short_page_with_a_few_links_is_no_list():
    page = parse_page(b"<p>See <a href=/a>bees and honey</a>", "https://a.example/", "text/html")
    assert not is_mostly_links(page)


@pytest.mark.parametrize(
    ("path", "is_list"),
    [
        ("tag/bees", True),
        ("categories/bees.html", True),
        ("categories.html", True),
        ("blog/page/3/", True),
        ("?s=bees", True),
        ("2020/01/02/", True),
        ("2020/01/02/bees/", False),
        ("tagging-bees", False),
        ("research/", False),
        ("", False),
    ],
)
def test_urls_of_lists(path, is_list):
    assert has_url_of_list(f"https://a.example/{path}") == is_list


def test_variants_of_a_url_are_one_page_and_others_are_not():
    base = "https://a.example/bees"
    variants = ("", "/", ".html", "/index.html", "/index.php", "?utm=1", "/amp/", "/page/2/")
    assert {without_variant(base + variant) for variant in variants} == {base}
    assert without_variant(f"{base}/honey") != base
