"""The estimates beside the truth, on a small sample web."""

import pytest

from honeyguide.lab.recall import validation as recall_validation
from honeyguide.lab.recall.validation import Case, error_table, summary_table, validate


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    results = tmp_path_factory.mktemp("cases")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HONEYGUIDE_CACHE", str(results / "cache"))
        patch.setattr(recall_validation, "STRATEGIES_TRIED", ("breadth-first",))
        first = validate(["sample-600/bees"], results)
        progress: list[tuple[int, int]] = []
        again = validate(["sample-600/bees"], results, on_progress=lambda *done: progress.append(done))
    assert progress == [(3, 3)], "what was done is not done again"
    assert again == first
    return first


def test_every_estimate_is_made(cases):
    assert {case.method for case in cases} == {"audit", "capture-recapture", "list"}
    assert len({case.pages for case in cases}) == 3
    for case in cases:
        assert 0 <= case.low <= case.estimated <= case.high <= 1
        assert 0 < case.true <= 1


def test_a_longer_crawl_finds_more(cases):
    for method in ("audit", "capture-recapture", "list"):
        true = [case.true for case in sorted(cases, key=lambda case: case.pages) if case.method == method]
        assert true == sorted(true)


def test_errors_by_hand():
    made = [
        Case("t1", "web", "opic", 1000, "audit", true=0.5, estimated=0.7, low=0.6, high=0.8),
        Case("t2", "web", "opic", 1000, "audit", true=0.5, estimated=0.4, low=0.3, high=0.6),
    ]
    whole = summary_table(made).rows
    assert whole == [
        ["audit", "0.3 to 0.6", "2", "0.50", "0.55", "+0.05", "0.15", "50 %", "0.25"],
        ["audit", "0 to 1", "2", "0.50", "0.55", "+0.05", "0.15", "50 %", "0.25"],
    ]
    (row,) = error_table(made).rows
    assert row == ["audit", "web", "opic", "1,000", "2", "0.50", "0.55", "+0.05", "0.15", "50 %"]
