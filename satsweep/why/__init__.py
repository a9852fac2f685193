"""Why: the numbers behind every forced cell, in words, with proofs; and those that cannot all be true."""

from satsweep.why.conflicts import conflict
from satsweep.why.explainer import Explainer, explain
from satsweep.why.guesses import RankedGuess, ranked_guesses
from satsweep.why.sentences import tell
from satsweep.why.values import Conflict, Correction, Explanation, Undecided

__all__ = [
    "Conflict",
    "Correction",
    "Explainer",
    "Explanation",
    "RankedGuess",
    "Undecided",
    "conflict",
    "explain",
    "ranked_guesses",
    "tell",
]
