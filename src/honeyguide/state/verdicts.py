"""What people said of urls, good or bad, as strategies see it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Bools
from honeyguide.urls import fingerprints


class Verdicts:
    """By fingerprint, as it may be said of a url before the crawl has found it."""

    def __init__(self) -> None:
        self._said: dict[int, bool] = {}

    def note(self, urls: Sequence[str], verdicts: Sequence[bool | None]) -> None:
        """The last word counts; None takes back what was said."""
        for fingerprint, verdict in zip(fingerprints(urls).tolist(), verdicts, strict=True):
            if verdict is None:
                self._said.pop(fingerprint, None)
            else:
                self._said[fingerprint] = verdict

    def all(self) -> tuple[NDArray[np.uint64], Bools]:
        """Fingerprints, and whether each is good."""
        return np.array([*self._said], dtype=np.uint64), np.array([*self._said.values()], dtype=np.bool_)
