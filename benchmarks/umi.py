"""Overhead of the protocol for a move, on both sides, and games of the example engines.

    python benchmarks/umi.py --output benchmarks/results/umi.json
    python benchmarks/umi.py --games 10000 --output umi.json

*Arena* is the time of the arena in a move beside the waiting for the engine: the position written, the answer read and
checked. *Engine* is that of ``satsweep umi`` beside its agent: the position read, the answer written. Both are medians
over the moves of games on expert boards, whose positions and answers come from the agent ``basic``. *Round trip* is a
whole move with the example engine in C, its thinking included. The first two are processor times, the
last one is wall time.
"""

import argparse
import json
import os
import platform
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from satsweep.agents import agent_named
from satsweep.agents.engine import EngineProcess, PlayedGame
from satsweep.agents.isolated import isolated
from satsweep.arena.plan import Plan
from satsweep.arena.run import run_plan
from satsweep.arena.workers import processes
from satsweep.board import FLAG, Board
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.games.game import play
from satsweep.games.rules import STANDARD_RULES, Rules
from satsweep.games.setting import Setting
from satsweep.umi.protocol import lines
from satsweep.umi.protocol.messages import Changes, EngineAnswer, FullPosition, Go, Identity, NewGame, Request
from satsweep.umi.server import Server

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples" / "umi"
EXPERT = Setting(16, 30, 99, Rules())
MEASURED_GAMES = 40


def moves_of_games() -> list[tuple[Board, EngineAnswer]]:
    """Positions of games of ``basic`` on expert boards, with its answers."""
    moves: list[tuple[Board, EngineAnswer]] = []
    for number in range(MEASURED_GAMES):
        layout, rng = EXPERT.layout("umi", number)
        agent = agent_named("basic")

        def deduce(board: Board, agent: Agent = agent) -> Deduction:
            found = agent.deduce(board)
            assert isinstance(found, Deduction)
            moves.append((board, EngineAnswer(found.safe, found.mines)))
            return found

        def guess(board: Board, rng: Random, agent: Agent = agent) -> Guess:
            found = agent.guess(board, rng)
            assert isinstance(found, Guess)
            moves[-1] = (board, EngineAnswer(guess=found.cell))
            return found

        play(layout, Agent(deduce, guess), STANDARD_RULES, rng)
    return moves


class _Replayed(EngineProcess):
    """An engine whose answers are known, so that only the arena's own work is done."""

    answers: list[str]

    def __init__(self, *, changes: bool) -> None:
        self._limit = 60.0
        self._reader = lines.ReplyReader()
        self.identity = Identity("replayed", "1", can=frozenset(("changes",) if changes else ()))
        self.forget()

    def forget(self) -> None:
        self._game = PlayedGame()

    def _send(self, request: Request) -> None:
        lines.write_request(request)

    def _ask(self, request: Request, kind: type[Any], seconds: float | None = None) -> Any:
        lines.write_request(request)
        for line in self.answers:
            if (reply := self._reader.read(line)) is not None:
                return reply
        raise AssertionError("an answer ends")


def arena_seconds(moves: list[tuple[Board, EngineAnswer]], *, changes: bool) -> list[float]:
    """Time of the arena for each move."""
    engine = _Replayed(changes=changes)
    found = []
    for board, answer in moves:
        engine.answers = lines.write_reply(answer).splitlines(keepends=True)
        begun = time.thread_time()
        engine._deduce(board)
        engine._guess(board, Random(0))
        found.append(time.thread_time() - begun)
    return found


