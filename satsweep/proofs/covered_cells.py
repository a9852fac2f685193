"""Covered cells of a layout after some digs, and the clicks that open them.

Proofs of fewest clicks are checked against these, which are read off the layout alone.

A node is an opening or another covered safe cell, named by its first cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import NamedTuple

from satsweep.board import MINE, Cell
from satsweep.layout import Layout
from satsweep.proofs.certificate import Rejected, WorkLimit

Set = frozenset[int]


class Replaced(NamedTuple):
    """A number that need not be chorded, and digs that do the same for no more."""

    chord: int
    digs: tuple[int, ...]


class CoveredCells:
    """Nodes that are left to open after some digs, and the clicks that open them.

    ``spills`` are the nodes that an opening opens besides itself. ``digs`` are openings, and numbers beside none. A
    chord opens nodes and needs flags; ``chords`` has both by its cell. ``node_of`` has the node of each covered safe
    cell. ``openers`` are the openings and chords that open each node, by their cells.
    """

    def __init__(self, layout: Layout, first: Iterable[Cell] = (), work: WorkLimit | None = None) -> None:
        self.work = work or WorkLimit(inf)
        self.table = layout.topology.neighbours(layout.rows, layout.cols)
        self.mined = [symbol == MINE for symbol in layout.symbols]
        self.number = [sum(self.mined[other] for other in others) for others in self.table]
        self.covered = {cell for cell, mine in enumerate(self.mined) if not mine}
        for place in first:
            self._dig(layout, place)
        self.node_of: dict[int, int] = {}
        self.spills: dict[int, Set] = {}
        for cell in sorted(self.covered):
            if self.number[cell]:
                self.node_of[cell] = cell
            elif cell not in self.node_of:
                self._add_opening(cell)
        spilt: Set = frozenset().union(*self.spills.values())
        self.digs = sorted(set(self.node_of.values()) - spilt)
        self.chords: dict[int, tuple[Set, tuple[int, ...]]] = {}
        for cell, others in enumerate(self.table):
            opens = frozenset(self.node_of[other] for other in others if other in self.covered)
            if not self.mined[cell] and self.number[cell] and opens:
                self.chords[cell] = opens, tuple(other for other in others if self.mined[other])
        self.openers: dict[int, list[int]] = {node: [] for node in self.node_of.values()}
        for cell, nodes in (*self.spills.items(), *((cell, opens) for cell, (opens, _) in self.chords.items())):
            for node in nodes:
                self.openers[node].append(cell)

    def _dig(self, layout: Layout, cell: Cell) -> None:
        if not (0 <= cell.row < layout.rows and 0 <= cell.col < layout.cols):
            raise Rejected("expected a first dig on the board", cell=cell)
        if layout.index(cell) not in self.covered:
            raise Rejected("expected a first dig on a covered safe cell", cell=cell)
        waiting = [layout.index(cell)]
        for one in waiting:
            if one in self.covered:
                self.covered.remove(one)
                waiting += self.table[one] if not self.number[one] else ()

    def _add_opening(self, first: int) -> None:
        cells, border = [first], set[int]()
        self.node_of[first] = first
        for cell in cells:
            for other in self.table[cell]:
                if self.number[other] and other in self.covered:
                    border.add(other)
                elif not self.number[other] and other not in self.node_of:
                    self.node_of[other] = first
                    cells.append(other)
        self.spills[first] = frozenset(border)

    def replace(self, one: Replaced) -> None:
        """Leave out a chord. Raises Rejected unless its digs are as good.

        They open what it opens, and are no more than the chord with the flags that no other chord needs.
        """
        if one.chord not in self.chords or not set(one.digs) <= set(self.digs):
            raise Rejected(f"expected a chord that is there, and digs, found {one.chord} and {list(one.digs)}")
        spilt = [self.spills.get(dig, frozenset()) for dig in one.digs]
        self.work.spend(len(self.digs) + sum(map(len, spilt)))
        opens = set(one.digs).union(*spilt)
        if not self.chords[one.chord][0] <= opens or len(one.digs) > 1 + len(self.own_flags(one.chord)):
            raise Rejected(f"expected digs that open what the chord on cell {one.chord} opens, for no more clicks")
        del self.chords[one.chord]

    def own_flags(self, chord: int) -> list[int]:
        """Mines that no other chord needs flagged."""
        mines = self.chords[chord][1]
        others = {other for mine in mines for other in self.table[mine] if other != chord and other in self.chords}
        return [mine for mine in mines if not any(mine in self.chords[other][1] for other in others)]

    def enters(self, nodes: Set) -> tuple[list[int], list[int]]:
        """Digs in a set of nodes, and chords from outside that open one of them.

        Raises Rejected if the set is none, or an opening from outside spills into it.
        """
        if not nodes or not nodes <= self.openers.keys():
            raise Rejected(f"expected a set of nodes, found {sorted(nodes)[:10]}")
        self.work.spend(sum(len(self.openers[node]) for node in nodes))
        openers = {cell for node in nodes for cell in self.openers[node] if self.node_of.get(cell) not in nodes}
        if not openers.isdisjoint(self.spills):
            raise Rejected(f"expected a set into which no opening spills, found {sorted(nodes)[:10]}")
        return sorted(nodes.intersection(self.digs)), sorted(openers & self.chords.keys())
