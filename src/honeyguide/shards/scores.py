"""What a job over the whole graph says of urls: their places, and values that a strategy keeps on them."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import StoreError
from honeyguide.model import Bools, Floats, Ids

_IDS = "ids of "


@dataclass(frozen=True, eq=False)
class Scores:
    """Of urls of the whole crawl, or of one shard."""

    ids: Ids
    outcomes: NDArray[np.uint8]  # what these urls were when they were given their places
    priorities: Floats
    revisit: bool = False
    values: Mapping[str, tuple[Ids, NDArray[Any]]] = field(default_factory=dict)  # name -> urls, numbers

    def of(self, is_wanted: Callable[[Ids], Bools]) -> Scores:
        """Those of some urls."""
        own = is_wanted(self.ids)
        chosen = {name: (is_wanted(ids), ids, numbers) for name, (ids, numbers) in self.values.items()}
        values = {
            name: (ids[some], numbers[some]) for name, (some, ids, numbers) in chosen.items() if some.any()
        }
        return Scores(self.ids[own], self.outcomes[own], self.priorities[own], self.revisit, values)

    def numbered(self, number: Callable[[Ids], Ids]) -> Scores:
        """The same, with urls as somebody else numbers them."""
        values = {name: (number(ids), numbers) for name, (ids, numbers) in self.values.items()}
        return Scores(number(self.ids), self.outcomes, self.priorities, self.revisit, values)

    def __len__(self) -> int:
        """How many numbers it has."""
        return len(self.ids) + sum(len(ids) for ids, _ in self.values.values())

    def pack(self) -> bytes:
        """As bytes, for `unpack`."""
        arrays: dict[str, Any] = {name: numbers for name, (_, numbers) in self.values.items()}
        arrays |= {f"{_IDS}{name}": ids for name, (ids, _) in self.values.items()}
        file = io.BytesIO()
        places = (
            np.array(self.ids),
            np.array(self.outcomes),
            np.array(self.priorities),
            np.array(self.revisit),
        )
        np.savez(file, *places, **arrays)
        return file.getvalue()

    @classmethod
    def unpack(cls, packed: bytes) -> Scores:
        """The scores that were packed; StoreError if they are damaged."""
        try:
            with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
                ids, outcomes, priorities, revisit = (arrays[f"arr_{place}"] for place in range(4))
                names = [name.removeprefix(_IDS) for name in arrays.files if name.startswith(_IDS)]
                values = {name: (arrays[f"{_IDS}{name}"], arrays[name]) for name in names}
        except (ValueError, LookupError, OSError, EOFError, BadZipFile) as error:
            raise StoreError(f"scores of a job over the whole graph cannot be read: {error}") from error
        return cls(ids, outcomes, priorities, bool(revisit), values)
