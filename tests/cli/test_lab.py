import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

EXPERIMENT = """
tasks = ["sample-600/bees", "sample-600/painting"]
pages = 30
guide = "keywords"
strategies = ["breadth-first", "soft-focus"]
"""


@pytest.fixture(scope="module")
def results(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab")
    (folder / "small.toml").write_text(EXPERIMENT)
    result = cli("lab", "run", folder / "small.toml", "--results", folder / "out", "--processes", 1, "--json")
    assert result.exit_code == 0, result.output
    expected = {"results": str(folder / "out"), "runs": 8, "done": 8, "failed": []}
    assert json.loads(result.stdout) == expected
    return folder / "out"


@pytest.mark.parametrize("verb", ["run", "list", "oracle", "compare", "report", "reproduce"])
def test_every_verb_has_a_description_and_examples(verb: str, cli: Cli) -> None:
    result = cli("lab", verb, "--help")
    assert result.exit_code == 0
    assert "\n  Examples:\n    honeyguide lab " in result.output
    assert max(map(len, result.output.splitlines())) < 105


def test_a_second_time_there_is_nothing_to_do(cli: Cli, results: Path) -> None:
    result = cli("lab", "run", results.parent / "small.toml", "--results", results)
    assert "0 runs done, 8 were there already, 0 failed" in result.stdout
    assert f"lab compare {results}" in result.stdout


def test_strategies_side_by_side(cli: Cli, results: Path) -> None:
    rows = json.loads(cli("lab", "compare", results, "--json").stdout)
    assert {row["strategy"] for row in rows} == {"oracle", "peek", "breadth-first", "soft-focus"}
    assert rows[0]["strategy"] == "oracle"
    assert rows[0]["oracle_share"] == 1.0
    assert all(row["tasks"] == 2 and row["tuning_trials"] == 1 for row in rows)
    table = cli("lab", "compare", results, "--measure", "harvest_rate@20", "--split", "tuning").stdout
    assert "harvest_rate@20" in table
    assert "soft-focus" in table


def test_one_against_the_others(cli: Cli, results: Path) -> None:
    tests = json.loads(cli("lab", "compare", results, "--against", "breadth-first", "--json").stdout)
    assert [(test["better"], test["worse"]) for test in tests] == [
        ("soft-focus", "breadth-first"),
        ("breadth-first", "soft-focus"),
    ]
    assert tests[0]["difference"] == -tests[1]["difference"]
    over_webs = tests[0]["over_webs"]
    assert (over_webs["webs"], over_webs["tasks"]) == (1, 2)
    assert over_webs["mean"] == pytest.approx(tests[0]["difference"])
    table = cli("lab", "compare", results, "--against", "breadth-first").stdout
    assert "soft-focus" in table
    assert "Holm" in table
    assert "over webs" in table
    assert "no runs of 'otie'" in cli("lab", "compare", results, "--against", "otie").stderr


def test_pages_that_were_not_fetched_have_no_rate(cli: Cli, results: Path) -> None:
    measures = ("--measure", "harvest_rate@31", "--measure", "harvest_rate@30")
    rows = json.loads(cli("lab", "compare", results, *measures, "--json").stdout, parse_constant=pytest.fail)
    for row in rows:
        beyond, within = row["measured"].values()
        assert (beyond["mean"], beyond["count"]) == (None, 0)
        assert (within["count"], row["tasks"]) == (2, 2)
    table = cli("lab", "compare", results, *measures).stdout
    assert "did not fetch so many pages" in table
    tests = cli(
        "lab", "compare", results, "--against", "breadth-first", "--measure", "harvest_rate@31"
    ).stdout
    assert tests.splitlines()[2].split() == [
        *("soft-focus", "0", "-", "-", "-", "0", "0", "1", "1"),
        *("0", "-", "-", "-", "-"),
    ]


def test_what_was_never_reached_is_null(cli: Cli, results: Path) -> None:
    rows = json.loads(
        cli("lab", "compare", results, "--measure", "pages_to_80", "--json").stdout,
        parse_constant=pytest.fail,
    )
    assert any(row["measured"]["pages_to_80"]["mean"] is None for row in rows)


def test_what_cannot_be_compared_is_told(cli: Cli, results: Path, tmp_path: Path) -> None:
    assert "holds no results" in cli("lab", "compare", tmp_path).stderr
    assert "there is no measure" in cli("lab", "compare", results, "--measure", "beauty").stderr


def test_bounds_of_a_task(cli: Cli) -> None:
    rows = json.loads(cli("lab", "oracle", "sample-600/bees", "--pages", 40, "--json").stdout)
    assert [row["strategy"] for row in rows] == ["oracle", "peek"]
    assert rows[0]["measured"]["nauc"]["mean"] > rows[1]["measured"]["nauc"]["mean"]


def test_tasks_are_listed(cli: Cli) -> None:
    (task,) = json.loads(cli("lab", "list", "sample-600/bees", "--json").stdout)
    assert (task["task"], task["split"], task["seeds"]) == ("sample-600/bees", "reporting", 5)
    assert "sample-600/dogs" in cli("lab", "list", "sample-600/*").stdout


def test_corpora_that_are_not_there_are_told(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    missing = tmp_path / "nowhere"
    result = cli("lab", "list", "--corpora", missing)
    assert result.exit_code == 2
    assert f"--corpora: there is no folder {missing}" in result.stderr
    monkeypatch.setenv("HONEYGUIDE_CORPORA", str(missing))
    result = cli("lab", "list")
    assert result.exit_code == 2
    assert f"HONEYGUIDE_CORPORA: there is no folder {missing}" in result.stderr


def test_without_corpora_the_sample_web_is_listed(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HONEYGUIDE_CORPORA", raising=False)
    result = cli("lab", "list")
    assert "sample-2000/bees" in result.stdout
    assert "HONEYGUIDE_CORPORA" in result.stderr


def test_a_failed_run_ends_with_an_error(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(
        EXPERIMENT + '[[configurations]]\nstrategy = "distilled"\ninner = "missing"\n'
    )
    result = cli("lab", "run", tmp_path / "bad.toml", "--results", tmp_path / "out", "--processes", 1)
    assert result.exit_code == 1
    assert "8 runs done, 2 failed" in result.stdout
    assert "distilled(inner=missing)" in result.stderr


def test_phrases_of_a_corpus_that_is_not_there_are_told(cli: Cli, tmp_path: Path) -> None:
    result = cli("lab", "phrases", "--corpus", "nowhere")
    assert result.exit_code == 2
    assert "there are phrases of wikispeedia" in result.stderr
    result = cli("lab", "phrases", "--corpora", tmp_path, "--corpus", "wikispeedia")
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr
    assert "keywords" in cli("lab", "phrases", "--model", "nothing").stderr


def test_phrases_rank_a_labelled_corpus(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "wikispeedia"
    folder.mkdir()
    right = "subject.Science.Biology.Health_and_medicine"
    pages = [("Tropical diseases", right)] * 20 + [
        ("Steam trains", "subject.Design_and_Technology.Railway_transport")
    ]
    lines = [
        json.dumps({"url": f"https://a.example/{number}", "html": f"<p>{text}", "labels": [label]})
        for number, (text, label) in enumerate(pages)
    ]
    (folder / "pages.jsonl").write_text("\n".join(lines))
    result = cli("lab", "phrases", "--corpora", tmp_path, "--corpus", "wikispeedia")
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.stdout.splitlines()]
    row = next(line for line in lines if line[:2] == ["tropical", "diseases"])
    assert row[2:5] == ["wikispeedia", "tuning", "1.000"]
    assert [line[3] for line in lines if line[:2] == ["mean", "of"]] == ["tuning", "reporting"]
    found = json.loads(
        cli("lab", "phrases", "--corpora", tmp_path, "--corpus", "wikispeedia", "--json").stdout
    )
    assert found[0]["phrase"]["words"] == "tropical diseases"
    assert found[0]["precision"] == 1.0
