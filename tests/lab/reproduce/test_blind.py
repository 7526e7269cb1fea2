"""A blind test says what it was made of, goes on where it was, and is refused where it would not be blind."""

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from honeyguide.errors import SettingsError
from honeyguide.lab.experiment_order import REPEATED
from honeyguide.lab.reproduce.blind import BlindTest, run_blind
from honeyguide.lab.tasks.rules import rules_of
from honeyguide.strategies import STRATEGIES
from tests.lab.labelled_web import RULES, write_labelled_web


@pytest.fixture
def blind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BlindTest:
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    rules_of.cache_clear()
    (tmp_path / "rules.toml").write_text(RULES)
    return BlindTest(
        write_labelled_web(tmp_path / "mine"), tmp_path / "rules.toml", tmp_path / "results", pages=8
    )


def test_the_whole_test(blind: BlindTest) -> None:
    progress: list[tuple[int, int]] = []
    page, sentence, failures = run_blind(blind, 1, lambda *at: progress.append(at))
    assert not failures
    assert progress[-1] == (2 * (len(STRATEGIES) - len(REPEATED) + 2),) * 2, (
        "two topics, all strategies and both bounds"
    )
    facts = json.loads((blind.results / "blind.json").read_text())
    assert facts["sha256"]["rules"] == sha256(RULES.encode()).hexdigest()
    assert facts["sha256"]["pages"] == sha256((blind.corpus / "pages.jsonl").read_bytes()).hexdigest()
    assert [task["task"] for task in facts["tasks"]] == ["mine/bees", "mine/cars"]
    assert facts["tasks"][0]["seeds"] == [f"http://{host}.example/" for host in "abc"]
    assert facts["command"] == "honeyguide lab blind --corpus mine --rules rules.toml --pages 8"
    outcome = json.loads((blind.results / "outcome.json").read_text())
    ours, others = outcome["nauc"]["honeyguide"], set(outcome["nauc"]) - {"honeyguide", "oracle", "peek"}
    best = max(others, key=lambda name: sum(outcome["nauc"][name]))
    share = 100 * sum(ours) / sum(outcome["nauc"][best])
    assert f"{share:.1f} % of the best other's" in sentence
    assert "over 2 topics" in sentence
    html = page.read_text()
    assert sentence.replace("'", "&#x27;") in html
    assert facts["sha256"]["labels"] in html
    progress.clear()
    assert run_blind(blind, 1, lambda *at: progress.append(at))[1] == sentence
    assert len(progress) == 1, "nothing is left to do"
    with pytest.raises(SettingsError, match="begun here with another command, tasks"):
        run_blind(replace(blind, pages=6), 1, lambda *_: None)
    blind.rules.write_text(RULES.replace("0.5", "0.4"))
    with pytest.raises(SettingsError, match="begun here with another sha256"):
        run_blind(blind, 1, lambda *_: None)


@pytest.mark.parametrize("name", ["webkb", "multisite", "sample-600"])
def test_a_web_that_is_known_is_refused(blind: BlindTest, name: str) -> None:
    known = blind.corpus.rename(blind.corpus.with_name(name))
    with pytest.raises(SettingsError, match=f"{name} is known here.*not be blind"):
        run_blind(replace(blind, corpus=known), 1, lambda *_: None)
    assert not blind.results.exists()
