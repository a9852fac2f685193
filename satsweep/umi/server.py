"""The engine's side of the protocol: an agent of this package behind a pipe.

A ``Server`` is given the lines of an arena and returns the text to answer with. Queries are answered by the exact
analysis, whichever agent plays.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from satsweep.agents import agent_named
from satsweep.analysis.analyse import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.board import COVERED, FLAG, NUMBER_OF, Board
from satsweep.errors import BoardError, SatsweepError
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.games.rules import RULES, Rules
from satsweep.render import analysis_text, explanation_text
from satsweep.solver.pipeline import ComponentCache
from satsweep.text import error_line, printable
from satsweep.umi.protocol import lines, messages
from satsweep.why.explainer import explain

_ANYWHERE = "#.*F?"
"""Symbols that every cell can have."""
EXACT = ("sat", "deep")
"""Agents that claim every certain cell."""
_SURE = frozenset(("changes", "risks", "untold", "topologies", "clues", "rules", "redraw", "queries"))


class Server:
    """An engine that plays as an agent; ``has_quit`` is True after ``quit``.

    ``names`` are the agents that the arena may choose, ``fresh`` makes the first one unless it is in the table.
    """

    def __init__(
        self, agent: str = "sat", names: tuple[str, ...] = (), fresh: Callable[[], Agent] | None = None
    ) -> None:
        self.has_quit = False
        self._name = self._own = agent
        self._fresh = fresh or (lambda: agent_named(agent))
        self._names = names or (agent,)
        self._reader = lines.RequestReader()
        self._agent: Agent | None = None
        self._blank: Board | None = None
        self._board: Board | None = None
        self._analysis: Analysis | None = None
        self._neighbours: Sequence[Sequence[int]] = ()
        self._cache = ComponentCache()
        self._rng = Random(0)

    def answer(self, line: str) -> str:
        """Return what to write after a line, mostly nothing. Errors are answers, too."""
        return "".join(map(lines.write_reply, self._replies(self._reader.read(line))))

    def _replies(self, requests: Iterator[messages.Request]) -> Iterator[messages.Reply]:
        """Yield the replies to requests; one that is an error leaves those after it."""
        while True:
            try:
                request = next(requests, None)
                if request is None:
                    return
                reply = self._reply(request)
                if reply is not None:
                    yield reply
            except (SatsweepError, ValueError) as error:
                if isinstance(error, messages.RefusedGame):
                    self._end_game()
                yield messages.Trouble(error_line(error))

    def _reply(self, request: messages.Request) -> messages.Reply | None:
        match request:
            case messages.Go():
                return self._move()
            case messages.Changes():
                self._change(request)
            case messages.FullPosition(rows):
                self._show(rows)
            case messages.NewGame():
                self._begin(request)
            case messages.Query():
                return self._found(request)
            case messages.Greeting():
                return self._identity()
            case messages.SetOption(name, value):
                self._set(name, value)
            case "ping":
                return "pong"
            case "quit":
                self.has_quit = True
        return None

    def _identity(self) -> messages.Identity:
        from satsweep import __version__

        options = (messages.Option("agent", "choice", self._name, among=self._names),)
        can = _SURE | ({"sound", "complete"} if self._name in EXACT else frozenset())
        return messages.Identity(f"satsweep {self._name}", __version__, "", options, can, messages.VERSION)

    def _set(self, name: str, value: str) -> None:
        if name != "agent" or value not in self._names:
            raise messages.ProtocolError(
                f"expected the option agent with one of {', '.join(self._names)}, found {name!a}"
            )
        self._name = value

    def _end_game(self) -> None:
        self._blank = self._board = self._analysis = self._agent = None

    def _begin(self, game: messages.NewGame) -> None:
        self._end_game()
        variants = {key: game.rules[key] for key in ("topology", "clues") if key in game.rules}
        played = {key: _rule(key, value) for key, value in game.rules.items() if key not in variants}
        blank = Board([COVERED * game.cols] * game.rows, mines=game.mines, **variants)
        self._neighbours = blank.topology.neighbours(game.rows, game.cols)
        self._agent = self._fresh() if self._name == self._own else agent_named(self._name)
        self._cache = ComponentCache()
        self._rng = Random(game.seed)
        if self._agent.begin is not None:
            rules = Rules(clues=blank.clues, tells_total=game.mines is not None, **played)
            self._agent.begin(rules, self._rng)
        self._blank = blank

    def _show(self, rows: tuple[str, ...]) -> None:
        blank = self._needed(self._blank, "a game before its board")
        if len(rows) != blank.rows or any(len(row) != blank.cols for row in rows):
            self._board = None
            raise messages.ProtocolError(f"expected {blank.rows} rows of {blank.cols} symbols")
        before, self._board, self._analysis = self._board, None, None
        prior = blank.mines, None, blank.topology, blank.clues
        if before is not None and self._is_right(before, rows):
            self._board = Board.trusted(rows, *prior)
        else:
            self._board = Board(rows, *prior)

    def _is_right(self, before: Board, rows: tuple[str, ...]) -> bool:
        """Return whether the cells that differ from a checked board hold what they can.

        Boards differ in a few cells from move to move, and to check all of them would take most of the time of a move.
        """
        for row, (old_line, line) in enumerate(zip(before.cells, rows, strict=True)):
            if old_line != line:
                for col, (old, symbol) in enumerate(zip(old_line, line, strict=True)):
                    if old != symbol and symbol not in _ANYWHERE:
                        number = NUMBER_OF.get(symbol)
                        around = self._neighbours[row * before.cols + col]
                        if number is None or number > before.clues.most(len(around)):
                            return False
        return True

    def _change(self, changes: messages.Changes) -> None:
        board = self._needed(self._board, "a board before its changes")
        rows: dict[int, list[str]] = {}
        for cell, symbol in changes.cells:
            if cell.row >= board.rows or cell.col >= board.cols:
                raise messages.ProtocolError(f"expected a cell on the {board.rows}x{board.cols} grid, found {cell}")
            rows.setdefault(cell.row, list(board.cells[cell.row]))[cell.col] = symbol
        self._show(tuple("".join(rows[row]) if row in rows else line for row, line in enumerate(board.cells)))

    @staticmethod
    def _needed(board: Board | None, what: str) -> Board:
        if board is None:
            raise messages.ProtocolError(f"expected {what}")
        return board

    def _move(self) -> messages.EngineAnswer:
        board = self._needed(self._board, "a board before `go`")
        assert self._agent is not None
        deduction = Deduction.of(self._agent.deduce(board), board)
        why = {cell: messages.Why(one.clues, one.rule) for cell, one in deduction.why.items() if one.clues}
        answer = messages.EngineAnswer(deduction.safe, deduction.mines, deduction.opens, deduction.flags, why=why)
        cells = board.cells
        if deduction.safe or any(cells[row][col] != FLAG for row, col in (*deduction.mines, *deduction.flags)):
            return answer
        guess = Guess.of(self._agent.guess(board, self._rng), board)
        if guess is None:
            return answer
        risk, wins = (None if one is None else Fraction(one) for one in (guess.risk, guess.wins))
        return messages.EngineAnswer(answer.safe, answer.mines, answer.opens, answer.flags, guess.cell, risk, wins, why)

    def _found(self, query: messages.Query) -> messages.EngineAnswer:
        board = self._needed(self._board, f"a board before `{query.kind}`").without_flags()
        if query.kind == "explain":
            if query.cell is None or query.cell.row >= board.rows or query.cell.col >= board.cols:
                raise BoardError("expected a cell of the board to explain")
            if not board.is_covered(query.cell):
                raise BoardError(f"expected a covered cell, found {query.cell}")
            text = "".join(explanation_text.to_text(explain(board, query.cell)))
            return messages.EngineAnswer(because=tuple(map(printable, filter(str.strip, text.splitlines()))))
        if self._analysis is None:
            self._analysis = analyse(board, cache=self._cache)
        analysis = self._analysis
        if query.kind == "risks":
            unknown = {*analysis.unknown}
            return messages.EngineAnswer(
                risks={cell: analysis.risk(cell) for cell in board.covered if cell not in unknown}
            )
        return messages.EngineAnswer(analysis="".join(analysis_text.to_json(analysis)).replace("\n", " ").strip())


def _rule(key: str, value: str) -> Any:
    if key not in RULES or RULES[key].ability is None:
        raise messages.ProtocolError(f"expected a rule of the protocol, found {key[:40]!a}")
    words = RULES[key].words
    if value not in words:
        raise messages.ProtocolError(f"expected the rule {key} as one of {', '.join(words)}, found {value[:40]!a}")
    return words[value]
