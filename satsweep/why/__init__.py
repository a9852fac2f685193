"""Why: the numbers behind every forced cell, in words, with proofs; and those that cannot all be true."""

from satsweep.why.conflicts import conflict
from satsweep.why.explainer import Reasons, explain
from satsweep.why.guesses import Candidate, candidates
from satsweep.why.sentences import tell
from satsweep.why.values import Conflict, Correction, Reason, Undecided

__all__ = [
    "Candidate",
    "Conflict",
    "Correction",
    "Reason",
    "Reasons",
    "Undecided",
    "candidates",
    "conflict",
    "explain",
    "tell",
]
