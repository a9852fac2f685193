"""Chains of influence in a game: how far its deductions reach.

Xu, Zhang and Geng (2017) ask in the bonus part of their assignment how the conclusions of a game are connected: a cell
is opened, its number settles another cell, and so on, until nothing follows and a guess begins a new chain. This module
gives a definition, as an implication graph.

A *fact* is a cell that was determined, and when. Roots are the cells of which nothing was known before: the start,
every guess, and every cell that a person opened. Every other fact was deduced or opened by a cascade. A deduced cell
rests on

- the numbers that the agent named as its reason (its *clues*), which are cells that had been opened, and
- the facts about neighbours of these numbers that the conclusion needs besides the numbers (*known*): mines that use a
  number up, or safe cells that leave no room for its mines. They are needed literally: the numbers and these facts
  force the cell, and no longer do so if one of the facts is left out. Where there is a choice, the deepest facts are
  left out first, so the depth below is the least that the clues allow.

A cell that a cascade opened rests on the 0 that opened it: without cascades a player would conclude the same from the
same number. (Where clues are not exact, this is a number that leaves no room for a mine, or the first cell if the rules
promise that no mine is around it, with any number shown.) The *depth* of a root is 0; any other fact is one deeper than
the deepest fact that it rests on. The depth is therefore the length of the longest chain that leads to the fact,
counted in determined cells.

Facts are in the order of time, and each rests on earlier ones, so the graph has no cycle. The claims of one turn have
an order, too, but the record does not hold it, and an agent's own order is an accident. They are therefore put in
rounds: first the claims that follow from their clues and from facts before the turn, then those that follow with these,
and so on. A claim that does not follow from its clues and the recorded facts is accepted after the others, and rests on
all that is known around its clues: the agent is wrong, or the game was over before all claims of the turn were carried
out.

An agent that does not name the numbers behind its claims, like ``sat``, which uses all of them, has no chains.
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
from satsweep.solver.budget import UNLIMITED, Meter
from satsweep.solver.constraints import CellConstraint, support
from satsweep.topology import Topology

if TYPE_CHECKING:
    from networkx import DiGraph

CASCADE = "cascade"
"""Rule of a cell that was opened by a 0, or by a number that proves as much."""


class Fact(NamedTuple):
    """A cell that was determined, with its rule and the cells it rests on.

    ``clues`` are numbers, ``known`` other facts. The rule of a root is its reason: start, guessed or chosen. ``mine``
    is what was concluded; where numbers are not exact, opening the cell may have shown otherwise.
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
        return not self.depth

    @property
    def rests_on(self) -> tuple[Cell, ...]:
        return self.clues + self.known


class Span(NamedTuple):
    root: Cell
    cell: Cell
    steps: int


@dataclass(frozen=True)
class Influence:
    """The facts of a game, in the order of time, with its grid."""

    rows: int
    cols: int
    topology: Topology
    facts: tuple[Fact, ...]

    @cached_property
    def by_cell(self) -> dict[Cell, Fact]:
        return {fact.cell: fact for fact in self.facts}

    @cached_property
    def roots(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.facts if fact.is_root)

    @property
    def determined(self) -> int:
        return len(self.facts) - len(self.roots)

    @property
    def length(self) -> int:
        return max((fact.depth for fact in self.facts), default=0)

    @cached_property
    def chain(self) -> tuple[Fact, ...]:
        """The longest chain from its root; of several, the one whose facts end earliest."""
        if not self.facts:
            return ()
        place = {fact.cell: number for number, fact in enumerate(self.facts)}
        chain = [next(fact for fact in self.facts if fact.depth == self.length)]
        while not chain[-1].is_root:
            deepest = (cell for cell in chain[-1].rests_on if self.by_cell[cell].depth == chain[-1].depth - 1)
            chain.append(self.by_cell[min(deepest, key=place.__getitem__)])
        return tuple(reversed(chain))

    @cached_property
    def breadth(self) -> int:
        """Greatest number of cells that were determined at the same depth."""
        return max(Counter(fact.depth for fact in self.facts if not fact.is_root).values(), default=0)

    @property
    def reach(self) -> int:
        """Greatest distance in steps from a root to a cell that it has influenced."""
        return self.farthest.steps if self.farthest else 0

    @cached_property
    def farthest(self) -> Span | None:
        """A root and the farthest cell that it has influenced, if any."""
        roots: dict[Cell, frozenset[Cell]] = {}
        spans: list[Span] = []
        steps = {root.cell: _steps(self.topology, self.rows, self.cols, root.cell) for root in self.roots}
        for fact in self.facts:
            inherited = (roots[cell] for cell in fact.rests_on)
            roots[fact.cell] = frozenset((fact.cell,)) if fact.is_root else frozenset().union(*inherited)
            index = fact.cell.row * self.cols + fact.cell.col
            if not fact.is_root:
                spans += (Span(root, fact.cell, steps[root][index]) for root in sorted(roots[fact.cell]))
        return max(spans, key=lambda span: span.steps, default=None)

    @cached_property
    def graph(self) -> DiGraph[Cell]:
        """Directed acyclic graph of the facts; edges lead to what rests on a cell."""
        from networkx import DiGraph

        graph: DiGraph[Cell] = DiGraph()
        for fact in self.facts:
            row, col = fact.cell
            state = "mine" if fact.mine else "safe"
            graph.add_node(fact.cell, row=row, col=col, turn=fact.turn, state=state, rule=fact.rule, depth=fact.depth)
            graph.add_edges_from(((cell, fact.cell) for cell in fact.clues), kind="clue")
            graph.add_edges_from(((cell, fact.cell) for cell in fact.known), kind="known")
        return graph


