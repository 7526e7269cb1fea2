"""TOML in and out: read with errors that name the line, write any value so that it reads back equal.

tomlkit is not used: no file is written here whose comments are not ours, and what it writes can turn a terminal's
reading direction.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence

from honeyguide.errors import SettingsError

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


def parse_toml(text: str, origin: str) -> dict[str, object]:
    """Read a document; SettingsError with the line when it is no TOML."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise SettingsError(f"{origin}: brackets are nested too deeply") from None
    except ValueError as error:  # not only TOMLDecodeError: int() refuses a number of thousands of digits
        message = str(error)
    place = _PLACE.search(message)
    line = place[1] if place and place[1] else text.count("\n") + 1
    where = f"{origin}, line {line}" if place else origin
    raise SettingsError(f"{where}: not valid TOML: {quoted(_PLACE.sub('', message))[1:-1]}")


def quoted(text: str) -> str:
    r"""Write a TOML string; also safe to print, as nothing that a terminal would obey stays unescaped.

    >>> print(quoted('say "hi"\n'))
    "say \"hi\"\u000A"
    """
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def key_text(*parts: str) -> str:
    """Write a dotted key, quoted where TOML needs it.

    >>> key_text("topic", "max words")
    'topic."max words"'
    """
    return ".".join(part if _BARE_KEY.fullmatch(part) else quoted(part) for part in parts)


def value_text(value: object) -> str:
    """Write a value of a setting as TOML.

    >>> value_text(["a", 1, True])
    '["a", 1, true]'
    """
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(value_text, value)) + "]"
    return repr(value)


def parse_value(text: str) -> object:
    """Read the TOML value in a text, or return the text itself when it is none.

    >>> parse_value("200"), parse_value("solar energy"), parse_value('["a"]')
    (200, 'solar energy', ['a'])
    """
    try:
        document = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    # A line break in the text could start a second key; a date is a text to us.
    value = document.get("value")
    return value if len(document) == 1 and isinstance(value, bool | int | float | str | list) else text
