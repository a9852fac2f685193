"""Names of ``satsweep.analysis``: values that exported functions return."""

from .candidates import Candidate as Candidate, MoveAdvice as MoveAdvice, UnavoidableGuess as UnavoidableGuess
from .analysis import Analysis as Analysis

__all__: list[str]
