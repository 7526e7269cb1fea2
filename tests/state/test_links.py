"""The link arrays against plain lists."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.model import ROOT
from honeyguide.state.links import Links

URLS = 8
PAGES = st.lists(
    st.tuples(st.integers(0, URLS - 1), st.lists(st.integers(0, URLS - 1), unique=True)), max_size=12
)


def appended(versions, batch):
    """Links as a crawl appends them: some pages at a time, each at most once."""
    links = Links()
    links.grow(URLS)
    while versions:
        part = versions[:batch]
        distinct = next(
            (at for at, (page, _) in enumerate(part) if page in [p for p, _ in part[:at]]), len(part)
        )
        part, versions = part[:distinct], versions[distinct:]
        links.append(
            np.array([page for page, _ in part], dtype=np.int32),
            np.array([len(targets) for _, targets in part]),
            np.array([target for _, targets in part for target in targets], dtype=np.int32),
        )
    return links


def last_versions(pages):
    """The root, which is no page, keeps all its links."""
    return [
        (page, targets)
        for at, (page, targets) in enumerate(pages)
        if page == ROOT or page not in [later for later, _ in pages[at + 1 :]]
    ]


@given(PAGES, st.integers(1, 4))
def test_reads_forwards_backwards_and_as_a_matrix(pages, batch):
    links, latest, into = appended(pages, batch), dict(pages), {url: [] for url in range(URLS)}
    matrix = np.zeros((URLS, URLS))
    for page, page_targets in last_versions(pages):
        for target in page_targets:
            matrix[page, target] = 1
            into[target].append(page)
    for url in range(URLS):
        assert links.outlinks(url).tolist() == latest.get(url, [])
        assert links.inlinks(url).tolist() == list(dict.fromkeys(reversed(into[url])))
    everything = np.arange(URLS, dtype=np.int32)[::-1]
    place, targets = links.outlinks_of(everything)
    expected = [(url, target) for url in everything.tolist() for target in latest.get(url, [])]
    assert list(zip(everything[place].tolist(), targets.tolist(), strict=True)) == expected
    place, sources = links.inlinks_of(everything, most=2)
    expected = [(url, source) for url in range(URLS) for source in into[url][-2:]]
    assert sorted(zip(everything[place].tolist(), sources.tolist(), strict=True)) == sorted(expected)
    place, distance, beside, on = links.beside(everything, most=len(pages) + 1, reach=2)
    expected = [
        (target, abs(one - other), page_targets[other], page)
        for page, page_targets in latest.items()
        if page != ROOT  # which is a list of seeds, and no page
        for one, target in enumerate(page_targets)
        for other in range(len(page_targets))
        if 0 < abs(one - other) <= 2
    ]
    found = zip(everything[place].tolist(), distance.tolist(), beside.tolist(), on.tolist(), strict=True)
    assert sorted(found) == sorted(expected)
    assert len(links) == sum(len(targets) for _, targets in last_versions(pages))
    assert (links.graph().toarray() == matrix).all()
    expected = [(page, target) for page, page_targets in last_versions(pages) for target in page_targets]
    assert list(zip(*(side.tolist() for side in links.pairs()), strict=True)) == expected


@given(PAGES, st.integers(1, 4))
def test_pages_seen_again_leave_what_a_reopened_crawl_has(pages, batch):
    """To the order in which links into a url are told: what is added up must be the same to the last bit."""
    went_on, reopened = appended(pages, batch), appended(last_versions(pages), 100)
    everything = np.arange(URLS, dtype=np.int32)
    for read in (
        lambda links: links.inlinks_of(everything, most=2),
        lambda links: links.beside(everything, most=2, reach=2),
        lambda links: links.outlinks_of(everything),
    ):
        assert [part.tolist() for part in read(went_on)] == [part.tolist() for part in read(reopened)]
