"""The rules the tree keeps to, beside the import layers that `make layers` checks."""

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "honeyguide"
FILES = sorted(SOURCE.rglob("*.py"))
EMPTY_NAMES = re.compile(r"(utils?|helpers?|common|misc|manager)")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_files_are_short_and_say_what_they_are(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400, "split it by noun"
    assert not EMPTY_NAMES.search(path.stem), "this name says nothing"
    assert text.lstrip().startswith(('"""', 'r"""')), "a module begins with what it is"


def test_heavy_extras_are_not_imported_at_start_up():
    for path in FILES:
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not re.match(r"(import|from) pyarrow", line), f"{path.name} imports an extra at start-up"
