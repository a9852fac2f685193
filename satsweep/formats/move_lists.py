"""Games as JSON of the mine search with a list of moves.

To the keys of a layout (``georgia_tech``) come ``moves``, and perhaps ``player`` and ``rules``. The start is open
before the first move. A move is a cell to open, ``[row, col]``, or an object with ``cell``, perhaps
``action`` (``open``, ``flag``, ``unflag`` or ``chord``) and ``time`` in seconds. Cells count rows first in either
convention of the layout. A move that changes nothing is passed over. ``rules`` may name rules of play, as in our
records; else cells open in a cascade, a mine ends the game, and the board has to be cleared.
"""

from __future__ import annotations

from enum import Enum

from satsweep.errors import BoardError
from satsweep.formats import georgia_tech
from satsweep.formats.clicks import ClickedGame
from satsweep.formats.records import rules_of, seconds_of
from satsweep.formats.strict import Node
from satsweep.games.record import Record
from satsweep.games.rules import FirstClick, Rules


class _Click(Enum):
    OPEN = "open"
    FLAG = "flag"
    UNFLAG = "unflag"
    CHORD = "chord"


def read_game(text: str) -> Record:
    """Read the layout and the game on it. Raises BoardError with line and column.

    >>> head = '{"dim": "2,3", "bombs": "1", "safe": "1,0", "board": "011019", '
    >>> record = read_game(head + '"moves": [{"action": "flag", "cell": [1, 2], "time": 2.5}, [0, 2]]}')
    >>> [(move.action.value, str(move.cell), move.time) for move in record.moves]
    [('open', '1,0', None), ('flag', '1,2', 2.5), ('open', '0,2', None)]
    """
    layout = georgia_tech.read_layout(text)
    fields = Node.of(text).fields((*georgia_tech.KEYS, "moves"), georgia_tech.KEYS_OF_GAMES)
    rules = rules_of(fields["rules"]) if "rules" in fields else Rules(first=FirstClick.GIVEN)
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
        time = seconds_of(fields["time"]) if "time" in fields else None
    cell = place.cell()
    if cell.row >= rows or cell.col >= cols:
        place.fail(f"expected a cell of the {rows}x{cols} grid, found {cell}")
    {_Click.OPEN: game.open, _Click.FLAG: game.flag, _Click.UNFLAG: game.unflag, _Click.CHORD: game.chord}[kind](
        cell, time
    )
