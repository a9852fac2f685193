"""Limits on requests: sizes, rates and times that the server accepts from clients."""

from __future__ import annotations

from dataclasses import dataclass

from satsweep.errors import BoardError

MEBI = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes, rates, and times in seconds.

    After ``solving`` counting stops by itself, and the answer says which risks are not known. After ``answering``
    (a question) or ``playing`` (a game) the worker is killed; waiting for kernels adds ``compiling``. ``burst`` and
    ``rate`` are those of a token bucket for the messages of a connection; after ``patience`` refused messages in a row
    the connection is closed.
    """

    cells: int = 10_000
    """Cells of a board."""
    message: int = MEBI
    """Characters of a message."""
    connections: int = 512
    waiting: int = 16
    """Open questions of one connection."""
    waiting_in_all: int = 2_048
    """Questions of all connections that wait for a worker."""
    rate: float = 30.0
    burst: int = 60
    patience: int = 200
    solving: float = 5.0
    answering: float = 20.0
    playing: float = 120.0
    compiling: float = 300.0
    memory: int = 4096 * MEBI
    """Address space of a worker, in bytes."""
    memory_kept: int = 1024 * MEBI
    """A worker that has used more memory (bytes) is replaced after its answer."""

    def check(self, rows: int, cols: int) -> None:
        """Raise BoardError unless a board has 1 to ``cells`` cells."""
        if rows < 1 or cols < 1 or rows * cols > self.cells:
            raise BoardError(f"expected 1 to {self.cells:,} cells, found {rows:,} rows of {cols:,}")


LIMITS = Limits()
