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


@given(PAGES, st.integers(1, 4))
def test_reads_forwards_backwards_and_as_a_matrix(pages, batch):
    links, latest, into = Links(), {}, {url: [] for url in range(URLS)}
    links.grow(URLS)
    for start in range(0, len(pages), batch):
        part = pages[start : start + batch]
        targets = [target for _, page_targets in part for target in page_targets]
        links.append(
            np.array([page for page, _ in part], dtype=np.int32),
            np.array([len(page_targets) for _, page_targets in part]),
            np.array(targets, dtype=np.int32),
        )
    matrix = np.zeros((URLS, URLS))
    for page, page_targets in pages:
        latest[page] = page_targets
        for target in page_targets:
            matrix[page, target] = 1
            into[target].append(page)
    for url in range(URLS):
        assert links.outlinks(url).tolist() == latest.get(url, [])
        assert links.inlinks(url).tolist() == list(dict.fromkeys(reversed(into[url])))
    assert (links.graph().toarray() == matrix).all()
    everything = np.arange(URLS, dtype=np.int32)[::-1]
    place, targets = links.outlinks_of(everything)
    expected = [(url, target) for url in everything.tolist() for target in latest.get(url, [])]
    assert list(zip(everything[place].tolist(), targets.tolist(), strict=True)) == expected
    place, sources = links.inlinks_of(everything, most=2)
    expected = [(url, source) for url in range(URLS) for source in into[url][-2:]]
    assert sorted(zip(everything[place].tolist(), sources.tolist(), strict=True)) == sorted(expected)
    place, distance, beside = links.beside(everything, most=URLS, reach=2)
    expected = [
        (target, abs(one - other), page_targets[other])
        for page, page_targets in latest.items()
        if page != ROOT  # which is a list of seeds, and no page
        for one, target in enumerate(page_targets)
        for other in range(len(page_targets))
        if 0 < abs(one - other) <= 2
    ]
    found = zip(everything[place].tolist(), distance.tolist(), beside.tolist(), strict=True)
    assert set(found) <= set(expected)
    if len(latest) == len(pages):  # else links of an earlier version may be among the latest
        assert sorted(
            zip(everything[place].tolist(), distance.tolist(), beside.tolist(), strict=True)
        ) == sorted(expected)
    expected = [(page, target) for page, page_targets in pages for target in page_targets]
    assert list(zip(*(side.tolist() for side in links.pairs()), strict=True)) == expected
