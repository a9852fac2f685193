"""Review of a game: its moves, and how much of its outcome was skill and luck.

The moves are followed from position to position. A cell without risk is *safe*. Any other cell is a choice: its win
chance is compared with that of the best cell, which is skill, and the win chance that followed with the expected one,
which is luck (``chances``).

Before anything is seen the win chance of a first cell is exact where the whole board has few layouts, else an estimate.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256

from satsweep.arguments import check_kind, check_whole
from satsweep.assessment.chances import NoGuessChances, WinChances
from satsweep.assessment.overlooked import easiest_first
from satsweep.assessment.positions import (
    COVERED,
    MINED,
    OPEN,
    Positions,
    Symbols,
    TechniqueFinder,
    numbers_of,
)
from satsweep.assessment.verdicts import Chance, Choice, Judgement, Known, MoveClass, Review, ReviewedMove, is_faint
from satsweep.board import HIDDEN, Board, Cell
from satsweep.games.modes import ModeChances, mode_of
from satsweep.games.record import Action, Move, MoveReason, Record
from satsweep.games.rules import FirstClick
from satsweep.techniques import ORDER, Technique

ROLLED = 64
"""Roll-outs of a choice whose win chance is an estimate."""
CHORD = "chord"
"""Rule of a move that opens its cell together with others (``formats.clicks``)."""


def review(record: Record, *, rolled: int = ROLLED, kernels: bool = True) -> Review:
    """Judge every move of a game, and split its outcome into skill and luck.

    ``rolled`` is the number of roll-outs of a choice that is estimated: more take longer and are more precise.
    Without compiled kernels (or with ``kernels=False``) win chances are known near the end of a game and on small
    boards only. They are those of the usual game, which a mine ends and whose numbers and mine total are exact; under
    other rules a review has risks alone. The mode of the record says if boards were made to need no guess, which wins
    for certain, or in another way, so that nothing but risks is known (``games.modes``).

    >>> from satsweep.agents import agent_named
    >>> from satsweep.games.game import play
    >>> from satsweep.games.rules import Rules
    >>> from satsweep.layout import Layout
    >>> record = play(Layout(("*..", "...")), agent_named("basic"), Rules(start=Cell(1, 0)))
    >>> found = review(record)
    >>> print(found.start, found.skill, found.luck, found.end)
    3/5 0 2/5 1
    """
    check_kind(record, Record, "a Record")
    check_whole(rolled, "rolled", least=1)
    return _Reviewer(kept_promise(record), rolled, kernels).review()


def win_chances(record: Record, positions: Positions, rolled: int) -> WinChances | NoGuessChances | None:
    """The win chances of the rules and the mode of a game; None if there are none."""
    mode = mode_of(record.mode).chances
    if not (record.rules.fatal and record.rules.clears_by_numbers):
        return None
    if mode is ModeChances.CERTAIN:
        return NoGuessChances(positions)
    if mode is not ModeChances.USUAL:
        return None
    moves = [(move.action.value, *move.cell) for move in record.moves]
    salt = int.from_bytes(sha256(repr((record.layout.cells, moves)).encode()).digest()[:5], "little")
    return WinChances(positions, rolled, salt)


def kept_promise(record: Record) -> Record:
    """A record with the promise of its mode about the first cell, if that kept it."""
    first = record.first_opened
    if not mode_of(record.mode).opens or record.rules.first is not FirstClick.SAFE or first is None:
        return record
    opens = record.layout.number(first) == 0
    return replace(record, rules=replace(record.rules, first=FirstClick.ZERO)) if opens else record


@dataclass(slots=True)
class _State:
    """State in the middle of a game.

    ``seen`` is the position as the player sees it, ``settled`` the same after all deduction, ``now`` its win chance,
    ``safe`` the covered cells that are known to be safe.
    """

    seen: Symbols
    settled: Symbols
    now: Chance | None = None
    safe: set[int] = field(default_factory=set)
    flags: set[Cell] = field(default_factory=set)
    began: bool = False


class _Reviewer:
    def __init__(self, record: Record, rolled: int, kernels: bool) -> None:
        self.record, self.layout, self.rules = record, record.layout, record.rules
        layout = record.layout
        rows = ("#" * layout.cols,) * layout.rows
        mines = layout.mines if self.rules.tells_total else None
        self.positions = Positions(
            Board(rows, mines, topology=layout.topology, clues=self.rules.clues), kernels=kernels
        )
        self.chances = win_chances(record, self.positions, rolled)
        self.finder = TechniqueFinder(self.positions.near, exact=self.rules.clues.is_exact)
        self.shown = numbers_of(layout)
        self.state = _State(self.positions.covered, self.positions.covered)
        self.start: Fraction | None = None
        self.exact = True

    def review(self) -> Review:
        """The review of the whole game."""
        moves: list[ReviewedMove] = []
        for turn in turns_of(self.record.moves):
            moves += self._turn(turn, len(moves))
        end = None if self.start is None else self._end()
        known: Known = "risk" if self.start is None else "exact" if self.exact else "estimate"
        return Review(self.record, known, _timed(moves), self.start, end)

    def _end(self) -> Fraction:
        outcome = self.record.outcome
        if outcome.won or self.state.now is None:
            return Fraction(int(outcome.won))
        return self.state.now.win

    def _turn(self, turn: Sequence[Move], before: int) -> Iterator[ReviewedMove]:
        """Review the moves of a turn: one, or those of a chord, which open cells at once."""
        move, state = turn[0], self.state
        if move.action is not Action.OPEN:
            if move.action is Action.FLAG:
                state.flags.add(move.cell)
            elif move.action is Action.UNFLAG:
                state.flags.discard(move.cell)
            wrong = move.action is Action.FLAG and not self.layout.is_mine(move.cell)
            win = state.now and state.now.win
            yield ReviewedMove(before + 1, move, before=win, after=win, wrong_flag=wrong)
            return
        cells = self._opened_at_once(turn)
        if not state.began and (self.rules.first is not FirstClick.ANY or move.reason is MoveReason.START):
            yield self._first(move, before + 1)
        elif technique := self._forced(cells):
            win = state.now and state.now.win
            yield ReviewedMove(before + 1, move, MoveClass.SAFE, technique, before=win, after=win)
            self._show(turn)
        else:
            yield self._guess(turn, cells, before + 1)
        state.began = True
        win = state.now and state.now.win
        for place, other in enumerate(turn[1:], before + 2):
            yield ReviewedMove(place, other, before=win, after=win)

    def _opened_at_once(self, turn: Sequence[Move]) -> tuple[int, ...]:
        """The cells that a turn opens.

        A chord opens all cells around its number that carry no flag.
        """
        move = turn[0]
        if move.inference is None or move.inference.rule != CHORD or not move.inference.clues:
            return (self.layout.index(move.cell),)
        around = self.positions.near[self.layout.index(move.inference.clues[0])]
        flags = {self.layout.index(cell) for cell in self.state.flags}
        cells = tuple(cell for cell in around if self.state.seen[cell] == COVERED and cell not in flags)
        return cells or (self.layout.index(move.cell),)

    def _show(self, turn: Sequence[Move]) -> None:
        seen, opened = self.state.seen, []
        for move in turn:
            self.state.flags.discard(move.cell)
            for cell, number in move.revealed:
                index = self.layout.index(cell)
                seen[index] = MINED if number is None else OPEN if number == HIDDEN else number
                opened.append(index)
        self.finder.show(seen, opened)

    def _forced(self, cells: Sequence[int]) -> Technique | None:
        """The hardest technique for some cells that are safe; None if one is not."""
        single, safe = self.finder.single.safe, self.state.safe
        if single.issuperset(cells):
            return Technique.SINGLE
        if not all(cell in safe or cell in single for cell in cells):
            safe.update(_zeros(self.positions.risks(self.state.seen)))
            if not safe.issuperset(cells):
                return None
        found = self.finder.of(cells, lambda: self.positions.board(self.state.seen))
        return max(found.values(), key=ORDER.__getitem__)

    def _settle(self) -> None:
        state = self.state
        if self.chances is None:
            return
        ahead = state.seen[:]
        for cell, symbol in enumerate(state.seen):
            if symbol == COVERED:
                ahead[cell] = state.settled[cell]
        state.settled = self.positions.settled(ahead, self.shown)
        found = self.chances.of(state.settled)
        self.exact &= found is not None and found.exact
        state.now = found

    def _first(self, move: Move, number: int) -> ReviewedMove:
        cell = self.layout.index(move.cell)
        choice, judgement = None, None
        if self.chances is not None:
            judged = move.reason is not MoveReason.START and self.rules.start is None
            choice = self.chances.of_first(cell, self.rules.first, judged=judged)
        if choice is not None:
            self.start = choice.possible
            self.exact &= choice.exact
            if choice.best >= 0:
                judgement = Judgement(
                    self.positions.blank,
                    (move.cell,),
                    Fraction(0),
                    Fraction(0),
                    self.layout.cell(choice.best),
                    choice.chosen,
                    choice.possible,
                    exact=True,
                )
        self._show((move,))
        after = Fraction(0) if move.exploded else self._after(choice and choice.chosen)
        if choice is None or after is None:
            return ReviewedMove(number, move, MoveClass.START, after=after)
        kind = MoveClass.START if judgement is None else judgement.kind
        skill, luck = choice.chosen - choice.possible, after - choice.chosen
        return ReviewedMove(number, move, kind, None, judgement, choice.possible, after, skill, luck)

    def _after(self, expected: Fraction | None) -> Fraction | None:
        """The win chance after a choice that opened no mine; the expected one if unknown."""
        self._settle()
        state = self.state
        if state.now is None and self.start is not None and expected is not None:
            state.now = Chance(min(Fraction(1), max(Fraction(0), expected)), False)
        return state.now and state.now.win

    def _guess(self, turn: Sequence[Move], cells: Sequence[int], number: int) -> ReviewedMove:
        state, positions, layout = self.state, self.positions, self.layout
        move = turn[0]
        if not state.began and self.chances is not None:
            self._settle()
            self.start = state.now and state.now.win
        analysis = positions.analysis(state.seen)
        risk = _risk_of_all(positions, state.seen, cells)
        choice: Choice | None = None
        if self.chances is not None:
            choice = self.chances.of_choice(state.seen, cells, risk, state.now)
        safe = _zeros(positions.risks(state.seen))
        techniques = self.finder.of(safe, lambda: analysis.board)
        missed = easiest_first(analysis.board, {layout.cell(cell): own for cell, own in techniques.items()})
        best: Cell | None
        if missed:
            best = missed[0][0]
        elif choice is not None and choice.best >= 0 and not is_faint(choice.possible, choice.exact):
            best = layout.cell(choice.best)
        else:
            best = next(iter(analysis.safest), None)
        judgement = Judgement(
            analysis.board,
            tuple(map(layout.cell, cells)),
            risk,
            Fraction(analysis.least_risk or 0),
            best,
            choice and choice.chosen,
            choice and choice.possible,
            choice is not None and choice.exact,
            choice.error if choice is not None else Fraction(0),
            missed,
            None if best is None else analysis.odds[layout.index(best)].risk,
        )
        self.exact &= judgement.exact
        before = state.now and state.now.win
        skill = -(judgement.loss or Fraction(0))
        self._show(turn)
        exploded = any(own.exploded for own in turn)
        if exploded and self.rules.fatal:
            state.now = Chance(Fraction(0), True) if self.chances is not None else None
            after: Fraction | None = Fraction(0)
        else:
            after = self._after(None if before is None else before + skill)
        luck = after - before - skill if before is not None and after is not None else Fraction(0)
        return ReviewedMove(number, move, judgement.kind, None, judgement, before, after, skill, luck)


def _zeros(risks: Sequence[float]) -> list[int]:
    return [cell for cell, risk in enumerate(risks) if risk == 0]


def _risk_of_all(positions: Positions, seen: Symbols, cells: Sequence[int]) -> Fraction:
    """The probability that at least one of some cells is a mine."""
    safe, opened = Fraction(1), seen[:]
    for cell in cells:
        safe *= 1 - positions.analysis(opened).odds[cell].risk
        if not safe:
            break
        opened[cell] = OPEN
    return 1 - safe


def turns_of(moves: Sequence[Move]) -> Iterator[Sequence[Move]]:
    """Yield moves one by one, and those of a chord together."""
    turn: list[Move] = []
    for move in moves:
        together = (
            turn
            and move.action is Action.OPEN
            and _chord(move) is not None
            and _chord(move) == _chord(turn[0])
            and move.turn == turn[0].turn
        )
        if turn and not together:
            yield turn
            turn = []
        turn.append(move)
    if turn:
        yield turn


def _chord(move: Move) -> tuple[Cell, ...] | None:
    return move.inference.clues if move.inference is not None and move.inference.rule == CHORD else None


def _timed(moves: Sequence[ReviewedMove]) -> tuple[ReviewedMove, ...]:
    """Moves with the seconds that each has taken, where the record has times."""
    found, last = [], 0.0
    for move in moves:
        time = move.move.time
        if time is not None:
            move = replace(move, seconds=max(0.0, time - last))
            last = max(last, time)
        found.append(move)
    return tuple(found)
