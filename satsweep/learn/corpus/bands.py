"""Five nested provers, and the band of a board or a fact: the weakest one needed.

A prover makes the claims of the first of its stages that has any, so each is the one before and one stage more:

==================  ===============================================================================================
single numbers      one number at a time (``satsweep.agents.basic``)
pairs and subsets   two numbers at a time: 1-1, 1-2, subsets, overlaps (the rule of ``satsweep.why.steps``)
several numbers     differences of numbers, to a fixed point (``satsweep.solver.propagate``), and Gaussian elimination
                    with bounds (``satsweep.agents.gem_full``, after Haridas and Nair 2021); nothing is supposed
case distinction    all that the numbers prove, by SAT
mine total          all that the numbers and the mine total prove
==================  ===============================================================================================

A game of the strongest prover is that of a weaker one up to the position where the weaker one is stuck. The last
stage that it needs is therefore the weakest of the five that clears the board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import NamedTuple

from satsweep.agents import basic, gem_full
from satsweep.agents.knowledge import Knowledge
from satsweep.board import Board, Cell
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.games.game import play
from satsweep.games.rules import Rules
from satsweep.generator.walkthrough import GIVEN_START_RULES, analyse_forced, no_guess
from satsweep.layout import Layout
from satsweep.solver.components import components
from satsweep.solver.constraints import cell_constraints, covered_cells, gather
from satsweep.solver.pipeline import ComponentCache, prove_forced
from satsweep.solver.propagate import Settled, propagate

PAIR = "pair"
"""Name of the rule of two numbers."""


class ProvedCells(NamedTuple):
    """Cells that a prover claims to be safe, and to be mines, without flagged ones."""

    safe: frozenset[Cell]
    mines: frozenset[Cell]


Prover = Callable[[Board, ComponentCache], ProvedCells]


def _of_agent(deduce: Callable[[Board], Deduction]) -> Prover:
    def claims(board: Board, cache: ComponentCache) -> ProvedCells:
        deduction = deduce(board)
        return ProvedCells(frozenset(map(Cell.of, deduction.safe)), frozenset(map(Cell.of, deduction.mines)))

    return claims


def by_pairs(board: Board) -> Deduction:
    """Claim what two numbers at a time, or one, imply, to a fixed point.

    Let the second of two numbers have ``b`` mines left, the first ``a``. If the cells that only the second touches are
    ``b - a``, all of these are mines, and the cells that only the first touches are safe.
    """
    knowledge = Knowledge(board)
    while knowledge.single_point() or _claim_pairs(knowledge):
        pass
    return knowledge.deduction()


def _claim_pairs(knowledge: Knowledge) -> bool:
    sentences, found = {clue: frozenset(cells) for clue, cells in knowledge.unknown.items()}, []
    for less, cells in sentences.items():
        for more in {clue for cell in cells for clue in knowledge.table[cell] if clue in sentences}:
            needed = knowledge.remaining[more] - knowledge.remaining[less]
            only = sentences[more] - cells
            if needed == len(only) and cells != sentences[more]:
                found += [(only, True, (less, more)), (cells - sentences[more], False, (less, more))]
    for rest, mine, clues in found:
        knowledge.claim(sorted(rest), mine=mine, rule=PAIR, clues=clues)
    return bool(found)


def _by_several(board: Board, cache: ComponentCache) -> ProvedCells:
    found = _cells(board, _propagated(board))
    return found if found.safe or found.mines else _of_agent(gem_full.deduce)(board, cache)


def _by_cases(board: Board, cache: ComponentCache) -> ProvedCells:
    propagated = _propagated(board)
    return _cells(board, prove_forced(propagated, components(propagated.frontier), cache).settled)


def _propagated(board: Board) -> Settled:
    known = board.trusting_flags()
    return propagate(gather(cell_constraints(known), covered_cells(known)))


def _by_total(board: Board, cache: ComponentCache) -> ProvedCells:
    found = analyse_forced(board, cache)
    return ProvedCells(frozenset(found.safe), frozenset(found.mines))


def _cells(board: Board, found: Settled) -> ProvedCells:
    return ProvedCells(frozenset(map(board.cell, found.safe)), frozenset(map(board.cell, found.mines)))


PROVERS: dict[str, Prover] = {
    "single numbers": _of_agent(basic.deduce),
    "pairs and subsets": _of_agent(by_pairs),
    "several numbers": _by_several,
    "case distinction": _by_cases,
    "mine total": _by_total,
}
"""The stage that each prover adds to the one before, by its band, easiest first."""
BANDS = tuple(PROVERS)


def easiest(
    board: Board, cache: ComponentCache | None = None, provers: Mapping[str, Prover] = PROVERS
) -> tuple[str, ProvedCells] | None:
    """The band and the claims of the first stage that has any; None if none has.

    Flags are taken for mines. ``provers`` are other implementations of the stages.

    >>> easiest(Board(("###", "121"), mines=2))[0]
    'pairs and subsets'
    """
    cache = cache or ComponentCache()
    for band, prover in provers.items():
        claims = prover(board, cache)
        if claims.safe or claims.mines:
            return band, claims
    return None


class ProvedTurn(NamedTuple):
    """A position with known mines, and the easiest band and its claims, if any."""

    board: Board
    band: str | None
    claims: ProvedCells | None


class ProvedGame(NamedTuple):
    """Game of the strongest prover: its turns, and whether it was won."""

    turns: tuple[ProvedTurn, ...]
    won: bool

    @property
    def band(self) -> str | None:
        """The weakest prover that wins the game; None if it takes a guess."""
        bands = [turn.band for turn in self.turns]
        if not self.won or None in bands:
            return None
        return max((band for band in bands if band), key=BANDS.index, default=BANDS[0])


def prove(
    layout: Layout,
    provers: Mapping[str, Prover] = PROVERS,
    *,
    rules: Rules = GIVEN_START_RULES,
    guess: Callable[[Board, Random], Guess | None] = no_guess,
    rng: Random | None = None,
) -> ProvedGame:
    """Play a layout from its start; without a ``guess`` as far as cells are certain.

    >>> prove(Layout(("..*", "...", "..."), start=(2, 0))).band
    'single numbers'
    """
    cache, turns = ComponentCache(), list[ProvedTurn]()

    def deduce(board: Board) -> Deduction:
        found = easiest(board, cache, provers)
        turns.append(ProvedTurn(board.trusting_flags(), *(found or (None, None))))
        return Deduction() if found is None else Deduction(tuple(sorted(found[1].safe)), tuple(sorted(found[1].mines)))

    record = play(layout, Agent(deduce, guess), rules, rng)
    return ProvedGame(tuple(turns), record.won)
