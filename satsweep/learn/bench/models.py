"""Models that answer prompts: commands, OpenAI-compatible addresses, players.

* ``cmd: COMMAND`` is run once for each prompt, which is its standard input; its standard output is the reply. No shell
  runs it, and it is ended when it is late or writes more than a reply may have.
* Any other name is a model behind an address (``POST .../chat/completions``): one message of the user, no memory.
* Players of this package need no model (``PLAYERS``): they see the position, and reply in the text of the tasks.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from itertools import count
from random import Random
from typing import Any
from urllib.parse import urlsplit

from satsweep.agents import AGENTS, basic, gem
from satsweep.agents.child_process import ChildProcess, Flood
from satsweep.agents.engine import Command, command_named, is_command
from satsweep.arguments import short_repr
from satsweep.board import Board, Cell
from satsweep.errors import AgentError
from satsweep.formats.strict import parse_json
from satsweep.games.agent import Deduction, Guess, Inference
from satsweep.learn.bench.exchange import MOST_BYTES, HttpReply, post, talk
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
MOST_ASKED = 600.0
"""Most seconds between two attempts, also where the address asks for more."""
MOST_SAID = 300
"""Most characters of an error that are told."""
KEY_VARIABLE = "OPENAI_API_KEY"
"""Environment variable that has the key of an address."""
_TOO_LONG = f"expected a reply of at most {MOST_BYTES:,} bytes, found more"
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
                reply, said = talk(process.process, episode.prompt.encode())
        except Flood:
            raise AgentError(f"{self.name}: {_TOO_LONG}") from None
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

    ``request`` are more fields of every request, such as a temperature; ``key`` is sent as a bearer token, to this
    address alone. ``wait`` passes the seconds before another attempt.
    """

    name: str
    url: str
    key: str | None = field(default=None, repr=False)
    seconds: float = SECONDS
    retries: int = RETRIES
    request: Mapping[str, Any] = field(default_factory=dict)
    wait: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:  # a port that is no number, or half an IPv6 address
            is_address = False
        if not is_address:
            raise ValueError(f"expected an address such as http://127.0.0.1:8000/v1, found {short_repr(self.url)}")
        if not (self.key or "").isascii() or not (self.key or "").isprintable():
            raise ValueError("expected a key of printable ASCII characters for the address, found others")

    @property
    def address(self) -> str:
        end = "/chat/completions"
        return self.url if self.url.endswith(end) else self.url.rstrip("/") + end

    def __call__(self, episode: Episode) -> str:
        message = {"role": "user", "content": episode.prompt}
        body = json.dumps({"model": self.name, "messages": [message], **self.request}).encode()
        headers = {"Content-Type": "application/json", "User-Agent": "satsweep-bench"}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key}"
        for attempt in count():
            pause = min(MOST_WAIT, 2.0**attempt)
            failure: AgentError
            try:
                reply = post(self.address, body, headers, self.seconds)
            except TimeoutError:
                failure = LateReply(f"{self.address}: no reply within {self.seconds:g} seconds")
            except Flood:
                raise self._error(_TOO_LONG) from None
            except ValueError as error:  # a host or a path that cannot be asked for
                raise self._error(str(error)) from None
            except (OSError, HTTPException) as error:
                failure = self._error(str(error) or type(error).__name__)
            else:
                if 200 <= reply.status < 300:
                    return self._content(reply)
                failure = self._error(f"{reply.status} {_refusal(reply)}")
                if reply.status not in _BUSY:
                    raise failure
                pause = seconds_asked(reply.headers.get("Retry-After", ""), pause)
            if attempt >= self.retries:
                raise failure
            self.wait(pause)
        raise AssertionError("count() has no end")

    def _content(self, reply: HttpReply) -> str:
        try:
            content = parse_json(reply.body.decode("utf-8-sig"))["choices"][0]["message"].get("content")
        except (ValueError, LookupError, TypeError, AttributeError):
            found = reply.body[:100].decode(errors="replace")
            raise self._error(f"expected a chat completion, found {found}") from None
        return content if type(content) is str else ""

    def _error(self, said: str) -> AgentError:
        """An error with what an address says, which may be the key that it was sent."""
        hidden = said.replace(self.key, "...") if self.key else said
        return AgentError(f"{self.address}: {printable(hidden)[:MOST_SAID]}")


def _refusal(reply: HttpReply) -> str:
    """The message in a reply that is no success; for a redirect, where it leads."""
    if 300 <= reply.status < 400 and (place := reply.headers.get("Location")):
        return f"expected no redirect, found one to {place}; --url has to be that address, if you trust it"
    try:
        message = parse_json(reply.body.decode("utf-8-sig"))["error"]
        return str(message["message"] if isinstance(message, dict) else message)
    except (ValueError, LookupError, TypeError):
        return reply.reason


def seconds_asked(written: str, usual: float) -> float:
    """The pause in seconds that a ``Retry-After`` asks for; the usual one if none.

    It is a number or a date, and counts up to ``MOST_ASKED``.

    >>> seconds_asked("7", 1.0), seconds_asked("1e9", 1.0), seconds_asked("9" * 400, 1.0)
    (7.0, 1.0, 600.0)
    """
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", written):
        return min(float(written), MOST_ASKED)
    try:
        left = parsedate_to_datetime(written).timestamp() - time.time()
    except (ValueError, OverflowError):
        return usual
    return min(max(left, 0.0), MOST_ASKED)


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


CONSTANT = {"deduce": "none", "move": "open 0 0", "risk": "risk 1/2", "why": "mine 0 0 because (0,1)"}
"""Replies of the player that reads no question, by kind."""


def constant(episode: Episode) -> str:
    """The same reply to all questions of a kind."""
    return CONSTANT[episode.position.kind]


def most_covered(episode: Episode) -> str:
    """A constant reply; a move opens a cell with the most covered neighbours."""
    position = episode.position
    if position.kind != "move":
        return constant(episode)
    board, covered = position.board, set(position.board.covered)
    row, col = max(board.covered, key=lambda cell: len(covered.intersection(board.neighbours(cell))))
    return f"open {row} {col}"


def least_risk(episode: Episode) -> str:
    """The right answer, but for moves, which open a cell of least risk."""
    return replace(episode.position, reward="regret").answer


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
    "constant": constant,
    "most-covered": most_covered,
    "random": PlayerModel("random", claim_at_random),
    "basic": PlayerModel("basic", to_the_end(basic.deduce)),
    "gem": PlayerModel("gem", to_the_end(gem.deduce)),
    "least-risk": least_risk,
    "sat": exact,
}
"""Players without a model, those that play as agents by the names of these."""


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
