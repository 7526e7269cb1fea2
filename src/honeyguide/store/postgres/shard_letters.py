"""What shards tell each other, and what each has done of what it was told: rows that go with the commits of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.shards.corrections import Correction, unpacked
from honeyguide.shards.letters import Letter
from honeyguide.store.base import Batch
from honeyguide.store.database import LISTED
from honeyguide.store.postgres.shard_numbers import Numbering

if TYPE_CHECKING:
    from honeyguide.store.postgres.connection import Connection


TAKEN = f"WITH taken AS (DELETE FROM outbox WHERE receiver = ? AND n IN {LISTED} RETURNING n)"
"""Before a question that counts them: whoever takes letters in has them no more."""


def write_letters(database: Connection, shard: int, batch: Batch, number_of: Numbering) -> None:
    """Letters of a batch, in the numbers of the crawl."""
    letters = (
        (to, shard, replace(letter, ids=number_of.of(letter.ids).astype(np.int64)).pack())
        for to, letter in batch.letters.items()
    )
    corrections = ((to, shard, correction.pack()) for to, correction in batch.corrections)
    database.executemany(
        "INSERT INTO outbox (receiver, sender, letter) VALUES (?, ?, ?)", [*letters, *corrections]
    )


def waiting_letters(database: Connection, shard: int, most: int) -> list[tuple[int, Letter | Correction]]:
    """What waits for a shard, with its numbers, the oldest first."""
    asked = "SELECT n, letter FROM outbox WHERE receiver = ? ORDER BY n LIMIT ?"
    return [
        (number, unpacked(packed)) for number, packed in database.execute(asked, (shard, most)).fetchall()
    ]


def write_receipts(database: Connection, shard: int, shards: int, receipts: Mapping[int, str]) -> None:
    """A command is answered when all shards have carried it out."""
    for post, receipt in receipts.items():
        database.execute("INSERT INTO obeyed VALUES (?, ?, ?)", (post, shard, receipt))
        asked = "SELECT receipt FROM obeyed WHERE post = ? ORDER BY shard"
        said = database.ask(asked, (post,))
        if len(said) == shards:
            answer = "; ".join(dict.fromkeys(text for (text,) in said if text))
            database.execute("UPDATE inbox SET receipt = ? WHERE n = ?", (answer, post))
