"""The console: static files that use the REST API and nothing else. Here is how they are served."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOLDER = Path(__file__).parent
_SHOWN = frozenset({".html", ".js", ".css", ".svg", ".json", ".txt"})


class Console(StaticFiles):
    """The files. A browser asks each time whether they are still the same, so an update is seen at once."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER, html=True)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file that is meant for browsers; for others there is nothing."""
        if Path(path).suffix not in _SHOWN and path not in (".", ""):
            path = "nothing"
        found = await super().get_response(path, scope)
        found.headers["cache-control"] = "no-cache"
        return found
