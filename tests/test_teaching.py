"""Labels, questions and revisions, on the sample web."""

import shutil
from collections import Counter
from itertools import combinations, islice, pairwise

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.errors import SettingsError, TopicError
from honeyguide.parse.repeats import shows_nothing_new
from honeyguide.questions import SITES_SHARE, random_visits
from honeyguide.revisions import revision_rows
from honeyguide.sample_web.web import SampleWeb
from honeyguide.teaching import wilson
from honeyguide.topics.text import stem_words
from honeyguide.urls import host_of, site_of
from tests.part_kept import SITE, crawl_part_kept

WEB = SampleWeb(pages=600)
TOPIC = WEB.topic_names[0]
GOOD = frozenset(WEB.targets(TOPIC))
WORDS = WEB.description(TOPIC).split()[0]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("teaching") / "crawl"
    crawl = hg.Crawl.start(folder, WORDS, WEB.seeds(TOPIC), settings={"web.sample_pages": 600})
    crawl.run(pages=150)
    return crawl


@pytest.fixture
def crawl(crawled, tmp_path):
    shutil.copytree(crawled.folder, tmp_path / "crawl")
    return hg.Crawl.open(tmp_path / "crawl")


def label_some(crawl, number=12):
    for queue in ("best", "teach"):
        for page in crawl.questions(number, queue):
            crawl.label(page.url, page.url in GOOD, asked=queue, by="me", note="why")


def test_questions_are_the_best_those_that_teach_and_any(crawl):
    best = crawl.questions(8)
    assert [page.relevance for page in best[:2]] >= [page.relevance for page in best[2:4]]
    assert best[0].relevance == max(page.relevance for page in crawl.visits())
    teach = crawl.questions(8, "teach")
    distances = [abs(page.relevance - crawl.threshold) for page in teach]
    assert (
        np.mean(distances) < np.mean([abs(page.relevance - crawl.threshold) for page in crawl.visits()]) / 2
    )
    any_page = crawl.questions(60, "random")
    assert len({page.url for page in any_page}) == 60
    assert (
        min(page.relevance for page in any_page)
        < crawl.threshold / 2
        < max(page.relevance for page in any_page)
    )
    with pytest.raises(SettingsError, match="there are best, teach, random"):
        crawl.questions(3, "worst")
    with pytest.raises(SettingsError, match="-1 pages cannot be asked about"):
        crawl.questions(-1)
    for wrong in ("teach", 2.5):
        with pytest.raises(
            SettingsError, match=f"{wrong!r} is no number of pages to ask about; give a whole"
        ):
            crawl.questions(wrong)
    assert crawl.questions(0) == []
    assert len(crawl.questions(10**30)) <= 150, "no more than there are"


def site(page):
    return site_of(host_of(page.url))


def test_a_site_has_no_more_than_its_share_of_the_questions(crawl):
    best = list(crawl.reader().best())
    of_site = Counter(map(site, best[:8]))
    (richest, number), *_ = of_site.most_common(1)
    assert number > 8 // SITES_SHARE, "else this tells nothing"
    assert max(Counter(map(site, crawl.questions(8))).values()) == 8 // SITES_SHARE
    for page in [page for page in best if site(page) == richest][:8]:
        crawl.label(page.url, page.url in GOOD)
    assert richest not in map(site, crawl.questions(8)), "what was said before counts"


def test_of_one_site_are_all_questions_where_there_is_no_other(tmp_path):
    seeds = WEB.seeds(TOPIC)[:1]
    settings = {"web.sample_pages": 600, "scope.allow_hosts": [host_of(seeds[0])]}
    crawl = hg.Crawl.start(tmp_path / "crawl", WORDS, seeds, settings=settings)
    crawl.run(pages=15)
    best = list(crawl.reader().best())
    asked = crawl.questions(4)
    assert len({site(page) for page in best}) == 1
    assert len(asked) == 4
    assert asked[0].url == best[0].url


