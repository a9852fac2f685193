"""How much a client may ask for. Everything that comes in is held against these."""

from __future__ import annotations

from dataclasses import dataclass

from satsweep.errors import BoardError

MEBI = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes, rates and times; seconds where nothing else is said.

    ``solving`` is after what counting stops by itself, and then the answer says which risks are not known;
    ``answering`` and ``playing`` are after what a worker is killed that has not finished an answer, or a game, and
    ``compiling`` is what comes on top where an agent has to be compiled first. ``burst`` messages may come at once,
    and then ``rate`` a second; after ``patience`` messages in a row above that the connection is closed.
    """

    cells: int = 10_000
    message: int = MEBI
    connections: int = 512
    waiting: int = 16
    """Questions of one connection that wait for their answers."""
    waiting_in_all: int = 2_048
    rate: float = 30.0
    burst: int = 60
    patience: int = 200
    solving: float = 5.0
    answering: float = 20.0
    playing: float = 120.0
    compiling: float = 300.0
    memory: int = 4096 * MEBI
    """The address space of a worker."""
    memory_kept: int = 1024 * MEBI
    """A worker that has grown beyond this is replaced once it has answered."""

    def check(self, rows: int, cols: int) -> None:
        """Raise BoardError for a board of too many cells, or none."""
        if rows < 1 or cols < 1 or rows * cols > self.cells:
            raise BoardError(f"expected 1 to {self.cells:,} cells, found {rows:,} rows of {cols:,}")


LIMITS = Limits()
