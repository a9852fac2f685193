"""Names of ``satsweep.proofs``: values that exported functions return, and what else is asked for by name."""

from .certificate import Certificate as Certificate
from .guess import GuessProof as GuessProof
from .trace import Trace as Trace

__all__: list[str]
