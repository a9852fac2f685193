"""Names of ``satsweep.assessment``: values that exported functions return, and what else is asked for by name."""

from .positions import Technique as Technique
from .rate import FirstGuess as FirstGuess, Rating as Rating
from .verdicts import Review as Review, ReviewedMove as ReviewedMove, Judgement as Judgement, MoveClass as MoveClass

__all__: list[str]
