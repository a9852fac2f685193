"""Where figures are drawn: the style, a sheet with panels between a head and a foot, and files that never differ.

matplotlib is the extra ``plot``. It is used without pyplot, so nothing is shown, and no setting of the caller changes.
The same figure makes the same bytes: nothing in them depends on the time or on what else was drawn.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from satsweep.errors import SatsweepError

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
    # Text stays text: it can be searched, read out and copied. Ids depend on what is drawn alone.
    "svg.fonttype": "none",
    "svg.hashsalt": "satsweep",
}
_UNSTAMPED: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
_LETTER = 0.0078
"""How wide a letter is about, in inches, for each point of its size."""


def check_installed() -> None:
    """Raise SatsweepError if there is no matplotlib, which is better known before a long run than after it."""
    if find_spec("matplotlib") is None:
        raise SatsweepError("figures need matplotlib: pip install 'satsweep[plot]'")


def suffix_of(path: Path) -> str:
    """The format that a file's name asks for. Raises ValueError unless figures are written in it."""
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        raise ValueError(f"expected a name ending in {', '.join(f'.{name}' for name in FORMATS)}, found {path.name}")
    return suffix


def save(figure: Figure, path: Path) -> None:
    """Write a figure in the format that the file's name asks for. Raises ValueError if it asks for none."""
    write(figure, path, suffix_of(path))


def write(figure: Figure, file: Path | IO[bytes], suffix: str) -> None:
    """Write a figure to a path or to an open file of bytes."""
    with styled():
        figure.savefig(file, format=suffix, dpi=160, metadata=_UNSTAMPED[suffix])


@contextmanager
def styled() -> Iterator[None]:
    """The style of all figures, whatever the caller has set up, and nothing of it left afterwards."""
    from matplotlib import style

    with style.context(["default", _STYLE]):
        yield


@dataclass(slots=True)
class Canvas:
    """A figure that grows with what is on it: heads, a legend, panels in rows and columns, and a foot.

    All lengths are in inches; ``left`` is the room for what is written left of the panels.
    """

    figure: Figure
    panels: list[str]
    across: int
    width: float
    height: float
    left: float
    right: float = 0.25
    between: tuple[float, float] = (0.3, 0.45)
    bottom: float = 0.55
    foot: list[str] = field(default_factory=list)
    top: float = 0.0
    """Where the panels begin, below the head."""

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
        """A figure with a panel of a width and a height for each of some titles, which may be empty.

        ``legend`` has the label and the style of each line.
        """
        from matplotlib.figure import Figure

        titles = ["\n".join(_at_commas(title, width)) for title in panels]
        canvas = cls(Figure(), titles, _across(len(panels)), width, height, left)
        titled = 0.2 * max(len(title.split("\n")) if title else 0 for title in canvas.panels)
        canvas.between = (0.3, 0.45 + titled)
        whole = canvas.whole_width
        # Bold letters are wider.
        heads = wrapped(title, 1.2 * 13, whole - 0.3)
        subheads = wrapped(subtitle, 10, whole - 0.3)
        canvas.foot = [line for part in foot for line in wrapped(part, 8, whole - 0.3)]
        columns = _legend_columns([label for label, _ in legend], whole - 0.3)
        rows = -(-len(legend) // columns)
        legend_at = 0.15 + 0.27 * len(heads) + 0.2 * len(subheads) + 0.06
        canvas.top = legend_at + 0.25 * rows + 0.12 + titled
        canvas.figure.set_size_inches(whole, canvas.whole_height)
        canvas._lines(heads, 0.15, 0.27, size=13, weight="bold")
        canvas._lines(subheads, 0.15 + 0.27 * len(heads) + 0.02, 0.2, size=10, color="#444444")
        if legend:
            canvas._legend(legend, columns, legend_at)
        canvas._lines(canvas.foot, canvas.whole_height - 0.1 - 0.16 * len(canvas.foot), 0.16, size=8, color=GREY)
        return canvas

    @property
    def down(self) -> int:
        """How many rows of panels there are."""
        return -(-len(self.panels) // self.across)

    @property
    def whole_width(self) -> float:
        """The width of the figure."""
        return self.left + self.across * self.width + (self.across - 1) * self.between[0] + self.right

    @property
    def whole_height(self) -> float:
        """The height of the figure."""
        panels = self.down * self.height + (self.down - 1) * self.between[1]
        return self.top + panels + self.bottom + 0.16 * len(self.foot) + 0.15

    def panel(self, number: int) -> Axes:
        """The axes of a panel; only those at the left have labels there."""
        row, col = divmod(number, self.across)
        x = self.left + col * (self.width + self.between[0])
        y = self.top + row * (self.height + self.between[1]) + self.height
        whole, high = self.whole_width, self.whole_height
        axes = self.figure.add_axes((x / whole, 1 - y / high, self.width / whole, self.height / high))
        axes.set_title(self.panels[number])
        if col:
            axes.tick_params(labelleft=False)
        return axes

    def is_lowest(self, number: int) -> bool:
        """Whether there is no panel below one."""
        return number + self.across >= len(self.panels)

    def _lines(self, lines: Sequence[str], at: float, step: float, **style: Any) -> None:
        for number, line in enumerate(lines):
            y = 1 - (at + number * step) / self.whole_height
            self.figure.text(0.15 / self.whole_width, y, line, va="top", ha="left", **style)

    def _legend(self, legend: Sequence[tuple[str, dict[str, Any]]], columns: int, at: float) -> None:
        from matplotlib.lines import Line2D

        self.figure.legend(
            [Line2D([], [], **style) for _, style in legend],
            [label for label, _ in legend],
            loc="upper left",
            bbox_to_anchor=(0.15 / self.whole_width, 1 - at / self.whole_height),
            ncols=columns,
            borderaxespad=0,
            borderpad=0,
            handlelength=2.2,
            handletextpad=0.6,
            columnspacing=1.8,
        )


def text_width(text: str, size: float) -> float:
    """About how wide a text is, in inches, at a size in points."""
    return len(text) * size * _LETTER


def wrapped(text: str, size: float, width: float) -> list[str]:
    """A text in lines that are about so wide at most, in inches, at a size in points."""
    return textwrap.wrap(text, max(int(width / (size * _LETTER)), 10)) if text else []


def _across(panels: int) -> int:
    """In how many columns panels stand: rows are about as full as each other."""
    return panels if panels < 4 else 2 if panels == 4 else 4 if panels in (7, 8) else 3


def _at_commas(title: str, width: float) -> list[str]:
    """The title of a panel in lines that end with a comma, if need be."""
    held = title.replace(" ", "\xa0").replace(",\xa0", ", ")
    return [line.replace("\xa0", " ") for line in wrapped(held, 10, width)]


def _legend_columns(labels: Sequence[str], width: float) -> int:
    entry = 0.65 + text_width(max(labels, key=len, default=""), 10)
    return max(1, min(len(labels), int(width / entry)))
