"""Rewards of moves by what the player can know: luck earns and costs nothing.

A reward is a function of what is seen and of the cell that is opened, so it is the same in every world that agrees with
what is seen. Write p for the exact risk of the cell and p* for the least risk of any covered cell.

* *regret*: -(p - p*). Where something is certainly safe p* is 0, so a safe cell earns 0, and a certain mine -1.
* *win*: -(V(best) - V(cell)), V the chance to win by best play: exact while few worlds are left, else the estimate of
  the deep player (``satsweep.assessment.chances``), else regret of risk. ``MoveReward.known`` says which.

The sum over a game is the skill of ``satsweep.review``, but for estimates above that of the best cell; the rest of its
outcome is luck. Best play earns 0, which is the most.

Giving up costs what was left to earn (``RewardFunction.left``), so that it never pays. With *win* that is V: any
way to play on loses V minus its own chance to win. With *regret* it is 1: the regret of a move is at
most its risk, and a game ends at its first mine, so the sum of all regrets to come is at most the chance that the
game is lost. Where mines are not fatal it is the number of mines to be expected, by the same argument.

*Forced credit* is an optional positive reward: 1/n for each of the n safe cells, if it opens with a cell that is
certainly safe. A board that needs no guess earns exactly 1 when it is cleared, and nothing can be earned by luck.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from satsweep.arguments import check_kind, short_repr
from satsweep.assessment.chances import WinChances, best_start, exact_start
from satsweep.assessment.positions import COVERED, Positions, Symbols
from satsweep.assessment.review import ROLLED
from satsweep.assessment.verdicts import Choice, Known
from satsweep.board import MINE, Board, BoardLike, Cell
from satsweep.errors import BoardError
from satsweep.games.rules import RULES, STANDARD_RULES, FirstClick, Rules

KINDS = ("regret", "win")
"""Measures of a reward: risk, or chance to win."""
ILLEGAL = -0.1
"""Cost of an action that is no move, such as opening a cell that is open."""
UNDERSTOOD = ("first", "start", "cascade", "fatal", "clues", "tells_total")
"""Rules that rewards know in all values. Others have to have their usual value."""


def check_rules(rules: Rules, understood: Collection[str] = UNDERSTOOD) -> Rules:
    """Return the rules; ValueError for those that are not understood.

    >>> check_rules(Rules(goal="find"))
    Traceback (most recent call last):
    ValueError: expected the rule goal to be clear here, found find
    """
    check_kind(rules, Rules, "Rules")
    usual, given = STANDARD_RULES.to_values(every=True), rules.to_values(every=True)
    for name in RULES:
        if name not in understood and given[name] != usual[name]:
            raise ValueError(f"expected the rule {name} to be {usual[name]} here, found {given[name]}")
    return rules


@dataclass(frozen=True, slots=True)
class MoveReward:
    """Reward of opening a cell, 0 at best, and how it was found.

    ``risk`` is the chance that the cell is a mine, ``least_risk`` that of the safest cell; both are exact. ``chosen``
    and ``possible`` are the chances to win with the cell and with the best one, None if they were not asked for or are
    not known. ``known`` says what the reward rests on: exact values, an estimate of win chances, or, where win
    chances were asked for and are not known, risks in their place.

    >>> RewardFunction().of(Board(("##1", "##1", "111"), mines=1), Cell(1, 1)).value
    Fraction(-1, 1)
    """

    value: Fraction
    risk: Fraction
    least_risk: Fraction
    known: Known = "exact"
    chosen: Fraction | None = None
    possible: Fraction | None = None

    @property
    def exact(self) -> bool:
        return self.known == "exact"

    @property
    def is_unavoidable(self) -> bool:
        """True for a guess that may fail and costs nothing: no cell was better."""
        return self.risk > 0 and self.value >= 0


CERTAIN = MoveReward(Fraction(0), Fraction(0), Fraction(0))
"""Reward of opening a cell that is certainly safe."""


class RewardFunction:
    """Rewards of one kind under some rules of play: *regret* or *win*.

    A board gives the rest: size, topology, mine total, clue model. Its flags are opinions, and change nothing. Before
    anything is open no cell is a risk if the rules promise that the first one is safe.

    >>> board = Board(("#1#", "1##", "###"), mines=2)
    >>> [str(RewardFunction(kind).of(board, Cell(1, 1)).value) for kind in ("regret", "win")]
    ['0', '-1/6']

    Raises ValueError for another kind, or rules that environments do not know.
    """

    def __init__(self, kind: str = "regret", rules: Rules = STANDARD_RULES) -> None:
        if kind not in KINDS:
            raise ValueError(f"expected a reward among {', '.join(KINDS)}, found {short_repr(kind)}")
        self.kind = kind
        self.rules = check_rules(rules)
        self._promises = rules.first in (FirstClick.SAFE, FirstClick.ZERO)

    def of(self, board: BoardLike, cell: tuple[int, int]) -> MoveReward:
        """The reward of opening a covered cell.

        Raises BoardError for a cell that is not covered, and for a lost game if chances to win are asked for;
        Contradiction when no world agrees with the board.
        """
        board = Board.of(board)
        index = self._index(board, cell)
        positions, chances = self._knowledge(board)
        seen = positions.symbols(board)
        if self._promises and is_blank(seen):
            return self._first(index, chances)
        if positions.risks(seen)[index] == 0:
            return CERTAIN
        analysis = positions.analysis(seen)
        risk, least = analysis.odds[index].risk, Fraction(analysis.least_risk or 0)
        regret = MoveReward(least - risk, risk, least)
        if self.kind == "regret":
            return regret
        choice = None if chances is None else chances.of_cell(seen, index, risk)
        if choice is None:
            return replace(regret, known="risk")
        return _by_wins(risk, least, choice)

    def left(self, board: BoardLike) -> tuple[Fraction, Known]:
        """The price of giving up, which is all that was left to earn, and how it is known.

        >>> RewardFunction("win").left(Board(("#1#", "1##", "###"), mines=2))
        (Fraction(2, 3), 'exact')
        """
        board = Board.of(board)
        positions, chances = self._knowledge(board)
        seen = positions.symbols(board)
        if not self.rules.fatal:
            mines = positions.analysis(seen).expected_mines
            assert mines is not None
            return Fraction(mines), "exact"
        if self.kind == "regret":
            return Fraction(1), "exact"
        now = None
        if chances is not None and self._promises and is_blank(seen):
            if chances.whole is not None:
                return best_start(chances.whole, self.rules.first)[1], "exact"
        elif chances is not None:
            now = chances.of_seen(seen)
        return (Fraction(1), "risk") if now is None else (now.win, "exact" if now.exact else "estimate")

    def _first(self, index: int, chances: WinChances | None) -> MoveReward:
        """The reward of the first cell, which is safe by promise."""
        if self.kind == "regret":
            return CERTAIN
        if chances is None or chances.whole is None:
            return replace(CERTAIN, known="risk")
        chosen = exact_start(chances.whole, index, self.rules.first)
        best, possible = best_start(chances.whole, self.rules.first)
        choice = Choice(Fraction(0) if chosen is None else chosen, possible, exact=True, best=best)
        return _by_wins(Fraction(0), Fraction(0), choice)

    def _index(self, board: Board, cell: tuple[int, int]) -> int:
        if not (0 <= cell[0] < board.rows and 0 <= cell[1] < board.cols) or not board.is_covered(cell):
            raise BoardError(f"expected a covered cell, found {cell[0]},{cell[1]}", at=Cell.of(cell))
        return board.index(cell)

    def _knowledge(self, board: Board) -> tuple[Positions, WinChances | None]:
        if self.kind == "win" and self.rules.fatal and MINE in board.symbols:
            raise BoardError("expected a game that can still be won, found an opened mine", at="board")
        blank = Board.trusted(("#" * board.cols,) * board.rows, board.mines, board.density, board.topology, board.clues)
        return _knowledge(blank, self.kind == "win" and self.rules.fatal and board.clues.is_exact)


@lru_cache(maxsize=16)
def _knowledge(blank: Board, wins: bool) -> tuple[Positions, WinChances | None]:
    positions = Positions(blank)
    return positions, WinChances(positions, ROLLED, 0) if wins and blank.mines is not None else None


def is_blank(seen: Symbols | Iterable[int]) -> bool:
    """Return whether nothing of a position is open."""
    return all(symbol == COVERED for symbol in seen)


def _by_wins(risk: Fraction, least: Fraction, choice: Choice) -> MoveReward:
    known: Known = "exact" if choice.exact else "estimate"
    possible = max(choice.chosen, choice.possible)  # the estimate of a cell may be above that of the best one
    return MoveReward(choice.chosen - possible, risk, least, known, choice.chosen, possible)


def forced_credit(reward: MoveReward, opened: int, safe: int) -> Fraction:
    """The credit of a move that opened some cells of a board with ``safe`` safe ones.

    Cells of a cascade are certain once its first cell shows no mine around, so they earn as much. Nothing is earned
    by a guess, nor by what opens with it.

    >>> forced_credit(CERTAIN, 3, 12), forced_credit(replace(CERTAIN, risk=Fraction(1, 8)), 3, 12)
    (Fraction(1, 4), Fraction(0, 1))
    """
    return Fraction(opened, safe) if reward.risk == 0 else Fraction(0)