def test_no_question_is_asked_twice_of_copies(crawl):
    best = list(crawl.reader().best())[:60]
    assert any(shows_nothing_new(one, other) for one, other in combinations(best, 2)), (
        "else this tells nothing"
    )
    asked = [page.visit for page in crawl.questions(60)]
    assert not any(shows_nothing_new(one, other) for one, other in combinations(asked, 2))


def test_what_is_no_url_gets_no_label(crawl):
    with pytest.raises(SettingsError, match="3 is no url"):
        crawl.label(3, True)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"note": "x" * 100_000}, "note: it has 100,000 characters; give at most 10,000"),
        ({"note": "\ud800"}, "note: it has half of a character in it"),
        ({"by": "x" * 201}, "by: it has 201 characters; give at most 200"),
        ({"by": "\udcff"}, "by: it has half of a character in it"),
        ({"note": 5}, "note: Input should be a valid string"),
    ],
    ids=["long", "surrogate", "long name", "surrogate in a name", "no text"],
)
def test_what_cannot_be_noted_down_is_told(crawl, said, told):
    with pytest.raises(SettingsError, match=told):
        crawl.label("http://a.example/", True, **said)
    with pytest.raises(SettingsError, match=told):
        crawl.mark_hub("http://a.example/", True, **said)
    assert not crawl.inbox()


def test_many_labels_are_given_all_or_none(crawl):
    given = [hg.Label(url=f"http://{name}.example", relevant=True) for name in "abc"]
    with pytest.raises(SettingsError, match="'example' is no url"):
        crawl.label_all([*given, hg.Label(url="example", relevant=True)])
    assert not crawl.inbox()
    assert crawl.label_all(given) == [1, 2, 3]
    assert [*crawl.labels()] == [f"http://{name}.example/" for name in "abc"]
    assert crawl.label_all([]) == []
    assert not any("said_at" in post.command for post in crawl.inbox()), "earlier versions do not know it"


def test_what_was_said_here_stays_however_another_crawl_writes_the_url(crawl, crawled, tmp_path):
    other = hg.Crawl.open(shutil.copytree(crawled.folder, tmp_path / "other"))
    (page,) = crawl.questions(1)
    crawl.label(page.url, False)
    other.send(hg.Label(url=page.url.replace("http:", "https:"), relevant=True))
    assert crawl.take_labels(other) == 0
    assert crawl.labels()[page.url].relevant is False


def test_what_has_a_label_is_not_asked_again(crawl):
    asked = crawl.questions(5)
    crawl.label(asked[0].url, True)
    crawl.label(asked[1].url, None, unsure=True)
    left = [page.url for page in crawl.questions(5)]
    assert asked[0].url not in left
    assert asked[1].url not in left
    said = crawl.labels()
    assert said[asked[0].url].relevant is True
    assert (said[asked[1].url].relevant, said[asked[1].url].is_unsure) == (None, True)
    crawl.label(asked[0].url, None)  # taken back
    assert asked[0].url not in crawl.labels()
    assert asked[0].url in [page.url for page in crawl.questions(5)]


@pytest.fixture
def part_kept(tmp_path):
    return crawl_part_kept(tmp_path)


def test_pages_that_are_not_kept_are_asked_about_at_random_only(part_kept):
    for queue in ("best", "teach"):
        assert all(page.is_kept for page in part_kept.questions(12, queue)), queue
    assert not all(page.is_kept for page in part_kept.questions(13, "random")), "they are fetched pages, too"


def test_labels_that_teach_nothing_are_told_with_the_reason(part_kept):
    part_kept.label(f"{SITE}1", True)
    part_kept.label(f"{SITE}2", None, unsure=True)
    part_kept.label("http://far.example/", False)
    with pytest.raises(SettingsError) as caught:
        part_kept.learn()
    assert "1 of 3 labels is of a page that is not kept, so nothing is learned from it" in str(caught.value)
    assert "1 of 3 labels is unsure" in str(caught.value)
    assert "1 of 3 labels is of a page that was not fetched yet" in str(caught.value)


def test_a_label_says_who_why_and_in_answer_to_what(crawl):
    (page,) = crawl.questions(1)
    crawl.label(page.url, True, by="Ada", note="a hive", asked="best")
    crawl.run(pages=151)  # from the inbox to the table
    said = crawl.labels()[page.url]
    assert (said.relevant, said.by, said.note, said.asked) == (True, "Ada", "a hive", "best")


