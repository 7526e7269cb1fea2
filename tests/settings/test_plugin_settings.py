from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from honeyguide.errors import SettingsError
from honeyguide.settings import plugin_keywords


class Plugin:
    def __init__(
        self,
        *,
        decay: float = 0.5,
        width: int = 3,
        label: str = "",
        greedy: bool = False,
        words: Sequence[str] = (),
        pair: tuple[int, ...] = (),
        mode: Literal["max", "sum"] = "max",
        file: Path | None = None,
    ) -> None: ...


@dataclass
class NeedyPlugin:
    width: int


class PlainPlugin:
    pass


def test_plugin_keywords_fit_the_constructor() -> None:
    accepted = plugin_keywords(
        Plugin, {"decay": 1, "words": ["a"], "pair": [1, 2], "mode": "sum", "file": "a/b"}, "strategy"
    )
    assert accepted == {"decay": 1.0, "words": ["a"], "pair": (1, 2), "mode": "sum", "file": Path("a/b")}
    assert isinstance(accepted["decay"], float)
    assert plugin_keywords(NeedyPlugin, {"width": 2}, "strategy") == {"width": 2}
    assert plugin_keywords(PlainPlugin, {}, "strategy") == {}


@pytest.mark.parametrize(
    ("constructor", "given_keys", "expected"),
    [
        (Plugin, {"dekay": 1}, "dekay: unknown setting; did you mean decay?"),
        (
            Plugin,
            {"qqq": 1},
            "qqq: unknown setting; it takes decay, width, label, greedy, words, pair, mode, file",
        ),
        (Plugin, {"nmae": 1}, "nmae: unknown setting; did you mean name?"),
        (PlainPlugin, {"qqq": 1}, "qqq: unknown setting; it has no settings of its own"),
        (NeedyPlugin, {}, "width: missing; it has no default"),
        (Plugin, {"decay": "1"}, 'decay: should be a number, not "1"'),
        (Plugin, {"width": 1.5}, "width: should be a whole number, not 1.5"),
        (Plugin, {"width": True}, "width: should be a whole number, not true"),
        (Plugin, {"label": 1}, "label: should be text, not 1"),
        (Plugin, {"greedy": 1}, "greedy: should be true or false, not 1"),
        (Plugin, {"words": "a"}, 'words: should be a list, not "a"'),
        (Plugin, {"mode": "min"}, "mode: should be 'max' or 'sum', not \"min\""),
    ],
)
def test_a_wrong_plugin_keyword_is_told(
    constructor: type[object], given_keys: dict[str, object], expected: str
) -> None:
    with pytest.raises(SettingsError) as raised:
        plugin_keywords(constructor, given_keys, "strategy")
    assert str(raised.value) == f"[strategy]: {expected}"
