"""Canvas: the style of figures, panels between a head and a foot, and files.

matplotlib is the extra ``plot``. It is used without pyplot, so no window opens, and no setting of the caller changes.
The same figure makes the same bytes: nothing in them depends on the time or on other figures.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from satsweep.errors import SatsweepError, how_to_install
from satsweep.formats.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")
GREY = "#6a6a6a"

_STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Segoe UI", "Helvetica", "Arial"],
    "font.size": 10,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.labelsize": 10,
    "axes.edgecolor": "#444444",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e3e3e3",
    "grid.linewidth": 0.7,
    "legend.fontsize": 10,
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
_LETTER_WIDTH = 0.0078
"""Average width of a letter, in inches per point of its size."""


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
    with styled():
        figure.savefig(file, format=suffix, dpi=160, metadata=_WITHOUT_DATES[suffix])


@contextmanager
def styled() -> Iterator[None]:
    """Context with the style of all figures, independent of the caller's settings."""
    from matplotlib import style

    with style.context(["default", _STYLE]):
        yield


@dataclass(slots=True)
class Canvas:
    """A figure sized by its content: titles, a legend, a grid of panels, a foot.

    ``panels`` are the titles of the panels, each of which is ``width`` by ``height``; ``gaps`` are those between
    columns and between rows. ``left``, ``right`` and ``bottom`` are the margins of the grid, which have room for axis
    labels; ``top`` is the distance of the grid from the top of the figure. All lengths are in inches.
    """

    figure: Figure
    panels: list[str]
    columns: int
    width: float
    height: float
    left: float
    right: float = 0.25
    gaps: tuple[float, float] = (0.3, 0.45)
    bottom: float = 0.55
    foot: list[str] = field(default_factory=list)
    top: float = 0.0

    @classmethod
    def of(
        cls,
        panels: Sequence[str],
        *,
        width: float,
        height: float,
        left: float,
        title: str,
        subtitle: str,
        foot: Sequence[str],
        legend: Sequence[tuple[str, dict[str, Any]]] = (),
    ) -> Canvas:
        """A canvas with a panel for each of some titles, which may be empty.

        ``legend`` has the label and the style of each line.
        """
        from matplotlib.figure import Figure

        panel_titles = ["\n".join(_wrapped_at_commas(title, width)) for title in panels]
        canvas = cls(Figure(), panel_titles, _panel_columns(len(panels)), width, height, left)
        panel_head = 0.2 * max(len(title.split("\n")) if title else 0 for title in canvas.panels)
        canvas.gaps = (0.3, 0.45 + panel_head)
        figure_width = canvas.figure_width
        # Bold letters are wider.
        titles = wrapped(title, 1.2 * 13, figure_width - 0.3)
        subtitles = wrapped(subtitle, 10, figure_width - 0.3)
        canvas.foot = [line for part in foot for line in wrapped(part, 8, figure_width - 0.3)]
        columns = _legend_columns([label for label, _ in legend], figure_width - 0.3)
        rows = -(-len(legend) // columns)
        legend_top = 0.15 + 0.27 * len(titles) + 0.2 * len(subtitles) + 0.06
        canvas.top = legend_top + 0.25 * rows + 0.12 + panel_head
        canvas.figure.set_size_inches(figure_width, canvas.figure_height)
        canvas._text(titles, 0.15, 0.27, size=13, weight="bold")
        canvas._text(subtitles, 0.15 + 0.27 * len(titles) + 0.02, 0.2, size=10, color="#444444")
        if legend:
            canvas._legend(legend, columns, legend_top)
        canvas._text(canvas.foot, canvas.figure_height - 0.1 - 0.16 * len(canvas.foot), 0.16, size=8, color=GREY)
        return canvas

    @property
    def rows(self) -> int:
        """Number of rows of panels."""
        return -(-len(self.panels) // self.columns)

    @property
    def figure_width(self) -> float:
        """Width of the figure in inches."""
        return self.left + self.columns * self.width + (self.columns - 1) * self.gaps[0] + self.right

    @property
    def figure_height(self) -> float:
        """Height of the figure in inches."""
        panels = self.rows * self.height + (self.rows - 1) * self.gaps[1]
        return self.top + panels + self.bottom + 0.16 * len(self.foot) + 0.15

    def panel(self, number: int) -> Axes:
        """The axes of a panel; only the first column has tick labels at the left."""
        row, col = divmod(number, self.columns)
        x = self.left + col * (self.width + self.gaps[0])
        y = self.top + row * (self.height + self.gaps[1]) + self.height
        width, height = self.figure_width, self.figure_height
        axes = self.figure.add_axes((x / width, 1 - y / height, self.width / width, self.height / height))
        axes.set_title(self.panels[number])
        if col:
            axes.tick_params(which="both", labelleft=False)
        return axes

    def is_lowest(self, number: int) -> bool:
        """True if no panel is below this one."""
        return number + self.columns >= len(self.panels)

    def _text(self, lines: Sequence[str], top: float, step: float, **style: Any) -> None:
        for number, line in enumerate(lines):
            y = 1 - (top + number * step) / self.figure_height
            self.figure.text(0.15 / self.figure_width, y, line, va="top", ha="left", **style)

    def _legend(self, legend: Sequence[tuple[str, dict[str, Any]]], columns: int, top: float) -> None:
        from matplotlib.lines import Line2D

        self.figure.legend(
            [Line2D([], [], **style) for _, style in legend],
            [label for label, _ in legend],
            loc="upper left",
            bbox_to_anchor=(0.15 / self.figure_width, 1 - top / self.figure_height),
            ncols=columns,
            borderaxespad=0,
            borderpad=0,
            handlelength=2.2,
            handletextpad=0.6,
            columnspacing=1.8,
        )


def text_width(text: str, size: float) -> float:
    """Estimated width of a text in inches, at a size in points."""
    return len(text) * size * _LETTER_WIDTH


def wrapped(text: str, size: float, width: float) -> list[str]:
    """A text in lines of at most an estimated width in inches, at a size in points."""
    return textwrap.wrap(text, max(int(width / (size * _LETTER_WIDTH)), 10)) if text else []


def _panel_columns(panels: int) -> int:
    """Number of columns, chosen so that rows are about equally full."""
    return panels if panels < 4 else 2 if panels == 4 else 4 if panels in (7, 8) else 3


def _wrapped_at_commas(title: str, width: float) -> list[str]:
    """The title of a panel in lines that are broken after commas only."""
    glued = title.replace(" ", "\xa0").replace(",\xa0", ", ")
    return [line.replace("\xa0", " ") for line in wrapped(glued, 10, width)]


def _legend_columns(labels: Sequence[str], width: float) -> int:
    entry_width = 0.65 + text_width(max(labels, key=len, default=""), 10)
    return max(1, min(len(labels), int(width / entry_width)))
