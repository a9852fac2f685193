"""Canvas: the style of figures, panels between a head and a foot, and files.

matplotlib is the extra ``plot``, and its constrained layout makes room for all texts. It is used without pyplot, so no
window opens, and no setting of the caller changes. The same figure makes the same bytes: nothing in them depends on the
time or on other figures.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from satsweep.errors import SatsweepError, how_to_install
from satsweep.formats.files import replacing
from satsweep.text import harmless

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_MARKERS = "osD^vPX"
_LINES = ("-", "--", ":")
GREY = "#6a6a6a"

_STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Segoe UI", "Helvetica", "Arial"],
    "font.size": 10,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.labelsize": 10,
    "figure.labelsize": 10,
    "axes.edgecolor": "#444444",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e3e3e3",
    "grid.linewidth": 0.7,
    "figure.constrained_layout.w_pad": 0.1,
    "figure.constrained_layout.h_pad": 0.06,
    "legend.fontsize": 10,
    "legend.borderaxespad": 0.2,
    "legend.frameon": False,
    "lines.linewidth": 1.7,
    "lines.markersize": 5,
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    # Text stays text: it can be searched, read out and copied. Ids depend on the drawing alone.
    "svg.fonttype": "none",
    "svg.hashsalt": "satsweep",
}
_WITHOUT_DATES: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
LETTER = 0.08
"""Average width of a letter of labels, in inches."""


def line_style(number: int) -> dict[str, str]:
    """Colour, line and marker of an agent by its number.

    Colours are those of Okabe and Ito, "Color universal design" (2008), which colour-blind people can tell apart, and
    markers differ, too.
    """
    return {
        "color": _COLOURS[number % len(_COLOURS)],
        "linestyle": _LINES[number // len(_COLOURS) % len(_LINES)],
        "marker": _MARKERS[number % len(_MARKERS)],
    }


def check_installed() -> None:
    """Raise SatsweepError if there is no matplotlib; call it before a long run."""
    if find_spec("matplotlib") is None:
        raise SatsweepError(f"figures need matplotlib: {how_to_install('plot')}")


def suffix_of(path: Path) -> str:
    """The format that the name of a file ends in.

    Raises ValueError if figures are not written in it.
    """
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        raise ValueError(f"expected a name ending in {', '.join(f'.{name}' for name in FORMATS)}, found {path.name}")
    return suffix


def save(figure: Figure, path: Path) -> None:
    """Write a figure in the format that the name of the file ends in.

    Raises ValueError if figures are not written in it.
    """
    suffix = suffix_of(path)
    with replacing(path) as new, new.open("wb") as file:
        write(figure, file, suffix)


def write(figure: Figure, file: IO[bytes], suffix: str) -> None:
    """Write a figure to an open file of bytes."""
    drawn = BytesIO()
    with styled():
        figure.savefig(drawn, format=suffix, dpi=160, metadata=_WITHOUT_DATES[suffix])
    found = drawn.getvalue()
    file.write(harmless(found.decode()).encode() if suffix == "svg" else found)


@contextmanager
def styled() -> Iterator[None]:
    """Context with the style of all figures, independent of the caller's settings."""
    from matplotlib import style

    with style.context(["default", _STYLE]):
        yield


def framed(
    panels: Sequence[str],
    *,
    width: float,
    height: float,
    title: str,
    subtitle: str,
    foot: Sequence[str],
    legend: Sequence[tuple[str, dict[str, Any]]] = (),
    xlabel: str = "",
    ylabel: str = "",
) -> tuple[Figure, list[Axes]]:
    """A figure and its panels: titles, a legend, the panels in a grid, and a foot.

    Each panel has a title, which may be empty, and is about ``width`` by ``height`` inches. Panels share their vertical
    axis. ``legend`` has the label and the style of each line. The figures are nested, as matplotlib makes room for one
    title or one legend above the panels of a figure.
    """
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    columns = len(panels) if len(panels) < 4 else 2 if len(panels) == 4 else 4 if len(panels) in (7, 8) else 3
    rows, wide = -(-len(panels) // columns), columns * (width + 0.3) + 0.5
    labels = [label for label, _ in legend]
    in_a_row = max(1, int(wide / (0.7 + LETTER * max(map(len, labels), default=0))))
    head = 0.8 + 0.25 * -(-len(legend) // in_a_row)
    figure = Figure((wide, rows * (height + 0.45) + head + 0.4 + 0.15 * len(foot)), layout="constrained")
    left: dict[str, Any] = {"x": 0.1 / wide, "ha": "left", "wrap": True}
    figure.suptitle(title, size=13, weight="bold", **left)
    figure.supxlabel("\n".join(foot), size=8, color=GREY, **left)
    below: Any = figure.subfigures()
    below.suptitle(subtitle, size=10, color="#444444", **left)
    inner = below.subfigures()
    if legend:
        lines = [Line2D([], [], **style) for _, style in legend]
        inner.legend(lines, labels, loc="outside upper left", ncols=in_a_row)
    inner.supxlabel(xlabel)
    inner.supylabel(ylabel)
    grid = inner.subplots(rows, columns, sharey=True, squeeze=False).ravel()
    for axes, panel in zip(grid, panels, strict=False):
        axes.set_title(textwrap.fill(panel, int(width / LETTER)))
    for axes in grid[len(panels) :]:
        axes.remove()
    return figure, list(grid[: len(panels)])
