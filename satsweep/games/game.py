"""Play: the rules, the game, and an agent in it.

The game alone knows the layout. An agent is shown a board; what it claims safe is opened, what it claims to be a mine
is flagged, and when it claims nothing new it guesses. ``play`` gives the ``Record`` of all that happened, ``turns``
the same move by move.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from fractions import Fraction
from random import Random

from satsweep.board import HIDDEN, NUMBERS, Board, Cell
from satsweep.errors import AgentError, BoardError
from satsweep.games.agent import Agent, Deduction, Guess, Inference
from satsweep.games.record import Action, Move, MoveReason, Outcome, Record, Revealed
from satsweep.games.rules import STANDARD_RULES, FirstClick, Goal, Rules
from satsweep.layout import Layout
from satsweep.text import check_start

_COVERED, _FLAG, _MINE = b"#F*"
_HIDDEN = ord(HIDDEN)
_NUMBERS = NUMBERS.encode("ascii")


class Game:
    """A game under way. ``open``, ``flag``, ``unflag`` and ``note`` are its moves; ``board`` is what a player sees.

    ``layout`` is where the mines are, moved out of the way of the first cell if the rules say so, for which ``rng``
    draws where to. What cells show where clues are not exact depends on ``clue_seed`` alone (drawn from ``rng`` unless
    given) and not on the order in which they are opened, so that all who play a game see the same numbers. Raises
    BoardError when the layout cannot be played under the rules.
    """

    def __init__(
        self, layout: Layout, rules: Rules = STANDARD_RULES, rng: Random | None = None, *, clue_seed: int | None = None
    ) -> None:
        self.rules = rules
        self.layout = layout
        self.rng = rng or Random(0)
        self.clue_seed = clue_seed if clue_seed is not None or rules.clues.is_exact else self.rng.getrandbits(32)
        self.turn = 0
        self.moves: list[Move] = []
        self.outcome: Outcome | None = None
        self.start = _start(layout, rules)
        self._total = layout.mines
        self._neighbours = layout.topology.neighbours(layout.rows, layout.cols)
        self._symbols = bytearray(b"#" * (layout.rows * layout.cols))
        self._left = len(self._symbols) - self._total  # safe cells still covered
        self._unmarked = len(self._symbols)  # covered and without a flag
        self._hits = 0
        self._flags: set[int] = set()
        self.noted: set[Cell] = set()
        self._promised = rules.first in (FirstClick.SAFE, FirstClick.ZERO)
        self._zero: int | None = None  # the cell that is promised to have no mine around
        if self._promised and not self._left:
            raise self._no_room()
        self._board: Board | None = None
        self._place(layout)
        self.outcome = self._ended(exploded=False)

    def _place(self, layout: Layout) -> None:
        self.layout = layout
        text = layout.symbols
        self._mines = {index for index, symbol in enumerate(text) if symbol == "*"}
        self._around = bytearray(len(text))
        for mine in self._mines:
            for index in self._neighbours[mine]:
                self._around[index] += 1

    @property
    def board(self) -> Board:
        """What a player sees; flags are the player's own."""
        if self._board is None:
            text, cols = self._symbols.decode("ascii"), self.layout.cols
            rows = tuple(text[first : first + cols] for first in range(0, len(text), cols))
            mines = self._total if self.rules.tells_total else None
            self._board = Board.trusted(rows, mines, None, self.layout.topology, self.rules.clues)
        return self._board

    @property
    def mines_left(self) -> int:
        """The mine total less the mines that are flagged or open."""
        return self._total - len(self._flags) - self._hits

    def is_covered(self, cell: tuple[int, int]) -> bool:
        """Whether a cell has yet to be opened."""
        return self._symbols[cell[0] * self.layout.cols + cell[1]] in (_COVERED, _FLAG)

    def is_flagged(self, cell: tuple[int, int]) -> bool:
        """Whether a cell is flagged."""
        return cell[0] * self.layout.cols + cell[1] in self._flags

    def open(
        self,
        cell: tuple[int, int],
        reason: MoveReason = MoveReason.CHOSEN,
        inference: Inference | None = None,
        why: str = "",
        risk: Fraction | None = None,
    ) -> Move:
        """Open a covered cell, flagged or not, and with it what the cascade opens.

        Raises BoardError for a cell that is not covered, and once the game is over.
        """
        index = self._index(cell)
        if self._promised:
            self._promised = False
            self._keep_promise(index)
        revealed = self._reveal(index)
        return self._moved(Action.OPEN, index, reason, inference, why, risk, revealed)

    def flag(
        self, cell: tuple[int, int], reason: MoveReason = MoveReason.CHOSEN, inference: Inference | None = None
    ) -> Move:
        """Flag a covered cell as a mine."""
        index = self._index(cell)
        if index not in self._flags:
            self._flags.add(index)
            self._unmarked -= 1
        self._symbols[index] = _FLAG
        return self._moved(Action.FLAG, index, reason, inference)

    def unflag(self, cell: tuple[int, int], reason: MoveReason = MoveReason.CHOSEN) -> Move:
        """Take the flag from a cell."""
        index = self._index(cell)
        self._symbols[index] = _COVERED
        if index in self._flags:
            self._flags.discard(index)
            self._unmarked += 1
        return self._moved(Action.UNFLAG, index, reason)

    def note(self, cell: tuple[int, int], reason: MoveReason, inference: Inference | None = None) -> Move:
        """Put on record that a cell is claimed to be safe; nothing changes."""
        index = self._index(cell)
        self.noted.add(Cell(*cell))
        return self._moved(Action.NOTE, index, reason, inference)

    def stop(self, outcome: Outcome) -> None:
        """End the game where it stands."""
        self.outcome = self.outcome or outcome

    def _index(self, cell: tuple[int, int]) -> int:
        row, col = cell
        if self.outcome is not None:
            raise BoardError(f"expected a game that goes on, found it {self.outcome.value}", at=(row, col))
        on_grid = 0 <= row < self.layout.rows and 0 <= col < self.layout.cols
        if not on_grid or self._symbols[row * self.layout.cols + col] not in (_COVERED, _FLAG):
            raise BoardError(f"expected a covered cell, found {row},{col}", at=(row, col))
        return row * self.layout.cols + col

    def _keep_promise(self, index: int) -> None:
        """Move mines away from the first cell, each to a cell drawn among those that stay free.

        Drawing the layout first and moving is as good as drawing it afterwards: given how many mines there are to be
        moved, those outside are a uniform set, and so is the set with as many drawn ones added.
        """
        promised = {index} if self.rules.first is FirstClick.SAFE else set()
        if self.rules.first is FirstClick.ZERO:
            promised = {index, *self._neighbours[index]}
            self._zero = index
        moved = sorted(promised & self._mines)
        if moved:
            free = [other for other in range(len(self._symbols)) if other not in self._mines and other not in promised]
            if len(free) < len(moved):
                raise self._no_room()
            mines = self._mines.difference(moved).union(self.rng.sample(free, len(moved)))
            self._place(self.layout.with_mines(mines))

    def _no_room(self) -> BoardError:
        kind = "a safe cell" if self.rules.first is FirstClick.SAFE else "a cell with no mine around"
        return BoardError(f"expected room for {kind} to start, found {self._total} mines", at="mines")

    def _reveal(self, index: int) -> tuple[Revealed, ...]:
        """Open a cell, and what the cascade opens with it, breadth first; flagged cells stay."""
        symbols, around, cols = self._symbols, self._around, self.layout.cols
        if index in self._flags:
            self._flags.discard(index)
            self._unmarked += 1
        self._unmarked -= 1
        if index in self._mines:
            symbols[index] = _MINE
            self._hits += 1
            return ((Cell(*divmod(index, cols)), None),)
        if not self.rules.clues.is_exact:
            return self._reveal_unreliable(index)
        symbols[index] = _NUMBERS[around[index]]
        opened = [index]
        if not around[index] and self.rules.cascade:
            for zero in opened:
                if not around[zero]:
                    for other in self._neighbours[zero]:
                        if symbols[other] == _COVERED:
                            symbols[other] = _NUMBERS[around[other]]
                            opened.append(other)
        self._unmarked -= len(opened) - 1
        self._left -= len(opened)
        return tuple((Cell(*divmod(other, cols)), around[other]) for other in opened)

    def _reveal_unreliable(self, index: int) -> tuple[Revealed, ...]:
        """The same where numbers are drawn; the cascade goes on where what is shown leaves no room for a mine.

        What a first cell without mines around promises is known, whatever it shows, so its neighbours open as well.
        """
        opened: dict[int, int | None] = {index: self._shown(index)}
        waiting = [index]
        for cell in waiting:
            if self.rules.cascade and (cell == self._zero or self.rules.clues.proves_zero(opened[cell])):
                for other in self._neighbours[cell]:
                    if other not in opened and self._symbols[other] == _COVERED:
                        opened[other] = self._shown(other)
                        waiting.append(other)
        revealed: list[Revealed] = []
        for cell, number in opened.items():
            self._symbols[cell] = _HIDDEN if number is None else _NUMBERS[number]
            revealed.append((self.layout.cell(cell), HIDDEN if number is None else number))
        self._unmarked -= len(opened) - 1
        self._left -= len(opened)
        return tuple(revealed)

    def _shown(self, index: int) -> int | None:
        """What a safe cell shows, drawn once and for all; None for nothing."""
        rng = Random(f"{self.clue_seed}/{index}")
        return self.rules.clues.draw(self._around[index], len(self._neighbours[index]), rng)

    def _moved(
        self,
        action: Action,
        index: int,
        reason: MoveReason,
        inference: Inference | None = None,
        why: str = "",
        risk: Fraction | None = None,
        revealed: tuple[Revealed, ...] = (),
    ) -> Move:
        cell = self.layout.cell(index)
        move = Move(self.turn, action, cell, reason, inference, why, risk, revealed)
        self.moves.append(move)
        if action is not Action.NOTE:
            self._board = None
            self.outcome = self._ended(exploded=self._symbols[index] == _MINE)
        return move

    def _ended(self, *, exploded: bool) -> Outcome | None:
        """How the game has ended; None if it goes on."""
        if exploded and self.rules.fatal:
            return Outcome.EXPLODED
        if self.rules.goal is Goal.FIND:
            if self.mines_left > 0:
                return None
            return Outcome.FOUND if self._flags <= self._mines else Outcome.MISTAKEN
        if self.rules.fatal:
            return None if self._left else Outcome.CLEARED
        if self._unmarked:
            return None
        return Outcome.PLAYED_OUT if self._left or self._hits else Outcome.CLEARED


