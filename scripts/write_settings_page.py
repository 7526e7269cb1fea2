"""Writes docs/reference/settings.md from the settings that the code declares."""

from pathlib import Path

from honeyguide.settings import Setting, all_settings, sections

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "settings.md"

INTRODUCTION = """# Settings

<!-- Written by scripts/write_settings_page.py; do not edit. -->

A crawl is described by one TOML file, the crawl order. Every setting has a default, but a crawl needs a
topic and a seed:

```toml
[topic]
text = "beekeeping"

[seeds]
urls = ["https://example.org/bees"]

[limits]
max_pages = 200
```

`--set KEY=VALUE` changes a setting for one run, as in `--set limits.max_pages=50`. A value is written as in
TOML; text needs no quotes. Files that an order names are looked for beside it, files named on the command
line in the current folder. `honeyguide settings` shows all settings.

A key that does not exist or has a wrong value stops the crawl before it starts, with the nearest name that
exists. In `[topic]` and `[strategy]` further keys are allowed: the settings of the topic model or strategy
that is named there.
"""


def page() -> str:
    """Write the whole page."""
    settings = all_settings()
    parts = [INTRODUCTION]
    for section, meaning in sections().items():
        rows = [_row(setting) for setting in settings if setting.key.startswith(f"{section}.")]
        head = f"## [{section}]\n\n{meaning}\n\n| key | type | default | meaning |\n|---|---|---|---|\n"
        parts.append(head + "\n".join(rows) + "\n")
    return "\n".join(parts)


def _row(setting: Setting) -> str:
    unit = f", {setting.unit}" if setting.unit else ""
    meaning = setting.help.replace("<", "&lt;")
    return f"| `{setting.name}` | {setting.type}{unit} | `{setting.default_text}` | {meaning} |"


if __name__ == "__main__":
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
