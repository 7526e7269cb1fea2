"""Settings described for people: what `honeyguide settings`, the reference page and a written order show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from honeyguide.settings.sections import PluginSection, Section
from honeyguide.settings.toml_text import key_text, value_text

_TYPES = {
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "boolean": "true or false",
    "array": "list of texts",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """All there is to know about one setting."""

    key: str  # dotted
    type: str
    default: object  # None: unset
    unit: str
    help: str

    @property
    def name(self) -> str:
        """The key without its section."""
        return self.key.partition(".")[2]

    @property
    def default_text(self) -> str:
        """The default as it would be written in a file."""
        return "unset" if self.default is None else value_text(self.default)


@cache
def settings_of(section: str, kind: type[Section]) -> tuple[Setting, ...]:
    """List the settings declared in a section."""
    properties = kind.model_json_schema()["properties"]
    return tuple(
        _setting(f"{section}.{name}", field.default, properties[name])
        for name, field in kind.model_fields.items()
    )


def _setting(key: str, default: object, schema: Mapping[str, Any]) -> Setting:
    accepted = schema.get("anyOf", [schema])[0]["type"]
    return Setting(key, _TYPES[accepted], default, schema["unit"], schema["description"])


def section_text(name: str, section: Section) -> str:
    """Write a section as commented TOML."""
    lines = [f"# {section.__doc__}", f"[{name}]"]
    for setting in settings_of(name, type(section)):
        value = getattr(section, setting.name)
        lines.append(f"# {setting.help}" + (f" ({setting.unit})" if setting.unit else ""))
        lines.append(
            f"# {setting.name} is unset" if value is None else f"{setting.name} = {value_text(value)}"
        )
    keywords = section.keywords if isinstance(section, PluginSection) else {}
    lines += [f"{key_text(key)} = {value_text(value)}" for key, value in keywords.items()]
    return "\n".join(lines) + "\n"
