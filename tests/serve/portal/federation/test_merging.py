"""Several answers as one list."""

from dataclasses import replace

from honeyguide.search.results import Hit
from honeyguide.serve.portal.federation.answers import Answer
from honeyguide.serve.portal.federation.merging import MOST_MERGED, merge
from honeyguide.urls import host_of, site_of


def hit(url, title="", score=1.0):
    host = host_of(url)
    return Hit(1, url, title, host, site_of(host), "en", 0.0, 0.5, 0.5, "", None, (), score, {}, 0)


def answer(name, *hits):
    return Answer(name, f"http://{name}.example/", tuple(hits), len(hits))


def urls(*answers):
    return [page.hit.url for page in merge(answers)]


def test_ranks_are_interleaved_whatever_scores_say():
    modest = answer("a", *(hit(f"http://a.example/{n}", score=0.1) for n in range(3)))
    boastful = answer("b", *(hit(f"http://b.example/{n}", score=1e300) for n in range(3)))
    assert urls(modest, boastful) == [f"http://{host}.example/{n}" for n in range(3) for host in "ab"]


def test_what_several_have_moves_up_and_stands_once():
    both = hit("https://both.example/x")
    merged = merge(
        [
            answer("a", hit("http://a.example/1"), hit("http://a.example/2"), both),
            answer("b", hit("http://b.example/1"), hit("http://b.example/2"), both),
        ]
    )
    assert merged[0].hit.url == both.url
    assert [one.name for one in merged[0].answers] == ["a", "b"]
    assert len(merged) == 5


def test_the_same_page_is_told_by_its_address_without_variants():
    variants = [
        "https://www.bees.example/hive/index.html",
        "http://bees.example/hive/",
        "http://bees.example/hive?x=1",
    ]
    assert urls(*(answer(str(n), hit(url)) for n, url in enumerate(variants))) == variants[:1]


def test_the_same_page_is_told_by_its_title_on_the_same_site():
    one, other = hit("http://a.bees.org/1", "Queen  Rearing"), hit("http://b.bees.org/2", "queen rearing")
    elsewhere = hit("http://hives.org/2", "queen rearing")
    assert urls(answer("a", one), answer("b", other), answer("c", elsewhere)) == [one.url, elsewhere.url]
    nameless = [answer(str(n), hit(f"http://bees.example/{n}")) for n in range(3)]
    assert len(urls(*nameless)) == 3


def test_a_portal_that_repeats_itself_gains_nothing():
    spam = answer("spam", *([hit("http://spam.example/")] * 20))
    honest = answer("honest", hit("http://honest.example/"))
    assert urls(honest, spam) == ["http://honest.example/", "http://spam.example/"]
    assert len(merge([spam])[0].answers) == 1


def test_two_pages_that_a_third_joins_are_listed_no_more_than_twice():
    one, other = hit("http://x.example/1", "Bees"), hit("http://x.example/2", "Wasps")
    joining = replace(one, title="Wasps")
    assert len(urls(answer("a", one), answer("b", other), answer("c", joining))) == 2


def test_the_list_is_bounded_and_may_be_empty():
    many = [answer(str(a), *(hit(f"http://h{a}.example/{n}") for n in range(20))) for a in range(20)]
    assert len(merge(many)) == MOST_MERGED
    assert merge([]) == merge([answer("a")]) == []
