"""A game as a moving picture: an SVG file that shows one move after the other.

Each step draws the new looks of its cells over the old ones, and a CSS animation hides it until its time. Without
animations, on paper or where reduced motion is preferred, the picture is the end of the game. The file has no script,
so it moves as an image of a page, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, inf
from typing import NamedTuple
from xml.etree.ElementTree import Element

from satsweep.arguments import check_kind, check_number
from satsweep.board import Board, Cell
from satsweep.games.game import replay
from satsweep.games.record import Action, Move, MoveReason, Record
from satsweep.render import board_svg
from satsweep.render.board_geometry import LEFT, BoardGeometry, CellShape, add, element, svg_text
from satsweep.render.colours import CLUE_COLOUR, COVERED_COLOUR, WRONG_COLOUR, heat, percent_label
from satsweep.render.number_text import percent
from satsweep.render.transcript import layout_size, move_line, reason_text
from satsweep.text import counted, printable

PACE, LONGEST = 0.4, 30.0
"""Seconds of a move, and the most seconds of all moves, unless a pace is given."""
LEAD, HOLD = 1.0, 4.0
"""Seconds before the first move, and after the last one."""
FRAME = 0.04
"""Least seconds of a step; moves that follow each other faster make one step."""
MOST_SAID = 120
"""Most characters of a caption."""

_LEAST_WIDTH, _CAPTION, _LEGEND_LINE = 670, 36, 26
_COVERED, _FLAG, _SAFE, _MINE, _WRONG, _EXPLODED, _GUESS = "c", "f", "s", "m", "w", "x", "g"
"""Short names of the looks of cells, which the file repeats.

``n3`` is an open 3, ``n?`` an open cell that shows nothing.
"""
_MEANINGS = {
    _GUESS: "guess, with its risk if known",
    _FLAG: "flag",
    _WRONG: "wrong flag",
    _SAFE: "known to be safe",
    _EXPLODED: "mine that was opened",
    _MINE: "mine that stayed covered",
}
_STYLE = f"""{board_svg.STYLE}\
    .covered rect {{ fill: {COVERED_COLOUR} }}
    .covered .exploded {{ fill: {WRONG_COLOUR} }}
    .risk {{ font-size: 8px; text-anchor: middle }}
    .said {{ font-size: 12px }}
