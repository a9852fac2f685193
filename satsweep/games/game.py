"""Running games, and agents that play them.

Only a ``Game`` has the layout. An agent is given a board; cells that it claims to be safe are opened, cells that it
claims to be mines are flagged, and when it claims nothing new it guesses. ``play`` returns the ``Record`` of a whole
game, ``play_moves`` yields its moves one by one. ``replay`` makes the moves of a record in a new game, and checks each.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from satsweep.arguments import check_kind, check_whole, short_repr
from satsweep.board import HIDDEN, NUMBERS, Board, Cell
from satsweep.errors import BoardError
from satsweep.games.agent import Agent, Deduction, Guess, Inference, Thinking
from satsweep.games.record import Action, Move, MoveReason, Outcome, Record, Revealed
from satsweep.games.rules import STANDARD_RULES, FirstClick, Goal, Redraw, Rules
from satsweep.layout import Layout, LayoutLike
from satsweep.text import check_start, counted

_COVERED, _FLAG, _MINE = b"#F*"
_HIDDEN = ord(HIDDEN)
_NUMBERS = NUMBERS.encode("ascii")


class Game:
    """A running game.

    ``open``, ``flag``, ``unflag`` and ``note`` make moves, at the ``turn`` and the ``time`` that are set; ``board`` is
    the player's view.

    ``layout`` is where the mines are, also as text, rows or an array. If the rules promise something about the first
    cell, mines are moved away from it, to cells drawn by ``rng``. Unreliable numbers depend on ``clue_seed`` alone
    (drawn from ``rng`` unless given), not on the order of opening, so that all players of a game see the same numbers.
    Raises BoardError when the layout cannot be played under the rules.
    """

    def __init__(
        self,
        layout: LayoutLike,
        rules: Rules = STANDARD_RULES,
        rng: Random | None = None,
        *,
        clue_seed: int | None = None,
    ) -> None:
        layout = Layout.of(layout)
        check_kind(rules, Rules, "Rules")
        check_kind(rng, Random | None, "a random.Random")
        clue_seed = None if clue_seed is None else check_whole(clue_seed, "clue_seed")
        self.rules = rules
        self.layout = layout
        self.rng = rng or Random(0)
        self.clue_seed = clue_seed if clue_seed is not None or rules.clues.is_exact else self.rng.getrandbits(32)
        self.turn = 0
        self.time: float | None = None
        self.moves: list[Move] = []
        self.outcome: Outcome | None = None
        self.start = _start_cell(layout, rules)
        self._total = layout.mines
        self._neighbours = layout.topology.neighbours(layout.rows, layout.cols)
        self._symbols = bytearray(b"#" * (layout.rows * layout.cols))
        self._safe_left = len(self._symbols) - self._total  # safe cells still covered
        self._unmarked = len(self._symbols)  # cells that are covered and carry no flag
        self._hits = 0
        self._flags: set[int] = set()
        self.noted: set[Cell] = set()
        self._promise_pending = rules.first in (FirstClick.SAFE, FirstClick.ZERO)
        self._known_safe: set[int] = set()  # certainly safe by the player's view; kept where mines are redrawn
        self._promised_zero: int | None = None  # the first cell, if the rules promise no mine around it
        if self._promise_pending and not self._safe_left:
            raise self._no_room_error()
        self._board: Board | None = None
        self._set_layout(layout)
        self.outcome = self._find_outcome(exploded=False)

    def __repr__(self) -> str:
        size = f"{self.layout.rows}x{self.layout.cols}/{self._total}"
        ending = "not over" if self.outcome is None else self.outcome.value
        return f"<Game on {size}: {len(self.moves)} moves, {ending}>"

    def _set_layout(self, layout: Layout) -> None:
        self.layout = layout
        text = layout.symbols
        self._mines = {index for index, symbol in enumerate(text) if symbol == "*"}
        self._mines_around = bytearray(len(text))
        for mine in self._mines:
            for index in self._neighbours[mine]:
                self._mines_around[index] += 1

    @property
    def board(self) -> Board:
        """The player's view; its flags are the player's marks."""
        if self._board is None:
            text, cols = self._symbols.decode("ascii"), self.layout.cols
            rows = tuple(text[first : first + cols] for first in range(0, len(text), cols))
            mines = self._total if self.rules.tells_total else None
            self._board = Board.trusted(rows, mines, None, self.layout.topology, self.rules.clues)
        return self._board

    @property
    def mines_left(self) -> int:
        """The mine total minus flags and opened mines."""
        return self._total - len(self._flags) - self._hits

    def is_covered(self, cell: tuple[int, int]) -> bool:
        """Return whether a cell is covered, flagged or not."""
        return self._symbols[cell[0] * self.layout.cols + cell[1]] in (_COVERED, _FLAG)

    def is_flagged(self, cell: tuple[int, int]) -> bool:
        """Return whether a cell is flagged."""
        return cell[0] * self.layout.cols + cell[1] in self._flags

    def open(
        self,
        cell: tuple[int, int],
        reason: MoveReason = MoveReason.CHOSEN,
        inference: Inference | None = None,
        why: str = "",
        risk: Fraction | None = None,
    ) -> Move:
        """Open a covered cell, flagged or not, and what the cascade opens with it.

        Raises BoardError for a cell that is not covered, and once the game is over.
        """
        index = self._index(cell)
        if self._promise_pending:
            self._promise_pending = False
            self._move_mines_away(index)
        elif self.rules.redraw is not Redraw.NEVER and not self._is_given(cell):
            self._redraw_mines(index)
        revealed = self._reveal(index)
        return self._record_move(Action.OPEN, index, reason, inference, why, risk, revealed)

    def flag(
        self, cell: tuple[int, int], reason: MoveReason = MoveReason.CHOSEN, inference: Inference | None = None
    ) -> Move:
        """Flag a covered cell as a mine."""
        index = self._index(cell)
        if index not in self._flags:
            self._flags.add(index)
            self._unmarked -= 1
        self._symbols[index] = _FLAG
        return self._record_move(Action.FLAG, index, reason, inference)

    def unflag(self, cell: tuple[int, int], reason: MoveReason = MoveReason.CHOSEN) -> Move:
        """Remove the flag from a cell."""
        index = self._index(cell)
        self._symbols[index] = _COVERED
        if index in self._flags:
            self._flags.discard(index)
            self._unmarked += 1
        return self._record_move(Action.UNFLAG, index, reason)

    def note(self, cell: tuple[int, int], reason: MoveReason, inference: Inference | None = None) -> Move:
        """Record the claim that a cell is safe, without changing the board."""
        index = self._index(cell)
        self.noted.add(Cell(*cell))
        return self._record_move(Action.NOTE, index, reason, inference)

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

    def _move_mines_away(self, index: int) -> None:
        """Move mines away from the first cell, each to a cell drawn among the free ones.

        The result is a uniform layout among those that keep the promise, as if the layout were drawn after the first
        click: given the number of mines to move, the mines elsewhere are a uniform set, and so is that set with the
        same number of uniformly drawn cells added.
        """
        promised = {index} if self.rules.first is FirstClick.SAFE else set()
        if self.rules.first is FirstClick.ZERO:
            promised = {index, *self._neighbours[index]}
            self._promised_zero = index
        moved = sorted(promised & self._mines)
        if moved:
            free = [other for other in range(len(self._symbols)) if other not in self._mines and other not in promised]
            if len(free) < len(moved):
                raise self._no_room_error()
            mines = self._mines.difference(moved).union(self.rng.sample(free, len(moved)))
            self._set_layout(self.layout.with_mines(mines))

    def change_world(self, world: Layout) -> None:
        """Put the mines elsewhere; the caller sees to it that all that is open agrees."""
        self._set_layout(self.layout.with_mines({at for at, symbol in enumerate(world.symbols) if symbol == "*"}))

    def _is_given(self, cell: tuple[int, int]) -> bool:
        return self.rules.first is FirstClick.GIVEN and self.start == cell

    def _redraw_mines(self, index: int) -> None:
        """Redraw the mines if the rules decide that the opened cell is not what it is.

        A cruel rule changes nothing about a mine, and a fair one nothing about a safe cell.
        """
        mined = index in self._mines
        if mined is self.rules.redraw.is_cruel or index in self._known_safe:
            return
        from satsweep.analysis.analyse import analyse
        from satsweep.games.redraw import redrawn

        analysis = analyse(self.board)
        self._known_safe.update(analysis.solution.safe)
        world = redrawn(analysis, self.layout.cell(index), mined, self.rules.redraw, self.rng)
        if world is not None:
            self.change_world(world)

    def _no_room_error(self) -> BoardError:
        kind = "a safe cell" if self.rules.first is FirstClick.SAFE else "a cell with no mine around"
        return BoardError(f"expected room for {kind} to start, found {counted(self._total, 'mine')}", at="mines")

    def _reveal(self, index: int) -> tuple[Revealed, ...]:
        """Open a cell and what the cascade opens with it, breadth first, around flags."""
        symbols, around, cols = self._symbols, self._mines_around, self.layout.cols
        if index in self._flags:
            self._flags.discard(index)
            self._unmarked += 1
        self._unmarked -= 1
        if index in self._mines:
            symbols[index] = _MINE
            self._hits += 1
            return ((self.layout.cell(index), None),)
        if not self.rules.clues.is_exact:
            return self._reveal_unreliable(index)
        # The cascade of _reveal_unreliable once more, and Cell(...) instead of layout.cell, on the hot path:
        # with exact numbers there are no draws and no dictionary, which makes large openings a sixth faster.
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
        self._safe_left -= len(opened)
        return tuple((Cell(*divmod(other, cols)), around[other]) for other in opened)

    def _reveal_unreliable(self, index: int) -> tuple[Revealed, ...]:
        """Open a safe cell where numbers are drawn, and what the cascade opens with it.

        The cascade continues from a cell whose shown number leaves no room for a mine around it, and from a first cell
        that the rules promise to have no mine around it, since the player knows that without its number.
        """
        opened: dict[int, int | None] = {index: self._draw_clue(index)}
        waiting = [index]
        for cell in waiting:
            if self.rules.cascade and (cell == self._promised_zero or self.rules.clues.proves_zero(opened[cell])):
                for other in self._neighbours[cell]:
                    if other not in opened and self._symbols[other] == _COVERED:
                        opened[other] = self._draw_clue(other)
                        waiting.append(other)
        revealed: list[Revealed] = []
        for cell, number in opened.items():
            self._symbols[cell] = _HIDDEN if number is None else _NUMBERS[number]
            revealed.append((self.layout.cell(cell), HIDDEN if number is None else number))
        self._unmarked -= len(opened) - 1
        self._safe_left -= len(opened)
        return tuple(revealed)

    def _draw_clue(self, index: int) -> int | None:
        """Draw the number that a safe cell shows, seeded by the cell; None for nothing."""
        rng = Random(f"{self.clue_seed}/{index}")
        return self.rules.clues.draw(self._mines_around[index], len(self._neighbours[index]), rng)

    def _record_move(
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
        move = Move(self.turn, action, cell, reason, inference, why, risk, revealed, self.time)
        self.moves.append(move)
        if action is not Action.NOTE:
            self._board = None
            self.outcome = self._find_outcome(exploded=self._symbols[index] == _MINE)
        return move

    def _find_outcome(self, *, exploded: bool) -> Outcome | None:
        """Return the outcome of the game after a move; None if it goes on."""
        if exploded and self.rules.fatal:
            return Outcome.EXPLODED
        if self.rules.goal is Goal.FIND:
            if self.mines_left > 0:
                return None
            return Outcome.FOUND if self._flags <= self._mines else Outcome.MISTAKEN
        if self.rules.fatal:
            return None if self._safe_left else Outcome.CLEARED
        if self._unmarked:
            return None
        return Outcome.PLAYED_OUT if self._safe_left or self._hits else Outcome.CLEARED


def _start_cell(layout: Layout, rules: Rules) -> Cell | None:
    start = rules.start if rules.start is not None or rules.first is not FirstClick.GIVEN else layout.start
    if start is None:
        if rules.first is FirstClick.GIVEN:
            raise BoardError("expected a layout with a start", at="start")
        return None
    check_start(start, layout.rows, layout.cols)
    return Cell(*start)


def play(
    layout: Layout,
    agent: Agent,
    rules: Rules = STANDARD_RULES,
    rng: Random | None = None,
    *,
    name: str = "agent",
    agent_rng: Random | None = None,
) -> Record:
    """Let an agent play a game to its end, and return the record.

    ``rng`` is the only source of randomness: it moves mines away from the first cell, and the agent draws from it,
    unless it has an ``agent_rng`` of its own. The same seed gives the same game. Raises BoardError when the layout
    cannot be played under the rules, AgentError when the agent breaks the rules.

    >>> from satsweep.agents import agent_named
    >>> record = play(Layout(("*..", "...", "...")), agent_named("basic"), Rules(start=Cell(2, 2)))
    >>> record.outcome, record.measures.guesses
    (<Outcome.CLEARED: 'cleared'>, 0)
    """
    if not (hasattr(agent, "deduce") and hasattr(agent, "guess")):
        raise TypeError(f"expected an Agent, as agent_named('sat') makes one, found {short_repr(agent)}")
    rng = rng or Random(0)
    game = Game(layout, rules, rng)
    thinking = Thinking()
    for _ in play_moves(game, agent, agent_rng or rng, thinking):
        pass
    return record(game, name, thinking.seconds, thinking.evaluations)


def record(game: Game, name: str, seconds: float = 0.0, evaluations: int | None = None) -> Record:
    assert game.outcome is not None
    moves = tuple(game.moves)
    return Record(name, game.rules, game.layout, moves, game.outcome, seconds, game.clue_seed, evaluations)


def play_moves(game: Game, agent: Agent, rng: Random, thinking: Thinking | None = None) -> Iterator[Move]:
    """Let an agent play a game to its end, and yield its moves.

    In each turn the agent makes claims. New ones are carried out: mines are flagged, then cells opened. If there are
    none the agent guesses. A guess of None ends the game. Claims about open cells change nothing.
    """
    thinking = thinking or Thinking()
    if (begin := getattr(agent, "begin", None)) is not None:
        begin(game.rules, rng)
    if game.start is not None and game.outcome is None:
        yield game.open(game.start, MoveReason.START)
    while game.outcome is None:
        game.turn += 1
        with thinking.of(agent):
            deduction = Deduction.of(agent.deduce(game.board), game.board)
        thinking.add(deduction)
        for cell, mine in deduction.refuted:
            _refuse_lie(agent, cell, mine)
        acted = False
        for move in _carry_out(game, deduction):
            acted = True
            mine = move.action is Action.FLAG
            if move.reason is MoveReason.DEDUCED and mine is not game.layout.is_mine(move.cell):
                _refuse_lie(agent, move.cell, mine)
            yield move
        if acted or game.outcome is not None:
            continue
        with thinking.of(agent):
            guess = Guess.of(agent.guess(game.board, rng), game.board)
        if guess is None:
            game.stop(Outcome.STUCK)
        else:
            yield game.open(guess.cell, MoveReason.GUESSED, why=guess.why, risk=guess.risk)


def _carry_out(game: Game, deduction: Deduction) -> Iterator[Move]:
    """Carry out claims: flag mines, open cells, note safe cells left covered."""
    for cell in deduction.mines:
        if game.outcome is None and not game.is_flagged(cell):
            yield game.flag(cell, MoveReason.DEDUCED, deduction.why.get(cell))
    for cell in deduction.flags:
        if game.outcome is None and not game.is_flagged(cell):
            yield game.flag(cell, MoveReason.CHOSEN)
    for cell in deduction.safe if deduction.opens is None else deduction.opens:
        # An earlier cell may have opened this one, too.
        if game.outcome is None and game.is_covered(cell):
            yield game.open(cell, MoveReason.DEDUCED, deduction.why.get(cell))
    for cell in () if deduction.opens is None else deduction.safe:
        if game.outcome is None and game.is_covered(cell) and cell not in game.noted:
            yield game.note(cell, MoveReason.DEDUCED, deduction.why.get(cell))


def _refuse_lie(agent: Agent, cell: Cell, mine: bool) -> None:
    lie = getattr(agent, "lie", None)
    if lie is not None and (error := lie(cell, mine=mine)) is not None:
        raise error


_GIVEN_UP = (Outcome.STUCK, Outcome.STOPPED)
"""Outcomes that a player decides, not the rules."""


_PROMISE = "expected the first cell to be {1}, found a mine at or around it"
_REDRAWN = "expected {0} to be as the rules decide, found a layout in which they have to redraw its mines"


def replay(record: Record) -> Iterator[tuple[Move, Game]]:
    """Yield each move of a record with the game right after it.

    Raises BoardError, in place of the first move that cannot be made or does not reveal what the record says, and at
    the end if the game did not end as recorded.

    >>> from satsweep.agents import agent_named
    >>> record = play(Layout(("..*", "..*"), start=(0, 0)), agent_named("basic"), Rules(FirstClick.GIVEN))
    >>> for move, game in replay(record):
    ...     print(move.action.value, *move.cell, game.board.cells)
    open 0 0 ('.2#', '.2#')
    """
    game = Game(record.layout, record.rules, clue_seed=record.clue_seed)
    for move in record.moves:
        if game.start is not None and not game.moves and (move.action, move.cell) != (Action.OPEN, game.start):
            raise BoardError(f"expected the first move to open {game.start}, found {move.cell}")
        if move.turn < game.turn:
            raise BoardError(f"expected turn {game.turn} or a later one, found {move.turn}")
        game.turn, game.time = move.turn, move.time
        expected = _PROMISE if game._promise_pending else _REDRAWN
        repeated = _repeat_move(game, move)
        if game.layout != record.layout:
            raise BoardError(expected.format(move.cell, record.rules.first.value))
        if repeated != move:
            raise BoardError(f"expected the move to reveal {_revealed_text(repeated)}, found {_revealed_text(move)}")
        yield move, game
    if game.outcome is not record.outcome and not (game.outcome is None and record.outcome in _GIVEN_UP):
        expected = "stuck or stopped" if game.outcome is None else game.outcome.value
        raise BoardError(f"expected the outcome {expected}, found {record.outcome.value}", at="outcome")


def _repeat_move(game: Game, move: Move) -> Move:
    if move.action is Action.OPEN:
        return game.open(move.cell, move.reason, move.inference, move.why, move.risk)
    if move.action is Action.FLAG:
        return game.flag(move.cell, move.reason, move.inference)
    if move.action is Action.UNFLAG:
        return game.unflag(move.cell, move.reason)
    return game.note(move.cell, move.reason, move.inference)


def _revealed_text(move: Move, most: int = 5) -> str:
    shown = [f"{cell}={'*' if number is None else number}" for cell, number in move.revealed]
    more = f" and {len(shown) - most:,} more" if len(shown) > most else ""
    return " ".join(shown[:most]) + more or "nothing"
