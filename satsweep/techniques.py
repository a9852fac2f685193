"""Techniques: the ways to see that a cell is safe, or a mine, the easiest first.

Reviews, tasks of learners and the stages of an analysis name the same four; their words stand in one table. The bands
of the corpus are finer (``satsweep.learn.corpus.bands``), and so are the patterns of explanations
(``satsweep.why.phrases``).
"""

from enum import Enum
from typing import NamedTuple


class Technique(Enum):
    """The easiest way to see that a cell is safe, or a mine."""

    SINGLE = "single number"
    """A number that has all its mines, or needs all its cells; or several of these."""
    PAIR = "pair of numbers"
    """The cells of a number that all belong to another one: 1-1, 1-2, and their kin."""
    SEARCH = "several numbers"
    """Three numbers or more, which take a case distinction."""
    TOTAL = "mine total"
    """The number of mines on the board."""


class TechniqueWords(NamedTuple):
    """Words for a technique.

    ``phrase`` follows "safe, by". ``stage`` is that of an analysis which settles its cells, and for agents the name of
    the rule; ``metric`` begins the names of metrics.
    """

    phrase: str
    stage: str
    metric: str


TECHNIQUES = {
    Technique.SINGLE: TechniqueWords("a single number", stage="single point", metric="single"),
    Technique.PAIR: TechniqueWords("a pair of numbers", stage="subset", metric="pair"),
    Technique.SEARCH: TechniqueWords("several numbers", stage="SAT", metric="several"),
    Technique.TOTAL: TechniqueWords("the mine total", stage="mine total", metric="total"),
}
"""Every technique with its words, the easiest first."""
ORDER = {technique: place for place, technique in enumerate(TECHNIQUES)}
"""Place of each technique, the easiest first."""
