"""Load on the server: latency of answers and its memory, for many connections.

    python benchmarks/serve.py --connections 200 --seconds 600

Each connection asks about a position, reads the answer, pauses as a person would, and asks the next question. Questions
are positions of games of ``basic``, their guesses, and now and then a whole game. ``--hostile`` of the connections send
boards of 100x100 that take far longer than the limit. Server and clients run on the same machine; each connection has
an address of its own (127.0.8.1 and so on, which only Linux has). The program exits with 1 at any error other than the
refusals that hostile connections provoke, and if memory at the end exceeds that after the first fifth by more than a
tenth.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import websockets

from satsweep.agents import agent_named
from satsweep.board import Cell
from satsweep.games.deal import LEVELS, game_rng, random_layout
from satsweep.games.game import Game, play_moves
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout

ROOT = Path(__file__).parent.parent
PAUSE = 2.0
"""Seconds between an answer and the next question, on average."""
ALLOWED = 1.1
"""Greatest ratio of memory at the end to memory after the first fifth."""


def positions(count: int) -> list[str]:
    """Return positions in which ``basic`` has to guess."""
    found: list[str] = []
    for seed in range(10 * count):
        rows, cols, mines = list(LEVELS.values())[seed % len(LEVELS)]
        rng = game_rng(seed, 0)
        game = Game(
            random_layout(rows, cols, mines, rng), Rules(FirstClick.ZERO, start=Cell(rows // 2, cols // 2)), rng
        )
        board = game.board
        for move in play_moves(game, agent_named("basic"), rng):
            if move.reason.value == "guessed":
                found.append(str(board.without_flags()))
                break
            board = game.board
        if len(found) == count:
            break
    return found


def hostile() -> str:
    """Return a board of 100x100 that is one component, with almost no forced cell.

    It shows a number in every other row and column.
    """
    rng = random.Random(1)
    safe = {(row, col) for row in range(0, 100, 2) for col in range(0, 100, 2)}
    mines = {(row, col) for row in range(100) for col in range(100) if rng.random() < 0.2} - safe
    return str(Layout("".join(".*"[(r, c) in mines] for c in range(100)) for r in range(100)).board(safe))


class Load:
    """Clients of one server, and the times and errors of their questions."""

    def __init__(self, url: str, boards: list[str], end: float) -> None:
        self.url = url
        self.boards = boards
        self.end = end
        self.seconds: dict[str, list[float]] = {}
        self.errors: list[str] = []
        self.refused = 0

    def connection(self, address: str) -> websockets.connect:
        """A connection to the server from an address of this machine."""
        return websockets.connect(self.url, max_size=None, open_timeout=60, local_addr=(address, 0))

    async def person(self, number: int, pause: float) -> None:
        """Solve, rank guesses, and now and then watch a game."""
        rng = random.Random(number)
        await asyncio.sleep(rng.random() * pause)
        async with self.connection(f"127.0.8.{number % 250 + 1}") as socket:
            count = 0
            while time.monotonic() < self.end:
                count += 1
                fields: dict[str, Any] = {"ask": "solve", "board": rng.choice(self.boards)}
                if count % 5 == 0:
                    fields["ask"] = "guesses"
                if count % 25 == 0:
                    fields = {"ask": "watch", "agent": "sat", "rows": 16, "cols": 16, "mines": 40, "seed": count}
                message = await self.asked(socket, count, fields)
                if "error" in message:
                    self.errors.append(message["error"]["message"])
                await asyncio.sleep(rng.expovariate(1 / pause))

    async def villain(self, number: int, board: str) -> None:
        """Send boards that take too long, one after the other."""
        async with self.connection(f"127.0.7.{number % 250 + 1}") as socket:
            while time.monotonic() < self.end:
                number += 1
                message = await self.asked(socket, number, {"ask": "solve", "board": board}, "hostile")
                if "no answer within" not in message.get("error", {}).get("message", ""):
                    self.errors.append(f"hostile: {str(message)[:80]}")
                self.refused += 1

    async def asked(self, socket: Any, id: int, fields: dict[str, Any], name: str = "") -> dict[str, Any]:
        """Ask a question, and return the message that ends its answer."""
        began = time.perf_counter()
        await socket.send(json.dumps({"id": id, **fields}))
        while "part" in (message := json.loads(await socket.recv())):
            pass
        self.seconds.setdefault(name or fields["ask"], []).append(time.perf_counter() - began)
        assert isinstance(message, dict)
        return message


def memory(pid: int) -> int:
    """Resident memory of a process and its children, in bytes."""
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout.split()
    resident = 0
    for process in (pid, *map(int, children)):
        try:
            resident += int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError):
            continue
    return resident


async def measured(arguments: argparse.Namespace, url: str, pid: int) -> tuple[Load, list[tuple[float, int]]]:
    """Run all clients; return their load, and pairs of second and memory."""
    began = time.monotonic()
    load = Load(url.replace("http", "ws", 1) + "ws", positions(200), time.monotonic() + arguments.seconds)
    people = arguments.connections - arguments.hostile
    tasks = [load.person(number, arguments.pause) for number in range(people)]
    tasks += [load.villain(number, hostile()) for number in range(arguments.hostile)]
    running = asyncio.gather(*tasks)
    sizes = []
    while not running.done():
        await asyncio.wait([running], timeout=5)
        sizes.append((time.monotonic() - began, memory(pid)))
        if len(sizes) % 12 == 0:
            asked = sum(map(len, load.seconds.values()))
            print(f"{sizes[-1][0]:6.0f} s  {sizes[-1][1] / 1e6:6.0f} MB  {asked:,} answers", flush=True)
    await running
    return load, sizes


def main() -> int:
    """Start a server, ask it, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--pause", type=float, default=PAUSE)
    parser.add_argument("--hostile", type=int, default=0)
    parser.add_argument("--output", type=Path, help="write the figures as JSON, too")
    arguments = parser.parse_args()
    command = [sys.executable, str(ROOT / "cli.py"), "serve", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment)
    try:
        assert server.stdout is not None
        url = server.stdout.readline().split()[3]
        time.sleep(5)
        load, sizes = asyncio.run(measured(arguments, url, server.pid))
    finally:
        server.terminate()
        server.wait(30)
    settled = sizes[len(sizes) // 5 :]
    first, last, most = settled[0][1], settled[-1][1], max(size for _, size in settled)
    figures: dict[str, Any] = {
        "connections": arguments.connections,
        "hostile": arguments.hostile,
        "seconds": round(sizes[-1][0]),
        "errors": len(load.errors),
        "refused": load.refused,
        "memory": {"early": first, "end": last, "most": most},
        "answers": {},
    }
    for name, seconds in load.seconds.items():
        spread = statistics.quantiles(seconds, n=100) if len(seconds) > 1 else seconds * 99
        figures["answers"][name] = {
            "count": len(seconds),
            "median": spread[49],
            "p95": spread[94],
            "most": max(seconds),
        }
        print(f"{name:8} {len(seconds):8,} answers, median {1000 * spread[49]:.1f} ms, 95 % within "
              f"{1000 * spread[94]:.0f} ms, at most {max(seconds):.2f} s")  # fmt: skip
    print(f"memory {first / 1e6:.0f} MB early on, {last / 1e6:.0f} MB at the end, at most {most / 1e6:.0f} MB")
    print(f"{len(load.errors):,} errors", *sorted(set(load.errors))[:5], sep="\n  ")
    if arguments.output is not None:
        arguments.output.write_text(json.dumps(figures, indent=2) + "\n")
    return int(bool(load.errors) or last > ALLOWED * first)


if __name__ == "__main__":
    sys.exit(main())
