"""Names of ``satsweep.assessment``: values that exported functions return, and what else is asked for by name."""

from .first_guess import FirstGuess as FirstGuess
from .rate import Rating as Rating
from .techniques import Technique as Technique
from .verdicts import Review as Review, ReviewedMove as ReviewedMove, Judgement as Judgement, MoveClass as MoveClass

__all__: list[str]
