import numpy as np
import pytest
from scipy.sparse import csr_array

from honeyguide.topics.examples import Example
from honeyguide.topics.taxonomy import Taxonomy, TopicTree
from honeyguide.topics.taxonomy.advice import (
    broaden,
    citations,
    distinctive_words,
    propose_classes,
    suggest_examples,
)

EXAMPLES = {
    "Recreation/Cycling": ["bicycle pedal wheel ride", "bicycle saddle chain"],
    "Recreation/Fishing": ["river bait hook trout", "lake boat trout"],
    "Recreation/Camping": ["tent forest fire", "tent sleeping bag"],
    "Business/Funds": ["fund bond market", "fund dividend"],
    "Business/Shops": ["bicycle shop price", "price discount counter"],
}


def taxonomy() -> Taxonomy:
    tree = TopicTree()
    pairs = [
        (Example(text, f"http://x.org/{text[:9]}"), path) for path in EXAMPLES for text in EXAMPLES[path]
    ]
    places = [tree.place(path.split("/")) for _, path in pairs]
    return Taxonomy.train(tree, [example for example, _ in pairs], places, language="en")


def test_classes_are_proposed_where_the_examples_fit():
    proposals = propose_classes(
        taxonomy(),
        [Example("pedal and chain of a bicycle"), Example("wheel ride"), Example("shop price counter")],
    )
    assert [(one.path, one.examples) for one in proposals] == [
        ("Recreation/Cycling", 2),
        ("Business/Shops", 1),
    ]
    assert proposals[0].probability > 0.4


def test_a_topic_that_unites_several_classes_is_proposed_as_well():
    proposals = propose_classes(
        taxonomy(), [Example("bicycle pedal"), Example("trout bait"), Example("tent forest")]
    )
    assert proposals[0].path == "Recreation"
    assert proposals[0].examples == 3
    assert {one.path for one in proposals[1:]} == {
        f"Recreation/{name}" for name in ("Cycling", "Fishing", "Camping")
    }
    assert propose_classes(taxonomy(), []) == []


def test_distinctive_words_tell_a_topic_from_its_siblings():
    words = distinctive_words(taxonomy(), "Recreation/Cycling")
    # bicycle: 2 of its 7 words, 2 of the 20 words of all three siblings
    assert words[0] == ("bicycl", pytest.approx(2 * np.log((2 / 7) / (2 / 20))))
    assert "trout" not in dict(words)


def test_further_examples_have_the_topics_words_in_their_titles():
    nearby = [
        Example("", "http://a.org/", "Bicycle saddles and pedals"),
        Example("", "http://b.org/", "A page on the bicycle and many other things in the wide world"),
        Example("", "http://c.org/", "Trout recipes"),
        Example("", "http://x.org/bicycle p", "Bicycle pedals, known already"),
        Example("", "http://d.org/", ""),
    ]
    found = suggest_examples(taxonomy(), "Recreation/Cycling", nearby)
    assert [one.example.url for one in found] == ["http://a.org/", "http://b.org/"]
    assert found[0].score > found[1].score > 0
    assert set(found[0].shared) == {"bicycl", "saddl", "pedal"}


def test_citations_count_links_between_topics():
    topics = np.array([0, 0, 1, -1, 2])
    sources = np.array([0, 0, 1, 2, 3, 0, 2])
    targets = np.array([1, 2, 2, 0, 0, 0, 4])
    assert citations(topics, sources, targets, 3).toarray().tolist() == [[1, 2, 0], [1, 0, 1], [0, 0, 0]]


def advised(links: dict[tuple[str, str], int]):
    tax = taxonomy()
    tax.mark_good("Recreation/Cycling")
    matrix = np.zeros((len(tax.tree), len(tax.tree)))
    for (source, target), number in links.items():
        matrix[tax.tree.find(source), tax.tree.find(target)] = number
    return broaden(tax, csr_array(matrix))


def test_topics_that_commingle_with_the_good_ones_are_advised():
    cycling, shops = "Recreation/Cycling", "Business/Shops"
    advice = advised(
        {(cycling, cycling): 50, (cycling, shops): 45, (cycling, "Business/Funds"): 4, (shops, cycling): 50}
    )
    assert [(one.path, one.relation) for one in advice] == [(shops, "elsewhere")]
    assert advice[0].cited == pytest.approx(45 / 99)
    assert advice[0].citing == pytest.approx(0.5)


def test_a_parent_is_advised_when_several_siblings_commingle():
    cycling, fishing, camping = (f"Recreation/{name}" for name in ("Cycling", "Fishing", "Camping"))
    advice = advised({(cycling, cycling): 60, (cycling, fishing): 40, (camping, cycling): 30})
    assert [(one.path, one.relation) for one in advice] == [
        ("Recreation", "parent"),
        (fishing, "sibling"),
        (camping, "sibling"),
    ]


def test_a_topic_that_keeps_to_itself_needs_no_broadening():
    assert (
        advised(
            {("Recreation/Cycling", "Recreation/Cycling"): 100, ("Recreation/Cycling", "Business/Funds"): 2}
        )
        == []
    )
    assert advised({}) == []