def engine_seconds(moves: list[tuple[Board, EngineAnswer]], *, changes: bool) -> list[float]:
    """Time of ``satsweep umi`` for each move, beside that of its agent."""
    answers = iter(moves)
    current: list[EngineAnswer] = []

    def agent() -> Agent:
        def guess(board: Board, rng: Random) -> Guess:
            assert current[0].guess is not None
            return Guess(current[0].guess)

        return Agent(lambda board: Deduction(current[0].safe, current[0].mines), guess)

    server = Server("basic", fresh=agent)
    for line in lines.write_request(NewGame(16, 30, 99)).splitlines(keepends=True):
        server.answer(line)
    found, shown = [], None
    for board, answer in answers:
        current[:] = [answer]
        request: Request = FullPosition(board.cells)
        if changes and shown is not None:
            cells = tuple((cell, board[cell]) for cell in board if board[cell] != shown[cell])
            request = Changes(cells) if len(cells) <= 64 else request
        shown = board
        sent = (lines.write_request(request) + lines.write_request(Go(game=60000))).splitlines(keepends=True)
        begun = time.thread_time()
        text = [server.answer(line) for line in sent]
        found.append(time.thread_time() - begun)
        assert "error" not in "".join(text), text
    return found


def round_trip(command: str) -> list[float]:
    """Wall time of each move of an engine in a process."""
    found: list[float] = []
    with isolated(f"cmd:{command}", 60.0) as engine:
        for number in range(MEASURED_GAMES):
            layout, rng = EXPERT.layout("umi", number)
            agent = engine.fresh()

            def deduce(board: Board, agent: Agent = agent) -> Any:
                begun = time.perf_counter()
                deduction = agent.deduce(board)
                found.append(time.perf_counter() - begun)
                return deduction

            play(layout, Agent(deduce, agent.guess, begin=agent.begin), STANDARD_RULES, rng)
    return found


def built(place: Path) -> dict[str, str]:
    """Commands of the example engines whose tools are there."""
    commands = {"basic.py": shlex.join([sys.executable, str(EXAMPLES / "basic.py")])}
    if node := shutil.which("node"):
        commands["subsets.js"] = shlex.join([node, str(EXAMPLES / "subsets.js")])
    if compiler := shutil.which("cc"):
        subprocess.run([compiler, "-O2", "-o", str(place / "basic"), str(EXAMPLES / "basic.c")], check=True)
        commands["basic.c"] = str(place / "basic")
    if compiler := shutil.which("javac"):
        subprocess.run([compiler, "-d", str(place), str(EXAMPLES / "Counting.java")], check=True)
        commands["Counting.java"] = shlex.join([shutil.which("java") or "java", "-cp", str(place), "Counting"])
    return commands


def microseconds(seconds: list[float]) -> float:
    """Median in microseconds."""
    return round(1e6 * statistics.median(seconds), 1)


def main() -> None:
    """Measure, print a table, and write it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=300, help="games of each example engine on beginner boards")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    moves = moves_of_games()
    assert any(FLAG in row for board, _ in moves for row in board.cells)
    overhead = []
    measure: dict[str, Callable[..., list[float]]] = {"arena": arena_seconds, "engine": engine_seconds}
    for changes in (False, True):
        row: dict[str, object] = {"positions": "changes" if changes else "full"}
        row |= {side: microseconds(function(moves, changes=changes)) for side, function in measure.items()}
        overhead.append(row)
        print(row)
    with tempfile.TemporaryDirectory() as place:
        commands = built(Path(place))
        trips = {name: microseconds(round_trip(commands[name])) for name in ("basic.c",) if name in commands}
        print(trips)
        plan = Plan(tuple(f"cmd:{command}" for command in commands.values()), (Setting(9, 9, 10),), arguments.games)
        begun = time.perf_counter()
        report = run_plan(plan, processes())
        seconds = time.perf_counter() - begun
    rows = [
        {"engine": name, "calls_itself": report.versions[f"cmd:{command}"], "games": row.games, "failed": row.failed,
         "won": None if (won := row.measured["won"]) is None else round(won.mean, 2)}
        for (name, command), row in zip(commands.items(), report.summaries, strict=True)
    ]  # fmt: skip
    for one in rows:
        print(one)
    result = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "moves": len(moves),
        "microseconds_a_move": overhead,
        "round_trip_microseconds": trips,
        "board": "9x9/10",
        "seconds": round(seconds, 1),
        "engines": rows,
    }
    if arguments.output:
        arguments.output.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