def _start(layout: Layout, rules: Rules) -> Cell | None:
    """The cell that is opened first whatever the agent thinks, if there is one."""
    start = rules.start if rules.start is not None or rules.first is not FirstClick.GIVEN else layout.start
    if start is None:
        if rules.first is FirstClick.GIVEN:
            raise BoardError("expected a layout with a start", at="start")
        return None
    check_start(start, layout.rows, layout.cols)
    return Cell(*start)


def play(
    layout: Layout, agent: Agent, rules: Rules = STANDARD_RULES, rng: Random | None = None, *, name: str = "agent"
) -> Record:
    """Let an agent play a game to its end.

    ``rng`` is all the randomness there is: it moves mines away from the first cell, and the agent draws from it. The
    same seed gives the same game. Raises BoardError when the layout cannot be played under the rules, AgentError when
    the agent does what the rules do not allow.

    >>> from satsweep.agents import agent_named
    >>> record = play(Layout(("*..", "...", "...")), agent_named("basic"), Rules(start=Cell(2, 2)))
    >>> record.outcome, record.measures.guesses
    (<Outcome.CLEARED: 'cleared'>, 0)
    """
    rng = rng or Random(0)
    game = Game(layout, rules, rng)
    clock = Clock()
    for _ in turns(game, agent, rng, clock):
        pass
    return record(game, name, clock.seconds)


