"""What a certificate is: for each forced cell the numbers that force it, and a refutation of the opposite.

It speaks about the board, not about a formula. Covered cells that exactly the same clues of a proof speak about are
interchangeable, so they are one group (the cell in question is always one of its own), and a statement of a proof is
a bound on a group: at least, or at most, so many of these cells are mines. A number says how many mines its groups
hold together (at least, or at most, where clues are not exact), and so does the mine total. That needs no
auxiliary variables, anybody can check it with the board at hand, and since a bound is kept for a whole group, what
would take many clauses on single cells often takes none.

A proof is one of two things. *Steps* are clauses of bounds, each of which follows from the clues, the opposite of the
claim, and the steps before it, by narrowing bounds alone; in the end nothing is left. *Parts* count instead: the
clues fall apart into parts that share no cell, each can hold certain numbers of mines, all of them listed, and no
choice of these together with the cells that no clue speaks about gives the mine total (or some part can hold none).
Mostly there are no steps at all, because narrowing bounds is enough.
"""

from __future__ import annotations

from dataclasses import dataclass

from satsweep.board import Board, Cell


@dataclass(frozen=True, slots=True)
class Clue:
    """A cell and the number that it shows; without a number a flag, which is trusted to stand on a mine."""

    cell: Cell
    number: int | None


@dataclass(frozen=True, slots=True)
class Bound:
    """At least so many of the cells are mines, or at most so many."""

    cells: tuple[Cell, ...]
    at_least: bool
    count: int


ProofStep = tuple[Bound, ...]
"""A clause: at least one of the bounds holds."""


@dataclass(frozen=True, slots=True)
class CountedPart:
    """Clues that share no covered cell with others, and all numbers of mines that the cells around them can hold."""

    clues: tuple[Cell, ...]
    sums: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """That a cell is a mine, or safe. ``total`` is the mine total of the board, where it is needed.

    A proof with ``parts`` counts; one without narrows bounds, with the ``steps``, if any.
    """

    cell: Cell
    mine: bool
    clues: tuple[Clue, ...]
    total: int | None = None
    steps: tuple[ProofStep, ...] = ()
    parts: tuple[CountedPart, ...] = ()


@dataclass(frozen=True, slots=True)
class Certificate:
    """The proofs for a board, and the cells that are forced, too, but whose proofs would have been too long."""

    board: Board
    proofs: tuple[Proof, ...]
    uncertified: tuple[Cell, ...] = ()
