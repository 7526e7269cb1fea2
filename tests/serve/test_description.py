"""The description of the API is complete, and does what it says when its own examples are sent."""

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import typer.main

import honeyguide.serve.processes
from honeyguide.cli.main import app
from honeyguide.commands import Pause
from honeyguide.crawls import Crawl
from honeyguide.serve.description import fields, operations
from honeyguide.serve.problems import MEDIA_TYPE, TITLES
from honeyguide.topics.taxonomy.backbone import topic_from_examples
from honeyguide.topics.topic_file import write_topic
from honeyguide.urls import host_of
from tests.serve.conftest import ORDER, WEB, Served, wait_until

JOB, TRASHED = "18c2a1b4f00-0a1b2c3d", "thrown~1700000000000"
MAP = """<topicMap xmlns="http://www.topicmaps.org/xtm/" version="2.0">
<topic id="bee"><name><value>Honey bee</value></name></topic><topic id="hive"><name><value>Hive</value></name></topic>
<association><type><topicRef href="#hive"/></type>
<role><type><topicRef href="#bee"/></type><topicRef href="#bee"/></role>
<role><type><topicRef href="#hive"/></type><topicRef href="#hive"/></role></association></topicMap>"""

SEEDED = {
    "crawl": "bees",
    "topic": "bees",
    "job": JOB,
    "trashed": TRASHED,
    "experiment": "quick",
    "report": "quick",
}
"""What is there, by the parameters that name it."""
OTHERS: dict[str, dict[str, Any]] = {
    **{name: {"crawl": "running"} for name in ("pause", "resume", "stop")},
    **{name: {"topic": "map"} for name in ("topic_map", "focus", "footprint", "footprints")},
    **{name: {"topic": "another"} for name in ("import_topic", "train")},
    "explain_site": {"site": host_of(WEB.seeds("bees")[0])},
    "new_crawl": {"name": "begun"},
    "new_topic": {"name": "begun"},
    "new_map": {"topic": "another", "text": MAP},
    "list_crawls": {"cursor": ""},
    "compare_revisions": {"before": 0, "after": 0},
    "use_revision": {"number": 0},
    "try_words": {"crawl": "bees", "texts": []},
    "suggestions": {"path": ""},
    "proposals": {"texts": ["bees and honey"]},
}
"""Operations that mean something else than what is seeded for most."""
NO_END = {"events"}
"""Operations whose answer has no end; tests/serve/test_numbers.py reads some of it."""


def seed(served: Served) -> None:
    """Put one of each kind of thing into a workspace."""
    folder = served.workspace.folder
    write_topic(
        folder / "topics" / "bees.topic", topic_from_examples("Bees", [], words=WEB.description("bees"))
    )
    (folder / "topics" / "hives.topic").write_bytes(served.topic())
    shutil.copytree(folder / "crawls" / "bees", folder / "trash" / TRASHED)
    (folder / "jobs" / JOB / "files").mkdir(parents=True)
    (folder / "jobs" / JOB / "files" / "bees.xtm").write_text("<topicMap/>")
    (folder / "jobs" / JOB / "job.json").write_text(json.dumps({"kind": "topic export", "words": []}))
    (folder / "results" / "quick-report").mkdir()
    (folder / "results" / "quick-report" / "report.html").write_text("<p>a report")
    for place in ("results/quick", "corpora/mine", "maps", "examples"):
        (folder / place).mkdir(parents=True)
    for file in ("corpora/mine.toml", "maps/bees.xtm", "examples/hives.html", "labels.csv"):
        (folder / file).write_text("")
    with served.client() as client:
        assert client.put("/topics/map/map", json={"text": MAP, "focus": ["Honey bee"]}).status_code == 201


def running(served: Served) -> threading.Thread:
    """A crawl that is at work in this process, and waits."""
    crawl = Crawl.start(
        served.workspace.folder / "crawls" / "running",
        ORDER["topic"],
        ORDER["seeds"],
        web=WEB,
        settings={"crawl.batch": 1},
    )
    thread = threading.Thread(target=crawl.run)
    thread.start()
    wait_until(lambda: crawl.process)
    crawl.answer(crawl.send(Pause()), 60)
    return thread


@contextmanager
def seeding(served: Served) -> Iterator[Served]:
    """A workspace with one of each kind of thing, and a crawl that is at work."""
    seed(served)
    thread = running(served)
    yield served
    with served.client() as client:
        client.post("/crawls/running/stop")
    thread.join()


