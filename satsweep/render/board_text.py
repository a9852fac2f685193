"""Boards as rows of text, with numbered rows and columns; variants in words.

Every second row of hexagons is shifted by half a cell, and an empty line is between planes. On a terminal the numbers
are coloured in colours of Okabe and Ito (2008), which most people can tell apart; the digits say the same without
them.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest

from satsweep.board import COVERED, FLAG, HIDDEN, MINE, Board
from satsweep.clues import CLUE_KINDS, EXACT, Clues
from satsweep.handwritten import unambiguous
from satsweep.layout import Layout
from satsweep.part import WHOLE, Part
from satsweep.topology import SHAPES, SQUARE, Topology


def variant_fields(topology: Topology, clues: Clues = EXACT, part: Part = WHOLE) -> dict[str, str]:
    """Topology, clues and part as fields of a board file; usual ones are left out.

    >>> from satsweep.topology import TORUS
    >>> variant_fields(TORUS)
    {'topology': 'torus'}
    """
    fields = {} if topology == SQUARE else {"topology": topology.name}
    fields |= {} if clues == EXACT else {"clues": str(clues)}
    return fields | {"part": str(part)} if part else fields


def variant_remarks(topology: Topology, clues: Clues = EXACT, part: Part = WHOLE) -> Iterator[str]:
    """Topology, clues and part explained, a line each; usual ones are left out.

    >>> from satsweep.topology import TORUS
    >>> print(*variant_remarks(TORUS))
    torus: cells on the dashed edges touch those on the opposite edge
    """
    if topology != SQUARE:
        wraps, shape = topology.wraps_rows or topology.wraps_cols, SHAPES.get(topology.name.split()[0])
        parts = [
            shape.remark if shape else "",
            "each plane touches the next" if topology.planes > 1 else "",
            "cells on the dashed edges touch those on the opposite edge" if wraps else "",
        ]
        name = f"graph of {len(topology.edges):,} edges" if topology.edges else topology.name
        yield f"{name}: {'; '.join(part for part in parts if part)}"
    if clues != EXACT:
        yield f"{clues} clues: {CLUE_KINDS[clues.kind].remark}"
    if part:
        yield part_in_words(part)


def part_in_words(part: Part) -> str:
    """The sides that are cut, and what that means.

    >>> part_in_words(Part(top=True, left=True))
    'cut at top and left; risks are for an unknown surrounding, forced cells for any'
    """
    sides = "all sides" if str(part) == "all" else " and ".join(str(part).split(","))
    return f"cut at {sides}; risks are for an unknown surrounding, forced cells for any"


Line = list[tuple[str, str]]
"""Pieces of text, each with a rich style."""

SAFE_IN_WORLD = "-"
"""Symbol of a covered cell that is safe in a world."""

WIDTH = 140
"""Default width for two boards side by side: an expert board and a world of it."""

JUST_OPENED = "bold #ffffff on #0072b2"
"""Style of cells that the last move has opened."""

_STYLES = {
    ".": "dim",
    COVERED: "#000000 on #b8b8b8",
    FLAG: "bold #000000 on #e69f00",
    MINE: "bold #ffffff on #a0300a",
    HIDDEN: "italic #000000 on #e8e8e8",
    "1": "#56b4e9",
    "2": "#009e73",
    "3": "#d55e00",
    "4": "#cc79a7",
    "5": "#e69f00",
    "6": "bold #56b4e9",
    "7": "bold #cc79a7",
    "8": "bold #d55e00",
}
_GREATER = "bold #009e73"
_GAP = " " * 6


def numbered_rows(topology: Topology, height: int, rows: range, across: int) -> Iterator[tuple[int | None, str]]:
    """Rows of a map, each with its number and the blanks by which it is shifted.

    The topology is that of a board of ``height`` rows, and cells are ``across`` characters wide. Where a plane begins,
    None and an empty text stand for an empty line.
    """
    plane, margin = height // topology.planes, len(str(height - 1))
    for row in rows:
        if row > rows[0] and row % plane == 0:
            yield None, ""
        shift = across // 2 if topology.is_hexagonal and row % plane % 2 else 0
        yield row, f"{row:>{margin}}" + " " * shift


def column_numbers(columns: range, margin: int, across: int) -> str:
    """Numbers of the columns, or of every fifth one where they would run together."""
    step = 1 if len(str(columns[-1])) < across else 5
    line = " " * margin
    for place, col in enumerate(columns, 1):
        if col % step == 0:
            line = line.ljust(margin + place * across - len(str(col))) + str(col)
    return line


def styled_lines(
    board: Board,
    *,
    rows: range | None = None,
    columns: range | None = None,
    across: int = 2,
    opened: Collection[tuple[int, int]] = (),
) -> Iterator[Line]:
    """A board, or some rows and columns of it, in the styles of a terminal.

    Cells that have just been ``opened`` are marked.

    >>> for line in styled_lines(Board(("1#", "##"))):
    ...     print("".join(piece for piece, _ in line))
      0 1
    0 1 #
    1 # #
    """
    rows, columns = rows or range(board.rows), columns or range(board.cols)
    cells = unambiguous(board.cells)
    yield [(column_numbers(columns, len(str(board.rows - 1)), across), "dim")]
    for row, head in numbered_rows(board.topology, board.rows, rows, across):
        if row is None:
            yield []
            continue
        pieces = [(head, "dim")]
        for col in columns:
            symbol = cells[row][col]
            style = JUST_OPENED if (row, col) in opened else _STYLES.get(board.cells[row][col], _GREATER)
            pieces += [(" " * (across - 1), ""), (symbol, style)] if across > 1 else [(symbol, style)]
        yield pieces


def nothing_covered(board: Board) -> str | None:
    """Sentence on a board without covered cells; None for any other.

    It calls a layout one.

    >>> nothing_covered(Board(("*1",)))
    'no cell is covered: this is a finished board'
    """
    symbols = set(board.symbols)
    if not symbols.isdisjoint((COVERED, FLAG)):
        return None
    what = ""
    if HIDDEN in symbols:
        what = f": {HIDDEN} is an open cell that shows nothing"
    elif MINE in symbols:
        what = f": this is {'a layout, with all its mines' if symbols <= {'.', MINE} else 'a finished board'}"
    return f"no cell is covered{what}"


def bracketed_lines(board: Board, cells: Sequence[str], marked: Collection[tuple[int, int]] = ()) -> list[str]:
    """Rows of symbols on the grid of a board, with brackets around the marked cells.

    Marked cells beside each other share their brackets.

    >>> bracketed_lines(Board(("####",)), ["12*-"], [(0, 0), (0, 2), (0, 3)])
    ['  0 1 2 3', '0[1]2[* -]']
    """
    lines = [column_numbers(range(board.cols), len(str(board.rows - 1)), 2)]
    for row, head in numbered_rows(board.topology, board.rows, range(board.rows), 2):
        if row is None:
            lines.append("")
            continue
        line = list(f"{head} {' '.join(cells[row])} ")
        cols = {col for place, col in marked if place == row}
        for col in cols:
            if col - 1 not in cols:
                line[len(head) + 2 * col] = "["
            if col + 1 not in cols:
                line[len(head) + 2 * col + 2] = "]"
        lines.append("".join(line).rstrip())
    return lines


def rows_of_world(board: Board, world: Layout) -> list[str]:
    """Rows of a board in which covered cells are shown as they are in a world."""
    return [
        "".join(
            ("*" if world.is_mine((row, col)) else SAFE_IN_WORLD) if board.is_covered((row, col)) else symbol
            for col, symbol in enumerate(line)
        )
        for row, line in enumerate(board.cells)
    ]


def header_lines(board: Board) -> list[str]:
    """Header of the text form of a board: its total or density, topology and so on."""
    return str(board).split("\n")[: -board.rows]


def prior_lines(board: Board) -> list[str]:
    """The mine total or the density of a board, as in its text form."""
    return [line for line in header_lines(board) if line.startswith(("mines ", "density "))]


def side_by_side(left: Sequence[str], right: Sequence[str], width: int | None = None) -> Iterator[str]:
    """Two drawings side by side, or one below the other if the width is too small."""
    across = max(map(len, left))
    if across + len(_GAP) + max(map(len, right)) > (width or WIDTH):
        yield from (*left, "", *right)
        return
    for one, other in zip_longest(left, right, fillvalue=""):
        yield f"{one:<{across}}{_GAP}{other}".rstrip()
