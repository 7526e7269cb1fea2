"""The clock that waits go by: it agrees with the wall clock when the program starts, and is never set after that.

Whatever decides when a host may be asked goes by it, so a clock that is set back holds nothing up. Dates that are
told to people (visits, failures, archive) are those of the wall clock.
"""

from __future__ import annotations

import time

_OFFSET = time.time() - time.monotonic()


def now() -> float:
    """Seconds since 1970, by a clock that only goes on."""
    return _OFFSET + time.monotonic()
