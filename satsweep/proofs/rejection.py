"""Rejection of certificates, and a limit on the work of their checks."""

from __future__ import annotations

from satsweep.board import Cell
from satsweep.errors import SatsweepError
from satsweep.proofs.certificate import Certificate

MAX_WORK, WORK_PER_ITEM = 5_000_000, 100
"""Limit on the work of a check, and what each cell and item of a certificate adds."""


class Rejected(SatsweepError):
    """A certificate does not prove its claim about ``cell``; ``step`` counts from 1."""

    def __init__(self, message: str, *, cell: Cell | None = None, step: int | None = None) -> None:
        super().__init__(message)
        self.message, self.cell, self.step = message, cell, step

    def __str__(self) -> str:
        """Return the message after its place, if there is one."""
        cell, step = f"cell {self.cell}: " * (self.cell is not None), f"step {self.step}: " * (self.step is not None)
        return f"{cell}{step}{self.message}"


class WorkLimit:
    """Limit on the cells, groups and states of a check, linear in its certificate."""

    def __init__(self, limit: float = MAX_WORK) -> None:
        self.left = limit

    def allow(self, certificate: Certificate) -> None:
        """Raise the limit by the size of a certificate."""
        self.left += WORK_PER_ITEM * len(certificate.board.symbols)
        for proof in certificate.proofs:
            cells = sum(len(bound.cells) for step in proof.steps for bound in step)
            self.left += WORK_PER_ITEM * (len(proof.clues) + cells + sum(len(part.sums) for part in proof.parts))

    def spend(self, amount: int) -> None:
        """Count some work. Raises Rejected past the limit."""
        self.left -= amount
        if self.left < 0:
            raise Rejected("expected a certificate that takes less work to check")
