"""The two forms of minesweepr: a position as text, and rules about named cells as JSON.

In the text ``x`` is unknown, ``*`` a mine, ``.`` a cell without mines around. The rules are ``{"rules": [{"num_mines":
1, "cells": ["a", "b"]}, ...], "total_cells": 10, "total_mines": 2}``, or ``mine_prob`` instead of the totals: no grid
at all.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from satsweep.board import COVERED, MINE, Board
from satsweep.errors import BoardError
from satsweep.formats.format import check_holds
from satsweep.formats.grids import NUMBERS, in_rows, lines_of, rows_of, written_rows
from satsweep.formats.statement_set import StatementSet, mine_prob
from satsweep.formats.strict import Node
from satsweep.text import MAX_CELLS, to_density

if TYPE_CHECKING:
    from satsweep.solver.named_cells import Statement

_ROW = re.compile(r"^[ \t]*[.0-8*]*x[.0-8*x]*[ \t]*\r?$", re.MULTILINE)
_SYMBOLS = {**NUMBERS, ".": ".", "x": COVERED, "*": MINE}
_KEY = re.compile(r'"rules"\s*:')
_OTHER_KEY = re.compile(r'"(?:board|layout|dim)"\s*:')
_KEYS = ("total_cells", "total_mines", "mine_prob")


def recognises(text: str) -> bool:
    """Whether the first line that is not blank is a row with an unknown cell, or a row before one."""
    found = _ROW.search(text)
    return found is not None and not text[: found.start()].strip(".012345678* \t\r\n")


def read_board(text: str) -> Board:
    """Read a position. What a board says of the mine total is said elsewhere, so there is none.

    >>> read_board("x1x\\n111\\n")
    Board(('#1#', '111'))
    """
    lines = lines_of(text)
    begin = next((index for index, line in enumerate(lines) if line.text.strip()), len(lines))
    end = next((index for index in range(begin, len(lines)) if not lines[index].text.strip()), len(lines))
    body = [line._replace(text=line.text.lstrip()) for line in lines[begin:end]]
    if not body:
        raise BoardError("expected rows, found none", line=1, column=1)
    if further := next((line for line in lines[end:] if line.text.strip()), None):
        raise further.fail("expected rows without a blank line between them")
    with in_rows(body, body[0].number):
        return Board(rows_of(body, len(body), len(body[0].text), _SYMBOLS, body[-1].number))


def write(board: Board) -> str:
    """Write a position. Raises BoardError for flags, a mine total or density, or another grid."""
    check_holds(board)
    return "\n".join(written_rows(board, {".": ".", COVERED: "x", MINE: "*"})) + "\n"


def rules_recognises(text: str) -> bool:
    """Whether a text can only be meant as rules."""
    return text.lstrip()[:1] == "{" and _KEY.search(text) is not None and _OTHER_KEY.search(text) is None


def read_rules(text: str) -> StatementSet:
    """Read rules.

    >>> read_rules('{"rules": [{"num_mines": 1, "cells": ["a", "b"]}], "total_cells": 2, "total_mines": 1}').total_cells
    2
    """
    fields = Node.of(text).fields(("rules",), _KEYS)
    rules = tuple(_rule(node) for node in fields["rules"].items())
    named = len({name for rule in rules for name in rule.cells})
    fields = {key: node for key, node in fields.items() if node.value is not None}
    cells, mines = (fields[key].integer() if key in fields else None for key in _KEYS[:2])
    if cells is not None and not named <= cells <= MAX_CELLS:
        fields["total_cells"].fail(f"expected {named:,}, as many as are named, to {MAX_CELLS:,} cells, found {cells:,}")
    if mines is not None and mines > (named if cells is None else cells):
        most = named if cells is None else cells
        fields["total_mines"].fail(f"expected at most {most:,} mines, as many as there are cells, found {mines:,}")
    return StatementSet(rules, cells, mines, mine_prob(fields, mines))


def write_rules(value: StatementSet | Board) -> str:
    """Write rules, or a board as rules about its covered cells, which are then named row,col.

    Raises BoardError for names that are no text or integers, and numbers that cannot be true or are not exact.
    """
    value = rules_of(value) if isinstance(value, Board) else value
    if loose := [name for name in value.cells if not any(name in rule.cells for rule in value.rules)]:
        raise BoardError(f"expected every name in some rule, found {loose[0]!r} in none: this format cannot hold it")
    rules = []
    for rule in value.rules:
        for name in rule.cells:
            if isinstance(name, bool) or not isinstance(name, (str, int)):
                raise BoardError(f"expected cells named by text or integers, found {name!r}: this format has no others")
        names = sorted(rule.cells, key=lambda name: (isinstance(name, str), name))
        rules.append(json.dumps({"num_mines": rule.mines, "cells": names}))
    body = ",\n".join(f"    {rule}" for rule in rules)
    fields = {"total_cells": value.total_cells, "total_mines": value.total_mines}
    tail = "".join(f',\n  "{key}": {number}' for key, number in fields.items() if number is not None)
    if value.density is not None:
        tail += f',\n  "mine_prob": {_decimal(value)}'
    return f'{{\n  "rules": [\n{body}\n  ]{tail}\n}}\n' if rules else f'{{\n  "rules": []{tail}\n}}\n'


def rules_of(board: Board) -> StatementSet:
    """What the numbers of a board say about its covered cells, whatever the grid.

    >>> rules_of(Board(("#1#", "111"), mines=1)).rules[0].mines
    1
    """
    from satsweep.solver.constraints import cell_constraints, support
    from satsweep.solver.named_cells import Statement

    names = [str(board.cell(index)) for index in range(board.rows * board.cols)]
    rules = []
    for said in cell_constraints(board):
        least, most = support(said.likelihood)
        if least != most:
            row, col = divmod(said.clue, board.cols)
            message = f"expected a number that counts exactly and counts the known mines, found one at {row},{col}"
            raise BoardError(f"{message} that does not: this format cannot hold it", at=(row, col))
        rules.append(Statement(least, (names[cell] for cell in said.cells)))
    mines = board.mines
    if mines is not None:
        mines -= sum(row.count(MINE) for row in board.cells)
        if not 0 <= mines <= len(board.covered):
            message = "expected a mine total that counts the known mines and fits the cells, found one that does not"
            raise BoardError(f"{message}: this format cannot hold it", at="mines")
    return StatementSet(tuple(rules), len(board.covered), mines, board.density)


def _rule(node: Node) -> Statement:
    from satsweep.solver.named_cells import Statement  # what solves is loaded only where there are rules

    fields = node.fields(("num_mines", "cells"))
    names: set[str | int] = set()
    for item in fields["cells"].items():
        name = item.integer() if type(item.value) is int else item.string()
        if name in names:
            item.fail(f"expected each cell once, found {str(name)[:40]!r} again")
        names.add(name)
    return Statement(fields["num_mines"].integer(), names)


def _decimal(value: StatementSet) -> str:
    """The density as JSON can write it. Raises BoardError where that is not exact."""
    assert value.density is not None
    written = repr(float(value.density))
    if to_density(written) != value.density:
        raise BoardError(f"expected a density with few decimals, found {value.density}: this format cannot hold it")
    return written
