"""Plots for reports and papers: how they look, how they are saved, and curves with error bands.

Colors are told apart by color-blind readers (Okabe and Ito); lines are named where they end, not in a legend.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.errors import SettingsError
from honeyguide.model import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
INK, MUTED, FAINT, GRID = "#222222", "#6b6b6b", "#c4c4c4", "#ececec"
BOUND_DASHES: Mapping[str, Any] = {"oracle": (0, (6, 2)), "peek": (0, (2, 2))}
WIDTH, HEIGHT = 7.2, 4.2  # inches
DOTS_PER_INCH = 200
LONGEST_LABEL, LONGEST_AXIS = 40, 90
MOST_POINTS, FEW_POINTS = 300, 40  # of a curve that is drawn; more cannot be seen
COLUMNS = 4  # of panels
LEADER: Mapping[str, Any] = {
    "arrowstyle": "-",
    "linewidth": 0.6,
    "relpos": (0, 0.5),
    "shrinkA": 1,
    "shrinkB": 1,
}

STYLE: Mapping[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so the picture is the same everywhere
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "path.simplify_threshold": 0.4,
    "svg.hashsalt": "honeyguide",
    "text.parse_math": False,
}

_PATH = re.compile(r' d="[^"]*"')
_DECIMALS = re.compile(r"(\.\d\d)\d+")
_WIDTH = re.compile(r'(<svg [^>]*?)width="[^"]*"', re.DOTALL)
_HEIGHT = re.compile(r'(<svg [^>]*?)height="[^"]*" ', re.DOTALL)


@dataclass(frozen=True)
class Picture:
    """A plot, drawn when its bytes are asked for: the same ones each time."""

    name: str  # of its files
    caption: str
    paint: Callable[[Figure], None]
    width: float = WIDTH
    height: float = HEIGHT

    @property
    def svg(self) -> str:
        """A whole file."""
        return self._drawn[0]

    @property
    def png(self) -> bytes:
        """A whole file."""
        return self._drawn[1]

    @property
    def inline(self) -> str:
        """The plot to be put inside a page, as wide as there is room."""
        start = self.svg.index("<svg")
        return _HEIGHT.sub(r"\1", _WIDTH.sub(r'\1width="100%"', self.svg[start:], count=1), count=1)

    @cached_property
    def _drawn(self) -> tuple[str, bytes]:
        try:
            from matplotlib import rc_context
            from matplotlib.figure import Figure
        except ImportError:
            raise SettingsError("plots need one more package: pip install 'honeyguide[lab]'") from None
        with rc_context(dict(STYLE)), warnings.catch_warnings():
            # Very long names, or those in a script the font lacks, make a plot poor; the report goes on.
            warnings.filterwarnings(
                "ignore", message="Glyph .* missing from font|constrained_layout not applied"
            )
            figure = Figure(figsize=(self.width, self.height), layout="constrained")
            self.paint(figure)
            # Laid out once, not again for each format: that takes longer than drawing.
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
            svg, png = io.BytesIO(), io.BytesIO()
            figure.savefig(svg, format="svg", metadata={"Date": None})
            figure.savefig(png, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
        return _shortened(svg.getvalue().decode()), png.getvalue()


@dataclass(frozen=True, slots=True)
class Band:
    """A curve: the mean over tasks, and its standard error."""

    name: str
    x: Floats
    mean: Floats
    error: Floats


def _shortened(svg: str) -> str:
    """Paths to a hundredth of a point: half the size, and nobody can see it."""
    return _PATH.sub(lambda path: _DECIMALS.sub(r"\1", path[0]), svg)


def label(text: str, longest: int = LONGEST_LABEL) -> str:
    r"""A text as it may stand in a plot: one short line of characters that can be drawn.

    >>> label("a\x00b\n" + 50 * "c")
    'a b ccccccccccccccccccccccccccccccccccc…'
    """
    clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return clean if len(clean) <= longest else clean[: longest - 1].rstrip() + "…"


def name_axes(axes: Axes, x_label: str, y_label: str = "") -> None:
    """Say what the axes are."""
    axes.set_xlabel(label(x_label, LONGEST_AXIS))
    axes.set_ylabel(label(y_label, LONGEST_AXIS))


def color_of(names: Sequence[str]) -> dict[str, str]:
    """A color for each of the first few names; a name that gets none is drawn in gray."""
    return dict(zip(names, COLORS, strict=False))


def curves(
    name: str,
    caption: str,
    bands: Sequence[Band],
    colors: Mapping[str, str],
    axes_labels: tuple[str, str],
    top: float | None = None,
) -> Picture:
    """Curves over pages. Those without a color are gray and unnamed; the bounds are black and dashed."""

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        named = [band for band in bands if band.name in colors or band.name in BOUND_DASHES]
        for band in sorted(bands, key=lambda band: band in named):
            _line(axes, band, colors)
        _limits(axes, bands, top)
        name_axes(axes, *axes_labels)
        _name_ends(axes, named, colors)

    return Picture(name, caption, paint)


def panels(
    name: str, caption: str, bands: Sequence[Band], axes_labels: tuple[str, str], top: float | None = None
) -> Picture:
    """Each curve in a panel of its own, with all others in gray behind it."""
    own = [band for band in bands if band.name not in BOUND_DASHES]
    rows = -(-len(own) // COLUMNS)

    def paint(figure: Figure) -> None:
        grid = figure.subplots(rows, COLUMNS, sharex=True, sharey=True, squeeze=False)
        for axes, band in zip(grid.flat, own, strict=False):
            for other in bands:
                _line(axes, other, {}, width=0.6, points=FEW_POINTS)
            _line(axes, band, {band.name: COLORS[0]}, points=2 * FEW_POINTS)
            axes.set_title(label(band.name))
            _limits(axes, bands, top)
        finish_panels(figure, grid, len(own), axes_labels)

    return Picture(name, caption, paint, height=1.5 * rows + 0.5)


def finish_panels(figure: Figure, grid: Any, used: int, axes_labels: tuple[str, str]) -> None:
    """Hide panels that are not used and name the axes once for all."""
    for axes in list(grid.flat)[used:]:
        axes.set_visible(False)
    for axes in list(grid.flat)[max(0, used - COLUMNS) : used]:
        axes.tick_params(axis="x", labelbottom=True)
    figure.supxlabel(label(axes_labels[0], LONGEST_AXIS), fontsize=9)
    figure.supylabel(label(axes_labels[1], LONGEST_AXIS), fontsize=9)


def _line(
    axes: Axes, band: Band, colors: Mapping[str, str], width: float = 1.6, points: int = MOST_POINTS
) -> None:
    bound = BOUND_DASHES.get(band.name)
    color = INK if bound else colors.get(band.name, FAINT)
    is_named = bound is not None or band.name in colors
    shown = np.unique(np.linspace(0, len(band.x) - 1, points).round().astype(int))
    x, mean, error = band.x[shown], band.mean[shown], band.error[shown]
    axes.plot(
        x,
        mean,
        color=color,
        linewidth=width if is_named else 0.8,
        linestyle=bound or "solid",
        zorder=2 + is_named,
    )
    if is_named and not bound:
        axes.fill_between(x, mean - error, mean + error, color=color, alpha=0.15, linewidth=0)


def _limits(axes: Axes, bands: Sequence[Band], top: float | None) -> None:
    axes.set_xlim(0, max((float(band.x[-1]) for band in bands), default=1.0))
    axes.set_ylim(0, None if top is None else 1.01 * top)


def _name_ends(axes: Axes, bands: Sequence[Band], colors: Mapping[str, str]) -> None:
    """Write each curve's name where it ends, moved up or down where two would overlap."""
    low, high = axes.get_ylim()
    right = axes.get_xlim()[1]
    # A line of text is about a twentieth of the height of the axes.
    places = spread([float(band.mean[-1]) for band in bands], (high - low) / 20, low, high)
    for band, place in zip(bands, places, strict=True):
        end = float(band.mean[-1])
        color = INK if band.name in BOUND_DASHES else colors[band.name]
        axes.annotate(
            label(band.name),
            xy=(float(band.x[-1]), end),
            xytext=(right * 1.05, place),
            color=color,
            va="center",
            annotation_clip=False,
            arrowprops={**LEADER, "color": color},
        )


def spread(wanted: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Places near the wanted ones, at least so far apart and within limits if there is room.

    >>> spread([0.5, 0.5, 0.9], 0.1, 0.0, 1.0)
    [0.45, 0.55, 0.9]
    """
    from scipy.optimize import isotonic_regression

    if not wanted:
        return []
    order = np.argsort(wanted, kind="stable")
    steps = apart * np.arange(len(wanted))
    # Far enough apart means: still in order after each has been moved down by its own step.
    moved = isotonic_regression(np.asarray(wanted, dtype=np.float64)[order] - steps).x
    places = np.empty(len(wanted))
    places[order] = np.clip(moved, low, max(low, high - steps[-1])) + steps
    return [round(float(place), 12) for place in places]
