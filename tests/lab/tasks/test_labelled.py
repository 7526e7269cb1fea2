import gzip
import json
import re
from pathlib import Path

import pytest

from honeyguide.errors import SettingsError
from honeyguide.lab.tasks.closed_web import ClosedWeb
from honeyguide.lab.tasks.rules import MAX_BYTES, Rules, home_pages, read_directory, read_rules, rules_of
from honeyguide.lab.tasks.tasks import Shape, find_tasks, labelled_corpora

RULES = """
topics = "subject:*"
requires = ["from:tags"]
left_out = ["kind:list", "flag:*"]
giveaways = ["[rel~=tag]", "a[href*='/tags/']", "meta[name=keywords]"]
seeds = "homes"
fewest_pages = 8
fewest_hosts = 2
largest_share = 0.6
budget_share = 0.5

[words]
bees = "honey bees"
"""


def page(url, *labels):
    subject = " ".join(label.removeprefix("subject:") for label in labels if label.startswith("subject:"))
    html = (
        f'<meta name="keywords" content="{subject}"><title>Page</title><p>Something.'
        f'<a rel="tag" href="/x">{subject}</a> <a href="/tags/{subject}">{subject}</a> <a href="/1">one</a>'
    )
    return {"url": url, "html": html, "labels": list(labels)}


@pytest.fixture
def corpora(tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "corpora" / "mine"
    folder.mkdir(parents=True)
    pages = [page(f"http://{host}.example/", "kind:list") for host in "abc"]
    for host in "abc":
        for number in range(1, 9):
            topic = "bees" if host == "a" or number == 1 else "cars"
            kind = "from:tags" if number < 8 else "from:host"
            pages.append(page(f"http://{host}.example/{number}", f"subject:{topic}", kind))
        pages.append(page(f"http://{host}.example/tags/bees", "subject:bees", "from:tags", "kind:list"))
    pages.append(page("http://a.example/stub", "flag:redirect"))
    with (folder / "pages.jsonl").open("w") as file:
        file.writelines(json.dumps(one) + "\n" for one in pages)
    (folder / "links.tsv").write_text("")
    (folder / "tasks.toml").write_text(RULES)
    (tmp_path / "corpora" / "unlabelled").mkdir()
    return tmp_path / "corpora"


def test_tasks_are_found_by_the_labels_of_any_corpus(corpora):
    assert labelled_corpora(corpora) == ["mine"]
    bees, cars = find_tasks(["mine/*"], corpora)
    assert (bees.name, bees.words, cars.words) == ("mine/bees", "honey bees", "cars")
    assert bees.relevant == {f"http://a.example/{n}" for n in range(1, 8)} | {
        "http://b.example/1",
        "http://c.example/1",
    }
    assert bees.seeds == tuple(f"http://{host}.example/" for host in "abc")
    assert not bees.targets & {*bees.positives, *bees.seeds}
    assert set(bees.negatives) <= set(cars.relevant)  # what nobody labelled is not off topic
    assert bees.budget == round(0.5 * 27)


def test_what_is_left_out_is_not_in_the_web_and_what_gives_away_is_not_shown(corpora):
    web = ClosedWeb(corpora / "mine")
    assert len(web.urls) == 27  # 24 pages and three home pages
    assert "bees" not in web.text("http://a.example/1")
    assert web.parsed("http://a.example/1").links.urls == ["http://a.example/1"]


def test_half_of_the_homes_differ_by_draw(corpora):
    rules = RULES.replace('"homes"', '"half of the homes"')
    (corpora / "mine" / "tasks.toml").write_text(rules)
    rules_of.cache_clear()
    draws = [find_tasks(["mine/bees"], corpora, Shape(draw=draw))[0].seeds for draw in range(1, 7)]
    homes = {f"http://{host}.example/" for host in "abc"}
    for one, other in zip(draws[::2], draws[1::2], strict=True):
        assert {*one, *other} == homes
        assert (len(one), len(other)) == (2, 1), "no home page is in both halves"
    assert len(set(draws[::2])) > 1


def test_all_homes_come_in_another_order_by_draw(corpora):
    draws = [find_tasks(["mine/bees"], corpora, Shape(draw=draw))[0].seeds for draw in range(1, 7)]
    assert draws[0] == tuple(sorted(draws[0]))
    assert {frozenset(seeds) for seeds in draws} == {frozenset(draws[0])}
    assert len(set(draws)) > 1


def test_an_experiment_may_ask_for_halves_of_the_homes(corpora):
    halves = [find_tasks(["mine/bees"], corpora, Shape(draw=draw, halves=True))[0].seeds for draw in (1, 2)]
    assert sorted(halves[0] + halves[1]) == [f"http://{host}.example/" for host in "abc"]


def test_topics_of_a_directory_are_places_in_its_tree(corpora):
    categories = {
        "a": "Top/Animals/Insects/Bees",
        "b": "Top/Animals/Insects",
        "c": "Top/Travel/By_Car/Vans/Old",
    }
    lines = [
        f"http://{host}.example/{n}\t{category}\ttitle\n"
        for host, category in categories.items()
        for n in range(1, 9)
    ]
    folder = corpora / "mine"
    (folder / "directory.tsv").write_text("".join(lines))
    tree = 'topics = "Top/*"\nseparator = "/"\ndirectory = "directory.tsv"'
    rules = re.sub(r"(?m)^(topics|requires|fewest_hosts).*\n", "", RULES)
    (folder / "tasks.toml").write_text(f"{tree}\n{rules}")
    rules_of.cache_clear()

    def sizes(**shape):
        return {task.name: len(task.relevant) for task in find_tasks(["mine/*"], corpora, Shape(**shape))}

    assert sizes() == {"mine/Animals.Insects": 16, "mine/Travel.By_Car": 8}
    assert sizes(max_depth=0, topic_level=2) == {"mine/Animals.Insects": 8}
    assert sizes(topic_level=3) == {"mine/Animals.Insects.Bees": 8, "mine/Travel.By_Car.Vans": 8}
    assert find_tasks(["mine/Travel*"], corpora)[0].words == "Travel By Car"
    (folder / "directory.tsv").write_text("http://a.example/\n")
    read_directory.cache_clear()
    with pytest.raises(SettingsError, match=r"directory\.tsv, line 1: a url, a tab and a category"):
        find_tasks(["mine/*"], corpora)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (gzip.compress(b"http://a.example/\tTop/A\n")[:-9] + b"broken!!!", "cannot be read"),
        (gzip.compress(b"http://a.example/\tTop/A\n" * 99)[:-30], "cannot be read"),
        (gzip.compress(b"x" * (MAX_BYTES + 9)), "line 1: a directory has at most"),
        (gzip.compress(b"http://a.example/\t\xff\n"), "cannot be read"),
        (b"no gzip", "cannot be read"),
    ],
    ids=["damaged", "cut", "one line", "no text", "no gzip"],  # the bytes differ from second to second
)
def test_a_broken_directory_is_told(tmp_path, content, told):
    path = tmp_path / "directory.tsv.gz"
    path.write_bytes(content)
    with pytest.raises(SettingsError, match=told):
        read_directory(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("topics = 1", "topics: Input should be a valid string"),
        ('topics = "subject:"', "topics: String should match"),
        ("", "topics: Field required"),
        ('topics = "*"\nfewest = 3', "fewest: Extra inputs"),
        ('topics = "*"\ngiveaways = ["p[["]', "no CSS selector"),
        ("topics = ", "Invalid value"),
    ],
)
def test_wrong_rules_are_told_with_their_file(tmp_path, text, told):
    path = tmp_path / "tasks.toml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=f"tasks.toml: .*{told}"):
        read_rules(path)


