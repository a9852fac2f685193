"""Names of ``satsweep.proofs``: values that exported functions return, and what else is asked for by name."""

from .certificate import Certificate as Certificate
from .click_sweep import SweepProof as SweepProof
from .clicks import ClicksProof as ClicksProof
from .trace import GuessProof as GuessProof, Trace as Trace

__all__: list[str]
