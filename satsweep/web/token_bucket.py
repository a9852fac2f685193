"""Token bucket."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass
class TokenBucket:
    """Token bucket: ``burst`` at once, then ``rate`` per second."""

    rate: float
    burst: float

    def __post_init__(self) -> None:
        self.tokens = float(self.burst)
        self.since = time.monotonic()

    def take(self) -> bool:
        """Take a token; return False if there is none."""
        self._refill()
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    def owe(self, tokens: float) -> float:
        """Take tokens, even if there are too few; return the seconds until there are."""
        self._refill()
        self.tokens -= tokens
        return max(0.0, -self.tokens / self.rate)

    def is_empty(self) -> bool:
        """True if tokens are owed."""
        self._refill()
        return self.tokens < 0

    def _refill(self) -> None:
        """Add the tokens of the time since the last call."""
        now = time.monotonic()
        self.tokens = min(self.burst, self.tokens + (now - self.since) * self.rate)
        self.since = now
