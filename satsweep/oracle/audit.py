"""Who is right: every claim of an agent held against the exact analysis.

A claim that a cell is safe, or a mine, is *sound* if it holds in every world of the board that the agent was shown;
one that is not comes with a world in which it is false. *Completeness* is the share of the forced cells that the agent
found, and *regret* how much more its guesses risk than the least risky cell would have. All of it is exact.

The agent is examined on boards, or while it plays. What it is shown may carry its own flags; the analysis reads flags
as covered cells, so a wrong flag shows up where it was put, and so does every claim that it leads to.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import NamedTuple

from satsweep.agents.load import BoardView, load_agent
from satsweep.board import COVERED, FLAG, Board, Cell
from satsweep.errors import BudgetExceeded
from satsweep.games.agent import SINGLE_POINT, Agent, Deduction, Guess
from satsweep.games.deal import game_rng
from satsweep.games.game import as_deduction, as_guess, play
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout
from satsweep.oracle.report import Audit, Unsound, merged
from satsweep.solver.analysis import Analysis, analyse
from satsweep.solver.budget import Budget
from satsweep.solver.pipeline import ComponentCache
from satsweep.solver.witness import find_world

Claim = tuple[Cell, bool]
"""A cell, and whether it is a mine."""


def audit(
    agent: object,
    boards: Iterable[Board],
    *,
    view: BoardView | None = None,
    seed: int = 0,
    budget: Budget | float | None = None,
    guesses: bool = True,
) -> Audit:
    """Examine an agent on boards, with a fresh one for each.

    ``agent`` is a name (``gem``, ``sat:cpsat``, ``path/file.py:function``), an ``Agent``, what makes one, or a function
    ``board -> (safe, mines)``; ``view="rows"`` shows it rows of integers instead of a ``Board`` (see
    ``satsweep.agents.load``).

    A board is shown without the flags it may carry, which are somebody else's. The agent is asked for claims, and
    asked again with its mines flagged until it adds nothing; nothing is opened, so an agent that wants to see first
    what lies under a safe cell may find less here than in a game. All its claims together are held against the forced
    cells. If it claims no cell to be safe and has cells left, it is asked for a guess, unless ``guesses`` is False.

    ``budget``, seconds or a ``Budget``, bounds the analysis of each board. Raises Contradiction for a board that no
    layout agrees with, AgentError when the agent names cells that it must not name.

    >>> report = audit("basic", [Board(("#1.", "#2.", "#1.")), Board(("###", "###"), mines=2)])
    >>> report.sound, report.found, report.forced
    (True, 0, 3)
    """
    examined = load_agent(agent, view)
    reports = []
    for number, board in enumerate(boards):
        hearing = AgentAudit(examined.name, Budget.of(budget), judges=guesses and examined.guesses)
        hearing.on_board(examined.fresh(), board.without_flags(), game_rng(seed, number))
        reports.append(hearing.report)
    return merged(examined.name, reports)


def audit_games(
    agent: object,
    layouts: Iterable[Layout],
    rules: Rules | None = None,
    *,
    view: BoardView | None = None,
    seed: int = 0,
    budget: Budget | float | None = None,
) -> Audit:
    """Examine an agent while it plays a game on each layout, with a fresh one for each.

    A game falls into *episodes*: what happens until the agent guesses or gives up, from then until it guesses again,
    and so on. What it claims in an episode is found if it is true. Missed is what was forced on the board when it
    guessed or gave up, and was not claimed. Forced is both together; so a cell that is missed in two episodes counts
    twice, since twice it was there to be found. Where a game ends without a guess nothing is missed. A cell that is
    claimed to be both safe and a mine is flagged, and one of the two claims is unsound.

    Each guess is judged on the board as it is, except the first move where the rules promise something about it.
    ``rules`` are by default those that the agent is made for. A function that only deduces gets its guesses from a
    uniform draw, and these are not judged.
    """
    examined = load_agent(agent, view)
    rules = examined.rules if rules is None else rules
    reports = []
    for number, layout in enumerate(layouts):
        hearing = AgentAudit(examined.name, Budget.of(budget), judges=examined.guesses)
        # The layout may have been drawn from rng_of(seed, number); moves must not be drawn from the same numbers.
        play(layout, hearing.overheard(examined.fresh(), rules), rules, game_rng(f"{seed}/play", number))
        reports.append(replace(hearing.report, games=1))
    return merged(examined.name, reports)


def missed(agent: object, board: Board, *, like: object = None, view: BoardView | None = None) -> tuple[Claim, ...]:
    """The forced cells of a board that an agent does not claim, in row-major order; with ``like``, only those of them
    that this other agent claims.

    >>> missed("basic", Board(("#1.", "#2.", "#1.")))
    ((Cell(row=0, col=0), True), (Cell(row=1, col=0), False), (Cell(row=2, col=0), True))
    """
    bare = board.without_flags()
    hearing = AgentAudit("", Budget(), judges=False)
    hearing.on_board(load_agent(agent, view).fresh(), bare, game_rng(0, 0))
    left = hearing.truth(bare).forced - hearing.claimed
    if like is not None:
        other = AgentAudit("", Budget(), judges=False)
        other.on_board(load_agent(like).fresh(), bare, game_rng(0, 0))
        left &= other.claimed
    return tuple(sorted(left))


class GroundTruth(NamedTuple):
    """What is so in a position: its analysis, the claims that are true in it, and those of them beyond basic."""

    analysis: Analysis
    forced: frozenset[Claim]
    beyond: frozenset[Claim]


class AgentAudit:
    """An agent on one board, or in one game. ``report`` has what was found so far, ``claimed`` all claims."""

    def __init__(self, agent: str, budget: Budget, *, judges: bool = True) -> None:
        self.report = Audit(agent)
        self.claimed: set[Claim] = set()
        self._budget = budget
        self._judges = judges
        self._memory = ComponentCache()
        self._truth: GroundTruth | None = None

    def on_board(self, agent: Agent, board: Board, rng: Random) -> None:
        """Examine an agent on a board without flags, which stays as it is."""
        shown = board
        while self.hear(shown, agent.deduce(shown)):
            shown = board.flagged(cell for cell, mine in self.claimed if mine)
        self.close(shown)
        if all(mine for _, mine in self.claimed) and any(COVERED in row for row in shown.cells):
            guess = as_guess(agent.guess(shown, rng), shown) if self._judges else None
            self.judge(shown, guess)

    def overheard(self, agent: Agent, rules: Rules) -> Agent:
        """The same agent, listened to while it plays."""
        promise = rules.first in (FirstClick.SAFE, FirstClick.ZERO)

        def deduce(board: Board) -> Deduction:
            deduction = agent.deduce(board)
            assert isinstance(deduction, Deduction), "whatever a subject returns has been made one"
            self.hear(board, deduction)
            return replace(deduction, safe=tuple(cell for cell in deduction.safe if cell not in deduction.mines))

        def guess(board: Board, rng: Random) -> Guess | None:
            self.close(board)
            guess = as_guess(agent.guess(board, rng), board)
            opened = any(symbol not in (COVERED, FLAG) for row in board.cells for symbol in row)
            if self._judges and (opened or not promise):
                self.judge(board, guess)
            return guess

        return Agent(deduce, guess)

    def hear(self, board: Board, claims: Iterable[object]) -> int:
        """Check claims made about a board, safe cells and mines: how many of them are new."""
        safe, mines = claims
        # One after the other: an agent that claims a cell to be both is wrong once, but is heard.
        made = [(cell, False) for cell in as_deduction((safe, ()), board).safe]
        made += [(cell, True) for cell in as_deduction(((), mines), board).mines]
        new = dict.fromkeys(claim for claim in made if claim not in self.claimed)
        if new:
            self.claimed.update(new)
            truth = self.truth(board)
            sound, beyond = truth.forced.intersection(new), truth.beyond.intersection(new)
            self.report = replace(
                self.report,
                claims=self.report.claims + len(new),
                unsound=(*self.report.unsound, *refuted(board, [claim for claim in new if claim not in sound])),
                forced=self.report.forced + len(sound),
                found=self.report.found + len(sound),
                forced_beyond=self.report.forced_beyond + len(beyond),
                found_beyond=self.report.found_beyond + len(beyond),
            )
        return len(new)

    def close(self, board: Board) -> None:
        """The agent claims nothing more on this board: what is forced and unclaimed it has missed."""
        truth = self.truth(board)
        self.report = replace(
            self.report,
            forced=self.report.forced + len(truth.forced - self.claimed),
            forced_beyond=self.report.forced_beyond + len(truth.beyond - self.claimed),
        )

    def judge(self, board: Board, guess: Guess | None) -> None:
        """Hold a guess against the least risk; giving up is no guess."""
        if guess is None:
            return
        regret = regret_of(self.truth(board).analysis, guess.cell)
        if regret is None:
            self.report = replace(self.report, unjudged=self.report.unjudged + 1)
        else:
            self.report = replace(self.report, regrets=(*self.report.regrets, regret))

    def truth(self, board: Board) -> GroundTruth:
        """What is so on a board; only the last one is kept."""
        bare = board.without_flags()
        if self._truth is None or self._truth.analysis.board != bare:
            analysis = analyse(bare, budget=self._budget, memory=self._memory)
            forced = frozenset([*((cell, False) for cell in analysis.safe), *((cell, True) for cell in analysis.mines)])
            # What one number settles that is read as what it is; where it may be wrong basic itself is no measure.
            simple = set(analysis.solution.stages()[SINGLE_POINT])
            beyond = (claim for claim in forced if claim[0].row * board.cols + claim[0].col not in simple)
            self._truth = GroundTruth(analysis, forced, frozenset(beyond))
            self.report = replace(self.report, positions=self.report.positions + 1)
        return self._truth


def regret_of(analysis: Analysis, cell: Cell) -> Fraction | None:
    """By how much the risk of a cell exceeds the least risk of all covered cells; None if that is not known.

    >>> regret_of(analyse(Board(("#1.", "##1", "###"), mines=2)), Cell(0, 0))
    Fraction(1, 2)
    """
    try:
        own = analysis.risk(cell)
    except BudgetExceeded:
        return None
    if own == 0 or analysis.safe:
        return own
    if not analysis.complete:
        return None
    return own - min(analysis.risk(other) for other in analysis.board.covered)


def refuted(board: Board, claims: Iterable[Claim]) -> list[Unsound]:
    """Claims that do not follow from a board, each with a world that refutes it. One world may refute several."""
    found: list[Unsound] = []
    worlds: list[Layout] = []
    for cell, mine in claims:
        refuting = next((known for known in worlds if known.is_mine(cell) != mine), None)
        if refuting is None:
            refuting = find_world(board, {cell: not mine})
            assert refuting is not None, "a cell that is not forced can be either"
            worlds.append(refuting)
        found.append(Unsound(board, cell, "mine" if mine else "safe", refuting))
    return found
