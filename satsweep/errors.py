"""What can go wrong, as a small tree.

``SatsweepError`` > ``BoardError`` (the input cannot be read), ``Contradiction`` (it can be read, but no
layout satisfies it), ``BudgetExceeded`` (the answer exists, but not within the given seconds or states),
``ImpossibleSpec`` (no board is as it was ordered), ``AgentError`` (an agent did what the rules of play do not allow),
``StoreError`` (results cannot be kept, or must not be mixed), ``WorkersError`` (there is nobody to play).
"""

from __future__ import annotations

from collections.abc import Iterable


class SatsweepError(Exception):
    """Everything this package raises on purpose."""


class BoardError(SatsweepError):
    """A board, layout or file is malformed.

    ``at`` is the part of the value that is wrong: a (row, column) of the grid, from 0, or the name of a field.
    ``line`` and ``column``, from 1, say where that stands in the text it was read from.
    """

    def __init__(
        self,
        message: str,
        *,
        at: tuple[int, int] | str | None = None,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.message}" if place else self.message


class Contradiction(SatsweepError):
    """No layout satisfies the board.

    ``clues`` are statements that cannot all be true: cells that show a number, or the names of rules;
    ``total`` tells whether the mine total takes part. The set is sound, but need not be the smallest.
    """

    def __init__(self, message: str, *, clues: Iterable[object] = (), total: bool = False) -> None:
        super().__init__(message)
        self.clues = tuple(clues)
        self.total = total


class BudgetExceeded(SatsweepError):
    """A computation was given up because its seconds or its states ran out."""


class ImpossibleSpec(SatsweepError):
    """There is no board of the kind that was asked for."""


class AgentError(SatsweepError):
    """An agent returned something that is no claim or guess, or named a cell that is not covered."""


class StoreError(SatsweepError):
    """A file of results cannot be read or written, or holds a run that this one must not be mixed with."""


class WorkersError(SatsweepError):
    """The processes or machines that were to play cannot be had, or are not fit for it."""
