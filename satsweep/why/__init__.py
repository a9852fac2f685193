"""Why: the numbers behind every forced cell, in words, with proofs; and those that cannot all be true."""

from satsweep.why.conflicts import conflict
from satsweep.why.cross_check import CountMismatch
from satsweep.why.guesses import Candidate, candidates
from satsweep.why.proofs import certify
from satsweep.why.reasons import Reasons, explain
from satsweep.why.sentences import tell
from satsweep.why.values import Conflict, Correction, Reason, Undecided

__all__ = [
    "Candidate",
    "Conflict",
    "Correction",
    "CountMismatch",
    "Reason",
    "Reasons",
    "Undecided",
    "candidates",
    "certify",
    "conflict",
    "explain",
    "tell",
]
