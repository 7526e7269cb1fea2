"""Which other portals are asked: `portals.toml` in the workspace."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from honeyguide.errors import SettingsError
from honeyguide.serve.portal.shown import plain, web_link

FILE = "portals.toml"
MOST_PORTALS = 20
MOST_BYTES = 100_000
_COLLECTION = re.compile(r"(https?://[^?#]+?)/c/([A-Za-z0-9][A-Za-z0-9._-]{0,99})(?:/(?:search)?)?")
_TOKEN = re.compile(r"[\x21-\x7e]{0,500}")


@dataclass(frozen=True, slots=True)
class Portal:
    """A collection of another portal."""

    name: str
    page: str  # where people search it
    api: str  # where we do
    token: str = ""


def read_portals(folder: Path) -> list[Portal]:
    """The portals of a workspace; none without the file. SettingsError says what is wrong in it."""
    path = folder / FILE
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}") from error
    if len(text) > MOST_BYTES:
        raise SettingsError(
            f"{path} is larger than {MOST_BYTES:,} bytes; name {MOST_PORTALS} portals at most"
        )
    try:
        given = tomllib.loads(text.decode())
    except ValueError as error:
        raise SettingsError(f"{path} is no TOML: {error}") from error
    portals = given.get("portal", [])
    if set(given) - {"portal"} or not isinstance(portals, list) or len(portals) > MOST_PORTALS:
        raise SettingsError(
            f"{path}: write up to {MOST_PORTALS} tables [[portal]], each with name, url and perhaps token, nothing else"
        )
    return [_portal(one, f"{path}, portal {number}") for number, one in enumerate(portals, 1)]


def _portal(given: object, where: str) -> Portal:
    if not isinstance(given, dict) or set(given) - {"name", "url", "token"}:
        raise SettingsError(f"{where}: a portal has a name, a url, perhaps a token, and nothing else")
    if not all(isinstance(value, str) for value in given.values()):
        raise SettingsError(f"{where}: name, url and token are texts, in quotes")
    found = _COLLECTION.fullmatch(web_link(given.get("url", "")))
    if not found:
        raise SettingsError(
            f"{where}: the url is the address of a collection as people see it, such as https://portal.example/c/bees"
        )
    if not _TOKEN.fullmatch(given.get("token", "")):
        raise SettingsError(f"{where}: the token has characters that no token has")
    base, collection = found.groups()
    name = plain(given.get("name", ""), 60) or collection
    return Portal(
        name,
        f"{base}/c/{collection}/search",
        f"{base}/api/v1/crawls/{collection}/search",
        given.get("token", ""),
    )
