"""A blind test: the default strategy against all others on a labelled web that nobody tuned on.

Whatever is needed to check it is written down before the first run: what the web, its labels, the rules and the code
were, and what the tasks are. All topics are tested unless fewer are asked for, all strategies have their defaults.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from honeyguide.errors import HoneyguideError, SettingsError
from honeyguide.lab.experiment import plan, run_experiment
from honeyguide.lab.experiment_order import ExperimentOrder
from honeyguide.lab.report.document import Block, Code, Document, Heading, Paragraph, Table, write_document
from honeyguide.lab.report.numbers import HEADLINE, Group, group_of
from honeyguide.lab.report.tables import lead_text, leads_table, main_table
from honeyguide.lab.reproduce.default_experiments import OURS
from honeyguide.lab.reproduce.default_goals import best_other, strategies_only, times
from honeyguide.lab.results import load
from honeyguide.lab.statistics import leads_of
from honeyguide.lab.tasks.labels import LINKS_NAMES
from honeyguide.lab.tasks.rules import RULES_NAME, are_ours, read_rules, web_labels
from honeyguide.lab.tasks.sample import PREFIX as SAMPLE
from honeyguide.lab.tasks.tasks import OWN_MAKERS, Task
from honeyguide.lab.versions import code_sum, versions
from honeyguide.settings.order import slug
from honeyguide.store.disk import disk_errors, write_atomically

PAGES_FILES = ("pages.jsonl", "pages.jsonl.gz")
FACTS_NAME, OUTCOME_NAME, WEB_NAME = "blind.json", "outcome.json", "web"
TEXT = (
    "No strategy was tuned on this web: all have their default settings. {topics} All have the same guide, an SVM, the "
    "same seeds and number of pages. The best other is the best of all others by these same runs, which favors it. "
    "With the web, the rules, and the same versions, the command below gives the same numbers; the sums tell whether "
    "they are the same."
)


@dataclass(frozen=True)
class BlindTest:
    """What is tested on, and how much of it; 0: all topics, and pages as the rules say."""

    corpus: Path
    rules: Path
    results: Path
    most_tasks: int = 0
    pages: int = 0

    @property
    def name(self) -> str:
        """Of the web."""
        return slug(self.corpus.resolve().name)

    @property
    def order(self) -> ExperimentOrder:
        """The experiment it is."""
        return ExperimentOrder(
            name=self.name, tasks=(f"{self.name}/*",), most_tasks=self.most_tasks, pages=self.pages
        )

    @property
    def command(self) -> str:
        """How to run it again."""
        less = {"--tasks": self.most_tasks, "--pages": self.pages}
        asked = "".join(f" {option} {number}" for option, number in less.items() if number)
        return f"honeyguide lab blind --corpus {self.corpus.name} --rules {self.rules.name}{asked}"


def run_blind(
    test: BlindTest, processes: int, on_progress: Callable[[int, int], None]
) -> tuple[Path, str, Sequence[str]]:
    """Do the test, or what is left of it; gives the report, its first sentence, and what failed."""
    _refuse_known(test.name)
    read_rules(test.rules)  # before anything is written
    corpora = _linked(test)
    planned = plan(test.order, corpora)
    facts = _facts(test, corpora, {run.task.name: run.task for run in planned}.values())
    _write_facts(test.results, facts)
    done = run_experiment(test.order, test.results, corpora, processes, on_progress)
    group = group_of(test.name, load(test.results).runs)
    if OURS not in group.runs:
        raise HoneyguideError(f"{OURS} was not run on every task; {'; '.join(done.failures[:3])}")
    sentence = _sentence(group)
    values = {label: own.tolist() for label, own in group.values(HEADLINE).items()}
    outcome = {"sentence": sentence, "tasks": list(group.tasks), HEADLINE: values, "failed": done.failures}
    write_atomically(test.results / OUTCOME_NAME, json.dumps(outcome, indent=1))
    document = Document(f"Blind test on {test.name}", _blocks(test, facts, group, sentence, done.failures))
    return write_document(document, test.results), sentence, done.failures


def _refuse_known(name: str) -> None:
    if name in OWN_MAKERS or name.startswith(SAMPLE) or are_ours(name):
        raise SettingsError(
            f"corpus: {name} is known here, and settings were chosen or looked at on it: a test on it would not be "
            f"blind; `honeyguide lab reproduce default` has it"
        )


def _linked(test: BlindTest) -> Path:
    """A folder with the web and these rules beside it, where tasks are looked for."""
    place = test.results / WEB_NAME / test.name
    with disk_errors(place):
        place.mkdir(parents=True, exist_ok=True)
        for path in test.corpus.iterdir():
            if path.is_file() and path.name != RULES_NAME:
                (place / path.name).unlink(missing_ok=True)
                (place / path.name).symlink_to(path.resolve())
        write_atomically(place / RULES_NAME, test.rules.read_text(encoding="utf-8"))
    if not _one_of(place, PAGES_FILES):
        raise SettingsError(
            f"{test.corpus}: there is no {PAGES_FILES[0]}(.gz); docs/recordings.md says what a web is"
        )
    return place.parent


def _one_of(folder: Path, names: Iterable[str]) -> Path | None:
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _facts(test: BlindTest, corpora: Path, tasks: Iterable[Task]) -> dict[str, object]:
    pages, links = (_one_of(test.corpus, names) for names in (PAGES_FILES, LINKS_NAMES))
    labels = web_labels(corpora / test.name, read_rules(test.rules))
    written = "".join(f"{url}\t{' '.join(sorted(own))}\n" for url, own in sorted(labels.items()))
    return {
        "web": test.name,
        "command": test.command,
        "sha256": {
            "pages": _sum_of([pages]),
            "links": _sum_of([links]),
            "labels": sha256(written.encode()).hexdigest(),
            "rules": _sum_of([test.rules]),
            "code": code_sum(),
        },
        "versions": versions(),
        "strategies": [name for name, _ in test.order.chosen()],
        "draws": list(test.order.draws),
        "tasks": [_task_facts(task, test.pages) for task in tasks],
    }


def _task_facts(task: Task, pages: int) -> dict[str, object]:
    sets = {"targets": sorted(task.targets), "positives": task.positives, "negatives": task.negatives}
    return {
        "task": task.name,
        "words": task.words,
        "pages": pages or task.budget,
        "seeds": list(task.seeds),
        **{name: len(urls) for name, urls in sets.items()},
        "sha256": {name: sha256("\n".join(urls).encode()).hexdigest() for name, urls in sets.items()},
    }


def _sum_of(paths: Iterable[Path | None]) -> str:
    total = sha256()
    for path in paths:
        if path is not None:
            with path.open("rb") as file:
                while piece := file.read(1 << 20):
                    total.update(piece)
    return total.hexdigest()


def _write_facts(results: Path, facts: Mapping[str, object]) -> None:
    """Note what is tested before it is; a test that was begun goes on only with the same."""
    path = results / FACTS_NAME
    if path.is_file():
        before = json.loads(path.read_text(encoding="utf-8"))
        now = json.loads(json.dumps(facts))
        if changed := [name for name in now if before.get(name) != now[name]]:
            raise SettingsError(
                f"{results}: a test was begun here with another {', '.join(changed)}; choose another --results"
            )
    write_atomically(path, json.dumps(facts, indent=1))


def _sentence(group: Group) -> str:
    means = group.means(HEADLINE)
    best = best_other(means)
    ours, theirs = means[OURS].mean, means[best].mean
    return (
        f"{OURS} reached nAUC {ours:.3f}, {100 * times(ours, theirs):.1f} % of the best other's, {best} with "
        f"{theirs:.3f}; ahead by {lead_text(group.lead(OURS, best, HEADLINE))}."
    )


def _blocks(
    test: BlindTest, facts: Mapping[str, object], group: Group, sentence: str, failures: Sequence[str]
) -> list[Block]:
    sums, used = facts["sha256"], facts["versions"]
    assert isinstance(sums, dict)
    assert isinstance(used, dict)
    leads = leads_of(OURS, strategies_only(group.values(HEADLINE)), group.webs)
    caption = "SHA-256 of what went in; of labels, that of the lines of all pages in the web, sorted."
    return [
        Paragraph(sentence),
        Paragraph(TEXT.format(topics=_topics_tested(test))),
        *([Paragraph(f"Runs that failed: {'; '.join(failures)}.")] if failures else []),
        Heading("Against all others"),
        leads_table(OURS, leads),
        main_table(group, {}),
        Heading("Task by task"),
        _task_table(group),
        Heading("What was tested"),
        Code(f"{test.command}\nhoneyguide lab compare {test.results.name} --against {OURS}"),
        Table(caption, ["of", "sum"], [[name, own] for name, own in sums.items()], is_text=True),
        Code("\n".join(f"{name} {version}" for name, version in sorted(used.items()))),
        Paragraph(
            f"Seeds, words, numbers and sums of each task are in {FACTS_NAME}, all numbers in {OUTCOME_NAME}."
        ),
    ]


def _topics_tested(test: BlindTest) -> str:
    if not test.most_tasks:
        return "Every topic that the rules give is tested."
    return f"At most {test.most_tasks} of the topics that the rules give are tested, chosen by a hash of their names."


def _task_table(group: Group) -> Table:
    values = group.values(HEADLINE)
    rows = [
        [task, *(f"{values[label][place]:.3f}" for label in group.labels)]
        for place, task in enumerate(group.tasks)
    ]
    return Table("nAUC, best first.", ["task", *group.labels], rows)
