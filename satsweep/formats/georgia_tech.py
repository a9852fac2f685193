"""JSON of the mine search assignment of Georgia Tech: a layout with a start.

``{"dim": "2,3", "bombs": "1", "safe": "1,0", "board": "011019"}``: the numbers in row-major order, 9 for a mine. Newer
files write rows,cols and row,col; older ones width,height and x,y. Nothing in a file says which. A file is read by the
convention in which every number is right and the start is safe, by the newer one if that holds for both. Both can be
written, and ``read_older_layout`` reads files that are known to be old. The agents ``ai0`` (Covre) and ``ai1`` (Reddy)
were written for this assignment.

A game has the key ``moves`` as well, and perhaps ``player``, ``mode`` and ``rules``. The start is open before the first
move. A move is a cell to open, ``[row, col]``, or an object with ``cell``, perhaps ``action`` (``open``, ``flag``,
``unflag`` or ``chord``) and ``time`` in seconds. Cells count rows first in either convention of the layout. A move that
changes nothing is passed over. ``rules`` may name rules of play, as in our records; else cells open in a cascade, a
mine ends the game, and the board has to be cleared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING

from satsweep.errors import BoardError
from satsweep.formats.format import check_holds
from satsweep.formats.grids import number_rows
from satsweep.formats.strict import Node, parse_json
from satsweep.layout import Layout
from satsweep.text import MAX_CELLS, counted

if TYPE_CHECKING:
    from satsweep.formats.clicks import ClickedGame
    from satsweep.games.record import Record

_KEYS = ("dim", "bombs", "safe", "board")
_KEYS_OF_GAMES = ("moves", "rules", "player", "mode")
_IS_KEY = re.compile(r'"(dim|bombs|safe)"\s*:')
_PAIR = re.compile(r"(\d{1,7}),(\d{1,7})", re.ASCII)


def recognises(text: str) -> bool:
    return text.lstrip()[:1] == "{" and _IS_KEY.search(text) is not None


def parts(text: str) -> tuple[str, ...]:
    """Return ("moves",) for a file with a game, or with what belongs to one."""
    value = parse_json(text)
    return ("moves",) if isinstance(value, dict) and not value.keys().isdisjoint(_KEYS_OF_GAMES) else ()


def read_layout(text: str) -> Layout:
    """Read a layout with its start, in either convention.

    >>> read_layout('{"dim": "3,2", "bombs": "1", "safe": "0,1", "board": "011019"}')
    Layout(('...', '..*'), start=(1, 0))
    """
    return _read(text, newer=True)


def read_older_layout(text: str) -> Layout:
    """Read a layout in the older convention, even if it can be read in the newer one."""
    return _read(text, newer=False)


class _Click(Enum):
    OPEN = "open"
    FLAG = "flag"
    UNFLAG = "unflag"
    CHORD = "chord"


def read_game(text: str) -> Record:
    """Read a layout with a list of moves.

    >>> head = '{"dim": "2,3", "bombs": "1", "safe": "1,0", "board": "011019", '
    >>> record = read_game(head + '"moves": [{"action": "flag", "cell": [1, 2], "time": 2.5}, [0, 2]]}')
    >>> [(move.action.value, str(move.cell), move.time) for move in record.moves]
    [('open', '1,0', None), ('flag', '1,2', 2.5), ('open', '0,2', None)]
    """
    from satsweep.formats import records  # layouts are read without the code of games
    from satsweep.formats.clicks import ClickedGame
    from satsweep.games.modes import STANDARD, mode_named
    from satsweep.games.rules import FirstClick, Rules

    layout = read_layout(text)
    fields = Node.of(text).fields((*_KEYS, "moves"), _KEYS_OF_GAMES)
    rules = records.rules_of(fields["rules"]) if "rules" in fields else Rules(first=FirstClick.GIVEN)
    if not rules.clues.is_exact:
        fields["rules"].fail(f"expected exact clues, found {rules.clues}", "clues")
    try:
        game = ClickedGame(layout, rules)
    except BoardError as error:
        fields["rules" if "rules" in fields else "board"].fail(error.message)
    for item in fields["moves"].items():
        _click(game, item)
    mode = mode_named(fields["mode"].string()) if "mode" in fields else STANDARD
    return game.record(fields["player"].string() if "player" in fields else "", mode)


def _click(game: ClickedGame, item: Node) -> None:
    from satsweep.formats.records import seconds_of

    kind, time, place = _Click.OPEN, None, item
    if isinstance(item.value, dict):
        fields = item.fields(("cell",), ("action", "time"))
        place = fields["cell"]
        kind = fields["action"].choice(_Click) if "action" in fields else kind
        time = seconds_of(fields["time"]) if "time" in fields else None
    cell, layout = place.cell(), game.layout
    if cell.row >= layout.rows or cell.col >= layout.cols:
        place.fail(f"expected a cell of the {layout.rows}x{layout.cols} grid, found {cell}")
    clicks = {_Click.OPEN: game.open, _Click.FLAG: game.flag, _Click.UNFLAG: game.unflag, _Click.CHORD: game.chord}
    clicks[kind](cell, time)


def _read(text: str, *, newer: bool) -> Layout:
    fields = Node.of(text).fields(_KEYS, _KEYS_OF_GAMES)
    (first, second), start = _pair(fields["dim"]), _pair(fields["safe"])
    board = fields["board"].string()
    if not 0 < first * second <= MAX_CELLS:
        fields["dim"].fail(f"expected from 1 to {MAX_CELLS:,} cells, found {first},{second}")
    if len(board) != first * second or re.fullmatch(r"\d*", board, re.ASCII) is None:
        fields["board"].fail(
            f"expected {first * second:,} digits, as many as there are cells, found {len(board):,} characters"
        )
    if not re.fullmatch(r"\d{1,7}", bombs := fields["bombs"].string(), re.ASCII) or int(bombs) != board.count("9"):
        fields["bombs"].fail(f"expected the {counted(board.count('9'), 'mine')} of the board, found {bombs[:20]!r}")
    mines = {index for index, digit in enumerate(board) if digit == "9"}
    wrong = []
    readings = ((first, second, start), (second, first, start[::-1]))
    for rows, cols, (row, col) in readings if newer else readings[1:]:
        layout = Layout.from_mines(rows, cols, mines)
        if number := next(_wrong_numbers(layout, board), None):
            wrong.append(("board", number))
        elif row >= rows or col >= cols:
            wrong.append(("safe", f"expected a start on the {rows}x{cols} grid, found {row},{col}"))
        elif layout.is_mine((row, col)):
            wrong.append(("safe", f"expected a start on a safe cell, found a mine at {row},{col}"))
        else:
            return Layout.from_mines(rows, cols, mines, (row, col))
    # Report the reading that came further: its numbers are right.
    key, message = max(wrong, key=lambda complaint: complaint[0] == "safe")
    fields[key].fail(message)


def write(layout: Layout) -> str:
    """Write a layout in the newer convention.

    Raises BoardError unless the grid is square and the start is safe.
    """
    start = _start(layout)
    return _written(layout, (layout.rows, layout.cols), start)


def write_older(layout: Layout) -> str:
    """Write a layout in the older convention.

    With as many rows as columns it often reads as the newer one, too; then it has to be read by the name of the format.
    """
    start = _start(layout)
    return _written(layout, (layout.cols, layout.rows), start[::-1])


def _start(layout: Layout) -> tuple[int, int]:
    if layout.start is None or layout.is_mine(layout.start):
        raise BoardError("expected a layout with a safe cell to start: this format needs one", at="start")
    check_holds(layout, "start")
    return layout.start


def _written(layout: Layout, dim: tuple[int, int], safe: tuple[int, int]) -> str:
    fields = {
        "dim": "{},{}".format(*dim),
        "bombs": str(layout.mines),
        "safe": "{},{}".format(*safe),
        "board": _digits(layout),
    }
    return json.dumps(fields) + "\n"


def _digits(layout: Layout) -> str:
    return "".join(number_rows(layout.cells)).replace("*", "9")


def _wrong_numbers(layout: Layout, board: str) -> Iterator[str]:
    for index, (number, digit) in enumerate(zip(_digits(layout), board, strict=True)):
        if number != digit:
            yield f"expected {number} at {layout.cell(index)} as {number} of its neighbours are mines, found {digit}"


def _pair(node: Node) -> tuple[int, int]:
    found = _PAIR.fullmatch(node.string())
    if found is None:
        node.fail(f"expected two numbers with a comma between, found {node.value[:20]!r}")
    return int(found[1]), int(found[2])
