"""Explanations of forced cells, with their numbers and in words, and of conflicts."""

from satsweep.why.explainer import Explainer, conflict, explain
from satsweep.why.sentences import argument_in_words
from satsweep.why.values import Conflict, Correction, Explanation, Undecided

__all__ = [
    "Conflict",
    "Correction",
    "Explainer",
    "Explanation",
    "Undecided",
    "argument_in_words",
    "conflict",
    "explain",
]
