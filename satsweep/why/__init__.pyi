"""Names of ``satsweep.why``."""

from .explainer import Explainer as Explainer, conflict as conflict, explain as explain
from .sentences import argument_in_words as argument_in_words
from .values import (
    Conflict as Conflict,
    Correction as Correction,
    Explanation as Explanation,
    Undecided as Undecided,
)

__all__: list[str]
