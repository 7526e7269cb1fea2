import json
from pathlib import Path

from tests.cli.conftest import Cli
from tests.cli.topic.conftest import WEB, refused


def section(output: str, head: str) -> list[str]:
    lines = output.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(head))
    rest = lines[start + 1 :]
    return rest[: rest.index("")] if "" in rest else rest


def test_classes_for_examples(cli: Cli, taxonomy: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("bees, honey, hive, queen, drone and comb")
    (tmp_path / "b.txt").write_text("the orchestra played a symphony; the violin and the choir")
    result = cli("topic", "suggest", taxonomy, "--for", tmp_path)
    assert result.exit_code == 0, result.output
    rows = [line.split("  ") for line in result.stdout.splitlines()[2:]]
    found = {row[0].strip(): row[-1].strip() for row in rows}
    assert list(found)[:2] == ["Home/Beekeeping", "Arts/Music"] or list(found)[:2] == [
        "Arts/Music",
        "Home/Beekeeping",
    ]
    assert "1 of 2" in result.stdout


def test_further_examples_and_broadening(cli: Cli, taxonomy: Path, bee_crawl: Path) -> None:
    result = cli("topic", "suggest", taxonomy, "--crawl", bee_crawl, "--pages", 100)
    assert result.exit_code == 0, result.output
    examples = section(result.stdout, "Further examples")
    assert examples[0].split() == ["score", "topic", "title", "url"]
    scores = [float(line.split()[0]) for line in examples[2:]]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0
    assert all("Home/Beekeeping" in line for line in examples[2:])
    ties = section(result.stdout, "Topics tied to the good ones, by ")
    assert ties[0].split()[:2] == ["topic", "where"]
    assert not any(line.startswith("Home/Beekeeping ") for line in ties)
    assert f"honeyguide topic tree {taxonomy} --good TOPIC" in result.stderr
    assert f"--add-example TOPIC=URL --recording {bee_crawl}" in result.stderr
    told = json.loads(
        cli("topic", "suggest", taxonomy, "--crawl", bee_crawl, "--pages", 100, "--json").stdout
    )
    assert [f"{one['score']:.3f}" for one in told["examples"]] == [line.split()[0] for line in examples[2:]]
    assert [line.split("  ")[0] for line in ties[2:]] == [one["path"] for one in told["ties"]]


def test_pages_near_an_example_that_was_crawled(
    cli: Cli, taxonomy: Path, bee_crawl: Path, tmp_path: Path
) -> None:
    file = tmp_path / "a.topic"
    file.write_bytes(taxonomy.read_bytes())
    url = WEB.seeds("bees")[0]
    cli("topic", "tree", file, "--add-example", f"Home/Beekeeping={url}", "--recording", bee_crawl)
    result = cli("topic", "suggest", file, "--crawl", bee_crawl, "--pages", 60)
    assert result.exit_code == 0, result.output
    lines = section(result.stdout, "Further examples")[2:]
    assert lines
    assert not any(line.endswith(f" {url}") for line in lines)


def test_words_for_a_keyword_topic(cli: Cli, keywords: Path, bee_crawl: Path) -> None:
    result = cli("topic", "suggest", keywords, "--crawl", bee_crawl, "--pages", 60)
    assert result.exit_code == 0, result.output
    words = section(result.stdout, "Words that ")[0].split()
    assert {"hive", "hives"} & set(words)
    assert not {"bees", "bee", "honey", "beekeeping"} & set(words)
    assert "take some of them in:  honeyguide topic new" in result.stderr


def test_uncertain_pages_for_a_classifier(cli: Cli, classifier: Path, bee_crawl: Path) -> None:
    result = cli("topic", "suggest", classifier, "--crawl", bee_crawl, "--pages", 60)
    lines = section(result.stdout, "Pages it is least sure of")[2:]
    distances = [abs(float(line.split()[0]) - 0.5) for line in lines]
    assert distances == sorted(distances)
    assert len(distances) == 10


def test_wrong_wishes(
    cli: Cli, keywords: Path, taxonomy: Path, ontology: Path, tmp_path: Path, corpus: Path
) -> None:
    assert "nothing to go by; give --for PATH or --crawl FOLDER" in refused(cli, "suggest", taxonomy)
    assert "has no classes; --for needs one made by" in refused(cli, "suggest", keywords, "--for", "x")
    assert "holds no crawl" in refused(cli, "suggest", taxonomy, "--crawl", tmp_path)
    (tmp_path / "x.png").write_bytes(b"\0")
    assert "none of the examples could be read" in refused(
        cli, "suggest", taxonomy, "--for", tmp_path / "x.png"
    )
    for name, seed, expected in (
        ("empty", "http://gone.example/", "no page was fetched yet"),
        ("bare", "http://bees.example/", "its archive has none of the pages needed"),
    ):
        folder = tmp_path / name
        cli(
            *("crawl", "--topic-file", ontology, "--seed", seed, "--recording", corpus, "--folder", folder),
            *("--set", "output.archive=false"),
        )
        assert expected in refused(cli, "suggest", keywords, "--crawl", folder)
    # The crawl was for cars: none of its pages is relevant.
    assert "none of its pages is relevant" in refused(cli, "suggest", taxonomy, "--crawl", folder)
