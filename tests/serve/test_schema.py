"""The whole API is asked all kinds of things, by its own description: nothing makes it fail."""

from collections import Counter
from itertools import count

import hypothesis
import hypothesis.stateful
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from honeyguide.serve import processes
from tests.serve.conftest import ORDER

CHECKS = (not_a_server_error, status_code_conformance, response_schema_conformance)
MOST_EXAMPLES = 5
SECONDS = 120  # for an answer, on however busy a machine
QUICK = {
    "deadline": None,
    "derandomize": True,
    "database": None,
    "suppress_health_check": list(HealthCheck),
    "phases": (Phase.explicit, Phase.generate),
}


@pytest.fixture
def schema(served, monkeypatch):
    # A process that ends at once stands in for the verbs: what they do is tested elsewhere, and takes its time.
    monkeypatch.setattr(processes, "RUNNER", "__hello__")
    return (
        schemathesis.openapi.from_url(
            f"{served.url}/api/v1/openapi.json",
            headers={"Authorization": f"Bearer {served.token}"},
            timeout=SECONDS,
        )
        .exclude(path_regex="/events$")  # has no end
        .exclude(method="DELETE", path_regex="/session$")
    )


def test_every_operation_answers_whatever_it_is_asked(schema, served):
    (served.workspace.folder / "topics" / "bees.topic").write_bytes(served.topic())
    known = {"crawl": "bees", "topic": "bees"}
    page = next(iter(served.workspace.crawl("bees").visits())).url
    is_good = Counter()
    for found in schema.get_all_operations():
        operation = found.ok()

        @hypothesis.settings(max_examples=MOST_EXAMPLES, **QUICK)
        @hypothesis.given(case=operation.as_strategy())
        def ask(case):
            if "wait" in (case.query or {}):
                case.query["wait"] = 0
            if "url" in (case.query or {}) and case.query["url"][:1] < "a":  # sometimes a page that is there
                case.query["url"] = page
            if case.method != "DELETE":  # what is there is asked for, and stays there
                case.path_parameters.update({key: known[key] for key in known if key in case.path_parameters})
            answer = case.call(headers={"Authorization": f"Bearer {served.token}"}, timeout=SECONDS)
            is_good[case.operation.label] += answer.status_code < 300
            case.validate_response(answer, checks=CHECKS)

        ask()
    never = sorted(label for label, times in is_good.items() if not times)
    print(f"{len(is_good)} operations; never well answered: {never}")
    assert len(never) < len(is_good) / 2


def test_what_was_made_can_be_asked_for(schema, served):
    machine = schema.as_state_machine()
    token = {"Authorization": f"Bearer {served.token}"}

    numbers = count()

    class Asking(machine):
        def before_call(self, case):
            if case.operation.label == "POST /api/v1/crawls":
                case.body = {**ORDER, "name": f"made-{next(numbers)}"}
            elif case.operation.label == "POST /api/v1/topics":
                case.body = {"name": f"made-{next(numbers)}", "words": "beekeeping"}

        def get_call_kwargs(self, case):
            return {"headers": token, "timeout": SECONDS}

        def validate_response(self, response, case, **kwargs):
            case.validate_response(response, checks=CHECKS)

    hypothesis.stateful.run_state_machine_as_test(
        Asking, settings=hypothesis.settings(max_examples=8, stateful_step_count=6, **QUICK)
    )
