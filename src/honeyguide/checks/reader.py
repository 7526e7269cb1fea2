"""What every reader must do: tell what was committed, all of it and nothing else, also while the store is open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from honeyguide.admission.rules import RULE
from honeyguide.checks.store import BATCHES, TABLES, URLS_A_BATCH, VALUES, make_batch
from honeyguide.commands import Command, Label, Pause, Steer, Unsteer, written
from honeyguide.model import Status, Visit
from honeyguide.patterns import Pattern, Rule
from honeyguide.state.state import State
from honeyguide.store.base import Batch, Judgments, LabelRow, Store
from honeyguide.store.reader import Reader


def check_reader(
    open_store: Callable[[], Store], open_reader: Callable[[], Reader], send: Callable[[Command], int]
) -> None:
    """Commit batches and compare what a reader tells; `send` leaves a command. All three are of one empty crawl."""
    store, state, random = open_store(), State(), np.random.default_rng(5)
    state.declare(VALUES, TABLES)
    batches = []
    for number in range(BATCHES):
        batches.append(make_batch(state, random, number))
        store.commit(batches[-1], state)
    with open_reader() as reader:
        _check_numbers(reader, state)
        _check_visits(reader, [visit for batch in batches for visit in batch.visits])
        _check_links(reader, state)
        failures = list(reader.failures())
        assert [one.url for one in failures] == [batch.failures[0].url for batch in batches], (
            "failures in order"
        )
        assert [*reader.failures(failures[3].url_id)] == [failures[3]], "those of one url"
        assert [*reader.failures(since=2)] == failures[2:], "those after the second"
        judged = [(visit.number, visit.time, visit.relevance) for visit in reader.numbered([2, 3])]
        assert reader.judged([3, 2, 10**6]) == judged, "what a picture of the crawl needs of its visits"
        assert len(reader.state(VALUES, TABLES)) == len(state), "the whole state"
        lately = reader.lately(10)
        assert (lately.pages, lately.bytes, lately.per_second) == (10, 100, 1.0), "the last pages"
        assert [(one.content_type, one.pages) for one in lately.types] == [("text/html", 10)], "their types"
        assert [(one.error, one.failures) for one in lately.failures] == [("FetchTimeout", 10)], (
            "the last failures"
        )
        assert {(one.pages, one.failures) for one in lately.hosts} == {(1, 1)}, "their hosts"
    _check_inbox(store, state, random, open_reader, send)
    _check_queue(store, state, open_reader, send)
    store.close()


def _check_queue(
    store: Store, state: State, open_reader: Callable[[], Reader], send: Callable[[Command], int]
) -> None:
    """What waits, and what steers it; read on from what was known before, it is the same."""
    with open_reader() as reader:
        known = reader.queued()
    state.declare_value(RULE)
    ids = np.arange(7, dtype=np.int32)
    state.set(RULE, ids, 1.0)
    state.set("status", ids, Status.QUEUED)
    store.commit(Batch(state.take_changes(), rule=Rule(1, "raise", "a.example", 1.0)), state)
    waiting = send(Steer(action="exclude", pattern="b.example"))
    with open_reader() as reader:
        for queued in (reader.queued(), reader.queued(known)):
            for name, column in (
                ("status", queued.status),
                ("priority", queued.priority),
                (RULE, queued.rule),
            ):
                assert np.array_equal(column, state.saved_values(name, slice(None))), f"{name} of every url"
            assert np.array_equal(queued.host, state.urls["host"]), "the host of every url"
        assert [(rule.number, rule.is_waiting) for rule in reader.rules()] == [(1, False), (waiting, True)], (
            "rules in force, and those that wait in the inbox"
        )
        row, first = reader.url_rows([2, 1])
        assert (row.id, row.url, row.host, first.id) == (2, reader.url_text(2), "a.example", 1), (
            "urls as asked"
        )
        assert reader.host_names([1, 0]) == ["b.example", "a.example"], "hosts as asked"
        assert reader.host_ids(Pattern.read("b.example")) == [1], "the hosts of a pattern"
        assert reader.urls_with("A.example/2", any_case=True)[0][0] == (2, reader.url_text(2)), "in any case"
        assert reader.urls_with("A.example/2") == ([], True), "as it is written"
    send(Unsteer(rule=waiting))
    with open_reader() as reader:
        assert [rule.number for rule in reader.rules()] == [1], "what waits to be taken back is no rule"


def _check_numbers(reader: Reader, state: State) -> None:
    numbers = reader.numbers(0.5)
    expected = np.bincount(state.saved_values("status", slice(None)), minlength=len(Status)).tolist()
    expected[Status.FETCHED] = max(0, expected[Status.FETCHED] - 1)  # the root is no url
    assert numbers.pages == numbers.relevant == numbers.failures == BATCHES, "pages, relevant ones, failures"
    assert reader.numbers(0.51).relevant == 0, "the threshold decides what is relevant"
    assert reader.numbers(0.5, numbers) == numbers, "counted on from what was counted before, it is the same"
    assert reader.numbers(0.51, numbers).relevant == 0, "what was counted by another threshold does not count"
    made_up = replace(numbers, pages=numbers.pages - 2, visits=numbers.visits - 2, relevant=40)
    assert reader.numbers(0.5, made_up).relevant == 42, "what was counted before is not counted again"
    assert reader.numbers(0.5, replace(made_up, first_time=0.0)) == numbers, (
        "nor is another crawl's taken over"
    )
    assert numbers.urls == BATCHES * URLS_A_BATCH - 1, "urls"
    assert numbers.hosts == BATCHES - 1, "hosts, of which the root's is none"
    assert [numbers.urls_by_status[status] for status in Status] == expected, "urls by status"
    assert numbers.mean_relevance == 0.5, "mean relevance"
    assert (numbers.first_time, numbers.last_time) == (1.5, 0.5 + BATCHES), (
        "times of the first and the last page"
    )
    assert numbers.counts == {"links": 30 * BATCHES}, "counters are sums"


def _check_visits(reader: Reader, visits: list[Visit]) -> None:
    told = list(reader.visits())
    expected = [replace(visit, number=number) for number, visit in enumerate(visits, start=1)]
    assert told == expected, "every visit as it was committed, numbered from 1"
    assert list(reader.visits(since=15)) == expected[15:], "visits since a number"
    assert not list(reader.visits(relevant_above=0.6)), "only relevant visits"
    assert reader.latest(2) == expected[-2:], "the last visits, in order"
    assert reader.harvest(3) == [visit.harvest for visit in expected[-3:]], "the harvest of the last visits"
    assert list(reader.best()) == expected, "of equals the first is the best"
    last = expected[-1]
    assert reader.find_url(last.url) is None or reader.last_visit(last.url_id) == last, (
        "the last visit of a url"
    )
    assert [host.pages for host in reader.hosts(3, 0.5)] == [1, 1, 1], "the best hosts"


def _check_links(reader: Reader, state: State) -> None:
    page = URLS_A_BATCH  # the first url of the second batch
    links = list(reader.links(page))
    targets = [reader.url_text(target) for target in state.links.outlinks(page).tolist()]
    assert [link.target for link in links] == targets, "links of a page"
    assert {link.anchor for link in links} == {"an anchor \u2192"}, "anchors"
    assert reader.anchor(page, int(state.links.outlinks(page)[0])) == "an anchor \u2192", "one anchor"
    linked = int(state.links.outlinks(page)[0])
    sources = {reader.url_text(source) for source in state.links.inlinks(linked).tolist()} - {""}
    assert {link.source for link in reader.inlinks(linked, 1000)} == sources, "links to a url"
    assert len(reader.inlinks(linked, 1)) == 1, "a few of them"
    assert sum(1 for _ in reader.links()) == 30 * BATCHES, "all links"
    lists = [found for found in reader.link_lists() if found.page == page]
    assert [found.targets.tolist() for found in lists] == [state.links.outlinks(page).tolist()], "as ids"
    assert [*lists[0].anchors] == [link.anchor for link in links], "with their anchors"
    assert reader.path_from_seed(page)[-1] == page, "the way to a url"


def _check_inbox(
    store: Store,
    state: State,
    random: np.random.Generator,
    open_reader: Callable[[], Reader],
    send: Callable[[Command], int],
) -> None:
    numbers = [send(Pause()), send(Label(url="http://a.example/2", relevant=False))]
    posts = store.posts()
    assert [post.number for post in posts] == numbers, "commands reach an open store in order"
    assert posts[0].command == written(Pause()), "as they were sent"
    batch = make_batch(state, random, BATCHES - 1)
    label = LabelRow("http://a.example/1", 1.0, True, "")
    mark = replace(label, relevant=False, of_hub=True)
    answered = replace(batch, receipts={numbers[0]: "paused"}, labels=[label, mark], is_paused=True)
    store.commit(answered, state)
    assert [post.number for post in store.posts()] == numbers[1:], "what was answered is not told again"
    with open_reader() as reader:
        assert [post.receipt for post in reader.posts()] == ["paused", None], "receipts"
        assert [post.number for post in reader.posts(numbers[0])] == numbers[1:], "commands since a number"
        said = reader.labels()
        assert said.pop("http://a.example/2").relevant is False, (
            "what waits in the inbox has been said as well"
        )
        assert said == {label.url: label}, "labels"
        assert reader.hub_marks() == {mark.url: mark}, "what is said of a hub is not said of the page"
        asked = [label.url, "http://a.example/2", "http://a.example/3"]
        assert reader.labels_of(asked) == {label.url: True, "http://a.example/2": False}, "labels of some"
        assert reader.numbers(0.5).is_paused, "whether it is paused"
        assert reader.is_paused(), "whether it is paused, without its numbers"
    store.commit(
        replace(make_batch(state, random, BATCHES - 1), labels=[replace(label, relevant=None)]), state
    )
    with open_reader() as reader:
        assert label.url not in reader.labels(), "a label that is taken back is gone"
    _check_judging_again(store, state, random, open_reader)


def _check_judging_again(
    store: Store, state: State, random: np.random.Generator, open_reader: Callable[[], Reader]
) -> None:
    """A later revision of the topic judges a page otherwise; what it was judged at its time is kept."""
    assert store.revision() == 0, "a crawl begins with the first revision"
    with open_reader() as reader:
        before = next(reader.best())
        counted = reader.numbers(0.6)
    judged = Judgments(np.array([before.url_id], dtype=np.int32), np.array([0.9]), 0.9 - before.relevance, 3)
    assert before.url_id in store.judged_otherwise(3), "what another revision has judged"
    batch = make_batch(state, random, BATCHES - 1)
    copy = replace(batch.visits[0], copy_of=before.url_id, relevance=0.8)
    batch = replace(batch, visits=[copy], judgments=judged, revision=3)
    store.commit(batch, state)
    assert store.revision() == 3, "the revision in use"
    assert before.url_id not in store.judged_otherwise(3), "what was judged again is not to be judged again"
    with open_reader() as reader:
        now = reader.last_visit(before.url_id)
        assert now is not None, "the visit is there"
        assert (now.relevance, now.revision) == (0.9, 3), "a page has the relevance that was last judged"
        assert (now.first_relevance, now.first_revision) == (before.relevance, 0), "and that of its time"
        assert next(reader.best()).relevance == 0.9, "the best pages are those by the last judgment"
        assert reader.nearest(0.89, 1)[0].url_id == before.url_id, "pages by the distance of their relevance"
        assert [visit.number for visit in reader.numbered([2, 1, 999])] == [1, 2], "visits by their numbers"
        numbers = reader.numbers(0.6, counted)
        assert numbers.mean_relevance > counted.mean_relevance, "the mean follows"
        assert numbers.relevant == counted.relevant + 1, "what was judged again is counted again"
        assert reader.judged_again() == (3, 1), "the revision, and how often a page was judged again"
        assert reader.harvest(2) == [0.5, 0.0], "a copy harvests nothing"
        assert [revision for revision, _ in reader.revisions()] == [3], "the history of revisions"
