"""Forms of minesweepr: positions as text, statements about named cells as JSON.

In the text ``x`` is unknown, ``*`` a mine, ``.`` a cell without mines around; it is read as satsweep's own text is
(``satsweep.handwritten``). The statements, which minesweepr calls rules, are ``{"rules": [{"num_mines": 1, "cells":
["a", "b"]}, ...], "total_cells": 10, "total_mines": 2}``, or have ``mine_prob`` instead of the totals. They need no
grid.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from satsweep.board import COVERED, MINE, Board
from satsweep.errors import BoardError
from satsweep.formats.format import StatementSet, check_holds, mine_probability
from satsweep.formats.grids import write_rows
from satsweep.formats.strict import JsonText, Node, json_text, lines
from satsweep.text import MAX_CELLS, counted, to_density

if TYPE_CHECKING:
    from satsweep.questions.statements import Statement

_KEY = re.compile(r'"rules"\s*:')
_OTHER_KEY = re.compile(r'"(?:board|layout|dim)"\s*:')
_KEYS = ("total_cells", "total_mines", "mine_prob")


def write(board: Board) -> str:
    """Write a position.

    Raises BoardError for flags, a mine total, a density, or another grid than the square one.
    """
    check_holds(board)
    return "\n".join(write_rows(board, {".": ".", COVERED: "x", MINE: "*"})) + "\n"


def recognises_statements(text: str) -> bool:
    return text.lstrip()[:1] == "{" and _KEY.search(text) is not None and _OTHER_KEY.search(text) is None


def read_statements(text: str) -> StatementSet:
    """Read statements about named cells. Raises BoardError with line and column.

    >>> read_statements('{"rules": [{"num_mines": 1, "cells": ["a", "b"]}], "total_cells": 2}').total_cells
    2
    """
    fields = Node.of(text).fields(("rules",), _KEYS)
    statements = tuple(_statement(node) for node in fields["rules"].items())
    named = len({name for statement in statements for name in statement.cells})
    fields = {key: node for key, node in fields.items() if node.value is not None}
    cells, mines = (fields[key].integer() if key in fields else None for key in _KEYS[:2])
    if cells is not None and not named <= cells <= MAX_CELLS:
        fields["total_cells"].fail(f"expected {named:,}, as many as are named, to {MAX_CELLS:,} cells, found {cells:,}")
    if mines is not None and mines > (named if cells is None else cells):
        most = named if cells is None else cells
        fields["total_mines"].fail(
            f"expected at most {counted(most, 'mine')}, as many as there are cells, found {mines:,}"
        )
    return StatementSet(statements, cells, mines, mine_probability(fields, mines))


def write_statements(value: StatementSet | Board) -> str:
    """Write statements about named cells.

    A board is written as statements about its covered cells, which are then named row,col, and the unseen cells around
    a part. Raises BoardError for names other than text or integers, for numbers that cannot be true or are not exact,
    and for the mine total of a part.
    """
    value = statements_of(value) if isinstance(value, Board) else value
    used = {name for statement in value.statements for name in statement.cells}
    if unused := [name for name in value.cells if name not in used]:
        raise BoardError(f"expected every name in some rule, found {unused[0]!r} in none: this format cannot hold it")
    statements = []
    for statement in value.statements:
        for name in statement.cells:
            if isinstance(name, bool) or not isinstance(name, (str, int)):
                raise BoardError(f"expected cells named by text or integers, found {name!r}: this format has no others")
        names = sorted(statement.cells, key=lambda name: (isinstance(name, str), name))
        statements.append({"num_mines": statement.mines, "cells": names})
    totals = {"total_cells": value.total_cells, "total_mines": value.total_mines}
    fields = {"rules": lines(statements), **{key: number for key, number in totals.items() if number is not None}}
    if value.density is not None:
        fields["mine_prob"] = JsonText(_decimal(value))
    return json_text(fields)


def statements_of(board: Board) -> StatementSet:
    """Numbers of a board, of any topology, as statements about its covered cells.

    >>> statements_of(Board(("#1#", "111"), mines=1)).statements[0].mines
    1
    """
    from satsweep.questions.statements import Statement
    from satsweep.solver.constraints import cell_constraints, support

    names = [str(cell) for cell in (*board, *board.unseen)]
    cells = len(board.covered) + len(board.unseen)
    statements = []
    for constraint in cell_constraints(board):
        least, most = support(constraint.likelihood)
        if least != most:
            at = board.cell(constraint.clue)
            message = f"expected a number that counts exactly and counts the known mines, found one at {at}"
            raise BoardError(f"{message} that does not: this format cannot hold it", at=at)
        statements.append(Statement(least, (names[cell] for cell in constraint.cells)))
    mines = board.mines
    if mines is not None and board.part:
        message = "expected no mine total for a part of a larger board, which only bounds the mines of the part"
        raise BoardError(f"{message}: this format cannot hold it", at="mines")
    if mines is not None:
        mines -= sum(row.count(MINE) for row in board.cells)
        if not 0 <= mines <= cells:
            message = "expected a mine total that counts the known mines and fits the cells, found one that does not"
            raise BoardError(f"{message}: this format cannot hold it", at="mines")
    return StatementSet(tuple(statements), cells, mines, board.density)


def _statement(node: Node) -> Statement:
    from satsweep.questions.statements import Statement  # no other reader takes a solver

    fields = node.fields(("num_mines", "cells"))
    names: set[str | int] = set()
    for item in fields["cells"].items():
        name = item.integer() if type(item.value) is int else item.string()
        if name in names:
            item.fail(f"expected each cell once, found {str(name)[:40]!r} again")
        names.add(name)
    return Statement(fields["num_mines"].integer(), names)


def _decimal(value: StatementSet) -> str:
    assert value.density is not None
    written = repr(float(value.density))
    if to_density(written) != value.density:
        raise BoardError(f"expected a density with few decimals, found {value.density}: this format cannot hold it")
    return written
