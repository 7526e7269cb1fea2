"""The full-text library, an extra. Modules that import it are imported when somebody searches, never at start-up."""

from __future__ import annotations

from honeyguide.errors import SettingsError

try:
    import tantivy
except ModuleNotFoundError:
    raise SettingsError("searching needs one more package: pip install 'honeyguide[search]'") from None

__all__ = ["tantivy"]
