"""Pictures of a crawl as binary columns: little-endian, each column aligned, so that a browser reads them in place.

Dots (`HGD1`): 4 bytes magic, then uint32 count, uint32 stride, uint32 last visit; float64 time[count], uint32
number[count], float32 relevance[count]. Of each `stride` visits in a row one is shown, chosen by a fixed throw of dice,
since pages of a batch are sorted. The stride doubles as the crawl grows: a million visits cost what a thousand cost.
What was sent before stays right as long as the stride is the same.

Curve (`HGC1`): 4 bytes magic, then uint32 count, uint32 0, uint32 last page; uint32 pages[count], float32 of the last
50[count], of the last 500[count] and of all[count].
"""

from __future__ import annotations

import struct

import numpy as np

from honeyguide.model import Places
from honeyguide.store.folder import HARVEST_LOG
from honeyguide.store.reader import Reader
from honeyguide.telemetry.harvest import read_harvest_log

DOTS, CURVE = b"HGD1", b"HGC1"
_HEADER = struct.Struct("<4sIII")


def dots(reader: Reader, most: int, since: int) -> bytes:
    """The dots of a crawl after a visit, in place of all visits `most` at most."""
    last = reader.last_number()
    stride = 1
    while last > most * stride:
        stride *= 2
    rows = reader.judged(_chosen(since, last, stride).tolist())
    numbers, times, relevance = zip(*rows, strict=True) if rows else ((), (), ())
    columns = (
        np.array(times, dtype="<f8"),
        np.array(numbers, dtype="<u4"),
        np.array(relevance, dtype="<f4"),
    )
    return _HEADER.pack(DOTS, len(rows), stride, last) + b"".join(column.tobytes() for column in columns)


def _chosen(since: int, last: int, stride: int) -> Places:
    """One visit of each block of `stride`, of those that are full, after `since`."""
    blocks = np.arange(since // stride, last // stride, dtype=np.int64)
    # A multiplicative hash: the same block always gives the same visit, and neighbors have nothing in common.
    thrown = (blocks.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)
    numbers = blocks * stride + 1 + (thrown % np.uint64(stride)).astype(np.int64)
    return numbers[numbers > since]


def curve(reader: Reader, most: int) -> bytes:
    """The harvest rates over the pages of a crawl; the last point is always among them."""
    shown = read_harvest_log(reader.folder / HARVEST_LOG, most)
    table = np.array(shown, dtype=np.float64).reshape(-1, 4)
    head = _HEADER.pack(CURVE, len(shown), 0, int(table[-1, 0]) if len(shown) else 0)
    return (
        head
        + table[:, 0].astype("<u4").tobytes()
        + np.ascontiguousarray(table[:, 1:].T).astype("<f4").tobytes()
    )
