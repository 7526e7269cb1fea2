"""What a server says went wrong, as the error that it met. Called by `server`."""

from __future__ import annotations

import json

from honeyguide import errors
from honeyguide.errors import HoneyguideError, ServerError, SettingsError, StoreError


class NotThere(StoreError):
    """The server has nothing of this name."""


def error_named(kind: str, detail: str) -> HoneyguideError | None:
    """An error that another process met, by the name of its class; None if there is none of this name."""
    own = getattr(errors, kind, None)
    if isinstance(own, type) and issubclass(own, HoneyguideError) and own is not errors.HttpStatusError:
        return own(detail)
    return None


def error_of(status: int, told: bytes, url: str) -> HoneyguideError:
    """What a problem (RFC 9457) says, as the error that the server met."""
    try:
        problem = json.loads(told)
        detail, kind = str(problem["detail"]), str(problem.get("kind", ""))
    except (ValueError, KeyError, TypeError, AttributeError):
        return ServerError(f"{url} answers with status {status}; is it a server of honeyguide?")
    if status == 404:
        return NotThere(detail)
    if own := error_named(kind, detail):
        return own
    return SettingsError(detail) if status == 422 else ServerError(f"{url}: {detail}")
