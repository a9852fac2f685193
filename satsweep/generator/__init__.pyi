"""Names of ``satsweep.generator``: values that exported functions return, and what else is asked for by name."""

from .walkthrough import Difficulty as Difficulty
from .run import GeneratedBoard as GeneratedBoard
from .spec import GenerationMethod as GenerationMethod

__all__: list[str]
