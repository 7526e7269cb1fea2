"""Plots are well-formed, the same each time, and harmless whatever their labels say."""

from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.lab.report import plots, plots_summary
from honeyguide.lab.report.plots import Band, Picture, spread
from honeyguide.lab.statistics import Mean

HOSTILE = 'a<script>alert("&")</script>--> $x^2$ \x00\ud800 蜂'
PAGES = np.arange(1.0, 51.0)


def bands(*names: str) -> list[Band]:
    return [
        Band(name, PAGES, PAGES / (60 + 9 * place), np.full(50, 0.02)) for place, name in enumerate(names)
    ]


@cache
def pictures(name: str) -> list[Picture]:
    """One of each kind, with a label."""
    names = [name, "b", "c", "d", "e"]
    colors = plots.color_of(names[:2])
    axes = ("pages", name)
    numbers = np.linspace(0.1, 0.9, 5)
    by_name = dict(zip(names, numbers.tolist(), strict=True))
    return [
        plots.curves("curves", name, bands("oracle", *names), colors, axes, 1.0),
        plots.panels("panels", name, bands("oracle", *names), axes),
        plots_summary.dots("dots", name, {one: Mean(by_name[one], 0.1, 4) for one in names}, colors, name),
        plots_summary.histograms(
            "histograms", name, dict.fromkeys(names, numbers), np.linspace(0, 1, 6), axes
        ),
        plots_summary.overlap("overlap", name, names, np.outer(numbers, numbers)),
        plots_summary.costs("costs", name, by_name, by_name, colors, axes),
        plots_summary.differences("differences", name, dict.fromkeys(names, numbers - 0.5), colors, name),
    ]


@pytest.mark.parametrize("place", range(7))
def test_every_kind_is_drawn_as_svg_and_png(place):
    picture = pictures("plain")[place]
    ElementTree.fromstring(picture.svg)
    assert picture.png.startswith(b"\x89PNG")
    assert picture.inline.startswith("<svg")
    assert 'width="100%"' in picture.inline


def test_hostile_labels_are_drawn_not_obeyed():
    for picture in pictures(HOSTILE):
        ElementTree.fromstring(picture.svg)
        assert "<script" not in picture.svg
        assert "http-equiv" not in picture.svg


def test_the_same_numbers_give_the_same_bytes():
    one, other = (plots.curves("a", "", bands("x", "y"), {"x": "#000000"}, ("p", "q")) for _ in range(2))
    assert one.svg == other.svg
    assert one.png == other.png


def test_nothing_is_fetched_by_a_picture():
    for picture in pictures("plain"):
        links = [value for element in ElementTree.fromstring(picture.svg).iter() for key, value in element.items()
                 if key.endswith("href")]  # fmt: skip
        assert all(link.startswith("#") for link in links)


def test_shortened_paths_still_lead_where_they_did():
    picture = plots.curves("a", "", bands("x"), {"x": "#000000"}, ("p", "q"))
    assert "e-" not in picture.svg.split("<defs>")[0]
    numbers = [part for path in picture.svg.split(' d="')[1:] for part in path.split('"')[0].split()]
    assert all(part.isalpha() or np.isfinite(float(part)) for part in numbers)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_labels_stand_apart_within_the_axes(wanted):
    apart = 1 / 20
    places = spread(wanted, apart, 0.0, 1.0)
    in_order = np.sort(places)
    assert (np.diff(in_order) >= apart - 1e-9).all()
    assert in_order[0] >= 0
    assert in_order[-1] <= 1 + 1e-9
    # Whoever ends higher is named higher.
    assert (np.diff(np.array(places)[np.argsort(wanted, kind="stable")]) > 0).all()


def test_labels_that_do_not_meet_stay_where_they_are():
    assert spread([0.9, 0.1, 0.5], 0.05, 0.0, 1.0) == [0.9, 0.1, 0.5]
    assert spread([], 0.05, 0.0, 1.0) == []