"""


class _Step(NamedTuple):
    """New looks, the cell of the last move (None at the end), and a caption."""

    drawn: list[Element]
    cell: Cell | None
    caption: str


@dataclass(frozen=True, slots=True)
class _Clock:
    """Times of the steps: ``together`` moves make one, which takes ``seconds``."""

    together: int
    seconds: float
    steps: int

    @classmethod
    def of(cls, moves: int, pace: float | None) -> _Clock:
        """Clock of a game; its last step is the outcome."""
        if pace is None:
            pace = min(PACE, LONGEST / max(moves, 1))
        if not 0 < pace < inf:
            raise ValueError(f"expected a pace above 0 seconds, found {pace:g}")
        together = max(1, ceil(min(FRAME / pace, moves)))
        return cls(together, together * pace, ceil(moves / together) + 1)

    @property
    def total(self) -> float:
        return LEAD + (self.steps - 1) * self.seconds + HOLD

    def share(self, step: int) -> str:
        """Time of a step as a share of the total, in percent."""
        return f"{100 * (LEAD + step * self.seconds) / self.total:.3f}".rstrip("0").rstrip(".") + "%"


@dataclass
class _Cells:
    """Places of cells, and the looks that have been drawn there."""

    geometry: BoardGeometry
    zeros: bool
    used: set[str] = field(default_factory=set)

    def place(self, look: str, cell: tuple[int, int]) -> Element:
        self.used.add(look)
        x, y = self.geometry.middle(cell)
        return element("use", href=f"#{look}", x=x, y=y)

    def changes(self, move: Move) -> Iterator[Element]:
        if move.action is not Action.OPEN:
            yield self.place({Action.FLAG: _FLAG, Action.UNFLAG: _COVERED}.get(move.action, _SAFE), move.cell)
        for cell, number in move.revealed:
            yield self.place(_EXPLODED if number is None else f"n{number}", cell)
        if move.reason is MoveReason.GUESSED:
            yield self.place(_GUESS, move.cell)
        if move.risk is not None:
            x, y = self.geometry.middle(move.cell)
            risk = percent(move.risk) if move.risk in (0, 1) else f"{percent_label(move.risk).removesuffix('%')} %"
            yield element("text", risk, class_="risk", x=x, y=y - 6)

    def ending(self, record: Record) -> Iterator[Element]:
        """Wrong flags, and the mines that are covered without a flag."""
        opened = {cell for move in record.moves for cell, _ in move.revealed}
        layout = record.layout
        for cell in (Cell(row, col) for row in range(layout.rows) for col in range(layout.cols)):
            if cell in record.flags and not layout.is_mine(cell):
                yield self.place(_WRONG, cell)
            elif cell not in record.flags and layout.is_mine(cell) and cell not in opened:
                yield self.place(_MINE, cell)

    def define(self, parent: Element) -> None:
        for look in sorted(self.used):
            _define(parent, look, self.geometry.shape, self.zeros)


def _define(parent: Element, look: str, shape: CellShape, zeros: bool) -> None:
    middle = (0, 0)
    drawn = add(parent, "g", id=look)
    if look == _SAFE:  # it may lie on a flag, which stays
        board_svg.disc(drawn, middle, 5, heat(Fraction(0)))
        return
    if look == _GUESS:
        shape.draw(drawn, middle, inset=3, fill="none", stroke=CLUE_COLOUR, stroke_width=3)
        return
    drawn.set("class", "cells open" if look.startswith("n") else "cells covered")
    shape.draw(drawn, middle, class_="exploded" if look == _EXPLODED else None)
    if look.startswith("n") and (look != "n0" or zeros):
        add(drawn, "text", look[1:])
    if look in (_FLAG, _WRONG):
        add(drawn, "path", d="M-5 11V-10L7 -4.5L-5 1", fill=WRONG_COLOUR, stroke="#1a1a1a", stroke_width=2)
    if look == _WRONG:
        add(drawn, "path", d="M-10 -10L10 10M-10 10L10 -10", stroke="#1a1a1a", stroke_width=2.5)
    if look == _MINE:
        board_svg.disc(drawn, middle, shape.mine, "#666666")
    if look == _EXPLODED:
        board_svg.disc(drawn, (0, 4), 7)  # below the risk of the guess


def animated_svg(record: Record, *, pace: float | None = None, loop: bool = True) -> Iterator[str]:
    """Yield a game as an animated picture, which runs in a loop or once.

    A move takes ``pace`` seconds; by default 0.4, and less where all moves would take more than 30. Raises BoardError
    if a replay of the record fails.
    """
    check_kind(record, Record, "a Record")
    if pace is not None:
        check_number(pace, "pace")
    layout, clues = record.layout, record.rules.clues
    sheet = board_svg.Sheet(layout, clues, _LEAST_WIDTH)
    geometry, width, bottom = sheet.geometry, sheet.width, sheet.bottom
    cells, clock = _Cells(geometry, zeros=not clues.proves_zero(0)), _Clock.of(len(record.moves), pace)
    covered = [cells.place(_COVERED, (row, col)) for row in range(layout.rows) for col in range(layout.cols)]
    steps = list(_steps(record, cells, clock.together, width))
    keys = list(_legend(cells.used, width))
    heading = _fitting(f"{printable(record.agent)} plays {layout_size(layout)}", width, 9.5)
    in_all = f"{counted(len(record.moves), 'move')}, one after the other in {clock.total - HOLD:.3g} seconds"
    description = f"{in_all}. In the end: {steps[-1].caption}."
    height = bottom + _CAPTION + _LEGEND_LINE * (keys[-1][1] + 1) + 10
    style = f"{_STYLE}{''.join(_animations(steps, clock, geometry, loop))}"
    picture = sheet.begin(height, heading, description, heading, style)
    definitions = add(picture, "defs")
    cells.define(definitions)
    add(definitions, "rect", id="p", y=bottom + 6, width=width, height=_CAPTION - 6, fill="#ffffff")
    geometry.background(picture)
    first = _Step(covered, None, f"{layout.rows * layout.cols:,} covered cells")
    for number, step in enumerate([first, *steps], -1):
        timing = {"class": "step", "style": f"animation-name:m{number}"} if number >= 0 else {}
        group = add(picture, "g", **timing)
        group.extend(step.drawn)
        add(group, "use", href="#p")
        add(group, "text", step.caption, class_="said", x=LEFT, y=bottom + 23)
    geometry.cell_names(picture)
    if record.moves:
        last = add(picture, "g", class_="last", style=f"transform:{_at(geometry, record.moves[-1].cell)}")
        board_svg.frame(last, geometry.shape, (0, 0))
    foot = add(picture, "g", class_="foot")
    for mark, line, x in keys:
        mark.set("transform", f"translate({x} {bottom + _CAPTION + _LEGEND_LINE * line + 12})")
        foot.append(mark)
    yield svg_text(picture)


def _steps(record: Record, cells: _Cells, together: int, width: int) -> Iterator[_Step]:
    drawn: list[Element] = []
    moves = len(record.moves)
    for number, (move, game) in enumerate(replay(record), 1):
        drawn += cells.changes(move)
        if number % together == 0 or number == moves:
            caption = f"{number:,} of {moves:,}: {_said(move, game.board)}"
            yield _Step(drawn, move.cell, _fitting(caption, width))
            drawn = []
    played = f"{counted(moves, 'move')}, {counted(record.measures.guesses, 'guess', 'es')}"
    outcome = f"{record.outcome.value}: {record.outcome.why} ({played})"
    yield _Step(list(cells.ending(record)), None, _fitting(outcome, width))


def _said(move: Move, board: Board) -> str:
    reason = reason_text(move, board)
    did = " ".join(move_line(move, board).removesuffix(reason).split())
    return f"{did} ({reason})" if reason else did


def _fitting(text: str, width: int, character: float = 6.6) -> str:
    most = min(int((width - LEFT - 20) / character), MOST_SAID)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _animations(steps: list[_Step], clock: _Clock, geometry: BoardGeometry, loop: bool) -> Iterator[str]:
    often = " infinite" if loop else ""
    yield "    @media (prefers-reduced-motion: no-preference) {\n"
    yield f"      .step {{ animation: {clock.total:.2f}s step-start{often} }}\n"
    yield f"      .last {{ animation: last {clock.total:.2f}s step-end{often} }}\n    }}\n"
    ways = ["0%{transform:translate(-99px)}"]
    for number, step in enumerate(steps):
        yield f"    @keyframes m{number}{{0%,{clock.share(number)}{{visibility:hidden}}}}\n"
        if step.cell is not None:
            ways.append(f"{clock.share(number)}{{transform:{_at(geometry, step.cell)}}}")
    yield f"    @keyframes last{{{''.join(ways)}}}\n"


def _at(geometry: BoardGeometry, cell: Cell) -> str:
    x, y = geometry.middle(cell)
    return f"translate({x}px,{y}px)"


def _legend(used: set[str], width: int) -> Iterator[tuple[Element, int, int]]:
    """Marks with their meanings, each with its line and its place in that."""
    line, x = 0, LEFT
    for look, said in {"": "last move", **_MEANINGS}.items():
        if look and look not in used:
            continue
        drawn = element("g")
        if look:
            add(drawn, "use", href=f"#{look}", transform="translate(10)scale(.6)")
        else:
            board_svg.legend_frame(drawn, 0, -10, 20)
        add(drawn, "text", said, x=28, y=4)
        long = 52 + int(6.2 * len(said))
        if x + long > width and x > LEFT:
            line, x = line + 1, LEFT
        yield drawn, line, x
        x += long
