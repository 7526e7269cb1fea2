"""The report on an experiment: right numbers, honest claims, nothing obeyed."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from honeyguide.errors import ImportFailed
from honeyguide.lab.report.document import Paragraph, Table, to_markdown
from honeyguide.lab.report.numbers import ALL, group_of, groups_of
from honeyguide.lab.report.report import report_of, write_report
from honeyguide.lab.report.tables import families_table, main_table, overlap_matrix, shares_table
from honeyguide.lab.results import Results
from tests.lab.runs import TARGETS, make_results, make_run

SPEEDS = {"oracle": 0.95, "peek": 0.7, "soft-focus": 0.5, "opic": 0.2, "breadth-first": 0.1}
TASKS = [*(f"web/{number}" for number in range(6)), *(f"other/{number}" for number in range(2))]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return make_results(tmp_path_factory.mktemp("results"), SPEEDS, TASKS)


@pytest.fixture(scope="module")
def text(results: Results) -> str:
    return to_markdown(report_of(results))


def test_groups_are_corpora_and_all_of_them(results):
    groups = groups_of(results)
    assert [group.name for group in groups] == ["other", "web", ALL]
    assert [len(group.tasks) for group in groups] == [2, 6, 8]
    assert groups[0].labels == list(SPEEDS)
    assert groups[0].strategies == ["soft-focus", "opic", "breadth-first"]


def test_a_strategy_has_one_color_everywhere(results):
    colored = {tuple(group.colored) for group in groups_of(results)}
    assert colored == {("soft-focus", "opic", "breadth-first")}


def test_corpora_count_the_same_in_the_mean_of_all(results):
    other, web, everything = groups_of(results)
    means = [group.means("nauc")["opic"].mean for group in (other, web, everything)]
    assert means[2] == pytest.approx((means[0] + means[1]) / 2)


def test_draws_of_seeds_are_averaged_within_a_task():
    runs = [make_run("opic", speed, seed=seed) for seed, speed in ((1, 0.1), (2, 0.3))]
    group = group_of("web", runs)
    each = [run.is_target.sum() / TARGETS for run in runs]
    assert group.values("recall_at_budget")["opic"] == pytest.approx([np.mean(each)])


def test_a_strategy_that_lacks_a_task_is_left_out_and_named(results):
    runs = [run for run in results.runs if (run.facts.task, run.facts.label) != ("web/3", "opic")]
    lacking = replace(results, runs=runs)
    web = groups_of(lacking)[1]
    assert web.left_out == ["opic"]
    assert "opic" not in web.runs
    assert "not run on every task: opic" in to_markdown(report_of(lacking))


def test_tuning_tasks_support_no_claim(results):
    tuning = replace(
        results, runs=[replace(run, facts=replace(run.facts, split="tuning")) for run in results.runs]
    )
    first = report_of(tuning).blocks[0]
    assert isinstance(first, Paragraph)
    assert "support no claim" in first.text
    mixed = replace(results, runs=[*results.runs, *tuning.runs])
    assert "support no claim" not in to_markdown(report_of(mixed))


def test_the_oracle_is_the_whole_of_itself(results):
    table = shares_table(groups_of(results)[1])
    assert table.rows[0][:2] == ["oracle", "100.0 ± 0.0"]
    assert table.bounds == {0, 1}


def test_bounds_do_not_compete(results):
    table = main_table(groups_of(results)[1], {"opic": 7})
    assert {row for row, _ in table.strong} == {2}
    assert table.rows[3][0] == "opic"
    assert table.rows[3][-1] == "7"


def test_a_mean_over_some_tasks_says_over_how_many():
    tasks = ["web/bees", "web/cars", "web/dogs"]
    runs = [make_run("slow", 0.1, task=task) for task in tasks]
    runs += [make_run("short", 0.2, task=task, budget=60) for task in tasks[:2]] + [
        make_run("short", 0.2, task=tasks[2])
    ]
    group = group_of("web", runs)
    assert group.means("harvest_rate@100")["short"].count == 1
    assert group.means("harvest_rate@100")["slow"].count == 3
    table = main_table(group, {})
    rows = {row[0]: row for row in table.rows}
    assert rows["short"][4].endswith(" (1)")
    assert "(" not in rows["slow"][4]
    assert "of how many tasks" in table.caption


def test_a_crawl_that_ends_early_does_not_win_by_its_rate():
    full, short = make_run("full", 0.3), make_run("short", 0.9)
    columns = {name: own[:20] for name, own in vars(short).items() if name != "facts"}
    table = main_table(group_of("web", [full, replace(short, **columns)]), {})
    harvest = table.head.index("harvest")
    rows = {row[0]: number for number, row in enumerate(table.rows)}
    assert table.rows[rows["short"]][harvest] > table.rows[rows["full"]][harvest]
    assert table.rows[rows["short"]][table.head.index("pages")] == "20"
    assert (rows["full"], harvest) in table.strong
    assert (rows["short"], harvest) not in table.strong


def test_overlap_of_what_is_found():
    runs = [make_run("soft-focus", 0.9), make_run("opic", 0.2)]
    group = group_of("web", runs)
    names, shares = overlap_matrix(group)
    assert names == ["soft-focus", "opic"]
    found = [run.is_target.sum() for run in runs]
    # Both find the targets in the same order, so the slower one's are all among the faster one's.
    assert shares[1, 0] == 1.0
    assert shares[0, 1] == pytest.approx(found[1] / found[0])
    table = families_table(group)
    assert table is not None
    both, text, graph, neither = (float(cell) for cell in table.rows[0][1:])
    assert both == pytest.approx(100 * found[1] / TARGETS, abs=0.1)
    assert (graph, text + both) == (0.0, pytest.approx(100 * found[0] / TARGETS, abs=0.1))
    assert both + text + graph + neither == pytest.approx(100, abs=0.2)


def test_the_report_says_what_may_be_claimed(text):
    assert "soft-focus beats all" in text
    unsure = make_results(Path(), SPEEDS, TASKS[:3])
    assert "soft-focus has the best mean, but it may not be said to beat all" in to_markdown(
        report_of(unsure)
    )


def test_the_report_has_every_part(text):
    parts = ["Share of the oracle", "Is soft-focus better?", "Holm", "error of the guide", "tuning trials"]
    parts += ["Relevance of the pages", "Links between the seeds", "Overlap of the targets", "Processor time"]
    for part in parts:
        assert part in text, part


def test_the_page_holds_its_figures_and_hostile_names_are_only_shown(tmp_path):
    spiteful = "</svg><script>alert(1)</script>"
    made = make_results(tmp_path, {spiteful: 0.5, "opic": 0.2}, [f"web/{spiteful}"], spiteful=spiteful)
    page = write_report(made, tmp_path).read_text()
    figures = re.findall(r"\]\(figures/(.*?)\)", (tmp_path / "report.md").read_text())
    assert page.count("<svg") == len(figures) == len(set(figures))
    assert all((tmp_path / "figures" / name).exists() for name in figures)
    assert "<script" not in page
    assert "<script" not in (tmp_path / "report.md").read_text().replace("\\<", "")


def test_the_same_results_give_the_same_report(results, text):
    assert to_markdown(report_of(results)) == text


def test_robustness_is_shown_where_seeds_were_disjoint():
    runs = [
        make_run("soft-focus", 0.5, task=task, seed=seed) for task in ("web/a", "web/b") for seed in (1, 2)
    ]
    runs += [make_run("opic", 0.2, task=task, seed=seed) for task in ("web/a", "web/b") for seed in (1, 2)]
    made = Results(Path(), "x", {}, {}, [], runs)
    assert "two crawls from disjoint seeds" in to_markdown(report_of(made))


def test_no_runs_no_report(tmp_path):
    with pytest.raises(ImportFailed, match="no finished run"):
        report_of(Results(tmp_path, "x", {}, {}, [], []))


def test_a_crawl_that_had_no_link_left_is_told_beside_its_numbers():
    full, short = make_run("soft-focus", 0.5), make_run("hard-focus", 0.5)
    columns = {name: column[:3] for name, column in vars(short).items() if name != "facts"}
    ended = replace(short, facts=replace(short.facts, stop_reason="frontier_empty"), **columns)
    told = main_table(group_of("web", [full, ended]), {}).caption
    assert told.endswith("no link was left that they follow: hard-focus 1 of 1, after 3 pages (median).")
    assert "no link was left" not in main_table(group_of("web", [full, short]), {}).caption


def test_tables_have_a_cell_for_every_column(results):
    for block in report_of(results).blocks:
        if isinstance(block, Table):
            assert {len(row) for row in block.rows} <= {len(block.head)}