def test_learning_makes_the_guide_better_and_judges_all_pages_again(crawl):
    before = [page.url in GOOD for page in crawl.top(40)]
    label_some(crawl)
    revision = crawl.learn()
    assert (revision.number, revision.is_used, crawl.revision) == (1, True, 1)
    assert crawl.topic.name == "revised"
    after = [page.url in GOOD for page in crawl.top(40)]
    assert sum(after) > sum(before)
    visits = [page.visit for page in crawl.visits()]
    assert {visit.revision for visit in visits} == {1}
    assert {visit.first_revision for visit in visits} == {0}
    judged = crawl.topic.judge([page.text() for page in crawl.visits()])
    assert [visit.relevance for visit in visits] == pytest.approx(judged.tolist())
    assert crawl.status().relevant_above == crawl.threshold == crawl.topic.relevant_above != 0.5
    assert "the sum of what was learned of each word" in str(crawl.explain(visits[0].url))


def test_the_crawl_goes_on_with_the_new_revision_and_can_go_back(crawl):
    at_first = {page.url: page.relevance for page in crawl.visits()}
    label_some(crawl)
    crawl.learn()
    crawl.run(pages=180)
    numbers = [page.visit.revision for page in crawl.visits(since=150)]
    assert numbers == [1] * 30
    assert all(page.visit.first_relevance is None for page in crawl.visits(since=150))
    crawl.use_revision(0)
    assert (crawl.revision, crawl.topic.name, crawl.revisions()) == (0, "keywords", [0, 1])
    assert {page.url: page.relevance for page in crawl.visits() if page.url in at_first} == at_first
    with pytest.raises(SettingsError, match="no revision 9 of its topic; there are 0, 1"):
        crawl.use_revision(9)


def test_a_running_crawl_turns_to_a_revision_between_batches(crawl):
    label_some(crawl)
    crawl.learn()
    crawl.use_revision(0)
    crawl.send(hg.UseRevision(revision=1))  # as somebody else may
    crawl.run(pages=200)
    assert crawl.inbox()[-1].receipt == "guided by revision 1 of the topic"
    assert {page.visit.revision for page in crawl.visits()} == {1}
    crawl.send(hg.UseRevision(revision=7))
    crawl.run(pages=210)
    assert crawl.inbox()[-1].receipt.startswith("refused: ")
    assert crawl.revision == 1


def test_priorities_follow_what_pages_are_judged_now(crawl):
    strategy_before = dict(_queue(crawl))
    label_some(crawl)
    crawl.learn()
    after = dict(_queue(crawl))
    moved = [url for url in strategy_before if url in after and abs(after[url] - strategy_before[url]) > 0.05]
    assert len(moved) > len(after) / 10


def _queue(crawl):
    from honeyguide.model import Status
    from honeyguide.strategies.honeyguide import Honeyguide

    with crawl.reader() as reader:
        state = reader.state(Honeyguide.values, Honeyguide.tables)
        queued = [int(at) for at in (state.urls["status"] == Status.QUEUED).nonzero()[0]]
        return [(reader.url_text(at), float(state.urls["priority"][at])) for at in queued]


def test_learning_again_uses_all_labels_and_makes_another_revision(crawl):
    label_some(crawl, 6)
    one = crawl.learn()
    label_some(crawl, 6)
    two = crawl.learn()
    assert (one.number, two.number, crawl.revisions()) == (1, 2, [0, 1, 2])
    assert two.report.relevant + two.report.irrelevant > one.report.relevant + one.report.irrelevant


def test_little_is_left_to_learn_where_new_labels_of_both_kinds_change_hardly_a_verdict(crawl):
    label_some(crawl, 20)
    assert not crawl.learn().is_settled, "there is no former revision"
    pages = [page.url for page in crawl.visits() if page.url not in crawl.labels()]
    for url in pages[:2]:
        crawl.label(url, False)
    revisions = [crawl.learn()]
    assert not revisions[0].is_settled, "of one kind"
    while len(revisions) < 6 and not revisions[-1].is_settled:
        for is_good in (True, False):
            left = [url for url in pages[2:] if (url in GOOD) == is_good and url not in crawl.labels()]
            crawl.label(left[0], is_good)
        revisions.append(crawl.learn())
        assert revisions[-1].is_settled == (revisions[-1].changed < 0.01)


