"""The fewest clicks by dynamic programming over the chords of a board.

Chords are decided one after the other. The decisions so far leave a *state* for later ones: the blocks that later
chords touch, and the mines and numbers that later chords share. Of choices with the same state the cheapest is kept.
How many states there are depends on how narrow the board is between decided and undecided chords, so an order of the
chords is looked for first (``satsweep.clicks.sweep_order``, which has the terms of the cost, too).
``satsweep.kernels.clicks.sweep`` makes the states, and says which ones can be left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from satsweep.clicks.model import ClickModel, Selection
from satsweep.clicks.sweep_order import ChordTerms, find_order
from satsweep.solver import compiled

if TYPE_CHECKING:
    from satsweep.solver.compiled import LayerSweep

MOST_PREDICTED = 18.0
"""Logarithm of predicted states beyond which no sweep is begun.

There is room for as many.
"""
SLICE = 20_000
"""States of a slice, about a hundredth of a second."""


class ChordSweep:
    """A sweep over the chords of a model, on a board of ``cols`` columns.

    It is over when ``best`` is a choice of the fewest clicks, or if it gave up since the board is too wide, or memory
    too short. Without a compiled library there is none, and it is over at once. ``made`` counts its states.
    """

    def __init__(self, model: ClickModel, cols: int) -> None:
        self.best: Selection | None = None
        self.made = 0
        self._model = model
        self._layers: LayerSweep | None = None
        if compiled.can_sweep():
            self._terms = terms = ChordTerms.of(model)
            self._order, predicted = find_order(terms, [chord.cell for chord in model.chords], cols)
            if predicted <= MOST_PREDICTED:
                members = terms.chords, terms.openings, terms.mines, terms.numbers
                self._layers = compiled.layer_sweep(self._order, *members)

    @property
    def is_over(self) -> bool:
        return self._layers is None

    @property
    def share(self) -> float:
        """The share of the chords that are decided; 0 for a sweep that is over."""
        return 0.0 if self._layers is None else self._layers.share

    def advance(self) -> None:
        """Make the states of a slice. The sweep must not be over."""
        assert self._layers is not None
        try:
            is_full = self._layers.advance(SLICE)
        except MemoryError:
            is_full = None
        self.made += SLICE
        if is_full:
            self.best = self._model.completed([self._order[step] for step in self._layers.chosen()])
            clicks = self._layers.cost + self._terms.others
            assert self._model.cost(self.best) == clicks, "a choice has other clicks than its state"
        if is_full is not False:
            self._layers = None
