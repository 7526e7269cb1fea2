"""The evaluation page is put together from what reproductions and reports wrote."""

from pathlib import Path

from honeyguide.lab.report.document import Document, Paragraph, write_document
from honeyguide.lab.report.plots import Picture
from honeyguide.lab.reproduce.base import Examined, Finding, Reproduction, Verdict, Workshop
from honeyguide.lab.reproduce.page import Timing, write_page, write_timings


def test_the_page(tmp_path: Path) -> None:
    findings = [
        Finding("a | b", "1", "2", Verdict.CONFIRMED),
        Finding("c", "1", "2", Verdict.REFUTED, "so it is"),
        Finding("d is faster", "1", "-", Verdict.NOT_TESTABLE, "needs a web of 2004"),
        Finding("e", "1", "2", Verdict.OPEN, "the difference may be chance"),
    ]
    picture = Picture("curve", "A curve", lambda figure: None, 1.0, 1.0)
    toy = Reproduction("otie", "a paper", "x", "y", lambda _: {}, lambda _: Examined(findings, [picture]))
    results = tmp_path / "results"
    toy.run(Workshop(results / "otie"))
    write_document(Document("Experiment webkb", [Paragraph("All of them.")]), results / "experiment-webkb")
    (results / "classifiers.md").write_text("| F1 |\n")
    write_timings(results, {"otie": Timing(90.0, 7, 2, 4), "recall": Timing(30.0, 3, 2, 4)})
    written = tmp_path / "docs" / "numbers.md"
    write_page(results, ["default", "otie", "hcla"], written)
    page = written.read_text()
    assert "| [otie](#otie) | a paper | 1 | 0 | 1 | 0 | 1 | 1 |" in page
    assert "refuted: so it is" in page
    assert "honeyguide lab reproduce otie" in page
    assert "## Experiment webkb" in page
    assert "| F1 |" in page
    assert "](numbers/otie/curve.svg)" in page
    assert (tmp_path / "docs" / "numbers" / "otie" / "curve.svg").exists()
    assert page.count("\n# ") == 0
    assert page.startswith("# Evaluation")
    unproven = page.partition("## Still unproven")[2].partition("\n## ")[0].splitlines()
    assert [line for line in unproven if "otie" in line] == [
        "| d is faster | otie | not testable here | needs a web of 2004 |",
        "| e | otie | neither confirmed nor refuted | the difference may be chance |",
    ]
    took = page.partition("## What it took")[2]
    assert "| otie | 1.5 | 7 | 2 | 4 |" in took
    assert "| all | 2.0 | 10 |" in took


def test_goals_of_our_own_come_first_and_are_no_claims_of_papers(tmp_path: Path) -> None:
    reached = [Finding("labels help", "1.05", "1.00", Verdict.NOT_MET), Finding("f", "-", "1", Verdict.OPEN)]
    for name in ("guide", "otie"):
        toy = Reproduction(name, f"on {name}", "x", "y", lambda _: {}, lambda _: Examined(reached))
        toy.run(Workshop(tmp_path / name))
    write_page(tmp_path, ["default", "otie", "guide"], tmp_path / "numbers.md")
    before, _, claims = (tmp_path / "numbers.md").read_text().partition("## Claims of the papers")
    assert "labels help" in before
    assert "[otie](#otie)" in claims
    assert "on guide" not in claims


def test_a_page_on_nothing_is_a_page(tmp_path: Path) -> None:
    write_page(tmp_path, ["default"], tmp_path / "evaluation.md")
    assert "What it took" not in (tmp_path / "evaluation.md").read_text()
