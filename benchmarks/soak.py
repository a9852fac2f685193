"""Soak test of the server: honest clients, and all that a hostile one can do, at once.

    python benchmarks/soak.py --minutes 10 --output benchmarks/results/soak.json

Honest clients have one address each. They ask about small positions, now and then watch a short game, and load the page
on a new connection; each answer is timed. All the while

* 2,000 connections from 40 addresses are open: half send nothing, a quarter stop within a request, a quarter are idle
  WebSockets; each that is closed is opened again;
* 4 addresses send bursts of messages of a mebibyte, in shapes that take long to parse;
* one address opens 200 connections with positions that take longer than is allowed;
* 2 addresses ask for long answers and read nothing;
* 2 addresses send the smallest frames, and requests byte by byte;
* a worker is killed every ten seconds;
* for a tenth of the time there are no file descriptors for the server, and later no processes.

Hostile clients run in a process of their own, with a low priority, since they would not have this machine's processor.
It needs Linux, for the many addresses of one machine. As root the server runs as another user, because root has no
limit on processes. The program exits with 1 if honest clients get an unexpected error, or if no worker starts after the
outages.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import websockets
from serve import hostile, positions
from websockets.exceptions import WebSocketException

ROOT = Path(__file__).parent.parent
USER = 64321
"""User id of the server where this program runs as root."""
HONEST = 12
"""Honest clients."""
PAUSE = 1.0
"""Seconds between an answer and the next question, on average."""
KILLING = 10.0
"""Seconds from one killed worker to the next."""
OUTAGES = {"descriptors": 0.3, "processes": 0.6}
"""Outages, and when they begin: a share of the time. Each takes a tenth of the time."""
LIMITED = {
    "descriptors": ("nofile", 96),
    "processes": ("nproc", 1),
}
"""Limits that make an outage: name for ``prlimit``, and value."""
EXPECTED = ("the worker process ended before it had an answer", "no worker process can be started")
"""Errors that honest clients may get while workers are killed and cannot be started."""
DROPPED = (OSError, EOFError, RuntimeError, WebSocketException)
FRAME = bytes((0x81, 0x80, 0, 0, 0, 0))
"""Start of a text frame with an empty mask."""


def worst_messages() -> list[str]:
    """Return messages of nearly a mebibyte that take long to parse."""
    size = 2**20 - 100
    head = '{"id":1,"ask":"solve",'
    keys = ",".join(f'"{number:05x}":0' for number in range(size // 10 - 10))
    return [
        head + keys + "}",
        head + keys + ',"00001":0}',
        head + '"board":' + "[" * (size - 100),
        head + '"board":[' + "{}," * (size // 3 - 50) + "{}]}",
        head + '"board":"' + "\\u2591" * (size // 6 - 20) + '"}',
        '{"id":1,"ask":"read","text":' + json.dumps("##1\n" * (size // 5 - 20)) + "}",
        '{"id":1,"ask":"read","text":' + json.dumps("9" * (size - 100)) + "}",
        " " * size,
    ]


class Honest:
    """Honest clients: times of their answers, and their errors."""

    def __init__(self, url: str, boards: list[str], end: float) -> None:
        self.url = url
        self.boards = boards
        self.end = end
        self.answers: list[tuple[str, float, float]] = []
        """Kind of question, when it was asked, and seconds until the answer."""
        self.errors: Counter[str] = Counter()
        self.failed: list[tuple[float, float]] = []
        """When a connection was lost or refused, and seconds until there was another."""

    async def client(self, number: int) -> None:
        """Ask, and connect again if the connection is lost."""
        lost: float | None = None
        while time.monotonic() < self.end:
            try:
                async with asyncio.timeout(60):
                    socket = await connect(self.url, f"127.0.9.{number + 1}")
                if lost is not None:
                    self.failed.append((lost, time.monotonic() - lost))
                    lost = None
                async with socket:
                    await self.ask(number, socket)
            except DROPPED as error:
                lost = lost or time.monotonic()
                self.errors[f"connection: {type(error).__name__}"] += 1
                await asyncio.sleep(0.2)
        if lost is not None:
            self.failed.append((lost, time.monotonic() - lost))

    async def ask(self, number: int, socket: websockets.ClientConnection) -> None:
        """Ask one question after another on a connection."""
        rng = random.Random(number)
        id = 0
        while time.monotonic() < self.end:
            await asyncio.sleep(rng.expovariate(1 / PAUSE))
            id += 1
            fields: dict[str, Any] = {"ask": "solve", "board": rng.choice(self.boards)}
            if id % 4 == 0:
                fields["ask"] = "guesses"
            if id % 10 == 0:
                fields = {"ask": "watch", "agent": "sat", "rows": 9, "cols": 9, "mines": 10, "seed": id}
            began = time.monotonic()
            if id % 10 == 5:
                await self.page(f"127.0.9.{number + 1}")
                self.answers.append(("page", began, time.monotonic() - began))
                continue
            async with asyncio.timeout(60):
                await socket.send(json.dumps({"id": id, **fields}))
                while "part" in (message := json.loads(await socket.recv())):
                    pass
            if "error" in message:
                self.errors[message["error"]["message"]] += 1
            else:
                self.answers.append((fields["ask"], began, time.monotonic() - began))

    async def page(self, address: str) -> None:
        """Load the page on a new connection."""
        where = urlsplit(self.url)
        async with asyncio.timeout(60):
            reader, writer = await asyncio.open_connection(where.hostname, where.port, local_addr=(address, 0))
            writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            page = await reader.read()
            writer.close()
        if not page.startswith(b"HTTP/1.1 200"):
            raise EOFError


async def connect(url: str, address: str) -> websockets.ClientConnection:
    """Open a WebSocket from an address of this machine."""
    return await websockets.connect(url, max_size=None, open_timeout=30, local_addr=(address, 0))


class Hostile:
    """Hostile clients, all in one process."""

    def __init__(self, url: str, seconds: float) -> None:
        self.url = url
        where = urlsplit(url)
        assert where.hostname is not None and where.port is not None
        self.where = where.hostname, where.port
        self.end = time.monotonic() + seconds
        self.done: Counter[str] = Counter()

    async def run(self) -> None:
        """Run all of them."""
        board = hostile()
        tasks: list[tuple[str, Callable[[str], Awaitable[None]]]] = []
        for number in range(2000):
            kind = (self.silent, self.silent, self.half_open, self.idle)[number % 4]
            tasks.append((f"127.0.1.{number // 50 + 1}", kind))
        messages = worst_messages()
        tasks += [(f"127.0.2.{number % 4 + 1}", lambda a: self.burst(a, messages)) for number in range(8)]
        tasks += [("127.0.3.1", lambda a: self.slow(a, board)) for _ in range(200)]
        tasks += [(f"127.0.4.{number % 2 + 1}", self.deaf) for number in range(40)]
        tasks += [("127.0.5.1", self.frames) for _ in range(10)]
        tasks += [("127.0.5.2", self.drip) for _ in range(10)]
        with suppress(TimeoutError):
            async with asyncio.timeout(self.end - time.monotonic()):
                await asyncio.gather(*(self.always(address, client) for address, client in tasks))

    async def always(self, address: str, client: Callable[[str], Awaitable[None]]) -> None:
        """Start a client again whenever it ends."""
        await asyncio.sleep(5 * random.random())
        while time.monotonic() < self.end:
            name = getattr(client, "__name__", "").strip("<>")
            try:
                await client(address)
            except DROPPED:
                self.done[f"{name} dropped"] += 1
            await asyncio.sleep(0.5 + random.random())

    async def opened(self, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection from an address."""
        async with asyncio.timeout(30):
            return await asyncio.open_connection(*self.where, local_addr=(address, 0))

    async def until_closed(self, address: str, sent: bytes) -> None:
        """Send the start of a request, and wait until the server closes the connection."""
        reader, writer = await self.opened(address)
        try:
            writer.write(sent)
            while time.monotonic() < self.end and await asyncio.wait_for(reader.read(4096), 60) != b"":
                pass
        finally:
            writer.close()

    async def silent(self, address: str) -> None:
        """Send nothing."""
        await self.until_closed(address, b"")

    async def half_open(self, address: str) -> None:
        """Stop within the headers."""
        await self.until_closed(address, b"GET / HTTP/1.1\r\nhost: localhost\r\nx-half: ")

    async def idle(self, address: str) -> None:
        """Keep a WebSocket open."""
        async with await connect(self.url, address) as socket:
            while time.monotonic() < self.end:
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(socket.recv(), 60)

    async def burst(self, address: str, messages: list[str]) -> None:
        """Send bursts of long messages, and read the refusals."""
        async with await connect(self.url, address) as socket:
            while time.monotonic() < self.end:
                for message in random.sample(messages, 4):
                    await socket.send(message)
                    self.done["bursts"] += 1
                with suppress(asyncio.TimeoutError):
                    async with asyncio.timeout(2):
                        while True:
                            await socket.recv()

    async def slow(self, address: str, board: str) -> None:
        """Send positions that take too long."""
        async with await connect(self.url, address) as socket:
            id = 0
            while time.monotonic() < self.end:
                id += 1
                kind = random.choice(["conflict", "solve"])
                await socket.send(json.dumps({"id": id, "ask": kind, "board": board}))
                await socket.recv()
                self.done["slow questions answered or refused"] += 1

    async def deaf(self, address: str) -> None:
        """Ask for long answers and games, and read nothing."""
        made = socket.socket()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.setblocking(False)
        made.bind((address, 0))
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(30):
                await loop.sock_connect(made, self.where)
            await loop.sock_sendall(made, (
                b"GET /ws HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
                b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            ))  # fmt: skip
            for id in range(10_000):
                asked: dict[str, Any] = {"id": id, "ask": "grid", "rows": 100, "cols": 100}
                if id % 5 == 0:
                    asked = {
                        "id": id,
                        "ask": "watch",
                        "agent": "basic",
                        "rows": 60,
                        "cols": 60,
                        "mines": 400,
                        "seed": id,
                    }
                text = json.dumps(asked).encode()
                await loop.sock_sendall(made, bytes((0x81, 0x80 | len(text), 0, 0, 0, 0)) + text)
                self.done["unread questions"] += 1
                await asyncio.sleep(0.2)
                if time.monotonic() > self.end:
                    return
        finally:
            made.close()

    async def frames(self, address: str) -> None:
        """Send the smallest frames: pings, and pieces of messages without an end."""
        async with await connect(self.url, address) as opened:
            transport = opened.transport
            transport.write(bytes((0x01, 0x80, 0, 0, 0, 0)))
            while time.monotonic() < self.end and not transport.is_closing():
                transport.write(random.choice((b"\x89", b"\x00")) + b"\x80\0\0\0\0" * 1)
                transport.write((b"\x89\x80\0\0\0\0" + b"\x00\x80\0\0\0\0") * 2000)
                self.done["small frames"] += 4000
                await asyncio.sleep(0.1)
        raise EOFError

    async def drip(self, address: str) -> None:
        """Send a request byte by byte."""
        _, writer = await self.opened(address)
        try:
            writer.write(b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000\r\n")
            while time.monotonic() < self.end:
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(0.5)
        finally:
            writer.close()


def family(pid: int) -> list[int]:
    """Process ids of the children of a process."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(child) for child in found.stdout.split()]


def workers_of(pid: int) -> list[int]:
    """Process ids of the workers of a server."""
    found = []
    for child in family(pid):
        with suppress(OSError):
            if b"satsweep.page.workers" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(child)
    return found


def resident(pid: int) -> int:
    """Resident memory of a process, in bytes."""
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


class Soak:
    """What happens to the server while it is attacked: outages, killed workers, memory, its health."""

    def __init__(self, url: str, pid: int, seconds: float) -> None:
        self.url = url
        self.pid = pid
        self.seconds = seconds
        self.began = time.monotonic()
        self.outages: dict[str, tuple[float, float]] = {}
        self.killed = 0
        self.server: list[int] = []
        self.workers: list[int] = []
        self.connections: list[int] = []
        self.healthy: list[tuple[float, int]] = []

    async def outage(self, name: str) -> None:
        """Take descriptors or processes away for a tenth of the time."""
        await asyncio.sleep(OUTAGES[name] * self.seconds)
        limit, least = LIMITED[name]
        # Only the same user may read and set it.
        words = [*as_other_user(), "prlimit", f"--pid={self.pid}"]
        before = await asyncio.to_thread(
            subprocess.check_output, [*words, f"--{limit}", "--output=SOFT", "--noheadings"], text=True
        )
        began = time.monotonic()
        self.outages[name] = began, began + 0.1 * self.seconds
        for most, seconds in ((least, 0.1 * self.seconds), (before.strip(), 0)):
            await asyncio.to_thread(subprocess.run, [*words, f"--{limit}={most}:"], check=True)
            await asyncio.sleep(seconds)

    async def kill(self) -> None:
        """Kill a worker now and then."""
        while True:
            await asyncio.sleep(KILLING)
            workers = await asyncio.to_thread(workers_of, self.pid)
            if workers:
                with suppress(ProcessLookupError):
                    os.kill(random.choice(workers), signal.SIGKILL)
                    self.killed += 1

    async def watch(self, honest: Honest) -> None:
        """Measure memory and connections every five seconds."""
        while True:
            await asyncio.sleep(5)
            workers = await asyncio.to_thread(workers_of, self.pid)
            self.server.append(resident(self.pid))
            self.workers.append(sum(map(resident, workers)))
            self.connections.append(len(os.listdir(f"/proc/{self.pid}/fd")))
            if len(self.server) % 6 == 0:
                print(
                    f"{time.monotonic() - self.began:5.0f} s  server {self.server[-1] / 1e6:.0f} MB, {len(workers)} "
                    f"workers {self.workers[-1] / 1e6:.0f} MB, {self.connections[-1]:,} descriptors, "
                    f"{len(honest.answers):,} answers, {sum(honest.errors.values())} errors",
                    flush=True,
                )


def spread(seconds: list[float]) -> dict[str, float]:
    """Return count, median, 95 % and greatest of some times."""
    cuts = statistics.quantiles(seconds, n=100) if len(seconds) > 1 else (seconds or [0.0]) * 99
    return {
        "count": len(seconds),
        "median": cuts[49],
        "p95": cuts[94],
        "p99": cuts[98],
        "most": max(seconds, default=0.0),
    }


async def soaked(url: str, pid: int, seconds: float, boards: list[str], attack: bool) -> tuple[Honest, Soak]:
    """Run honest clients while the server is attacked."""
    soak = Soak(url, pid, seconds)
    honest = Honest(url, boards, soak.began + seconds)
    tasks = [soak.watch(honest)]
    if attack:
        tasks += [soak.kill(), *map(soak.outage, OUTAGES)]
    running = [asyncio.create_task(task) for task in tasks]
    await asyncio.gather(*(honest.client(number) for number in range(HONEST)))
    for task in running:
        if not task.cancel():
            task.result()
    return honest, soak


def as_other_user() -> list[str]:
    """Return the words that run a command as a user with a limit on processes."""
    if os.getuid() != 0:
        return []
    reading = "+dac_override"
    return [
        "setpriv", f"--reuid={USER}", f"--inh-caps={reading}", f"--ambient-caps={reading}",
        "--bounding-set=-sys_resource,-sys_admin",
    ]  # fmt: skip


def healthy(url: str, patience: float = 60) -> bool:
    """True if the server says within some time that it is healthy."""
    import httpx

    until = time.monotonic() + patience
    while time.monotonic() < until:
        with suppress(httpx.HTTPError):
            if httpx.get(url.replace("ws://", "http://").replace("/ws", "/health")).status_code == 200:
                return True
        time.sleep(0.5)
    return False


def main() -> int:
    """Start a server, attack it, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--peaceful", action="store_true", help="run honest clients only, to compare")
    parser.add_argument("--output", type=Path, help="write the figures as JSON, too")
    parser.add_argument("--attack", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    seconds = 60 * arguments.minutes
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard), hard))
    if arguments.attack:
        attacker = Hostile(arguments.attack, seconds)
        asyncio.run(attacker.run())
        print(json.dumps(attacker.done))
        return 0
    boards = positions(60)
    program = [*as_other_user(), sys.executable, str(ROOT / "cli.py")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [*program, "serve", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment)
    attack = None
    try:
        assert server.stdout is not None
        url = server.stdout.readline().split()[3].replace("http", "ws", 1) + "ws"
        assert healthy(url)
        time.sleep(5)
        if not arguments.peaceful:
            words = ["nice", "-n", "10", sys.executable, __file__, "--attack", url, "--minutes", str(arguments.minutes)]
            attack = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment)
        honest, soak = asyncio.run(soaked(url, server.pid, seconds, boards, not arguments.peaceful))
        attacks = json.loads(attack.communicate(timeout=120)[0]) if attack is not None else {}
        recovered = healthy(url)
    finally:
        for process in (attack, server):
            if process is not None:
                process.terminate()
                process.wait(30)
    return report(arguments, honest, soak, attacks, recovered)


