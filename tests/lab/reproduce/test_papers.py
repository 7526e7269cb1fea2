"""Each paper's verdicts follow the numbers: made-up runs in which its claims hold, and in which they do not."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from honeyguide.lab.report.numbers import group_of
from honeyguide.lab.reproduce import cc_bfs, hcla, ontology, otie
from honeyguide.lab.reproduce.base import Examined, Finding, Verdict
from honeyguide.lab.results import Run
from tests.lab.runs import make_run

TASKS = 12


def runs(speeds: Mapping[str, float], draws: Sequence[int] = (1,)) -> list[Run]:
    tasks = [f"wikispeedia/{number}" for number in range(TASKS)]
    return [_run(*pair, task, draw) for task in tasks for draw in draws for pair in speeds.items()]


def _run(label: str, speed: float, task: str, draw: int) -> Run:
    """`best-first(n=256)` is a strategy with a keyword."""
    strategy, _, written = label.partition("(")
    pairs = (pair.split("=") for pair in written.rstrip(")").split(", ") if pair)
    keywords = {
        name: value if name in ("seeds", "order") else float(value) if "." in value else int(value)
        for name, value in pairs
    }
    return make_run(strategy, speed, task=task, seed=draw, keywords=keywords)


def claim(examined: Examined, part: str) -> Finding:
    (found,) = (finding for finding in examined.findings if part in finding.claim)
    return found


@pytest.mark.parametrize(("speed", "verdict"), [(0.6, Verdict.CONFIRMED), (0.1, Verdict.REFUTED)])
def test_otie(speed, verdict):
    four = {"otie": speed, "link-context": 0.3, "opic": 0.29, "breadth-first": 0.28}
    tried = (
        {"otie": 0.2, "otie(a=3.0)": 0.3}
        | {f"otie(a={a})": 0.2 for a in (0.5, 1.0, 1.5)}
        | {f"otie(d={d})": 0.2 for d in (1.0, 5.0)}
    )
    made = {
        otie.MAIN.name: four,
        otie.OUR_WEIGHTING.name: {"otie": speed, "link-context": 0.3},
        otie.PARAMETERS.name: tried,
        otie.MANY_HOSTS.name: {"link-context": 0.6, "otie": 0.2, "opic": 0.2},
    }
    examined = otie.examine({name: runs(speeds) for name, speeds in made.items()})
    (found,) = (one for one in examined.findings if one.claim.endswith("in the end than link-context"))
    assert found.verdict is verdict
    assert claim(examined, "with our own weighting").verdict is verdict
    assert claim(examined, "d does not matter").verdict is Verdict.CONFIRMED
    assert "it would take a web" in claim(examined, "A larger a, 1.5, lowers").why
    assert claim(examined, "A larger a, 3, raises").verdict is Verdict.CONFIRMED
    assert claim(examined, "a third of the time").verdict is Verdict.NOT_TESTABLE
    assert claim(examined, "more pages than opic").verdict is Verdict.CONFIRMED, "all targets are on one host"


def test_otie_tells_its_setting_from_the_runs():
    made = [make_run("otie", 0.5, task=f"wikispeedia/{name}") for name in ("A.b", "A.c", "D.e")]
    facts = replace(made[0].facts, relevant=126)  # 40 targets, 1 out of reach, 10 seeds
    told = otie._setting([replace(made[0], facts=facts), *made[1:], *made])
    assert told.startswith(
        "3 subjects of Wikispeedia at level 2 of its tree, below 2 parents, of which one has 2;"
    )
    chosen = {finding.ours.partition(" over ")[2][:7] for finding in otie._by_their_rule(_of_four(made))}
    assert chosen == {"2 tasks"}


def _of_four(made: Sequence[Run]) -> list[Run]:
    return [replace(run, facts=replace(run.facts, strategy=name)) for run in made for name in otie.FOUR]


@pytest.mark.parametrize(("speed", "verdict"), [(0.6, Verdict.CONFIRMED), (0.1, Verdict.REFUTED)])
def test_hcla(speed, verdict):
    six = dict.fromkeys(hcla.OTHERS, 0.3) | {"hcla": speed, "pagerank": 0.2}
    tried = {"hcla": 0.3, "hcla(every=10)": 0.3, "hcla(every=25)": 0.3, "hcla(k=25)": 0.3, "hcla(k=100)": 0.2}
    made = {"six": six, hcla.AS_WE_HAVE_IT.name: {hcla.OURS: 0.6}, hcla.PARAMETERS.name: tried}
    examined = hcla.examine({name: runs(speeds) for name, speeds in made.items()})
    assert claim(examined, "better than SS2").verdict is verdict
    assert claim(examined, "grows with recall").verdict is verdict
    assert claim(examined, "the guide's examples").verdict is Verdict.CONFIRMED
    assert claim(examined, "matches backlink").verdict is Verdict.CONFIRMED
    assert claim(examined, "PageRank is too general").verdict is Verdict.CONFIRMED
    assert claim(examined, "Too many features").verdict is Verdict.CONFIRMED
    assert claim(examined, "hcla is much slower").verdict is Verdict.NOT_TESTABLE


@pytest.mark.parametrize(("speed", "verdict"), [(0.5, Verdict.CONFIRMED), (0.02, Verdict.REFUTED)])
def test_cc_bfs(speed, verdict):
    speeds = {
        "cc-bfs": speed,
        cc_bfs.BFS256: 0.51,
        "breadth-first": 0.1,
        cc_bfs.UNBOUNDED: 0.5,
        "soft-focus": 0.5,
        "cc-bfs-k": 0.5,
        "alliance": 0.5,
    }
    near = {"cc-bfs": 0.5, cc_bfs.BFS256: 0.5, "breadth-first": 0.1}
    examined = cc_bfs.examine({cc_bfs.MAIN.name: runs(speeds), cc_bfs.NEAR.name: runs(near)})
    main, on_topic = (one for one in examined.findings if "CC-BFS has a better URL recall" in one.claim)
    assert main.verdict is verdict
    assert on_topic.verdict is Verdict.CONFIRMED
    assert claim(examined, "CC-BFS in recall, from seeds on the topic").verdict is Verdict.CONFIRMED
    assert claim(examined, "BFS256 has a better URL recall").verdict is Verdict.CONFIRMED
    assert claim(examined, "second of ranking than BFS256").verdict is Verdict.NOT_TESTABLE


@pytest.mark.parametrize(("speed", "verdict"), [(0.6, Verdict.CONFIRMED), (0.05, Verdict.REFUTED)])
def test_ontology(speed, verdict):
    bounds = ("limit=0.01", "limit=0.02", "rate=0.1", "rate=0.05")
    labels = {
        **{f"hard-focus(order=discovery, {bound})": speed for bound in bounds},
        **{f"breadth-first({bound})": 0.2 for bound in bounds},
        "breadth-first(rate=0.1, seeds=elsewhere)": 0.1,
        "link-analysis(rate=0.1)": speed + 0.1,
        "hard-focus(rate=0.1)": speed,
    }
    again = runs({"hard-focus(order=discovery, rate=0.1)": speed}, (2,))
    examined = ontology.examine({"crawls": [*runs(labels), *again]})
    for bound in ("limit 0.01", "limit 0.02", "that a tenth", "that a twentieth"):
        assert claim(examined, bound).verdict is verdict
    assert claim(examined, "irrelevant seeds").verdict is Verdict.CONFIRMED
    assert claim(examined, "people judge").verdict is verdict


def test_ontology_compares_link_analysis_with_first_in_first_out():
    speeds = {"hard-focus(order=discovery, rate=0.1)": 0.1, "link-analysis(rate=0.1)": 0.2}
    group = group_of("wikispeedia", runs(speeds | {"hard-focus(rate=0.1)": 0.3}))
    theirs, beside = ontology._analysis_claims(group)
    assert theirs.verdict is Verdict.CONFIRMED
    assert beside.verdict is Verdict.REFUTED


def test_ontology_robustness_is_of_relevant_pages():
    crawl = make_run("hard-focus", 0.5, task="wikispeedia/1", keywords={"rate": 0.1, "order": "discovery"})
    found = crawl.url[crawl.relevance >= 0.5]
    again = replace(crawl, facts=replace(crawl.facts, seed=2), url=crawl.url.copy())
    again.url[crawl.relevance < 0.5] = "http://elsewhere.example/"
    again.url[np.flatnonzero(crawl.relevance >= 0.5)[: len(found) // 2]] = [
        f"http://new.example/{at}" for at in range(len(found) // 2)
    ]
    finding = ontology._robust([crawl, again])
    assert "both have 0.000" in finding.ours, "the first half of what passes is not in the other crawl"
