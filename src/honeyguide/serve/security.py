"""Who may do what: tokens, sessions, roles. Secrets are shown once and kept as hashes."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import threading
import time
from collections import OrderedDict
from enum import IntEnum
from pathlib import Path

from honeyguide.errors import StoreError
from honeyguide.serve.problems import Refused
from honeyguide.store.disk import write_atomically

COOKIE = "honeyguide_session"
SESSION_SECONDS = 12 * 3600.0
MOST_SESSIONS = 200
MOST_TOKENS = 200
LOGINS, LOGIN_SECONDS = 10, 60.0
"""So many times an address may try to log in within so long."""
MOST_ADDRESSES = 10_000
LINK_SECONDS = 600.0


class Role(IntEnum):
    """Whoever may do more may do less, too."""

    NOBODY = 0
    READER = 1  # reads the portal and searches
    OPERATOR = 2  # everything

    @property
    def word(self) -> str:
        """As it is written."""
        return self.name.lower()


def role_of(word: str) -> Role:
    """The role of this name; nobody's if there is none."""
    return {"reader": Role.READER, "operator": Role.OPERATOR}.get(word, Role.NOBODY)


class Keys:
    """The tokens of a workspace, by their hashes. A token is 256 random bits, so a plain hash is safe."""

    def __init__(self, private: Path) -> None:
        self._file = private / "tokens.json"
        self._read_at = -1
        self._roles: dict[str, Role] = {}
        self._read_again()

    def _read_again(self) -> None:
        """Look whether another process has made a token since: `serve --new-token` does."""
        changed = self._file.stat().st_mtime_ns if self._file.exists() else 0
        if changed != self._read_at:
            self._roles = {hashed: role_of(word) for hashed, word in _read(self._file).items()}
            self._read_at = changed

    @property
    def is_new(self) -> bool:
        """Whether no token was ever made: the workspace is served for the first time."""
        return not self._roles

    def make(self, role: Role) -> str:
        """A new token; nobody will be able to tell it again."""
        if len(self._roles) >= MOST_TOKENS:
            raise StoreError(f"{self._file} holds {MOST_TOKENS} tokens; remove it to begin anew")
        token = f"hg-{role.word}-{secrets.token_urlsafe(32)}"
        self._roles[_hashed(token)] = role
        _write(self._file, {hashed: own.word for hashed, own in self._roles.items()})
        return token

    def role(self, token: str) -> Role:
        """What the holder of a token may do."""
        self._read_again()
        return self._roles.get(_hashed(token), Role.NOBODY)


class Sessions:
    """Who is logged in, by hashes of their cookies; kept in a file, so that a restart logs nobody out."""

    def __init__(self, private: Path) -> None:
        self._file = private / "sessions.json"
        self._guard = threading.Lock()
        self._known = {
            hashed: (role_of(word.partition(" ")[0]), float(word.partition(" ")[2] or 0))
            for hashed, word in _read(self._file).items()
        }

    def begin(self, role: Role) -> str:
        """A new session; gives what goes into the cookie."""
        cookie = secrets.token_urlsafe(32)
        with self._guard:
            now = time.time()
            alive = sorted(
                ((until, hashed, own) for hashed, (own, until) in self._known.items() if until > now),
                reverse=True,
            )
            self._known = {hashed: (own, until) for until, hashed, own in alive[: MOST_SESSIONS - 1]}
            self._known[_hashed(cookie)] = (role, now + SESSION_SECONDS)
            self._write()
        return cookie

    def role(self, cookie: str) -> Role:
        """What the holder of a cookie may do."""
        role, until = self._known.get(_hashed(cookie), (Role.NOBODY, 0.0))
        return role if time.time() < until else Role.NOBODY

    def end(self, cookie: str) -> None:
        """Log out."""
        with self._guard:
            if self._known.pop(_hashed(cookie), None):
                self._write()

    def _write(self) -> None:
        _write(self._file, {key: f"{role.word} {until}" for key, (role, until) in self._known.items()})


class Attempts:
    """How often each address has tried to log in lately."""

    def __init__(self) -> None:
        self._tried: OrderedDict[str, list[float]] = OrderedDict()
        self._guard = threading.Lock()

    def count(self, address: str) -> None:
        """One more; refused if there were too many."""
        now = time.monotonic()
        with self._guard:
            lately = [moment for moment in self._tried.get(address, ()) if moment > now - LOGIN_SECONDS]
            if len(lately) >= LOGINS:
                wait = str(int(lately[0] + LOGIN_SECONDS - now) + 1)
                raise Refused(429, f"too many tries to log in; wait {wait} seconds", {"Retry-After": wait})
            self._tried[address] = [*lately, now]
            self._tried.move_to_end(address)
            while len(self._tried) > MOST_ADDRESSES:
                self._tried.popitem(last=False)

    def forget(self, address: str) -> None:
        """The last one was no guess: it brought the right token."""
        with self._guard:
            if tried := self._tried.get(address):
                tried.pop()


class Links:
    """Links that are good for some minutes and for one thing, such as an archived copy on another origin."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def sign(self, thing: str) -> str:
        """What to add to a link to this thing."""
        until = int(time.time() + LINK_SECONDS)
        return f"{until}.{self._mark(thing, until)}"

    def is_signed(self, thing: str, signature: str) -> bool:
        """Whether the link was made here, for this thing, and not long ago."""
        until, _, mark = signature.partition(".")
        if not (until.isascii() and until.isdecimal() and len(until) < 15 and time.time() < int(until)):
            return False
        return hmac.compare_digest(mark.encode(), self._mark(thing, int(until)).encode())

    def _mark(self, thing: str, until: int) -> str:
        said = f"{until} {thing}".encode("utf-8", "surrogatepass")
        return hmac.new(self._key, said, hashlib.sha256).hexdigest()


class Security:
    """All of it together, for one server."""

    def __init__(self, private: Path) -> None:
        self.keys = Keys(private)
        self.sessions = Sessions(private)
        self.attempts = Attempts()
        self.links = Links()


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _read(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_bytes())
        return {str(key): str(value) for key, value in found.items()}
    except (OSError, ValueError, AttributeError) as error:
        raise StoreError(f"{path} cannot be read: {error}; remove it to begin with a new token") from error


def _write(path: Path, content: dict[str, str]) -> None:
    write_atomically(path, json.dumps(content, indent=1))
    path.chmod(0o600)