def report(arguments: argparse.Namespace, honest: Honest, soak: Soak, attacks: dict[str, int], recovered: bool) -> int:
    """Print the figures, write them, and return the exit code."""

    def outage(asked: float) -> bool:
        return any(began <= asked <= ended for began, ended in soak.outages.values())

    kinds = {kind for kind, _, _ in honest.answers}
    figures: dict[str, Any] = {
        "minutes": arguments.minutes,
        "peaceful": arguments.peaceful,
        "clients": HONEST,
        "answers": {kind: spread([s for k, _, s in honest.answers if k == kind]) for kind in sorted(kinds)},
        "all": spread([s for _, _, s in honest.answers]),
        "outside outages": spread([s for _, asked, s in honest.answers if not outage(asked)]),
        "in outages": spread([s for _, asked, s in honest.answers if outage(asked)]),
        "errors": dict(honest.errors),
        "lost connections": {
            "count": len(honest.failed),
            "outside outages": sum(not outage(when) for when, _ in honest.failed),
            "longest until another": max((taken for _, taken in honest.failed), default=0.0),
        },
        "killed": soak.killed,
        "attacks": attacks,
        "memory": {
            name: {"first": sizes[0], "end": sizes[-1], "most": max(sizes)}
            for name, sizes in (("server", soak.server), ("workers", soak.workers))
        },
        "descriptors": max(soak.connections),
        "recovered": recovered,
    }  # fmt: skip
    rows = {**figures["answers"], **{name: figures[name] for name in ("all", "outside outages", "in outages")}}
    for name, found in rows.items():
        median, p95, p99 = (f"{1000 * found[key]:.0f} ms" for key in ("median", "p95", "p99"))
        print(
            f"{name:16} {found['count']:7,} answers, median {median}, 95 % within {p95}, 99 % within {p99}, "
            f"at most {found['most']:.2f} s"
        )
    for name in ("errors", "lost connections", "killed", "attacks", "descriptors", "recovered"):
        print(f"{name}: {figures[name]}")
    for name, sizes in figures["memory"].items():
        print(f"memory of the {name}: {', '.join(f'{key} {size / 1e6:.0f} MB' for key, size in sizes.items())}")
    if arguments.output is not None:
        arguments.output.write_text(json.dumps(figures, indent=2) + "\n")
    unexpected = [said for said in honest.errors if not said.startswith((*EXPECTED, "connection: "))]
    return int(bool(unexpected) or not recovered)


if __name__ == "__main__":
    sys.exit(main())
