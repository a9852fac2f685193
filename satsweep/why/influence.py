"""How far reasons reach: the chains of influence of a game.

Xu, Zhang and Geng (2017, document 001, bonus) ask how the conclusions of a game hang together: a cell is opened, its
number settles another cell, and so on, until nothing follows and a guess begins a new chain. Here is a definition.

A *fact* is a cell that was determined, and when. Roots are the cells that nothing was known about: the start, every
guess, and whatever a person opened. Every other fact was deduced or opened by a cascade. Behind a deduced cell are

- the numbers that the agent named as its reason (its *clues*), which are cells that had been opened, and
- the facts about neighbours of these numbers that it takes to conclude, besides the numbers (*known*): mines that use
  a number up, or safe cells that leave no room for its mines. That they are needed is meant literally: the numbers and
  these facts force the cell, and no longer do so if one of the facts is left out. Where there is a choice, facts deep
  down are left out first, so the depth below is the least that the clues allow.

Behind a cell that a cascade opened is the 0 that opened it: without cascades a player would conclude the same from the
same number. (Where clues are not exact that is a number that leaves no room for a mine, or the first cell if the rules
promise that no mine is around it, whatever it shows.) The *depth* of a root is 0; any other fact is one deeper than the
deepest fact behind it. That is the length of the longest chain that leads to it, counted in determined cells.

Facts come in the order of time, and each rests on earlier ones, so no chain comes back to where it was. What a turn
claims at once has an order, too, but it is not on record, and an agent's own order is an accident. So the claims of a
turn are put in rounds: first those that follow from their clues and from facts before the turn, then those that follow
with these, and so on. A claim that does not follow from its clues and what is on record is taken at its word, after the
others, as resting on all that is known around the clues: the agent is wrong, or the game was over before all claims of
the turn were carried out.

An agent that does not say which numbers its claims rest on, like ``sat``, which looks at all of them, has no chains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from satsweep.board import Cell
from satsweep.errors import AgentError
from satsweep.games.record import Action, Move, MoveReason, Record
from satsweep.games.rules import FirstClick
from satsweep.solver.backbone import unsat_core
from satsweep.solver.constraints import CellConstraint, support
from satsweep.topology import Topology

if TYPE_CHECKING:
    from networkx import DiGraph

CASCADE = "cascade"
"""The rule behind a cell that was opened because it touches a 0, or what is as good."""


class Fact(NamedTuple):
    """A cell that was determined: to be a mine or safe, by which rule, from which clues and which other known cells.

    The rule of a root says why it was opened: start, guessed or chosen.
    """

    cell: Cell
    turn: int
    mine: bool
    rule: str
    clues: tuple[Cell, ...] = ()
    known: tuple[Cell, ...] = ()
    depth: int = 0

    @property
    def is_root(self) -> bool:
        """Whether nothing is behind it."""
        return not self.depth

    @property
    def behind(self) -> tuple[Cell, ...]:
        """All that it rests on."""
        return self.clues + self.known


class Span(NamedTuple):
    """A root, a cell that it has influenced, and the steps from one to the other across the board."""

    root: Cell
    cell: Cell
    steps: int


@dataclass(frozen=True)
class Influence:
    """The facts of a game, in the order of time, on a grid."""

    rows: int
    cols: int
    topology: Topology
    facts: tuple[Fact, ...]

    @cached_property
    def of(self) -> dict[Cell, Fact]:
        """Every fact by its cell."""
        return {fact.cell: fact for fact in self.facts}

    @cached_property
    def roots(self) -> tuple[Fact, ...]:
        """Where chains begin."""
        return tuple(fact for fact in self.facts if fact.is_root)

    @property
    def determined(self) -> int:
        """How many cells were deduced, or opened by a cascade."""
        return len(self.facts) - len(self.roots)

    @property
    def length(self) -> int:
        """How many determined cells the longest chain has."""
        return max((fact.depth for fact in self.facts), default=0)

    @cached_property
    def chain(self) -> tuple[Fact, ...]:
        """The longest chain, from its root on; of several the one whose facts were there first, seen from its end."""
        if not self.facts:
            return ()
        place = {fact.cell: number for number, fact in enumerate(self.facts)}
        found = [next(fact for fact in self.facts if fact.depth == self.length)]
        while not found[-1].is_root:
            deepest = (cell for cell in found[-1].behind if self.of[cell].depth == found[-1].depth - 1)
            found.append(self.of[min(deepest, key=place.__getitem__)])
        return tuple(reversed(found))

    @cached_property
    def breadth(self) -> int:
        """The most cells that were determined at the same depth."""
        return max(Counter(fact.depth for fact in self.facts if not fact.is_root).values(), default=0)

    @property
    def reach(self) -> int:
        """How far influence travels: the most steps, in any direction, from a root to a cell that it has influenced."""
        return self.farthest.steps if self.farthest else 0

    @cached_property
    def farthest(self) -> Span | None:
        """The root and the cell farthest from it among those that it has influenced; None if nothing was determined."""
        roots: dict[Cell, frozenset[Cell]] = {}
        spans: list[Span] = []
        steps = {root.cell: _steps(self.topology, self.rows, self.cols, root.cell) for root in self.roots}
        for fact in self.facts:
            above = (roots[cell] for cell in fact.behind)
            roots[fact.cell] = frozenset((fact.cell,)) if fact.is_root else frozenset().union(*above)
            place = fact.cell.row * self.cols + fact.cell.col
            if not fact.is_root:
                spans += (Span(root, fact.cell, steps[root][place]) for root in sorted(roots[fact.cell]))
        return max(spans, key=lambda span: span.steps, default=None)

    @cached_property
    def graph(self) -> DiGraph[Cell]:
        """The facts as a directed acyclic graph: an edge from each cell to every cell that it is behind."""
        from networkx import DiGraph

        graph: DiGraph[Cell] = DiGraph()
        for fact in self.facts:
            row, col = fact.cell
            state = "mine" if fact.mine else "safe"
            graph.add_node(fact.cell, row=row, col=col, turn=fact.turn, state=state, rule=fact.rule, depth=fact.depth)
            graph.add_edges_from(((cell, fact.cell) for cell in fact.clues), kind="clue")
            graph.add_edges_from(((cell, fact.cell) for cell in fact.known), kind="known")
        return graph


def chains(record: Record) -> Influence:
    """The chains of influence of a game.

    Raises AgentError if a claim does not name the numbers that it rests on.

    >>> from satsweep.agents import agent_named
    >>> from satsweep.games.game import play
    >>> from satsweep.layout import Layout
    >>> from satsweep.games.rules import Rules
    >>> found = chains(play(Layout(("....*.", )), agent_named("basic"), Rules(start=Cell(0, 0))))
    >>> for fact in found.chain:
    ...     print(fact.depth, fact.cell, fact.rule)
    0 0,0 start
    1 0,1 cascade
    2 0,2 cascade
    3 0,3 cascade
    4 0,4 single point
    """
    history = _History(record)
    for (_, deduced), moves in groupby(record.moves, lambda move: (move.turn, move.reason is MoveReason.DEDUCED)):
        if deduced:
            history.deduced(list(moves))
        else:
            for move in moves:
                history.opened(move)
    layout = record.layout
    return Influence(layout.rows, layout.cols, layout.topology, tuple(history.facts.values()))


def _steps(topology: Topology, rows: int, cols: int, start: Cell) -> dict[int, int]:
    """How many steps from cell to touching cell every cell is away from one, by row-major index."""
    table = topology.neighbours(rows, cols)
    first = start.row * cols + start.col
    steps = {first: 0}
    queue = [first]
    for index in queue:
        for other in table[index]:
            if other not in steps:
                steps[other] = steps[index] + 1
                queue.append(other)
    return steps


class _History:
    """What was known at a point of a game. Cells are row-major indices.

    ``facts`` are in the order of time; ``numbers`` has what the cells show that are open; ``mines`` whether a cell is
    taken for a mine, which opening it may refute; ``promised`` is the first cell if no mine may be around it.
    """

    def __init__(self, record: Record) -> None:
        layout = record.layout
        self.agent = record.agent
        self.rows, self.cols = layout.rows, layout.cols
        self.table = layout.topology.neighbours(layout.rows, layout.cols)
        self.clues = record.rules.clues
        opening = record.moves[0] if record.moves and record.rules.first is FirstClick.ZERO else None
        self.promised = opening.cell if opening and opening.action is Action.OPEN else None
        self.facts: dict[int, Fact] = {}
        self.numbers: dict[int, int] = {}
        self.mines: dict[int, bool] = {}

    def opened(self, move: Move) -> None:
        """Take in a cell that was opened without a deduction. What a person flags is an opinion, and left out."""
        if move.action is Action.OPEN:
            index = self._index(move.cell)
            if index not in self.facts:
                self._add(index, Fact(move.cell, move.turn, move.exploded, move.reason.value))
            self._cascaded(move)
            self._seen(move)

    def deduced(self, moves: list[Move]) -> None:
        """Take in what was claimed in one turn, round by round."""
        waiting = {index: move for move in moves if (index := self._index(move.cell)) not in self.facts}
        clues = {index: self._clues(move) for index, move in waiting.items()}
        done = [move for move in moves if self._index(move.cell) in self.facts]
        while waiting:
            found = {index: self._known(index, move, clues[index]) for index, move in waiting.items()}
            if all(known is None for known in found.values()):
                # A claim about a cell that an earlier one opened by its cascade is not on record.
                if any([self._cascaded(move) for move in done]):
                    continue
                found = {index: self._around(index, clues[index]) for index in waiting}
            for index, known in found.items():
                if known is not None:
                    move = waiting.pop(index)
                    self._conclude(index, move, clues[index], known)
                    done.append(move)
        for move in moves:
            self._cascaded(move)
            self._seen(move)

    def _index(self, cell: Cell) -> int:
        return cell.row * self.cols + cell.col

    def _cell(self, index: int) -> Cell:
        return Cell(*divmod(index, self.cols))

    def _add(self, index: int, fact: Fact) -> None:
        self.facts[index] = fact
        self.mines[index] = fact.mine

    def _seen(self, move: Move) -> None:
        """Read the numbers that a move revealed; a mine that was thought safe is one from now on."""
        for cell, number in move.revealed:
            self.mines[self._index(cell)] = number is None
            if isinstance(number, int):
                self.numbers[self._index(cell)] = number

    def _cascaded(self, move: Move) -> bool:
        """Take in the cells that a move opened by its cascade: whether there were any that are new."""
        before = len(self.facts)
        waiting = {index for cell, _ in move.revealed if (index := self._index(cell)) not in self.facts}
        for cell, number in move.revealed if waiting else ():
            if cell == self.promised or (isinstance(number, int) and self.clues.proves_zero(number)):
                depth = self.facts[self._index(cell)].depth + 1
                for index in self.table[self._index(cell)]:
                    if index in waiting:
                        waiting.discard(index)
                        self._add(index, Fact(self._cell(index), move.turn, False, CASCADE, (cell,), (), depth))
        return len(self.facts) > before

    def _clues(self, move: Move) -> list[int]:
        """The numbers that a claim rests on. Raises AgentError if they are not told, or are none."""
        if move.inference is None or not move.inference.clues:
            rule = f" by {move.inference.rule}" if move.inference else ""
            raise AgentError(
                f"expected an agent that names the numbers behind its claims, found that {self.agent} does not "
                f"for {move.cell}{rule}"
            )
        clues: dict[int, None] = {}
        for row, col in move.inference.clues:
            on_grid = 0 <= row < self.rows and 0 <= col < self.cols
            if not on_grid or row * self.cols + col not in self.numbers:
                raise AgentError(f"expected open numbers behind the claim about {move.cell}, found {row},{col}")
            clues[row * self.cols + col] = None
        return list(clues)

    def _conclude(self, index: int, move: Move, clues: Iterable[int], known: Iterable[int]) -> None:
        behind = [self.facts[other] for other in (*clues, *known)]
        self._add(
            index,
            Fact(
                move.cell,
                move.turn,
                move.action is Action.FLAG,
                move.inference.rule if move.inference else "",
                tuple(map(self._cell, clues)),
                tuple(map(self._cell, sorted(known))),
                1 + max(fact.depth for fact in behind),
            ),
        )

    def _around(self, index: int, clues: list[int]) -> list[int]:
        """The known neighbours of clues, without these."""
        touched = dict.fromkeys(other for clue in clues for other in self.table[clue])
        return [other for other in touched if other in self.facts and other != index and other not in clues]

    def _known(self, index: int, move: Move, clues: list[int]) -> list[int] | None:
        """The facts that it takes to conclude from the clues; None if they do not suffice yet."""
        mine, around = move.action is Action.FLAG, self._around(index, clues)
        if len(clues) == 1:
            # Most claims are of this kind, and then only one set of facts will do.
            touched = len(self.table[clues[0]])
            least, most = support(self._likelihood(clues[0]))
            mines = [other for other in around if self.mines[other]]
            safe = [other for other in around if not self.mines[other]]
            if len(mines) <= most and least <= touched - len(safe):
                if mine:
                    return safe if least == touched - len(safe) else None
                return mines if most == len(mines) else None
        return self._needed(index, mine, clues, around)

    def _needed(self, index: int, mine: bool, clues: list[int], facts: list[int]) -> list[int] | None:
        """Those of some facts without which the clues do not force a cell; None if they do not even with all."""
        if not self._force(index, mine, clues, facts):
            return None
        needed = sorted(facts, key=lambda other: (-self.facts[other].depth, -other))
        for fact in tuple(needed):
            fewer = [other for other in needed if other != fact]
            if self._force(index, mine, clues, fewer):
                needed = fewer
        return needed

    def _force(self, index: int, mine: bool, clues: list[int], facts: list[int]) -> bool:
        """Whether clues and facts leave a cell no choice, by a SAT solver: it cannot be the opposite."""
        supposed = {**dict.fromkeys(clues, False), **{fact: self.mines[fact] for fact in facts}, index: not mine}
        said = []
        for clue in clues:
            mines = sum(supposed.get(cell, False) for cell in self.table[clue])
            cells = tuple(cell for cell in self.table[clue] if cell not in supposed)
            said.append(CellConstraint(clue, cells, self._likelihood(clue)[mines:]))
        return bool(unsat_core(said, sorted({cell for statement in said for cell in statement.cells})))

    def _likelihood(self, clue: int) -> tuple[int, ...]:
        """What an open number says about the mines around it."""
        return self.clues.likelihood(self.numbers[clue], len(self.table[clue]))
