"""The whole API is asked all kinds of things, by its own description: nothing makes it fail."""

from collections import Counter
from contextlib import suppress
from itertools import count

import hypothesis
import hypothesis.stateful
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase
from hypothesis.errors import FlakyStrategyDefinition
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from honeyguide.serve.processes import work_at
from tests.serve.conftest import ORDER, wait_until
from tests.serve.test_description import OTHERS, SEEDED, seeded, seeding

__all__ = ["seeded"]

CHECKS = (not_a_server_error, status_code_conformance, response_schema_conformance)
FEW, MANY = 2, 50
SECONDS = 120  # for an answer, on however busy a machine
QUICK = {
    "deadline": None,
    "derandomize": True,
    "database": None,
    "suppress_health_check": list(HealthCheck),
    "phases": (Phase.explicit, Phase.generate),
}
BY_SEED = {**QUICK, "derandomize": False}
STEPS = 8
"""From one thing that was found to the next."""
MOST_SEEDS = 100
"""Each may end at its first step, and most go on for many."""


@pytest.fixture
def schema(seeded):
    return schema_of(seeded)


@pytest.fixture
def real(served):
    """The same with the processes that a server starts; those that have not ended by then are ended."""
    with seeding(served):
        yield served
        end_processes(served)


def schema_of(served):
    return (
        schemathesis.openapi.from_url(
            f"{served.url}/api/v1/openapi.json",
            headers={"Authorization": f"Bearer {served.token}"},
            timeout=SECONDS,
        )
        .exclude(path_regex="/events$")  # has no end
        .exclude(method="DELETE", path_regex="/session$")
    )


def places_of(served):
    """Where processes may be at work; the crawl `running` is at work in this one."""
    folder = served.workspace.folder
    found = [*(folder / "jobs").iterdir(), *(folder / "crawls").iterdir()]
    return [place for place in found if place.name != "running" and work_at(place).has_run]


def end_processes(served):
    for place in places_of(served):
        served.serving.processes.interrupt(place)
    wait_until(lambda: not any(work_at(place).is_running for place in places_of(served)))


def ask_everything(schema, served, examples):
    """Every operation is asked so often for anything, of what is there."""
    page = next(served.workspace.crawl("bees").visits()).url
    for found in schema.get_all_operations():
        ask_for_anything(found.ok(), page, served.token, examples)


def ask_for_anything(operation, page, token, examples):
    known = {**SEEDED, **OTHERS.get(operation.definition.raw["operationId"], {})}

    @hypothesis.settings(max_examples=examples, **QUICK)
    @hypothesis.given(case=operation.as_strategy())
    def ask(case):
        if "wait" in (case.query or {}):
            case.query["wait"] = 0
        if "url" in (case.query or {}) and case.query["url"][:1] < "a":  # sometimes a page that is there
            case.query["url"] = page
        if case.method != "DELETE":  # what is there is asked for, and stays there
            case.path_parameters.update({key: known[key] for key in known if key in case.path_parameters})
        answer = case.call(headers={"Authorization": f"Bearer {token}"}, timeout=SECONDS)
        case.validate_response(answer, checks=CHECKS)

    ask()


def follow_links(schema, served, steps):
    """What was made or found is asked for, step by step; gives how often each operation answered well."""
    asked = _Asked(served.token)
    schema.config.generation.update(modes=[GenerationMode.POSITIVE])  # what is wrong by itself leads nowhere
    machine = asked.machine(schema)
    for seed in range(1, MOST_SEEDS + 1):
        if asked.steps >= steps:
            break
        settings = hypothesis.settings(
            max_examples=max(2, (steps - asked.steps) // STEPS), stateful_step_count=STEPS, **BY_SEED
        )
        # What a server answers depends on all that was asked before, and on how far its processes are; hypothesis takes
        # that for a mistake of the test, and begins anew.
        with suppress(FlakyStrategyDefinition):
            hypothesis.stateful.run_state_machine_as_test(hypothesis.seed(seed)(machine), settings=settings)
        assert asked.failed == []
    assert asked.steps >= steps, "too many were begun anew"
    return asked.is_good


class _Asked:
    """Keeps what goes wrong itself: a failure is asked for again by hypothesis, and would not always happen again."""

    def __init__(self, token):
        self.token = token
        self.is_good = Counter()
        self.failed = []
        self.steps = 0
        self._numbers = count()

    def machine(self, schema):
        asked = self

        class Asking(schema.as_state_machine()):
            def before_call(self, case):
                asked.prepare(case)

            def get_call_kwargs(self, case):
                return {"headers": {"Authorization": f"Bearer {asked.token}"}, "timeout": SECONDS}

            def call(self, case, **kwargs):
                asked.steps += 1
                try:
                    return super().call(case, **kwargs)
                except requests.RequestException as error:
                    asked.failed.append((case.operation.label, error))
                    raise

            def validate_response(self, response, case, **kwargs):
                asked.look_at(response, case)

        return Asking

    def prepare(self, case):
        if "wait" in (case.query or {}):
            case.query["wait"] = 0
        if case.operation.label == "POST /api/v1/crawls":
            case.body = {**ORDER, "name": f"made-{next(self._numbers)}"}
        elif case.operation.label == "POST /api/v1/topics":
            case.body = {"name": f"made-{next(self._numbers)}", "words": "beekeeping"}
        elif case.operation.label == "POST /api/v1/crawls/{crawl}/rules":
            case.body = {"action": "lower", "pattern": "shop.example.org"}

    def look_at(self, response, case):
        self.is_good[case.operation.label] += response.status_code < 300
        try:
            case.validate_response(response, checks=CHECKS)
        except FailureGroup as failure:
            self.failed.append((case.operation.label, [str(one) for one in failure.exceptions]))


def test_every_operation_answers_whatever_it_is_asked(schema, seeded):
    ask_everything(schema, seeded, FEW)


def test_what_was_made_or_found_can_be_asked_for(schema, seeded):
    assert len(found_by_links(follow_links(schema, seeded, 100))) > 2


def found_by_links(is_good):
    """Operations that answered well of something with a name: nobody guesses these."""
    return {label for label, times in is_good.items() if times and "{" in label}


def test_real_processes_are_started_and_tell_how_they_ended(real):
    schema = schema_of(real)
    wanted = [
        ("POST", "/api/v1/crawls/{crawl}/index"),
        ("POST", "/api/v1/crawls/{crawl}/run"),
        ("POST", "/api/v1/crawls/{crawl}/learn"),
    ]
    page = next(real.workspace.crawl("bees").visits()).url
    for method, path in wanted:
        ask_for_anything(schema[path][method], page, real.token, 1)
    wait_until(lambda: not any(work_at(place).is_running for place in places_of(real)))
    ended = [work_at(place).code for place in places_of(real)]
    assert len(ended) >= 2
    assert None not in ended, "every one has told how it ended"


@pytest.mark.slow
def test_the_same_at_length(schema, seeded):
    ask_everything(schema, seeded, MANY)
    is_good = follow_links(schema, seeded, 1_200)
    assert len(found_by_links(is_good)) > 9


@pytest.mark.parametrize(
    ("steps", "fewest"),
    [(60, 2), pytest.param(600, 6, marks=pytest.mark.slow)],
    ids=["briefly", "at length"],
)
def test_links_are_followed_with_real_processes(real, steps, fewest):
    """Some of what is made is crawled, indexed and learned from meanwhile, in whatever order chance has it."""
    is_good = follow_links(schema_of(real), real, steps)
    assert len(found_by_links(is_good)) > fewest
    end_processes(real)
    assert places_of(real), "some were started"
