"""Limits on requests: sizes, rates and times that the server accepts from clients."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from satsweep.errors import BoardError

MEBI = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes, rates, and times in seconds.

    After ``solving`` counting stops by itself, and the answer says which risks are not known. After ``answering``
    (a question) or ``playing`` (a game) the worker is killed.

    An *address* is an IPv4 address or an IPv6 network of 64 bits. ``burst`` and ``rate`` are those of a token bucket
    for its messages, control frames and requests; after ``patience`` refused messages in a row the connection is
    closed.
    """

    cells: int = 10_000
    """Cells of a board."""
    message: int = MEBI
    """Characters of a message."""
    connections: int = 2_048
    """Connections in all, or as many as there are descriptors for."""
    per_address: int = 64
    """WebSockets of one address; it may have twice as many connections."""
    opened: float = 20.0
    """Connections that one address may open per second; ``2 * per_address`` at once."""
    waiting: int = 16
    """Open questions of one connection."""
    waiting_per_address: int = 64
    """Open questions of one address."""
    waiting_in_all: int = 2_048
    """Open questions above which an address has one at a time."""
    held: int = 16 * MEBI
    """Bytes of one address: messages that wait, and answers that are not read."""
    held_in_all: int = 256 * MEBI
    """Bytes of all addresses above which those that hold the most are refused."""
    rate: float = 100.0
    burst: int = 200
    patience: int = 200
    volume: float = 1.0 * MEBI
    """Bytes per second that are read from one address; ``held`` at once."""
    requesting: float = 10.0
    """Time for a request, and for the client to read the response."""
    receiving: float = 30.0
    """Time for a message."""
    reading: float = 10.0
    """Time for a client to read what is sent, once 64 KiB wait."""
    starting: float = 5.0
    """Time without a worker after which questions are refused."""
    light: float = 2.0
    share: float = 0.25
    """Worker seconds per second, ``light`` at once; more makes an address heavy."""
    solving: float = 5.0
    answering: float = 20.0
    playing: float = 120.0
    memory: int = 4096 * MEBI
    """Address space of a worker, in bytes."""
    memory_kept: int = 1024 * MEBI
    """A worker that has used more memory (bytes) is replaced after its answer."""
    engines: Mapping[str, str] = field(default_factory=dict)
    """Engines that the server was started with: commands by the names for clients."""

    def check(self, rows: int, cols: int) -> None:
        """Raise BoardError unless a board has 1 to ``cells`` cells."""
        if rows < 1 or cols < 1 or rows * cols > self.cells:
            raise BoardError(f"expected 1 to {self.cells:,} cells, found {rows:,} rows of {cols:,}")


LIMITS = Limits()
