"""What a batch adds to the logs of a crawl: visits, failures, answers to commands, labels, rules, revisions, counts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from operator import attrgetter
from typing import Any

from honeyguide.store.archived_files import write_end
from honeyguide.store.base import Batch, Judgments, LabelRow
from honeyguide.store.schema import FAILURE_COLUMNS, VISIT_COLUMNS

_INSERT_VISIT = (
    f"INSERT INTO visits ({', '.join(VISIT_COLUMNS)}, archive_file, archive_offset, shard)"
    f" VALUES ({', '.join('?' * (len(VISIT_COLUMNS) + 3))})"
)
_INSERT_FAILURE = (
    f"INSERT INTO failures ({', '.join(FAILURE_COLUMNS)}, shard)"
    f" VALUES ({', '.join('?' * (len(FAILURE_COLUMNS) + 1))})"
)
_JUDGE_AGAIN = (
    "UPDATE visits SET first_relevance = coalesce(first_relevance, relevance),"
    " first_revision = coalesce(first_revision, revision), relevance = ?2, revision = ?3"
    " WHERE n = (SELECT max(n) FROM visits WHERE url_id = ?1)"
)
_visit_row = attrgetter(*VISIT_COLUMNS)
_failure_row = attrgetter(*FAILURE_COLUMNS)


def write_log(db: Any, batch: Batch, shard: int) -> None:
    """Add a batch to all that is kept as a list of what happened."""
    write_arrivals(db, batch, shard)
    write_notes(db, batch)


def write_arrivals(db: Any, batch: Batch, shard: int) -> None:
    """What came of urls that were asked for: many rows, which are only added."""
    db.executemany(
        _INSERT_VISIT,
        ((*_visit_row(visit), *(visit.location or (None, None)), shard) for visit in batch.visits),
    )
    db.executemany(_INSERT_FAILURE, ((*_failure_row(failure), shard) for failure in batch.failures))
    db.executemany("INSERT INTO gone (url_id, time, status) VALUES (?, ?, ?)", batch.gone)


def write_notes(db: Any, batch: Batch) -> None:
    """All else: a few rows, mostly changed; nothing is asked."""
    db.executemany(
        "UPDATE inbox SET receipt = ? WHERE n = ? AND receipt IS NULL",
        ((receipt, number) for number, receipt in batch.receipts.items()),
    )
    db.executemany(
        "INSERT INTO labels (url, time, relevant, note, unsure, said_by, asked, of_hub)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        map(_label_row, batch.labels),
    )
    db.executemany(
        "UPDATE hosts SET trust = ? WHERE id = ?", ((trust, host) for host, trust in batch.trust.items())
    )
    db.executemany(
        "UPDATE hosts SET barren = ?, given = ? WHERE id = ?",
        ((*numbers, host) for host, numbers in batch.yields.items()),
    )
    db.executemany(
        "INSERT INTO counts VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET count = counts.count + ?2",
        batch.counts.items(),
    )
    db.executemany(
        "INSERT INTO host_records VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET record = excluded.record",
        batch.host_records.items(),
    )
    if batch.archive_end:
        write_end(db, batch.archive_end)
    if batch.judgments:
        db.executemany(_JUDGE_AGAIN, _judgment_rows(batch.judgments))
    if rule := batch.rule:
        db.execute(
            "INSERT INTO rules (n, time, action, pattern) VALUES (?, ?, ?, ?)",
            (rule.number, rule.time, rule.action, rule.pattern),
        )
    if batch.ended_rule is not None:
        db.execute("UPDATE rules SET ended = ? WHERE n = ?", (time.time(), batch.ended_rule))
    if batch.revision is not None:
        db.execute("INSERT INTO revisions (revision, time) VALUES (?, ?)", (batch.revision, time.time()))


def _label_row(label: LabelRow) -> tuple[object, ...]:
    what = (label.url, label.time, label.relevant, label.note, label.is_unsure)
    return *what, label.by, label.asked, label.of_hub


def _judgment_rows(judgments: Judgments) -> Iterator[tuple[int, float, int]]:
    for url_id, relevance in zip(judgments.ids.tolist(), judgments.relevance.tolist(), strict=True):
        yield url_id, relevance, judgments.revision
