"""Models that answer prompts: commands, OpenAI-compatible addresses, players.

* ``cmd: COMMAND`` is run once for each prompt, which is its standard input; its standard output is the reply. No shell
  runs it, and it is ended when it is late.
* Any other name is a model behind an address (``POST .../chat/completions``): one message of the user, no memory.
* Four players of this package need no model (``PLAYERS``): they see the position, and reply in the text of the tasks.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from random import Random
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from satsweep.agents import AGENTS, basic, gem
from satsweep.agents.child_process import ChildProcess
from satsweep.agents.engine import Command, command_named, is_command
from satsweep.arguments import short_repr
from satsweep.board import Board, Cell
from satsweep.errors import AgentError
from satsweep.games.agent import Deduction, Guess, Inference
from satsweep.learn.bench.tasks import Episode
from satsweep.learn.envs.tasks import TextTask
from satsweep.learn.envs.text import cells_text
from satsweep.text import printable

SECONDS = 600.0
"""Time limit of a reply."""
RETRIES = 5
"""Attempts after a failed one, where an address is busy or cannot be reached."""
MOST_WAIT = 60.0
"""Most seconds between two attempts, unless the address asks for more."""
KEY_VARIABLE = "OPENAI_API_KEY"
"""Environment variable that has the key of an address."""
_BUSY = (408, 409, 425, 429, 500, 502, 503, 504, 529)
"""Statuses of HTTP that may be others a little later."""


class LateReply(AgentError):
    """No reply within the time limit."""


Model = Callable[[Episode], str]
"""A function from a task in play to a reply; raises AgentError if it has none."""


@dataclass(frozen=True)
class CommandModel:
    """A command that reads a prompt and writes a reply."""

    name: str
    seconds: float = SECONDS

    def __call__(self, episode: Episode) -> str:
        command = self.command
        program = shutil.which(command.words[0])
        if program is None:
            raise AgentError(f"expected a program that can be run, found {printable(command.words[0])!r}")
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        process = ChildProcess(program, command.words, **pipes)
        try:
            with process.due(self.seconds):
                reply, said = process.process.communicate(episode.prompt.encode())
        finally:
            process.end()
        if process.is_late:
            raise LateReply(f"{self.name}: no reply within {self.seconds:g} seconds")
        if process.process.returncode:
            last = (said.decode(errors="replace").strip().splitlines() or ["it said nothing"])[-1]
            code = process.process.returncode
            raise AgentError(f"{self.name}: expected exit code 0, found {code}: {printable(last)[:200]}")
        return reply.decode(errors="replace")

    @property
    def command(self) -> Command:
        return command_named(self.name)


@dataclass(frozen=True)
class ChatModel:
    """A model behind an OpenAI-compatible address, such as http://127.0.0.1:8000/v1.

    ``request`` are more fields of every request, such as a temperature; ``key`` is sent as a bearer token. ``wait``
    passes the seconds before another attempt.
    """

    name: str
    url: str
    key: str | None = None
    seconds: float = SECONDS
    retries: int = RETRIES
    request: Mapping[str, Any] = field(default_factory=dict)
    wait: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        if urlsplit(self.url).scheme not in ("http", "https") or not urlsplit(self.url).netloc:
            raise ValueError(f"expected an address such as http://127.0.0.1:8000/v1, found {short_repr(self.url)}")

    @property
    def address(self) -> str:
        end = "/chat/completions"
        return self.url if self.url.endswith(end) else self.url.rstrip("/") + end

    def __call__(self, episode: Episode) -> str:
        message = {"role": "user", "content": episode.prompt}
        body = json.dumps({"model": self.name, "messages": [message], **self.request}).encode()
        for attempt in range(self.retries + 1):
            last = attempt == self.retries
            pause = min(MOST_WAIT, 2.0**attempt)
            try:
                return self._reply(body)
            except HTTPError as error:
                if error.code not in _BUSY or last:
                    raise AgentError(f"{self.address}: {_refusal(error)}") from None
                asked = error.headers.get("Retry-After", "")
                pause = float(asked) if asked.replace(".", "", 1).isdigit() else pause
            except TimeoutError:
                if last:
                    raise LateReply(f"{self.address}: no reply within {self.seconds:g} seconds") from None
            except (OSError, HTTPException) as error:
                if isinstance(reason := getattr(error, "reason", error), TimeoutError) and last:
                    raise LateReply(f"{self.address}: no reply within {self.seconds:g} seconds") from None
                if last:
                    raise AgentError(f"{self.address}: {printable(str(reason) or type(reason).__name__)}") from None
            self.wait(pause)
        raise AssertionError("the last attempt replies or raises")

    def _reply(self, body: bytes) -> str:
        headers = {"Content-Type": "application/json", "User-Agent": "satsweep-bench"}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key}"
        with urlopen(Request(self.address, body, headers), timeout=self.seconds) as response:
            text = response.read()
        try:
            content = json.loads(text)["choices"][0]["message"].get("content")
        except (ValueError, LookupError, TypeError, AttributeError):
            found = printable(text[:100].decode(errors="replace"))
            raise AgentError(f"{self.address}: expected a chat completion, found {found}") from None
        return content if isinstance(content, str) else ""


def _refusal(error: HTTPError) -> str:
    """The status of a refused request, and the message in its body."""
    try:
        message = json.loads(error.read())["error"]
        said = message["message"] if isinstance(message, dict) else message
    except (OSError, ValueError, LookupError, TypeError, HTTPException):
        said = error.reason
    return f"{error.code} {printable(str(said))[:200]}"


# Players without a model


@dataclass(frozen=True)
class PlayerModel:
    """Player of this package, which claims what it deduces, and else guesses.

    ``claims`` are its deductions; ``agent`` is that of its guesses. A risk is to it the share of mines among all
    covered cells. Random numbers depend on the task alone.
    """

    name: str
    claims: Callable[[Board], Deduction]

    def __call__(self, episode: Episode) -> str:
        position = episode.position
        rng = Random(f"{self.name}/{episode.task.id}/{position.board}")
        return self._REPLIES[position.kind](self, position, self.claims(position.board), rng)

    def _deduce(self, position: TextTask, found: Deduction, rng: Random) -> str:
        return f"safe: {cells_text(sorted(found.safe))}; mines: {cells_text(sorted(found.mines))}"

    def _move(self, position: TextTask, found: Deduction, rng: Random) -> str:
        if found.safe:
            cell = min(found.safe)
        else:
            guess = Guess.of(AGENTS[self.name].make().guess(position.board, rng), position.board)
            assert guess is not None
            cell = guess.cell
        return f"open {cell.row} {cell.col}"

    def _risk(self, position: TextTask, found: Deduction, rng: Random) -> str:
        board = position.board
        return f"risk {(board.mines or 0) - board.symbols.count('*')}/{len(board.covered)}"

    def _why(self, position: TextTask, found: Deduction, rng: Random) -> str:
        """The numbers of the argument, and of those for the cells around its numbers."""
        board, cell = position.board, position.cell
        mine = cell in found.mines or cell not in found.safe and rng.random() < 0.5
        named, left = set[Cell](), [cell]
        while left:
            at = left.pop()
            reason = found.why.get(at)
            beside = [near for near in board.neighbours(at) if board.number(near)]
            for clue in reason.clues if reason else beside if at == cell else ():
                if clue not in named:
                    named.add(clue)
                    left += [near for near in board.neighbours(clue) if near in found.why]
        return f"{'mine' if mine else 'safe'} {cell.row} {cell.col} because {cells_text(sorted(named))}"

    _REPLIES = {"deduce": _deduce, "move": _move, "risk": _risk, "why": _why}


def exact(episode: Episode) -> str:
    """The right answer, from the exact analysis."""
    return episode.position.answer


def claim_at_random(board: Board) -> Deduction:
    """Claim a covered cell beside a number to be safe, another one to be a mine."""
    cells = [cell for cell in board.covered if any(board.number(near) for near in board.neighbours(cell))]
    chosen = Random(str(board)).sample(cells, min(2, len(cells)))
    return Deduction(tuple(chosen[:1]), tuple(chosen[1:]))


def to_the_end(deduce: Callable[[Board], Deduction]) -> Callable[[Board], Deduction]:
    """Deduction that is repeated with what it has found, until it finds no more."""

    def claims(board: Board) -> Deduction:
        safe, mines, why = set[Cell](), set[Cell](), dict[Cell, Inference]()
        while found := deduce(board):
            board = board.with_opened(dict.fromkeys(found.safe)).with_exploded(found.mines)
            safe.update(found.safe)
            mines.update(found.mines)
            why.update(found.why)
        return Deduction(tuple(sorted(safe)), tuple(sorted(mines)), why)

    return claims


PLAYERS: dict[str, Model] = {
    "random": PlayerModel("random", claim_at_random),
    "basic": PlayerModel("basic", to_the_end(basic.deduce)),
    "gem": PlayerModel("gem", to_the_end(gem.deduce)),
    "sat": exact,
}
"""Players without a model, by the names of their agents, the weakest first."""


def model_named(
    name: str,
    url: str | None = None,
    *,
    key: str | None = None,
    seconds: float = SECONDS,
    retries: int = RETRIES,
    request: Mapping[str, Any] | None = None,
) -> Model:
    """Return a player, a command, or with an address a model behind it.

    Raises ValueError for a name that needs an address, AgentError for a command that cannot be run.
    """
    if url is not None:
        return ChatModel(name, url, key, seconds, retries, request or {})
    if is_command(name):
        command_named(name)
        return CommandModel(name, seconds)
    if name not in PLAYERS:
        players = ", ".join(PLAYERS)
        raise ValueError(f"expected 'cmd: COMMAND', a player among {players}, or an address for {short_repr(name, 40)}")
    return PLAYERS[name]


def key_in(variable: str) -> str | None:
    """The key of an environment variable; None if there is none."""
    return os.environ.get(variable) or None
