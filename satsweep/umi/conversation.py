"""Conversation with an engine: what a test sends, and what comes back."""

from __future__ import annotations

from satsweep.errors import AgentError
from satsweep.umi.client import ALLOWANCE
from satsweep.umi.command import Command
from satsweep.umi.forms import FORMS, Form, ReplyReader, form_of
from satsweep.umi.lines import Flood, LineProcess
from satsweep.umi.messages import Greeting, Identity, Info, Reply, Request, Trouble, quoted


class Conversation:
    """A process of an engine, and the form that it has chosen.

    Use it as a context. Raises AgentError when the engine does not answer, in words that say after which line.
    """

    def __init__(self, command: Command, seconds: float) -> None:
        self._seconds = seconds
        self._process = LineProcess(command)
        self.form: Form = FORMS[command.prefer]
        self._reader: ReplyReader | None = None
        self._last = ""
        self.send(Greeting())
        found = self.reply()
        if not isinstance(found, Identity):
            raise AgentError(f"expected a handshake, found {found!r:.80}")
        self.identity = found

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.child.end()

    def send(self, *requests: Request) -> None:
        """Send requests in the form of the engine."""
        for request in requests:
            self.send_text(self.form.write_request(request))

    def send_text(self, text: str) -> None:
        """Send text as it is."""
        self._last = text
        try:
            with self._process.child.due(self._seconds):
                self._process.write(text)
        except OSError:
            raise self._ended() from None

    def reply(self) -> Reply:
        """The next reply that is no line for people."""
        try:
            with self._process.child.due(self._seconds):
                while True:
                    line = self._process.read(ALLOWANCE)
                    if self._reader is None:
                        self.form = form_of(line)
                        self._reader = self.form.reply_reader()
                    found = self._reader.read(line)
                    if found is not None and not isinstance(found, Info):
                        return found
        except (EOFError, OSError):
            raise self._ended() from None
        except Flood:
            raise AgentError(f"expected an answer, found {ALLOWANCE:,} bytes without one") from None

    def expect_error(self, what: str) -> None:
        """Raise AgentError unless the next reply is an error."""
        found = self.reply()
        if not isinstance(found, Trouble):
            raise AgentError(f"expected `error TEXT` after {what}, found {_shown(found)}")

    def expect_pong(self, what: str) -> None:
        """Send ``ping``; raise AgentError unless the next reply is ``pong``."""
        self.send("ping")
        found = self.reply()
        if found != "pong":
            raise AgentError(f"expected `pong` after {what} and `ping`, found {_shown(found)}")

    def expect_end(self, what: str) -> None:
        """Raise AgentError unless the process ends by itself."""
        ending = self._process.child.ending(self._seconds)
        if ending is None:
            raise AgentError(f"expected the engine to end after {what}, found it running after {self._seconds:g} s")
        if ending != "ended with exit code 0":
            raise AgentError(f"expected the engine to end with exit code 0 after {what}, but it {ending}")

    def close_input(self) -> None:
        """End the input of the engine."""
        self._process.close_input()

    def _ended(self) -> AgentError:
        child = self._process.child
        ending = None if child.is_late else child.ending(1)
        late = f"did not answer within {self._seconds:g} s"
        after = f"after the line {quoted(self._last)}"
        return AgentError(f"the engine {late if ending is None else ending} {after}")


def _shown(reply: Reply) -> str:
    return f"`{reply}`" if isinstance(reply, str) else type(reply).__name__.lower()
