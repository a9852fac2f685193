"""Clicks in an order in which they can be made, and the game that they play."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from satsweep.board import Cell
from satsweep.clicks.model import ClickModel, Selection
from satsweep.formats.clicks import ClickedGame
from satsweep.layout import Layout


class ClickKind(Enum):
    """Effect of a click: open a cell, set or remove a flag, chord a number."""

    DIG = "dig"
    FLAG = "flag"
    UNFLAG = "unflag"
    CHORD = "chord"


class Click(NamedTuple):
    """A click on a cell."""

    kind: ClickKind
    cell: Cell

    def __str__(self) -> str:
        """The click in words.

        >>> print(Click(ClickKind.CHORD, Cell(2, 1)))
        chord 2,1
        """
        return f"{self.kind.value} {self.cell}"


def ordered(model: ClickModel, choice: Selection) -> Iterator[tuple[ClickKind, int]]:
    """Yield the clicks of a choice in an order in which each can be made, by cells.

    A chord is made as soon as its number is open, and its flags are set just before. Without one, the next dig is the
    one that is closest to the last click.
    """
    open_nodes: set[int] = set()
    flagged: set[int] = set()
    digs, chords = set(choice.digs), sorted(choice.chords)
    last = 0
    while digs or chords:
        ready = [place for place in chords if model.chords[place].node in {None, *open_nodes}]
        if ready:
            place = min(ready, key=lambda place: abs(model.chords[place].cell - last))
            chord = model.chords[place]
            chords.remove(place)
            for mine in chord.mines:
                if mine not in flagged:
                    flagged.add(mine)
                    yield ClickKind.FLAG, mine
            yield ClickKind.CHORD, chord.cell
            opens: Collection[int] = chord.opens
            last = chord.cell
        else:
            node = min(digs, key=lambda node: abs(model.nodes[node][0] - last))
            digs.remove(node)
            last = model.nodes[node][0]
            yield ClickKind.DIG, last
            opens = (node,)
        for node in opens:
            open_nodes |= {node, *model.spills[node]}


def played(layout: Layout, path: Iterable[Click], before: Sequence[Click] = ()) -> ClickedGame:
    """Play clicks in a game with chords, and return it."""
    game = ClickedGame(Layout(layout.cells, topology=layout.topology))
    for kind, cell in (*before, *path):
        {
            ClickKind.DIG: game.open,
            ClickKind.FLAG: game.flag,
            ClickKind.UNFLAG: game.unflag,
            ClickKind.CHORD: game.chord,
        }[kind](cell)
    return game
