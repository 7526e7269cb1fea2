"""Everything that can be done on the command line can be done over the API, or it is said why not."""

from collections.abc import Iterator
from typing import Any

import typer.main

from honeyguide.cli.main import app

OPERATIONS = {
    "crawl": ["new_crawl", "check_crawl", "run"],
    "resume": ["run", "resume"],
    "pause": ["pause"],
    "stop": ["stop"],
    "status": ["list_crawls", "status", "order", "log", "failures"],
    "top": ["top", "hosts"],
    "hubs": ["hubs"],
    "sites": ["sites"],
    "changes": ["changes", "changes_feed"],
    "search": ["search"],
    "index": ["index"],
    "explain": ["explain", "explain_site"],
    "queue": ["queue"],
    "steer": ["rules", "preview", "begin", "end"],
    "label": ["questions", "glances", "label", "labels", "take_labels", "mark_hub", "hub_marks", "estimate"],
    "revise": ["learn", "revisions", "use_revision"],
    "export": ["export"],
    "sql": ["ask", "sql_views"],
    "settings": ["settings", "settings_as_toml"],
    "strategies": ["strategies"],
    "topics": ["topic_models"],
    "lab run": ["run_experiment"],
    "lab list": ["tasks"],
    "lab oracle": ["oracle"],
    "lab compare": ["compare", "list_experiments"],
    "lab report": ["report_experiment", "report_crawl", "read_report"],
    "lab reproduce": ["reproduce"],
    "lab blind": ["blind"],
    "lab recall": ["recall"],
    "lab classifiers": ["classifiers"],
    "lab phrases": ["phrases"],
    "topic new": ["new_topic"],
    "topic train": ["train"],
    "topic test": ["test", "judge"],
    "topic explain": ["explain_text"],
    "topic diff": ["diff_topic", "compare_revisions"],
    "topic import": ["import_topic"],
    "topic tree": ["tree", "edit", "examples"],
    "topic suggest": ["suggest"],
    "topic export": ["export_topic", "job_file"],
    "topic footprint": ["footprint"],
}
"""The operations that do what a verb does."""

NOT_OVER_A_WIRE = {
    "demo": "shows a terminal what a crawl is; `sample_web` has what it crawls, `new_crawl` crawls it",
    "serve": "is the server",
    "worker": "whoever lends a machine starts it there",
    "move": "where a crawl's database is, is for whoever has the machine to say",
    "lab trace": "reads a repository of this machine's disk",
}


def _verbs(group: Any, before: str = "") -> Iterator[str]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _verbs(command, f"{before}{name} ")
        else:
            yield f"{before}{name}"


def test_every_verb_has_an_operation_or_a_reason(reading):
    verbs = {*_verbs(typer.main.get_command(app))}
    assert verbs == {*OPERATIONS} | {*NOT_OVER_A_WIRE}
    with reading.client() as client:
        paths = client.get("/openapi.json").json()["paths"]
    known = {one["operationId"] for path in paths.values() for one in path.values()}
    assert {name for names in OPERATIONS.values() for name in names} <= known
