"""Clicks that clear a layout, as a choice of digs, chords and flags.

The covered rest of a layout is a directed graph. Its nodes are the *openings* (connected covered cells without a mine
around) and the other covered safe cells, *numbers*. Opening an opening opens the numbers next to it, its *border*, at
no further cost. A *chord* on an open number whose mines are all flagged opens the nodes around it. A choice of digs D,
chords H and flags F clears the layout, in some order, if and only if F has every mine around a chord of H, and every
node can be reached from D and from open cells along the arcs of openings and of H. In clauses that is: every mine
around a chord is flagged, and for every set S of nodes that is not entered for free, S has a dig or a chord from
outside. Proofs, and why no click but these can help, stand in docs/ideas/clicks.md.

3BV is the fewest digs without chords. The fewest clicks with chords are known as ZiNi (Elmar and Nikolaus), which
programs approximate from above.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

Set = frozenset[int]


@dataclass(frozen=True, slots=True)
class Chord:
    """A number that can be chorded: its cell, its node, what it opens, what it needs.

    ``node`` is None if the cell is open already. ``mines`` are the mines around it that carry no flag yet.
    """

    cell: int
    node: int | None
    opens: Set
    mines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClickModel:
    """The nodes that are left to open, and the clicks that open them.

    ``nodes`` are the covered safe cells, an opening together; ``node_of`` is their inverse. ``spills[x]`` are the nodes
    that opening x opens with it. ``diggable`` are the nodes that are worth a dig: openings, and numbers on no border.
    ``openers[x]`` are the chords that open x, by their places. ``open`` and ``flagged`` are the cells that are so from
    the start.
    """

    nodes: tuple[tuple[int, ...], ...]
    node_of: dict[int, int]
    spills: tuple[Set, ...]
    diggable: Set
    chords: tuple[Chord, ...]
    openers: tuple[tuple[int, ...], ...]
    neighbours: tuple[tuple[int, ...], ...]
    mines: Set
    open: Set
    flagged: Set

    @classmethod
    def of(
        cls,
        neighbours: tuple[tuple[int, ...], ...],
        mines: Collection[int],
        opened: Collection[int] = (),
        flagged: Collection[int] = (),
        *,
        flags: bool = True,
    ) -> ClickModel:
        """Model of a layout of which some cells are open and some mines flagged.

        Without ``flags`` none are set, so that only numbers whose mines are flagged already are chorded.
        """
        mined, seen, marked = frozenset(mines), frozenset(opened), frozenset(flagged)
        around = [sum(other in mined for other in others) for others in neighbours]
        covered = [cell for cell in range(len(neighbours)) if cell not in mined and cell not in seen]
        node_of: dict[int, int] = {}
        nodes: list[tuple[int, ...]] = []
        hidden = set(covered)
        for cell in covered:
            if cell in node_of:
                continue
            together = [cell]
            node_of[cell] = len(nodes)
            for one in together if not around[cell] else ():
                for other in neighbours[one]:
                    if other in hidden and not around[other] and other not in node_of:
                        node_of[other] = len(nodes)
                        together.append(other)
            nodes.append(tuple(together))
        spills = tuple(
            frozenset(node_of[other] for cell in cells for other in neighbours[cell] if other in hidden) - {node}
            if not around[cells[0]]
            else frozenset()
            for node, cells in enumerate(nodes)
        )
        diggable = frozenset(range(len(nodes))) - frozenset().union(*spills)
        chords = []
        for cell in range(len(neighbours)):
            if cell not in mined and around[cell]:
                opens = frozenset(node_of[other] for other in neighbours[cell] if other in hidden)
                needed = tuple(other for other in neighbours[cell] if other in mined and other not in marked)
                if opens and (flags or not needed):
                    chords.append(Chord(cell, node_of.get(cell), opens, needed))
        kept = undominated(chords, spills, diggable)
        openers: list[list[int]] = [[] for _ in nodes]
        for place, chord in enumerate(kept):
            for node in chord.opens:
                openers[node].append(place)
        by_node = tuple(map(tuple, openers))
        return cls(tuple(nodes), node_of, spills, diggable, kept, by_node, neighbours, mined, seen, marked)

    @property
    def bv(self) -> int:
        """Digs that clear the rest without chords: 3BV at the start of a game."""
        return len(self.diggable)

    def cost(self, choice: Selection) -> int:
        return len(choice.digs) + len(choice.chords) + len(self.flags_of(choice.chords))

    def flags_of(self, chords: Iterable[int]) -> set[int]:
        """Mines that chords need flagged, as far as they are not."""
        return {mine for chord in chords for mine in self.chords[chord].mines}

    def completed(self, chords: Collection[int], digs: Collection[int] = ()) -> Selection:
        """The choice of these chords with the fewest digs, one in each source component.

        Digs that are given are preferred. Each source component needs a dig of its own, and one in each reaches
        everything.
        """
        found = set()
        for component in self.unreached(Selection(frozenset(), frozenset(chords))):
            worth = sorted(component & self.diggable)
            found.add(next((node for node in worth if node in digs), worth[0]))
        return Selection(frozenset(found), frozenset(chords))

    def pruned(self, choice: Selection) -> Selection:
        """A selection without the chords that save nothing: each one left opens something."""
        for place in sorted(choice.chords):
            fewer = self.completed(choice.chords - {place}, choice.digs)
            if self.cost(fewer) <= self.cost(choice):
                choice = fewer
        return choice

    def unreached(self, choice: Selection) -> list[set[int]]:
        """Sets that nothing of a selection enters: source components of the rest."""
        return source_components(*self._arcs(choice))

    def cuts(self, choice: Selection) -> list[set[int]]:
        """Sets of nodes that a selection leaves to be entered.

        There are none if it clears the layout. They are the source components of the nodes that are not reached, and
        each of them with all that no other one reaches: chords in there would only enter the component from a place
        that is not entered itself.
        """
        arcs, start = self._arcs(choice)
        sources = source_components(arcs, start)
        entered: set[int] = set()
        _reach(arcs, start, entered)
        below = []
        for source in sources:
            nodes = set(entered)
            _reach(arcs, source, nodes)
            below.append(nodes - entered)
        times = Counter(node for nodes in below for node in nodes)
        own = [{node for node in nodes if times[node] == 1} for nodes in below]
        return sources + [nodes for nodes, source in zip(own, sources, strict=True) if nodes != source]

    def _arcs(self, choice: Selection) -> tuple[list[Collection[int]], set[int]]:
        """Nodes that each node opens, and those that are opened at once."""
        arcs: list[Collection[int]] = list(self.spills)
        start = set(choice.digs)
        for chord in map(self.chords.__getitem__, choice.chords):
            if chord.node is None:
                start |= chord.opens
            else:
                arcs[chord.node] = chord.opens
        return arcs, start

    def entries(self, nodes: Collection[int]) -> tuple[list[int], list[int]]:
        """Digs in a set of nodes, and chords from outside that open a node of it."""
        digs = [node for node in nodes if node in self.diggable]
        openers = {place for node in nodes for place in self.openers[node]}
        chords = [place for place in sorted(openers) if self.chords[place].node not in nodes]
        return digs, chords


@dataclass(frozen=True, slots=True)
class Selection:
    """Digs by their nodes, and chords by their places in the model.

    Flags follow from the chords.
    """

    digs: Set
    chords: Set


def undominated(chords: Sequence[Chord], spills: Sequence[Set], diggable: Set) -> tuple[Chord, ...]:
    """Chords that no digs replace at the same cost.

    A chord and the flags that no other chord needs cost as much as digs that open the same nodes, or more: in place of
    the chord these are as good. Each chord that is left out makes more flags needed by one chord alone.
    """
    left = list(chords)
    while True:
        users: dict[int, int] = {}
        for chord in left:
            for mine in chord.mines:
                users[mine] = users.get(mine, 0) + 1
        kept = list(left)
        for chord in left:
            own = sum(users[mine] == 1 for mine in chord.mines)
            if len(digs_for(chord.opens, spills, diggable)) <= 1 + own:
                kept.remove(chord)
                for mine in chord.mines:
                    users[mine] -= 1
        if len(kept) == len(left):
            return tuple(kept)
        left = kept


def digs_for(nodes: Set, spills: Sequence[Set], diggable: Set) -> list[int]:
    """Digs that open some nodes, found greedily: rarely more than needed."""
    digs = sorted(nodes & diggable)
    left = set(nodes).difference(digs, *(spills[node] for node in digs))
    while left:
        some = min(left)
        digs.append(
            max((node for node, spill in enumerate(spills) if some in spill), key=lambda node: len(spills[node] & left))
        )
        left -= spills[digs[-1]]
    return digs


def source_components(arcs: Sequence[Collection[int]], start: Collection[int]) -> list[set[int]]:
    """Source components of the nodes that ``start`` does not reach.

    These are strongly connected, and no arc enters them. Most are single nodes, which are found first. Depth-first
    search of the rest, in the order of Kosaraju and Sharir: the last root to be finished begins a source component, and
    so does each later root that nothing before it has reached.
    """
    reached: set[int] = set()
    _reach(arcs, start, reached)
    into: list[list[int]] = [[] for _ in arcs]
    for node, others in enumerate(arcs):
        if others and node not in reached:
            for other in others:
                if other != node:
                    into[other].append(node)
    found = [{node} for node, others in enumerate(into) if not others and node not in reached]
    for single in found:
        _reach(arcs, single, reached)
    for root in reversed(_finished(arcs, [node for node in range(len(arcs)) if node not in reached])):
        if root in reached:
            continue
        # Everything that reaches the root lies in its component, as the root starts a source.
        component, waiting = {root}, [root]
        while waiting:
            for other in into[waiting.pop()]:
                if other not in component and other not in reached:
                    component.add(other)
                    waiting.append(other)
        found.append(component)
        _reach(arcs, (root,), reached)
    return found


def _reach(arcs: Sequence[Collection[int]], start: Collection[int], reached: set[int]) -> None:
    """Add everything that can be reached."""
    waiting = [node for node in start if node not in reached]
    reached.update(waiting)
    while waiting:
        for other in arcs[waiting.pop()]:
            if other not in reached:
                reached.add(other)
                waiting.append(other)


def _finished(arcs: Sequence[Collection[int]], nodes: Sequence[int]) -> list[int]:
    """Some nodes in the order in which a depth-first search among them leaves them."""
    finished: list[int] = []
    left = set(nodes)
    for root in nodes:
        if root not in left:
            continue
        left.remove(root)
        path: list[tuple[int, Iterator[int]]] = [(root, iter(arcs[root]))]
        while path:
            node, others = path[-1]
            for other in others:
                if other in left:
                    left.remove(other)
                    path.append((other, iter(arcs[other])))
                    break
            else:
                finished.append(node)
                path.pop()
    return finished
