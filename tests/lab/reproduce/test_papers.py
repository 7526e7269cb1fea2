"""Each paper's verdicts follow the numbers: made-up runs in which its claims hold, and in which they do not."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

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
        name: value if name == "seeds" else float(value) if "." in value else int(value)
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
        {"otie": 0.3}
        | {f"otie(a={a})": 0.3 for a in (0.5, 1.0, 1.5)}
        | {f"otie(d={d})": 0.3 for d in (1.0, 5.0)}
    )
    examined = otie.examine({otie.MAIN.name: runs(four), otie.PARAMETERS.name: runs(tried)})
    assert claim(examined, "in the end than link-context").verdict is verdict
    assert claim(examined, "d does not matter").verdict is Verdict.CONFIRMED
    assert claim(examined, "a third of the time").verdict is Verdict.NOT_TESTABLE


@pytest.mark.parametrize(("speed", "verdict"), [(0.6, Verdict.CONFIRMED), (0.1, Verdict.REFUTED)])
def test_hcla(speed, verdict):
    six = {"hcla": speed, "SS1": 0.3, "SS2": 0.3, "backlink": 0.3, "pagerank": 0.2, "breadth-first": 0.3}
    tried = {"hcla": 0.3, "hcla(every=10)": 0.3, "hcla(every=25)": 0.3, "hcla(k=25)": 0.3, "hcla(k=100)": 0.2}
    examined = hcla.examine({"six": runs(six), hcla.PARAMETERS.name: runs(tried)})
    assert claim(examined, "better than SS2").verdict is verdict
    assert claim(examined, "matches backlink").verdict is Verdict.CONFIRMED
    assert claim(examined, "PageRank is too general").verdict is Verdict.CONFIRMED
    assert claim(examined, "Too many features").verdict is Verdict.CONFIRMED


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
        **{f"hard-focus({bound})": speed for bound in bounds},
        **{f"breadth-first({bound})": 0.2 for bound in bounds},
        "breadth-first(rate=0.1, seeds=elsewhere)": 0.1,
        "link-analysis(rate=0.1)": speed + 0.1,
    }
    again = runs({"hard-focus(rate=0.1)": speed}, (2,))
    examined = ontology.examine({"crawls": [*runs(labels), *again]})
    for bound in ("limit 0.01", "limit 0.02", "that a tenth", "that a twentieth"):
        assert claim(examined, bound).verdict is verdict
    assert claim(examined, "irrelevant seeds").verdict is Verdict.CONFIRMED
    assert claim(examined, "people judge").verdict is verdict


def test_ontology_robustness_is_of_relevant_pages():
    crawl = make_run("hard-focus", 0.5, task="wikispeedia/1", keywords={"rate": 0.1})
    found = crawl.url[crawl.relevance >= 0.5]
    again = replace(crawl, facts=replace(crawl.facts, seed=2), url=crawl.url.copy())
    again.url[crawl.relevance < 0.5] = "http://elsewhere.example/"
    again.url[np.flatnonzero(crawl.relevance >= 0.5)[: len(found) // 2]] = [
        f"http://new.example/{at}" for at in range(len(found) // 2)
    ]
    finding = ontology._robust([crawl, again])
    assert "both have 0.000" in finding.ours, "the first half of what passes is not in the other crawl"
