"""Games with their moves, from every kind of file: one function for each format.

They become records, as our own games are, so a file is read only if its game can be played again by our rules.

**Lists of moves** are JSON of the mine search. To the keys of a layout (``georgia_tech``) come ``moves``, and perhaps
``player`` and ``rules``. The start is open before the first move. A move is a cell to open, ``[row, col]``, or an
object with ``cell``, perhaps ``action`` (``open``, ``flag``, ``unflag`` or ``chord``) and ``time`` in seconds. Cells
count rows first in either convention of the layout. A move that changes nothing is passed over. ``rules`` may name
rules of play, as in our records; else cells open in a cascade, a mine ends the game, and the board has to be cleared.

**Click paths** are in links of LlamaSweeper, ``?b=&m=&c=``. ``c`` is base 64 with ``-`` and ``_``, without padding. Its
bits, most significant first, are clicks: two bits for left, right or chord, then the number of the cell, column by
column, in as many bits as the last one needs. The bits 11 end the path. A click has no time.

**Replays** (AVF, RMV, MVF, EVF) have positions; the moves are those between them. RAWVF is in ``rawvf_events``.
"""

import re
from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Any

from satsweep.board import COVERED, FLAG, Board, Cell
from satsweep.errors import BoardError
from satsweep.formats import georgia_tech, ptta, rawvf, rawvf_events, records, replays
from satsweep.formats.clicks import CHORD, ClickedGame
from satsweep.formats.strict import Node, error_at
from satsweep.games.agent import Inference
from satsweep.games.record import Record
from satsweep.games.rules import FirstClick, Rules

_C = re.compile(r"\s*(?:\S*[?&])?c=([^\s&#]*)")
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_KIND_BITS, _END = 2, 3


class _Click(Enum):
    OPEN = "open"
    FLAG = "flag"
    UNFLAG = "unflag"
    CHORD = "chord"


def read_move_list(text: str) -> Record:
    """Read the JSON of the mine search with a list of moves.

    Raises BoardError with line and column.

    >>> head = '{"dim": "2,3", "bombs": "1", "safe": "1,0", "board": "011019", '
    >>> record = read_move_list(head + '"moves": [{"action": "flag", "cell": [1, 2], "time": 2.5}, [0, 2]]}')
    >>> [(move.action.value, str(move.cell), move.time) for move in record.moves]
    [('open', '1,0', None), ('flag', '1,2', 2.5), ('open', '0,2', None)]
    """
    layout = georgia_tech.read_layout(text)
    fields = Node.of(text).fields((*georgia_tech.KEYS, "moves"), georgia_tech.KEYS_OF_GAMES)
    rules = records.rules_of(fields["rules"]) if "rules" in fields else Rules(first=FirstClick.GIVEN)
    if not rules.clues.is_exact:
        fields["rules"].fail(f"expected exact clues, found {rules.clues}", "clues")
    try:
        game = ClickedGame(layout, rules)
    except BoardError as error:
        fields["rules" if "rules" in fields else "board"].fail(error.message)
    for item in fields["moves"].items():
        _click(game, item, layout.rows, layout.cols)
    return game.record(fields["player"].string() if "player" in fields else "")


def _click(game: ClickedGame, item: Node, rows: int, cols: int) -> None:
    """Carry out a move."""
    kind, time, place = _Click.OPEN, None, item
    if isinstance(item.value, dict):
        fields = item.fields(("cell",), ("action", "time"))
        place = fields["cell"]
        kind = fields["action"].choice(_Click) if "action" in fields else kind
        time = records.seconds_of(fields["time"]) if "time" in fields else None
    cell = place.cell()
    if cell.row >= rows or cell.col >= cols:
        place.fail(f"expected a cell of the {rows}x{cols} grid, found {cell}")
    {_Click.OPEN: game.open, _Click.FLAG: game.flag, _Click.UNFLAG: game.unflag, _Click.CHORD: game.chord}[kind](
        cell, time
    )


def has_clicks(text: str) -> bool:
    """Return whether a link has a click path."""
    return _C.match(text) is not None


