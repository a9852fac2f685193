"""Formulas for model counters: DIMACS with projection and weights, only written.

A model counter (#SAT) counts the assignments that satisfy a formula. Here they are the worlds: variable i says that the
i-th covered cell, row by row, is a mine, clauses hold the numbers and the mine total. The syntax is that of the Model
Counting Competition (Fichte, Hecher and Hamiti 2021; the description of 2024): ``c t`` names the task, ``c p show``
the variables to count over, ``c p weight`` the weights of a literal, here of a mine and of a safe cell where the board
has a density. The number of worlds is then the count, and a risk is the quotient of two counts, of which the first has
the cell as one more clause.

A sum of a few cells is written as all the smallest ways to break it. A longer one, as the mine total, is a tree of
binary adders (Warners 1998): it takes two to three variables and about 15 clauses a cell, and a few digits cut it in
halves, where the unary sums of a totalizer are as wide as their counts. Cells make all digits certain, so a counter
that ignores the projection counts the same. Cells that no number touches are added up by themselves: once their sum is
known they have nothing in common with the rest.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb

from satsweep.board import Board
from satsweep.errors import BoardError
from satsweep.formats.format import StatementSet
from satsweep.formats.minesweepr import statements_of

FEW = 300
"""Clauses of a sum up to which it needs no adders; eight cells take 126 at most."""


def write(value: Board | StatementSet) -> str:
    """Write a position as a formula whose models are its worlds.

    Raises BoardError for numbers that cannot be true or are not exact.

    >>> print(write(Board(("#1",), mines=1)), end="")
    c each model is one way to place the mines
    c t pmc
    c 1: the cell 0,0 is a mine
    p cnf 1 2
    c p show 1 0
    1 0
    1 0
    """
    if isinstance(value, Board):
        covered = (*value.covered, *value.unseen)
        by_column = value.cols > value.rows
        order = sorted(covered, key=lambda cell: (cell.col, cell.row)) if by_column else covered
        return "".join(_lines(statements_of(value), list(map(str, covered)), list(map(str, order))))
    used = (name for statement in value.statements for name in sorted(statement.cells, key=str))
    names = list(dict.fromkeys((*used, *value.cells)))
    return "".join(_lines(value, names, names))


def _lines(statements: StatementSet, names: Sequence[Hashable], order: Sequence[Hashable]) -> Iterator[str]:
    """Lines of the file; the total adds the named cells in ``order``."""
    named = len(names)
    cells = named if statements.total_cells is None else statements.total_cells
    if cells < named:
        raise BoardError(f"expected at least {named:,} cells, as many as are named, found {cells:,}")
    variables = {name: number for number, name in enumerate(names, 1)}
    scopes = [[variables[name] for name in sorted(statement.cells, key=str)] for statement in statements.statements]
    formula = _Formula(cells)
    for scope, statement in zip(scopes, statements.statements, strict=True):
        formula.add_exactly([scope], statement.mines)
    if statements.total_mines is not None:
        touched = {number for scope in scopes for number in scope}
        numbers = [*(variables[name] for name in order), *range(named + 1, cells + 1)]
        near, sea = ([number for number in numbers if (number in touched) is is_near] for is_near in (True, False))
        formula.add_exactly([near, sea], statements.total_mines)
    density = statements.density
    yield "c each model is one way to place the mines\n"
    yield f"c t {'pmc' if density is None else 'pwmc'}\n"
    for name, number in variables.items():
        yield f"c {number}: the cell {_shown(name)} is a mine\n"
    if cells > named:
        yield f"c {named + 1} to {cells}: a cell without a name is a mine\n"
    if formula.top > cells:
        yield f"c {cells + 1} to {formula.top}: digits of sums, which the cells make certain\n"
    yield f"p cnf {formula.top} {len(formula.clauses)}\n"
    yield " ".join(("c p show", *map(str, range(1, cells + 1)), "0\n"))
    if density is not None:
        for number in range(1, cells + 1):
            yield f"c p weight {number} {_weight(density)} 0\nc p weight -{number} {_weight(1 - density)} 0\n"
    for clause in formula.clauses:
        yield " ".join((*map(str, clause), "0\n"))


def _shown(name: Hashable) -> str:
    written = str(name)
    return written if written.isprintable() else json.dumps(written)


def _weight(share: Fraction) -> str:
    """A weight as a decimal number, as a fraction where that is not exact."""
    written = repr(float(share))
    return written if Fraction(written) == share else str(share)


class _Formula:
    """Clauses, and the greatest variable so far."""

    def __init__(self, top: int) -> None:
        self.top = top
        self.clauses: list[Sequence[int]] = []

    def add_exactly(self, parts: Sequence[Sequence[int]], count: int) -> None:
        """Add a sum of literals, which may be added up part by part."""
        literals = [literal for part in parts for literal in part]
        if not 0 <= count <= len(literals):
            self.top += 1
            self.clauses += [[self.top], [-self.top]]  # not every counter takes an empty clause
        elif comb(len(literals), count + 1) + comb(len(literals), count - 1 if count else len(literals) + 1) <= FEW:
            self.clauses += combinations([-literal for literal in literals], count + 1)
            self.clauses += combinations(literals, len(literals) - count + 1)
        else:
            digits: list[int] = []
            for part in parts:
                digits = self._added(digits, self._sum(part))
            self.clauses += [[digit if count >> place & 1 else -digit] for place, digit in enumerate(digits)]

    def _sum(self, literals: Sequence[int]) -> list[int]:
        """Binary digits of a sum, the lowest first; a literal is the carry of each adder."""
        if len(literals) < 2:
            return list(literals)
        half = len(literals) // 2
        if len(literals) == 2:
            return self._added(literals[:1], literals[1:])
        return self._added(self._sum(literals[:half]), self._sum(literals[half:-1]), literals[-1])

    def _added(self, left: Sequence[int], right: Sequence[int], carry: int | None = None) -> list[int]:
        digits = []
        for place in range(max(len(left), len(right))):
            bits = [number[place] for number in (left, right) if place < len(number)]
            bits += [] if carry is None else [carry]
            if len(bits) == 1:
                digits.append(bits[0])
                carry = None
            else:
                digit, carry = self.top + 1, self.top + 2
                self.top += 2
                self._define(digit, carry, bits)
                digits.append(digit)
        return digits if carry is None else [*digits, carry]

    def _define(self, digit: int, carry: int, bits: Sequence[int]) -> None:
        """Define the sum of two or three bits; bits follow from digits, too."""
        for values in product((False, True), repeat=len(bits)):
            unlike = [-bit if value else bit for bit, value in zip(bits, values, strict=True)]
            self.clauses.append([*unlike, digit if sum(values) % 2 else -digit])
        self.clauses += ([-one, -other, carry] for one, other in combinations(bits, 2))
        if len(bits) == 2:
            self.clauses += ([bit, -carry] for bit in bits)
        else:
            self.clauses += ([one, other, -carry] for one, other in combinations(bits, 2))