@pytest.fixture
def seeded(served: Served, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    # A process that ends at once stands in for the verbs: thousands of questions would start hundreds of processes.
    # tests/serve/test_schema.py asks some with real ones, tests/serve/test_work.py what comes of them.
    monkeypatch.setattr(honeyguide.serve.processes, "RUNNER", "__hello__")
    with seeding(served):
        yield served


def example_of(
    operation: dict[str, Any], description: dict[str, Any], page: str, token: str
) -> tuple[dict, dict, Any]:
    """Path, query and body of a request as the description shows it, of what is there."""
    given = {**SEEDED, "token": token, **OTHERS.get(operation["operationId"], {})}
    if "url" in {one["name"] for one in operation.get("parameters", ())}:
        given["url"] = page
    path, query = ({}, {})
    for one in operation.get("parameters", ()):
        value = given.get(one["name"], one["schema"]["examples"][0])
        (path if one["in"] == "path" else query)[one["name"]] = value
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    return path, query, None if content is None else _body(content, description, given)


def _body(content: dict[str, Any], description: dict[str, Any], given: dict[str, Any]) -> Any:
    if "examples" in content:
        return next(iter(content["examples"].values()))["value"]
    known = description["components"]["schemas"]
    named = next(one for one in (content["schema"], *content["schema"].get("anyOf", ())) if "$ref" in one)
    schema = known[named["$ref"].rpartition("/")[2]]
    shown = dict(schema.get("examples", [{}])[0])
    for name in schema.get("required", ()):
        shown.setdefault(name, _shown(schema["properties"][name], known))
    return {name: given.get(name, value) if name != "topic" else value for name, value in shown.items()}


def _shown(field: dict[str, Any], known: dict[str, Any]) -> Any:
    if "examples" in field:
        return field["examples"][0]
    if field.get("type") == "array":
        return [_shown(field["items"], known)]
    schema = known[field["$ref"].rpartition("/")[2]]
    return schema.get("examples", [{}])[0] or {
        name: _shown(schema["properties"][name], known) for name in schema.get("required", ())
    }


def test_everything_has_a_summary_and_an_example_and_tells_its_problems(reading):
    with reading.client() as client:
        description = client.get("/openapi.json").json()
    for operation in operations(description):
        name = operation["operationId"]
        assert operation["summary"], name
        assert operation["description"], name
        wrong = {status: one for status, one in operation["responses"].items() if status >= "400"}
        assert {*wrong} == {*map(str, TITLES)}, name
        assert all({*one["content"]} == {MEDIA_TYPE} for one in wrong.values()), name
        assert any("200" <= status < "300" for status in operation["responses"]), name
    lacking = [(name, field) for name, field in fields(description) if not field.get("examples")]
    assert not lacking


def test_every_operation_answers_its_own_example_well(seeded):
    page, folder = next(seeded.workspace.crawl("bees").visits()).url, seeded.workspace.folder
    with seeded.client() as client:
        description = client.get("/openapi.json").json()
        found = [
            (method, path, operation)
            for path, own in description["paths"].items()
            for method, operation in own.items()
            if operation["operationId"] not in NO_END
        ]
        last = ["put_back", "remove", "throw_away", "delete_topic", "remove_job", "log_out"]
        found.sort(key=lambda one: last.index(one[2]["operationId"]) if one[2]["operationId"] in last else -1)
        for method, path, operation in found:
            places, query, body = example_of(operation, description, page, seeded.token)
            if operation["operationId"] == "remove":
                shutil.copytree(
                    seeded.workspace.folder / "crawls" / "bees", seeded.workspace.folder / "trash" / TRASHED
                )
            query["wait"] = 0
            wait_until(lambda: all(job.state != "running" for job in seeded.serving.jobs.all()))
            answer = client.request(
                method, path.format(**places).removeprefix("/api/v1"), params=query, json=body
            )
            assert answer.status_code < 300, (operation["operationId"], body, answer.text)
    _are_understood(folder / "jobs")


def _are_understood(jobs: Path) -> None:
    """Every job that was begun is a command line that its verb takes."""
    told = [json.loads(path.read_text()) for path in jobs.glob("*/job.json")]
    assert len({one["kind"] for one in told}) > 15
    for words in (one["words"] for one in told if one["words"]):
        command: Any = typer.main.get_command(app)
        while hasattr(command, "commands"):
            word, *words = words
            command = command.commands[word]
        command.make_context(command.name, [*words])