def test_a_corpus_without_rules_says_what_to_write(corpora):
    (corpora / "mine" / "tasks.toml").unlink()
    rules_of.cache_clear()
    with pytest.raises(SettingsError, match=r"write tasks\.toml beside its pages"):
        find_tasks(["mine/*"], corpora)
    with pytest.raises(SettingsError, match="there is no such folder; there are sample-PAGES"):
        find_tasks(["other/*"], corpora)


def test_topics_and_homes():
    rules = Rules(topics="a:*.x")
    assert rules.topics_of(["a:bees.x", "a:cars", "b"]) == ["bees"]
    assert home_pages(["http://a.example/b", "http://a.example/", "http://b.example/z"]) == {
        "a.example": "http://a.example/",
        "b.example": "http://b.example/z",
    }


@pytest.mark.slow
def test_multisite_has_its_twenty_four_subjects(shared, tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path))
    tasks = find_tasks(["multisite/*"], shared / "corpora")
    assert len(tasks) == 24
    assert {len(task.seeds) for task in tasks} == {203}
    assert all(task.words != task.topic.replace("-", " ") or "-" not in task.topic for task in tasks)


def test_the_rules_in_the_docs_are_rules(tmp_path):
    page = (Path(__file__).parents[3] / "docs" / "recordings.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "tasks.toml").write_text(text)
    rules = read_rules(tmp_path / "tasks.toml")
    assert set(rules.model_fields_set) == set(Rules.model_fields)


def test_what_stands_inside_a_giveaway_goes_with_it():
    rules = Rules(topics="*", giveaways=("[class~=tags]", "[rel~=tag]"))
    page = "<p>before" + "<div class=tags>" * 20 + "<a rel=tag>bees</a>" * 50 + "</div>" * 20 + "<p>after"
    left = rules.without_giveaways(page.encode(), "text/html").decode()
    assert "bees" not in left
    assert left.count("<p>") == 2