def test_without_labels_there_is_nothing_to_learn_from(crawl):
    with pytest.raises(SettingsError, match="no label to learn from; `honeyguide label"):
        crawl.learn()


def test_random_labels_estimate_how_good_all_is(crawl):
    assert crawl.estimate() is None
    truth = sum(page.url in GOOD for page in crawl.visits()) / 150
    with crawl.reader() as reader:
        shares = [
            np.mean([visit.url in GOOD for visit in islice(random_visits(reader, 60, salt), 60)])
            for salt in range(40)
        ]
    assert abs(np.mean(shares) - truth) < 0.02, "every page is asked about as likely as any other"
    for page in crawl.questions(150, "random"):
        crawl.label(page.url, page.url in GOOD, asked="random")
    found = crawl.estimate()
    assert (found.labelled, found.share) == (150, truth)
    assert found.lowest < truth < found.highest
    below = [page.url in GOOD for page in crawl.visits() if not page.relevance >= crawl.threshold]
    assert (found.not_called, found.overlooked) == (len(below), sum(below))
    assert 0 < found.overlooked_lowest < np.mean(below) < found.overlooked_highest


def test_what_is_overlooked_is_told_by_labels_that_were_not_learned_from(crawl):
    for page in crawl.questions(40, "random"):
        crawl.label(page.url, page.url in GOOD, asked="random")
    before = crawl.estimate()
    assert before.not_called
    crawl.learn()
    after = crawl.estimate()
    assert (after.labelled, after.share) == (before.labelled, before.share)
    assert (after.not_called, after.overlooked_highest) == (0, 1.0)


def test_intervals_are_those_of_wilson():
    low, high = wilson(8, 10)  # the usual example: 0.49 to 0.943
    assert (round(low, 3), round(high, 3)) == (0.49, 0.943)
    assert wilson(0, 5)[0] == 0.0
    assert all(few[1] > many[1] for few, many in pairwise(wilson(0, n) for n in (5, 10, 50)))


def test_two_revisions_are_compared_by_words_labels_and_pages(crawl):
    for page in crawl.questions(12):
        crawl.label(page.url, page.url in GOOD, asked="best", by="Ada")
    crawl.learn()
    for page in crawl.questions(6, "teach"):
        crawl.label(page.url, page.url in GOOD, asked="teach", by="Bert")
    crawl.learn()
    found = crawl.compare(0, 1)
    assert (found.kinds, found.thresholds) == (
        ("keywords", "revised"),
        (0.3, crawl.of_revision(1).relevant_above),
    )
    learned = dict(crawl.of_revision(1).telling(20))
    assert [one.after for one in found.words] == pytest.approx([*learned.values()])
    assert all(one.before == 0 for one in found.words), "the first topic has learned nothing"
    assert {*stem_words([one.word for one in found.words], "en")} == {*learned}, "words that people read"
    assert [(one.by, one.asked, one.relevant + one.irrelevant) for one in found.labels] == [
        ("Ada", "best", 12)
    ]
    assert [(one.by, one.asked) for one in crawl.compare(2, 1).labels] == [("Bert", "teach")]
    assert len(crawl.compare(0, 2).labels) == 2
    assert found.sampled == 150
    page = found.pages[0]
    assert page.is_otherwise
    assert page.before == pytest.approx(float(crawl.first_topic.judge([crawl.text(page.url)])[0]))
    assert page.after == pytest.approx(float(crawl.of_revision(1).judge([crawl.text(page.url)])[0]))
    line = crawl.of_revision(1).relevant_above
    changed = [(one.before >= 0.3) != (one.after >= line) for one in crawl.compare(0, 1, most=150).pages]
    assert 0 < sum(changed) == found.gained + found.lost
    same = crawl.compare(1, 1)
    assert (same.words, same.pages, same.gained + same.lost, same.labels) == ([], [], 0, [])
    with pytest.raises(SettingsError, match="no revision 9"):
        crawl.compare(0, 9)


