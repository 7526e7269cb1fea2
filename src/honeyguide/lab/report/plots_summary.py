"""Plots of numbers that are no curves: dots with errors, histograms, overlaps, costs, differences task by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.lab.report.plots import (
    BOUND_DASHES,
    COLORS,
    COLUMNS,
    FAINT,
    INK,
    LEADER,
    MUTED,
    Picture,
    finish_panels,
    label,
    name_axes,
    spread,
)
from honeyguide.lab.statistics import Mean
from honeyguide.model import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_HEIGHT = 0.24  # inches, of a line of text


def dots(
    name: str, caption: str, rows: Mapping[str, Mean], colors: Mapping[str, str], x_label: str
) -> Picture:
    """A dot a strategy with its standard error, best on top; bounds are hollow."""
    names = sorted(rows, key=lambda each: rows[each].mean)

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        for place, each in enumerate(names):
            is_bound = each in BOUND_DASHES
            color = INK if is_bound else colors.get(each, MUTED)
            axes.errorbar(
                rows[each].mean,
                place,
                xerr=rows[each].error,
                fmt="o",
                color=color,
                markerfacecolor="white" if is_bound else color,
                markersize=5,
                elinewidth=1.4,
            )
        _rows(axes, names)
        axes.set_xlim(left=0)
        name_axes(axes, x_label)

    return Picture(name, caption, paint, height=ROW_HEIGHT * len(names) + 0.7)


def histograms(
    name: str, caption: str, shares: Mapping[str, Floats], edges: Floats, axes_labels: tuple[str, str]
) -> Picture:
    """A histogram a strategy, all with the same axes."""
    columns = min(COLUMNS, len(shares))
    rows = -(-len(shares) // COLUMNS)

    def paint(figure: Figure) -> None:
        grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        for axes, (each, own) in zip(grid.flat, shares.items(), strict=False):
            axes.bar(
                edges[:-1],
                own,
                width=np.diff(edges),
                align="edge",
                color=COLORS[0],
                edgecolor="white",
                lw=0.5,
            )
            axes.set_title(label(each) if len(shares) > 1 else "")
            axes.grid(visible=False, axis="x")
        finish_panels(figure, grid, len(shares), axes_labels)

    return Picture(name, caption, paint, height=max(2.5, 1.4 * rows + 0.5))


def overlap(name: str, caption: str, names: Sequence[str], shares: Floats) -> Picture:
    """A matrix of shares, written out: of what the row found, how much the column found too."""
    below = 0.06 * max(len(label(each)) for each in names)  # inches, of the names that stand askew

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        others = np.where(np.eye(len(names), dtype=bool), np.nan, shares)
        axes.pcolormesh(others, cmap="Blues", vmin=0, vmax=1, edgecolors="white", linewidth=0.5)
        for (row, column), share in np.ndenumerate(others):
            if np.isfinite(share):
                color = "white" if share > 0.6 else INK
                axes.text(
                    column + 0.5,
                    row + 0.5,
                    f"{100 * share:.0f}",
                    ha="center",
                    va="center",
                    color=color,
                    fontsize=7,
                )
        shown = [label(each) for each in names]
        axes.set_yticks(np.arange(len(names)) + 0.5, shown)
        axes.invert_yaxis()
        axes.set_xticks(np.arange(len(names)) + 0.5, shown, rotation=55, ha="right", rotation_mode="anchor")
        axes.grid(visible=False)
        axes.tick_params(length=0)
        axes.set_ylabel("of the targets that these found ...")
        axes.set_xlabel("... these found so many percent")

    return Picture(name, caption, paint, height=0.27 * len(names) + 0.9 + below)


def costs(
    name: str,
    caption: str,
    cost: Mapping[str, float],
    score: Mapping[str, float],
    colors: Mapping[str, str],
    axes_labels: tuple[str, str],
) -> Picture:
    """A dot a strategy, what it costs against what it brings; names stand in a column, joined to their dots."""
    names = [each for each in cost if cost[each] > 0]

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda number, _: f"{number:g}")
        for each in names:
            axes.plot(cost[each], score[each], "o", color=colors.get(each, MUTED), markersize=6)
        axes.set_ylim(bottom=0)
        low, high = axes.get_ylim()
        places = spread([score[each] for each in names], (high - low) / 21, low, high)
        right = axes.get_xlim()[1]
        for each, place in zip(names, places, strict=True):
            axes.annotate(
                label(each),
                xy=(cost[each], score[each]),
                xytext=(right * 1.15, place),
                va="center",
                color=colors.get(each, INK),
                annotation_clip=False,
                arrowprops={**LEADER, "color": FAINT},
            )
        name_axes(axes, *axes_labels)

    return Picture(name, caption, paint)


def differences(
    name: str, caption: str, by_name: Mapping[str, Floats], colors: Mapping[str, str], x_label: str
) -> Picture:
    """A dot a task, a line a strategy: how much better or worse it was than the one all are compared with."""
    names = sorted(by_name, key=lambda each: float(np.nanmean(by_name[each])))

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvline(0, color=INK, linewidth=1)
        for place, each in enumerate(names):
            values, color = by_name[each], colors.get(each, MUTED)
            axes.plot(values, np.full(len(values), place), "o", color=color, alpha=0.35, markersize=4, mew=0)
            axes.plot(np.nanmean(values), place, "|", color=color, markersize=14, markeredgewidth=2.5)
        _rows(axes, names)
        name_axes(axes, x_label)

    return Picture(name, caption, paint, height=ROW_HEIGHT * len(names) + 0.7)


def _rows(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), [label(each) for each in names])
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
