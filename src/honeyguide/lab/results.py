"""The results of an experiment on disk: a Parquet file a run, and one JSON file that says what was run.

Written by the experiment runner, read by everything that measures, compares and draws.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ImportFailed, SettingsError
from honeyguide.files import whole_file
from honeyguide.model import Bools, Floats
from honeyguide.store.disk import disk_errors, write_atomically

RUNS_NAME, EXPERIMENT_NAME = "runs", "experiment.json"
TUNING, REPORTING = "tuning", "reporting"
ORACLE, PEEK, PEEK_BUT_SEEDS = BOUNDS = "oracle", "peek", "peek-but-seeds"
"""They know what no crawler can know: run beside the strategies to show how much there is to gain."""

USUAL_BOUNDS = (ORACLE, PEEK)
"""The third differs from the second where there are many seeds alone: it is run where it is named."""

FORMAT = 1
_FACTS_KEY = b"honeyguide"
_COLUMNS: Mapping[str, type] = {
    "step": np.int64,
    "url": np.object_,
    "host": np.object_,
    "relevance": np.float64,
    "is_target": np.bool_,
    "judged": np.bool_,
    "similarity": np.float64,
    "depth": np.int32,
    "rank_seconds": np.float64,
}


@dataclass(frozen=True)
class RunFacts:
    """Which run it was, and what there was to find."""

    task: str
    corpus: str
    topic: str
    split: str  # TUNING or REPORTING
    strategy: str
    keywords: Mapping[str, Any]  # of the strategy, where they are not its defaults
    seed: int  # the number of the draw: of the seeds, where a task has several sets, and of a strategy's own dice
    budget: int  # pages that might have been fetched
    targets: int  # that can be reached from the seeds
    unreachable: int  # targets that cannot; they count for no measure
    relevant: int  # pages the judge calls relevant in the whole web: targets, seeds and examples
    relevant_above: float  # the guide's own threshold
    stop_reason: str

    @property
    def label(self) -> str:
        """The strategy with what was set: `otie`, or `otie(a=0.5)`."""
        return configuration_label(self.strategy, self.keywords)

    @property
    def web(self) -> str:
        """The web it was run on, the unit of what is said of webs in general: `webkb/cornell`, `wikispeedia`.

        Tasks are named after web and topic; universities of one corpus do not link to each other.
        """
        return self.task.removesuffix(f"/{self.topic}")


@dataclass(frozen=True, eq=False)
class Run:
    """One crawl of an experiment, page by page in the order of fetching."""

    facts: RunFacts
    step: NDArray[np.int64]  # 1, 2, 3 ...
    url: NDArray[np.object_]
    host: NDArray[np.object_]
    relevance: Floats  # by the guide
    is_target: Bools  # counts for recall
    judged: Bools  # relevant by the judge: counts for harvest rates
    similarity: Floats  # cosine with the description of the targets
    depth: NDArray[np.int32]  # links from the seeds
    rank_seconds: Floats  # processor time of ranking until then; the one column that differs from run to run

    def __len__(self) -> int:
        return len(self.step)

    @property
    def name(self) -> str:
        """What to call it in a table."""
        return f"{self.facts.task} {self.facts.label} {self.facts.seed}"


@dataclass(frozen=True)
class Configuration:
    """A strategy with its settings, and on how many tasks of each split it was ever tried in this folder."""

    strategy: str
    keywords: Mapping[str, Any]
    tuning_tasks: int
    reporting_tasks: int

    @property
    def label(self) -> str:
        """The strategy with what was set."""
        return configuration_label(self.strategy, self.keywords)


@dataclass(frozen=True)
class Results:
    """An experiment read back."""

    folder: Path
    name: str
    settings: Mapping[str, Any]  # the experiment as it was ordered
    versions: Mapping[str, str]  # of the packages it was run with
    configurations: Sequence[Configuration]  # everything tried, given up or not
    runs: Sequence[Run] = field(default_factory=list)

    def tuning_trials(self) -> dict[str, int]:
        """How many configurations of each strategy were tried on tuning tasks."""
        trials: dict[str, int] = {}
        for one in self.configurations:
            trials[one.strategy] = trials.get(one.strategy, 0) + (one.tuning_tasks > 0)
        return trials


def configuration_label(strategy: str, keywords: Mapping[str, Any]) -> str:
    """Write a strategy with its settings.

    >>> configuration_label("otie", {}), configuration_label("otie", {"d": 1, "a": 0.5})
    ('otie', 'otie(a=0.5, d=1)')
    """
    written = ", ".join(f"{name}={value}" for name, value in sorted(keywords.items()))
    return f"{strategy}({written})" if written else strategy


def load(folder: Path) -> Results:
    """Read the results of an experiment."""
    record = read_record(folder)
    if record is None:
        raise ImportFailed(
            f"{folder} holds no results (no {EXPERIMENT_NAME}); make some: `honeyguide lab run`"
        )
    try:
        return Results(
            folder=folder,
            name=str(record["name"]),
            settings=dict(record["settings"]),
            versions=dict(record["versions"]),
            configurations=[Configuration(**one) for one in record["configurations"]],
            runs=[
                read_run(path) for name in record["runs"] if (path := run_path(folder, str(name))).is_file()
            ],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ImportFailed(f"{folder / EXPERIMENT_NAME}: not a record of an experiment ({error})") from error


def run_path(folder: Path, name: str) -> Path:
    """Where a run is kept."""
    return folder / RUNS_NAME / f"{Path(name).name}.parquet"


def read_record(folder: Path) -> dict[str, Any] | None:
    """What was run in a folder; None if nothing was."""
    path = folder / EXPERIMENT_NAME
    if not path.is_file():
        return None
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ImportFailed(f"{path}: cannot be read: {error}; remove the folder and run again") from error
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ImportFailed(f"{path}: written by another version; run the experiment into a new folder")
    return record


def write_record(
    folder: Path,
    name: str,
    settings: Mapping[str, Any],
    versions: Mapping[str, str],
    configurations: Sequence[Configuration],
    runs: Sequence[str],
) -> None:
    """Note what is run in a folder; `runs` are the names of the runs that make up the experiment."""
    record = {
        "format": FORMAT,
        "name": name,
        "settings": settings,
        "versions": versions,
        "configurations": [asdict(one) for one in configurations],
        "runs": runs,
    }
    write_atomically(folder / EXPERIMENT_NAME, json.dumps(record, indent=1, default=str) + "\n")


def write_run(path: Path, run: Run) -> None:
    """Write a run, all or nothing."""
    pa, pq = _parquet()
    arrays = {name: pa.array(getattr(run, name)) for name in _COLUMNS}
    facts = {"format": FORMAT, **asdict(run.facts)}
    table = pa.table(arrays).replace_schema_metadata({_FACTS_KEY: json.dumps(facts, default=str)})
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as part:
            pq.write_table(table, part, compression="zstd")


def read_run(path: Path) -> Run:
    """Read a run; what is no run is refused with `ImportFailed`."""
    pa, pq = _parquet()
    try:
        # Its own thread pool would be one more for every process of an experiment.
        table = pq.read_table(path, use_threads=False, memory_map=False)
        facts = json.loads((table.schema.metadata or {})[_FACTS_KEY])
        if facts.pop("format") != FORMAT:
            raise ImportFailed(f"{path}: written by another version; run the experiment again")
        columns = {
            name: table.column(name).to_numpy().astype(kind, copy=False) for name, kind in _COLUMNS.items()
        }
        return Run(RunFacts(**facts), **columns)
    except (OSError, KeyError, TypeError, ValueError, pa.ArrowException) as error:
        raise ImportFailed(
            f"{path}: not a run of an experiment ({error}); remove it and run again"
        ) from error


def _parquet() -> tuple[Any, Any]:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        import pyarrow.parquet as pq  # type: ignore[import-untyped]
    except ImportError:
        raise SettingsError('results are Parquet files: pip install "honeyguide[lab]"') from None
    return pa, pq