def test_marks_on_hubs_are_kept_and_followed_by_the_distiller(tmp_path):
    settings = {"web.sample_pages": 600, "strategy.every": 20, "strategy.growth": 0.0}
    crawl = hg.Crawl.start(
        tmp_path / "crawl", WORDS, WEB.seeds(TOPIC), strategy="distilled", settings=settings
    )
    crawl.run(pages=60)
    hub = max(_values(crawl, "hub").items(), key=lambda item: item[1])[0]
    crawl.mark_hub(hub, False, by="Ada", note="a link farm")
    assert crawl.hub_marks()[hub].relevant is False, "also while it waits in the inbox"
    assert not crawl.labels(), "a page may be a bad hub and on the topic"
    crawl.run(pages=61)
    assert crawl.inbox()[-1].receipt == "noted"
    assert _values(crawl, "hub")[hub] == 0
    said = crawl.hub_marks()[hub]
    assert (said.relevant, said.by, said.note, said.of_hub) == (False, "Ada", "a link farm", True)
    crawl.run(pages=120)  # opened anew, with several turns of the distiller
    assert _values(crawl, "hub")[hub] == 0
    crawl.mark_hub(hub, True)
    crawl.run(pages=121)
    assert _values(crawl, "hub")[hub] == max(_values(crawl, "hub").values()) > 0
    crawl.mark_hub(hub, None)
    assert crawl.hub_marks() == {}


def _values(crawl, name):
    with crawl.reader() as reader:
        column = reader.state({name: 0.0}).urls[name]
        return {reader.url_text(at): float(number) for at, number in enumerate(column.tolist())}


def test_other_strategies_say_that_they_do_not_follow_marks_on_hubs(crawl):
    crawl.mark_hub(WEB.seeds(TOPIC)[0], True)
    crawl.run(pages=151)
    assert "noted, but of all strategies only `distilled` follows it" in [
        post.receipt for post in crawl.inbox()
    ]


def test_however_many_commands_wait_the_revision_is_used(crawl):
    label_some(crawl)
    for number in range(120):
        crawl.label(f"http://far.example/{number}", False)
    assert crawl.learn().is_used
    assert crawl.revision == 1
    assert all(post.receipt for post in crawl.inbox())


def test_a_revision_that_was_learned_and_never_used_is_used_when_learned_again(crawl, monkeypatch):
    label_some(crawl)
    with monkeypatch.context() as killed:
        killed.setattr(type(crawl), "use_revision", lambda *_: None)  # its learner died in between
        crawl.learn()
    assert (crawl.revision, crawl.revisions()) == (0, [0, 1])
    assert crawl.learn().number == 1
    assert (crawl.revision, crawl.revisions()) == (1, [0, 1])
    with pytest.raises(SettingsError, match="nothing new to learn since revision 1"):
        crawl.learn()


@pytest.mark.parametrize("damage", [lambda file: file.write_text("x"), lambda file: file.unlink()])
def test_a_revision_that_cannot_be_read_is_told_with_the_way_back(crawl, damage):
    label_some(crawl)
    crawl.learn()
    damage(crawl.folder / "revision-1.topic")
    again = hg.Crawl.open(crawl.folder)
    with pytest.raises(TopicError, match="--use 0` goes back to the topic that the crawl began with"):
        again.status()
    again.use_revision(0)
    assert again.revision == 0
    assert {page.visit.revision for page in again.visits()} == {0}
    again.run(pages=160)
    assert again.status().pages == 160


def test_when_a_revision_was_learned_is_known_in_a_copy(crawl, tmp_path):
    label_some(crawl)
    crawl.learn()
    before = [row.learned_at for row in revision_rows(crawl)]
    shutil.copytree(crawl.folder, tmp_path / "copy", copy_function=shutil.copyfile)
    assert [row.learned_at for row in revision_rows(hg.Crawl.open(tmp_path / "copy"))] == before
