"""The JSON of the mine search assignment of Georgia Tech (document 004): a layout with a start, all as strings.

``{"dim": "2,3", "bombs": "1", "safe": "1,0", "board": "011019"}``: the numbers in row-major order, 9 for a mine. Newer
files write rows,cols and row,col; older ones width,height and x,y. Nothing in a file says which. The reading that
makes every number right is meant, and the one that starts on a safe cell; where both do, the newer. Both can be
written, and ``read_older_layout`` is for who knows that a file is old.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from satsweep.errors import BoardError
from satsweep.formats.format import check_holds
from satsweep.formats.strict import Node
from satsweep.layout import Layout
from satsweep.text import MAX_CELLS

_KEYS = ("dim", "bombs", "safe", "board")
_IS_KEY = re.compile(r'"(dim|bombs|safe)"\s*:')
_PAIR = re.compile(r"(\d{1,7}),(\d{1,7})", re.ASCII)


def recognises(text: str) -> bool:
    """Whether a text can only be meant as one of these files."""
    return text.lstrip()[:1] == "{" and _IS_KEY.search(text) is not None


def read_layout(text: str) -> Layout:
    """Read a layout with its start, in whichever of the two conventions it is written.

    >>> read_layout('{"dim": "3,2", "bombs": "1", "safe": "0,1", "board": "011019"}')
    Layout(('...', '..*'), start=(1, 0))
    """
    return _read(text, newer=True)


def read_older_layout(text: str) -> Layout:
    """Read a layout in the older convention, though it could be read in the newer one."""
    return _read(text, newer=False)


def _read(text: str, *, newer: bool) -> Layout:
    fields = Node.of(text).fields(_KEYS)
    (first, second), start = _pair(fields["dim"]), _pair(fields["safe"])
    board = fields["board"].string()
    if not 0 < first * second <= MAX_CELLS:
        fields["dim"].fail(f"expected from 1 to {MAX_CELLS:,} cells, found {first},{second}")
    if len(board) != first * second or re.fullmatch(r"\d*", board, re.ASCII) is None:
        fields["board"].fail(
            f"expected {first * second:,} digits, as many as there are cells, found {len(board):,} characters"
        )
    if not re.fullmatch(r"\d{1,7}", bombs := fields["bombs"].string(), re.ASCII) or int(bombs) != board.count("9"):
        fields["bombs"].fail(f"expected the {board.count('9')} mines of the board, found {bombs[:20]!r}")
    wrong = []
    readings = ((first, second, start), (second, first, start[::-1]))
    for rows, cols, (row, col) in readings if newer else readings[1:]:
        grid = tuple(board[place : place + cols].translate(_MINES) for place in range(0, len(board), cols))
        if place := next(_wrong_numbers(Layout(grid), board), None):
            wrong.append(("board", place))
        elif row >= rows or col >= cols:
            wrong.append(("safe", f"expected a start on the {rows}x{cols} grid, found {row},{col}"))
        elif grid[row][col] == "*":
            wrong.append(("safe", f"expected a start on a safe cell, found a mine at {row},{col}"))
        else:
            return Layout(grid, start=(row, col))
    # The reading that came closer says what is wrong.
    key, message = max(wrong, key=lambda complaint: complaint[0] == "safe")
    fields[key].fail(message)


def write(layout: Layout) -> str:
    """The newer convention. Raises BoardError for what it cannot hold: only a square layout with a safe start."""
    start = _start(layout)
    return _written(layout, (layout.rows, layout.cols), start)


def write_older(layout: Layout) -> str:
    """The older convention. On a square it often reads like the newer one, and only who reads it can know better."""
    start = _start(layout)
    return _written(layout, (layout.cols, layout.rows), start[::-1])


def _start(layout: Layout) -> tuple[int, int]:
    if layout.start is None or layout.is_mine(layout.start):
        raise BoardError("expected a layout with a safe cell to start: this format needs one", at="start")
    check_holds(layout, "start")
    return layout.start


def _written(layout: Layout, dim: tuple[int, int], safe: tuple[int, int]) -> str:
    digits = "".join(map(str, _numbers(layout)))
    fields = {"dim": "{},{}".format(*dim), "bombs": str(layout.mines), "safe": "{},{}".format(*safe), "board": digits}
    return json.dumps(fields) + "\n"


_MINES = {ord(digit): "*" if digit == "9" else "." for digit in "0123456789"}


def _numbers(layout: Layout) -> Iterator[int]:
    """Every cell of a layout as a digit."""
    mined = layout.symbols
    for index, touched in enumerate(layout.topology.neighbours(layout.rows, layout.cols)):
        yield 9 if mined[index] == "*" else sum(mined[other] == "*" for other in touched)


def _wrong_numbers(layout: Layout, board: str) -> Iterator[str]:
    for index, (number, digit) in enumerate(zip(_numbers(layout), board, strict=True)):
        if str(number) != digit:
            row, col = divmod(index, layout.cols)
            yield f"expected {number} at {row},{col} as {number} of its neighbours are mines, found {digit}"


def _pair(node: Node) -> tuple[int, int]:
    found = _PAIR.fullmatch(node.string())
    if found is None:
        node.fail(f"expected two numbers with a comma between, found {node.value[:20]!r}")
    return int(found[1]), int(found[2])