def read_click_path(text: str) -> Record:
    """Read the layout of a link, and the game that its clicks are.

    >>> [str(move.cell) for move in read_click_path("?b=0302&m=40&c=AzA").moves]
    ['0,0', '0,2']
    """
    layout = ptta.read_layout(text)
    found = _C.match(text)
    if found is None:
        raise error_at(text, len(text.rstrip()), "expected &c= with a click path, found the end")
    for place, digit in enumerate(found[1]):
        if digit not in _DIGITS:
            raise error_at(text, found.start(1) + place, f"expected one of A-Z a-z 0-9 - _, found {digit[:1]!r}")
    bits = "".join(f"{_DIGITS.index(digit):06b}" for digit in found[1])
    cells = layout.rows * layout.cols
    width = (cells - 1).bit_length()
    game = ClickedGame(layout)
    clicks = (game.open, game.toggle, game.chord)
    at = 0
    while at + _KIND_BITS <= len(bits) and (kind := int(bits[at : at + _KIND_BITS], 2)) != _END:
        place = found.start(1) + at // 6
        number = bits[at + _KIND_BITS : at + _KIND_BITS + width]
        if len(number) < width:
            if "1" in bits[at:] or len(bits) - at >= 8:
                raise error_at(text, found.end(1), "expected the rest of a click, found the end of the path")
            break
        col, row = divmod(int(number or "0", 2), layout.rows)
        if col >= layout.cols:
            raise error_at(text, place, f"expected a cell of the {layout.rows}x{layout.cols} grid, found {row},{col}")
        clicks[kind](Cell(row, col))
        at += _KIND_BITS + width
    try:
        return game.record()
    except BoardError as error:
        raise error_at(text, found.start(1), error.message) from None


def read_replay(content: bytes, name: str) -> Record:
    """Read a replay as a record, with the moves and their times.

    Raises the errors of ``replays.read``.
    """
    return replays.read_with(content, name, _game)


def _game(found: dict[str, Any]) -> Record:
    """Record of the game from the answer of the child process.

    The moves are those that lead from each position to the next; the mouse tells which cell was clicked.
    """
    replay = replays.replay_of(found)
    game = ClickedGame(replay.layout)
    for (time, board), (_, _, place) in zip(replay.positions, found["positions"], strict=True):
        clicked = None if place is None or not _is_on_grid(board, place) else Cell(*place)
        _follow(game, board, clicked, time)
        if game.is_over:
            break
    return game.record(str(found["player"]))


def _is_on_grid(board: Board, place: list[int]) -> bool:
    row, col = place
    return 0 <= row < board.rows and 0 <= col < board.cols


def _follow(game: ClickedGame, board: Board, clicked: Cell | None, time: float) -> None:
    """Make the moves that lead to a position.

    Raises BoardError if the rules of play do not lead there.
    """
    before = game.game.board
    pairs = enumerate(zip(before.symbols, board.symbols, strict=True))
    changed = [(board.cell(index), old, new) for index, (old, new) in pairs if old != new]
    for cell, old, new in changed:
        if old == FLAG:
            game.unflag(cell, time)
        elif new == FLAG:
            game.flag(cell, time)
    opened = [cell for cell, _, new in changed if new not in (COVERED, FLAG)]
    if clicked in opened:
        game.open(clicked, time)
    elif clicked is not None and not before.is_covered(clicked):
        around = before.neighbours(clicked)
        game.open_together([cell for cell in opened if cell in around], Inference(CHORD, (clicked,)), time)
    if rest := [cell for cell in opened if not game.is_open(cell)]:
        game.open_together(rest, None, time)
    if not game.is_over and game.game.board.without_flags() != board.without_flags():
        raise BoardError(f"expected every position to follow from the one before, found another after {time:g} s")


BINARY_GAMES: dict[str, tuple[Callable[[bytes], bool], Callable[[bytes], Record]]] = {
    name: (recognises, partial(read_replay, name=name)) for name, recognises in replays.RECOGNISERS.items()
}
"""Recogniser and reader of each binary format of games."""

TEXT_GAMES: dict[str, tuple[Callable[[str], bool], Callable[[str], Record]]] = {
    "georgia-tech": (georgia_tech.recognises, read_move_list),
    "record": (lambda text: text.lstrip()[:1] == "{", records.from_json),
    "ptta-link": (ptta.recognises, read_click_path),
    "rawvf": (rawvf.recognises, rawvf_events.read_game),
}
"""Recogniser and reader of each text format of games, in the order of trial."""
EXPECTED = "a game: a record, a replay (AVF, EVF, RMV, MVF), RAWVF, a link with a click path, or a list of moves"


def binary_game(content: bytes) -> Record | None:
    """Read a game in a binary format; None if the content is in none."""
    for recognises, read in BINARY_GAMES.values():
        if recognises(content):
            return read(content)
    return None


def text_game(text: str) -> Record:
    """Read a game in a format that is text. Raises BoardError, with the place."""
    for recognises, read in TEXT_GAMES.values():
        if recognises(text):
            return read(text)
    raise BoardError(f"expected {EXPECTED}", line=1, column=1)
