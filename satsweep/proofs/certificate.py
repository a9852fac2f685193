"""Certificates: for each forced cell the clues, and a refutation of the opposite.

A certificate is about the board, not about a formula. Covered cells that exactly the same clues of a proof touch are
interchangeable, so they are one group (the cell of the claim is always a group of its own), and a statement of a
proof is a lower or an upper bound on the mines of a group. A number determines the mines of its groups together (or
bounds them, where clues are not exact), and so does the mine total. This needs no auxiliary variables, a reader can
check it with the board at hand, and since a bound is kept for a whole group, it often replaces many clauses on single
cells.

A proof has one of two forms. *Steps* are clauses of bounds, each of which follows from the clues, the opposite of the
claim, and the steps before it, by narrowing bounds alone, until no possibility is left. *Parts* count instead:
the clues fall into parts that share no cell, each part can hold certain numbers of mines, all of them listed, and no
choice of these together with the cells that no clue touches gives the mine total (or some part can hold none). Most
proofs need no steps at all, because narrowing bounds is enough.
"""

from dataclasses import dataclass

from satsweep.board import Board, Cell
from satsweep.errors import SatsweepError


@dataclass(frozen=True, slots=True)
class Clue:
    cell: Cell
    number: int | None


@dataclass(frozen=True, slots=True)
class Bound:
    cells: tuple[Cell, ...]
    at_least: bool
    count: int


ProofStep = tuple[Bound, ...]
"""A clause: at least one of the bounds holds."""


@dataclass(frozen=True, slots=True)
class CountedPart:
    """Clues that share no covered cell with others, and their possible mine counts."""

    clues: tuple[Cell, ...]
    sums: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof that a cell is a mine, or safe.

    ``total`` is the mine total of the board, where it is needed. A proof with ``parts`` counts; one without narrows
    bounds, with the ``steps``, if any.
    """

    cell: Cell
    mine: bool
    clues: tuple[Clue, ...]
    total: int | None = None
    steps: tuple[ProofStep, ...] = ()
    parts: tuple[CountedPart, ...] = ()


@dataclass(frozen=True, slots=True)
class Certificate:
    """The proofs of a board, and forced cells whose proofs would have been too long."""

    board: Board
    proofs: tuple[Proof, ...]
    uncertified: tuple[Cell, ...] = ()

    @property
    def items(self) -> int:
        """The number of its cells, clues and sums."""
        items = len(self.board.symbols)
        for proof in self.proofs:
            cells = sum(len(bound.cells) for step in proof.steps for bound in step)
            items += len(proof.clues) + cells + sum(len(part.sums) for part in proof.parts)
        return items


MAX_WORK, WORK_PER_ITEM = 5_000_000, 100
"""Limit on the work of a check, and what each cell and item of a certificate adds."""


class Rejected(SatsweepError):
    """A certificate does not prove its claim about ``cell``; ``step`` counts from 1."""

    def __init__(self, message: str, *, cell: Cell | None = None, step: int | None = None) -> None:
        super().__init__(message)
        self.message, self.cell, self.step = message, cell, step

    def __str__(self) -> str:
        cell, step = f"cell {self.cell}: " * (self.cell is not None), f"step {self.step}: " * (self.step is not None)
        return f"{cell}{step}{self.message}"


class WorkLimit:
    """Limit on the work of a check, linear in its certificate.

    Work is cells, groups and states, or clauses and their literals.
    """

    def __init__(self, limit: float = MAX_WORK) -> None:
        self.left = limit

    def allow(self, items: int) -> None:
        """Allow the work for the cells and items of a certificate."""
        self.left += WORK_PER_ITEM * items

    def spend(self, amount: int) -> None:
        self.left -= amount
        if self.left < 0:
            raise Rejected("expected a certificate that takes less work to check")
