"""No strategy gets worse unnoticed. About a minute."""

from pathlib import Path

import pytest

from honeyguide.lab.floors import Floors, floor_below, reached, read_floors, write_floors

FLOORS = Path(__file__).with_name("floors.toml")


@pytest.mark.slow
def test_sample_web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path))
    floors = read_floors(FLOORS)["sample"]
    assert list(floors.problems(reached("sample", floors))) == []


@pytest.mark.slow
def test_webkb(shared: Path) -> None:
    floors = read_floors(FLOORS)["webkb"]
    assert list(floors.problems(reached("webkb", floors, shared / "corpora"))) == []


def test_a_fall_is_told() -> None:
    floors = Floors({}, floors={"otie": 0.5, "opic": 0.3}, highest={"otie": 0.5, "opic": 0.3})
    assert list(floors.problems({"otie": 0.5, "opic": 0.31})) == []
    assert list(floors.problems({"otie": 0.499})) == ["otie: reaches 0.499, its floor is 0.500"]
    assert list(floors.problems({"new": 0.2})) == ["new: reaches 0.200 and has no floor; raise the floors"]


def test_lowering_needs_a_reason() -> None:
    floors = {"floors": {"otie": 0.4}, "highest": {"otie": 0.5}}
    assert list(Floors({}, **floors).problems({"otie": 0.45})) == [
        "otie: its floor was lowered to 0.400 without a reason"
    ]
    assert list(Floors({}, **floors, lowered={"otie": "the paper's formula"}).problems({"otie": 0.45})) == []


def test_floors_only_rise(tmp_path: Path) -> None:
    before = Floors(
        {"tasks": ["a/*"], "pages": 3, "bounds": True},
        floors={"otie": 0.4, "opic": 0.3},
        highest={"otie": 0.5, "opic": 0.3},
        lowered={"otie": 'as in "OTIE"'},
    )
    after = before.raised({"otie": 0.45, "opic": 0.2, "new": 0.1})
    assert after.floors == {"otie": 0.44, "opic": 0.3, "new": 0.09}
    assert after.highest == {"otie": 0.5, "opic": 0.3, "new": 0.09}
    assert after.lowered == before.lowered
    assert after.raised({"otie": 0.7}).lowered == {}
    write_floors(tmp_path / "floors.toml", {"some": after})
    assert read_floors(tmp_path / "floors.toml") == {"some": after}


def test_a_floor_leaves_room_for_rounding() -> None:
    assert floor_below(0.5) == 0.49
    assert floor_below(0.004) == 0.0
