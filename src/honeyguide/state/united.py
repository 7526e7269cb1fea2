"""All shards of a crawl as one state, so that whoever needs all links sees the crawl as if it were in one piece."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from honeyguide.model import ROOT, Ids, Status
from honeyguide.state.state import State


def united(
    states: Sequence[State], values: Mapping[str, float], tables: Mapping[str, Mapping[str, float]]
) -> tuple[State, list[Ids]]:
    """One state of those of all shards, and for each shard what its urls are called there."""
    whole = State()
    whole.declare(values, tables)
    whole.host_id("")
    nobody = np.zeros(1, dtype=np.int32)
    whole.add([""], np.zeros(1, dtype=np.uint64), nobody, nobody, nobody)
    for state in states:
        _add_own(state, whole)
    numbers = [_number_of(state, whole) for state in states]
    for state, number in zip(states, numbers, strict=True):
        own = _own(state)
        for name in whole.mutable_columns:
            whole.urls[name][number[own]] = state.urls[name][own]
    whole.urls["status"][ROOT] = whole.urls["outcome"][ROOT] = Status.FETCHED
    whole.urls["relevance"][ROOT] = 1.0
    links = [
        (number[source], number[target])
        for state, number in zip(states, numbers, strict=True)
        for source, target in [state.links.pairs()]
    ]
    sources, targets = (np.concatenate([pair[side] for pair in links]) for side in (0, 1))
    enter_links(
        whole,
        np.concatenate([number[_own(state)] for state, number in zip(states, numbers, strict=True)]),
        sources,
        targets,
    )
    whole.take_changes()
    return whole, numbers


def enter_links(whole: State, visited: Ids, sources: Ids, targets: Ids) -> None:
    """Enter all links at once: those of one page come from as many shards as they lead into."""
    order = np.argsort(sources, kind="stable")
    pages = np.union1d(visited, sources).astype(np.int32)
    counts = np.searchsorted(sources[order], pages, "right") - np.searchsorted(sources[order], pages)
    whole.links.append(pages, counts, targets[order])


def _own(state: State) -> Ids:
    is_own = state.urls["status"] != Status.FOREIGN
    is_own[ROOT] = False
    return np.flatnonzero(is_own).astype(np.int32)


def _number_of(state: State, whole: State) -> Ids:
    number: Ids = whole.find(state.urls["fingerprint"])
    number[ROOT] = ROOT
    return number


def _add_own(state: State, whole: State) -> None:
    own, urls = _own(state), state.urls
    hosts = np.array([whole.host_id(name) for name in state.host_names], dtype=np.int32)
    nobody = np.full(len(own), ROOT, dtype=np.int32)
    whole.add([""] * len(own), urls["fingerprint"][own], hosts[urls["host"][own]], urls["depth"][own], nobody)