def record(game: Game, name: str, seconds: float = 0.0) -> Record:
    """The record of a game that has ended."""
    assert game.outcome is not None
    return Record(name, game.rules, game.layout, tuple(game.moves), game.outcome, seconds, game.clue_seed)


class Clock:
    """How long the agent took so far."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __enter__(self) -> None:
        self._since = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter() - self._since


def turns(game: Game, agent: Agent, rng: Random, clock: Clock | None = None) -> Iterator[Move]:
    """Play a game to its end, move by move.

    A turn asks the agent for claims. New ones are carried out: mines are flagged, then cells opened. If there are
    none the agent guesses. That the agent names no cell ends the game.
    """
    clock = clock or Clock()
    if game.start is not None and game.outcome is None:
        yield game.open(game.start, MoveReason.START)
    while game.outcome is None:
        game.turn += 1
        with clock:
            deduction = as_deduction(agent.deduce(game.board), game.board)
        acted = False
        for move in _carry_out(game, deduction):
            acted = True
            yield move
        if acted or game.outcome is not None:
            continue
        with clock:
            guess = as_guess(agent.guess(game.board, rng), game.board)
        if guess is None:
            game.stop(Outcome.STUCK)
        else:
            yield game.open(guess.cell, MoveReason.GUESSED, why=guess.why, risk=guess.risk)


def _carry_out(game: Game, deduction: Deduction) -> Iterator[Move]:
    """Flag what is claimed to be a mine, then open what is to be opened, and note the claims that are left."""
    for cell in deduction.mines:
        if game.outcome is None and not game.is_flagged(cell):
            yield game.flag(cell, MoveReason.DEDUCED, deduction.why.get(cell))
    for cell in deduction.safe if deduction.opens is None else deduction.opens:
        # An earlier cell may have opened this one, too.
        if game.outcome is None and game.is_covered(cell):
            yield game.open(cell, MoveReason.DEDUCED, deduction.why.get(cell))
    for cell in () if deduction.opens is None else deduction.safe:
        if game.outcome is None and game.is_covered(cell) and cell not in game.noted:
            yield game.note(cell, MoveReason.DEDUCED, deduction.why.get(cell))


def as_deduction(claims: object, board: Board) -> Deduction:
    """What an agent returned, as a deduction. Raises AgentError unless all its claims are about covered cells.

    >>> as_deduction(([(0, 1)], []), Board(("1#",), mines=1)).safe
    (Cell(row=0, col=1),)
    """
    if not isinstance(claims, Deduction):
        safe: Iterable[tuple[int, int]]
        mines: Iterable[tuple[int, int]]
        try:
            safe, mines = claims  # type: ignore[misc]
            claims = Deduction(tuple(Cell(*cell) for cell in safe), tuple(Cell(*cell) for cell in mines))
        except (TypeError, ValueError):
            message = f"expected safe cells and mines, each as (row, column), found {claims!r:.80}"
            raise AgentError(message) from None
    for cell in (*claims.safe, *claims.mines, *(claims.opens or ())):
        _check_covered(cell, board)
    twice = set(claims.safe).intersection(claims.mines)
    if twice:
        raise AgentError(f"the agent claims {_place(min(twice))} to be safe and a mine")
    return claims


def as_guess(guess: object, board: Board) -> Guess | None:
    """What an agent returned, as a guess. Raises AgentError unless it is a covered cell."""
    if guess is None:
        return None
    if not isinstance(guess, Guess):
        try:
            guess = Guess(Cell(*guess))  # type: ignore[misc]
        except TypeError:
            raise AgentError(f"expected a guess as (row, column), found {guess!r:.80}") from None
    _check_covered(guess.cell, board)
    return guess


def _check_covered(cell: Cell, board: Board) -> None:
    try:
        covered = board.is_covered(cell)
    except (IndexError, TypeError, ValueError):
        covered = False
    if not covered:
        raise AgentError(f"the agent names {_place(cell)}, which is no covered cell")


def _place(cell: tuple[int, int]) -> str:
    return ",".join(map(str, cell)) if isinstance(cell, tuple) else repr(cell)