def chains(record: Record, meter: Meter | None = None) -> Influence:
    """Return the chains of influence of a game.

    Raises AgentError if a claim does not name the numbers that it rests on, and BudgetExceeded past the limits of
    ``meter``.

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
    history = _History(record, meter or UNLIMITED.meter())
    for (_, deduced), moves in groupby(record.moves, lambda move: (move.turn, move.reason is MoveReason.DEDUCED)):
        if deduced:
            history.add_claims(list(moves))
        else:
            for move in moves:
                history.add_opening(move)
    layout = record.layout
    return Influence(layout.rows, layout.cols, layout.topology, tuple(history.facts.values()))


def _steps(topology: Topology, rows: int, cols: int, start: Cell) -> dict[int, int]:
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
    """Facts of a game up to some move, as the moves are read.

    Cells are row-major indices.
    ``facts`` are in the order of time; ``numbers`` holds the numbers that open cells show; ``mines`` whether a cell is
    taken for a mine, which opening it may refute; ``promised`` is the first cell if no mine may be around it.
    """

    def __init__(self, record: Record, meter: Meter) -> None:
        self.meter = meter
        self.layout = layout = record.layout
        self.agent = record.agent
        self.table = layout.topology.neighbours(layout.rows, layout.cols)
        self.clues = record.rules.clues
        opening = record.moves[0] if record.moves and record.rules.first is FirstClick.ZERO else None
        self.promised = opening.cell if opening and opening.action is Action.OPEN else None
        self.facts: dict[int, Fact] = {}
        self.numbers: dict[int, int] = {}
        self.mines: dict[int, bool] = {}

    def add_opening(self, move: Move) -> None:
        """Add a cell opened without a deduction. A person's flags are opinions, not facts."""
        if move.action is Action.OPEN:
            index = self.layout.index(move.cell)
            if index not in self.facts:
                self._add(index, Fact(move.cell, move.turn, move.exploded, move.reason.value))
            self._add_cascade(move)
            self._read_numbers(move)

    def add_claims(self, moves: list[Move]) -> None:
        waiting = {index: move for move in moves if (index := self.layout.index(move.cell)) not in self.facts}
        clues = {index: self._clues_of(move) for index, move in waiting.items()}
        done = [move for move in moves if self.layout.index(move.cell) in self.facts]
        while waiting:
            found = {index: self._needed_facts(index, move, clues[index]) for index, move in waiting.items()}
            if all(known is None for known in found.values()):
                # A claim about a cell that an earlier claim opened by its cascade is not in the record.
                if any([self._add_cascade(move) for move in done]):
                    continue
                found = {index: self._facts_around(index, clues[index]) for index in waiting}
            for index, known in found.items():
                if known is not None:
                    move = waiting.pop(index)
                    self._add_deduced(index, move, clues[index], known)
                    done.append(move)
        for move in moves:
            self._add_cascade(move)
            self._read_numbers(move)

    def _add(self, index: int, fact: Fact) -> None:
        self.facts[index] = fact
        self.mines[index] = fact.mine

    def _read_numbers(self, move: Move) -> None:
        for cell, number in move.revealed:
            self.mines[self.layout.index(cell)] = number is None
            if isinstance(number, int):
                self.numbers[self.layout.index(cell)] = number

    def _add_cascade(self, move: Move) -> bool:
        before = len(self.facts)
        waiting = {index for cell, _ in move.revealed if (index := self.layout.index(cell)) not in self.facts}
        for cell, number in move.revealed if waiting else ():
            if cell == self.promised or (isinstance(number, int) and self.clues.proves_zero(number)):
                depth = self.facts[self.layout.index(cell)].depth + 1
                for index in self.table[self.layout.index(cell)]:
                    if index in waiting:
                        waiting.discard(index)
                        self._add(index, Fact(self.layout.cell(index), move.turn, False, CASCADE, (cell,), (), depth))
        return len(self.facts) > before

    def _clues_of(self, move: Move) -> list[int]:
        if move.inference is None or not move.inference.clues:
            rule = f" by {move.inference.rule}" if move.inference else ""
            raise AgentError(
                f"expected an agent that names the numbers behind its claims, found that {self.agent} does not "
                f"for {move.cell}{rule}"
            )
        clues: dict[int, None] = {}
        for row, col in move.inference.clues:
            on_grid = 0 <= row < self.layout.rows and 0 <= col < self.layout.cols
            if not on_grid or self.layout.index((row, col)) not in self.numbers:
                raise AgentError(f"expected open numbers behind the claim about {move.cell}, found {row},{col}")
            clues[self.layout.index((row, col))] = None
        return list(clues)

    def _add_deduced(self, index: int, move: Move, clues: Iterable[int], known: Iterable[int]) -> None:
        rests_on = [self.facts[other] for other in (*clues, *known)]
        self._add(
            index,
            Fact(
                move.cell,
                move.turn,
                move.action is Action.FLAG,
                move.inference.rule if move.inference else "",
                tuple(map(self.layout.cell, clues)),
                tuple(map(self.layout.cell, sorted(known))),
                1 + max(fact.depth for fact in rests_on),
            ),
        )

    def _facts_around(self, index: int, clues: list[int]) -> list[int]:
        touched = dict.fromkeys(other for clue in clues for other in self.table[clue])
        return [other for other in touched if other in self.facts and other != index and other not in clues]

    def _needed_facts(self, index: int, move: Move, clues: list[int]) -> list[int] | None:
        """The facts that a claim needs besides its clues; None if any are missing."""
        mine, around = move.action is Action.FLAG, self._facts_around(index, clues)
        if len(clues) == 1:
            # Most claims are of this kind, and for them only one set of facts is possible.
            touched = len(self.table[clues[0]])
            least, most = support(self._likelihood(clues[0]))
            mines = [other for other in around if self.mines[other]]
            safe = [other for other in around if not self.mines[other]]
            if len(mines) <= most and least <= touched - len(safe):
                if mine:
                    return safe if least == touched - len(safe) else None
                return mines if most == len(mines) else None
        return self._minimal_facts(index, mine, clues, around)

    def _minimal_facts(self, index: int, mine: bool, clues: list[int], facts: list[int]) -> list[int] | None:
        """A minimal part of some facts that forces a cell; None if all do not."""
        if not self._is_forced(index, mine, clues, facts):
            return None
        needed = sorted(facts, key=lambda other: (-self.facts[other].depth, -other))
        for fact in tuple(needed):
            fewer = [other for other in needed if other != fact]
            if self._is_forced(index, mine, clues, fewer):
                needed = fewer
        return needed

    def _is_forced(self, index: int, mine: bool, clues: list[int], facts: list[int]) -> bool:
        """Return whether clues and facts force a cell: a SAT solver refutes the opposite."""
        self.meter.spend()
        supposed = {**dict.fromkeys(clues, False), **{fact: self.mines[fact] for fact in facts}, index: not mine}
        constraints = []
        for clue in clues:
            mines = sum(supposed.get(cell, False) for cell in self.table[clue])
            cells = tuple(cell for cell in self.table[clue] if cell not in supposed)
            constraints.append(CellConstraint(clue, cells, self._likelihood(clue)[mines:]))
        return bool(unsat_core(constraints, sorted({cell for constraint in constraints for cell in constraint.cells})))

    def _likelihood(self, clue: int) -> tuple[int, ...]:
        return self.clues.likelihood(self.numbers[clue], len(self.table[clue]))
