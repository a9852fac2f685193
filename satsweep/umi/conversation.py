"""Conversation with an engine that is examined, line by line."""

from __future__ import annotations

from satsweep.agents.child_process import Flood
from satsweep.agents.engine import ALLOWANCE, Command
from satsweep.board import Board
from satsweep.errors import AgentError
from satsweep.umi.protocol import lines, messages

PROMPT_SECONDS = 5.0
"""Time limit for errors, ``pong``, the answer after ``stop`` and the end."""


class Conversation:
    """A process of an engine that is sent requests, or lines that are none.

    Use it as a context. Raises AgentError when the engine does not answer, in words that say after which line.
    ``seconds`` is the time for the handshake and for answers.
    """

    def __init__(self, command: Command, seconds: float) -> None:
        self._seconds, self._prompt = seconds, min(seconds, PROMPT_SECONDS)
        self._process = command.process()
        self._reader = lines.ReplyReader()
        self._last = ""
        self.send(messages.Greeting())
        found = self.reply()
        if not isinstance(found, messages.Identity):
            raise AgentError(f"expected a handshake, found {messages.line_of_reply(found)}")
        self.identity = found

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.end()

    def send(self, *requests: messages.Request) -> None:
        for request in requests:
            self.send_text(lines.write_request(request))

    def send_text(self, text: str) -> None:
        self._last = text
        try:
            with self._process.due(self._seconds):
                self._process.write(text)
        except OSError:
            raise self._ended(self._seconds) from None

    def reply(self, seconds: float | None = None, *, with_info: bool = False) -> messages.Reply:
        """The next reply; lines for people are replies only ``with_info``."""
        seconds = self._seconds if seconds is None else seconds
        try:
            with self._process.due(seconds):
                while True:
                    line = self._process.read(ALLOWANCE)
                    found = self._reader.read(line)
                    if found is not None and (with_info or not isinstance(found, messages.Info)):
                        return found
        except (EOFError, OSError):
            raise self._ended(seconds) from None
        except Flood:
            raise AgentError(f"expected an answer, found {ALLOWANCE:,} bytes without one") from None

    def expect_error(self, what: str) -> None:
        found = self.reply(self._prompt)
        if not isinstance(found, messages.Trouble):
            raise AgentError(f"expected `error TEXT` after {what}, found {messages.line_of_reply(found)}")

    def expect_answer(self, what: str, *, soon: bool = False) -> messages.EngineAnswer:
        found = self.reply(self._prompt if soon else None)
        if not isinstance(found, messages.EngineAnswer):
            raise AgentError(f"expected an answer to {what}, found {messages.line_of_reply(found)}")
        return found

    def expect_pong(self, what: str) -> None:
        self.send("ping")
        found = self.reply(self._prompt, with_info=True)
        if found != "pong":
            raise AgentError(f"expected `pong` after {what} and `ping`, found {messages.line_of_reply(found)}")

    def expect_end(self, what: str) -> None:
        ending = self._process.ending(self._prompt)
        if ending is None:
            raise AgentError(f"expected the engine to end after {what}, found it running after {self._prompt:g} s")
        if ending != "ended with exit code 0":
            raise AgentError(f"expected the engine to end with exit code 0 after {what}, but it {ending}")

    def ask(self, board: Board, request: messages.Go | messages.Query) -> messages.EngineAnswer:
        """The answer to a request about a board, in a game of its own."""
        self.send(messages.NewGame(board.rows, board.cols, board.mines), messages.FullPosition(board.cells), request)
        return self.expect_answer(f"`{request.kind if isinstance(request, messages.Query) else 'go'}`")

    def close_input(self) -> None:
        self._process.close_input()

    def _ended(self, seconds: float) -> AgentError:
        ending = None if self._process.is_late else self._process.ending(1)
        late = f"did not answer within {seconds:g} s"
        after = f"after the line {messages.quoted(self._last)}"
        return AgentError(f"the engine {late if ending is None else ending} {after}")
