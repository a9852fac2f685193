"""Workers: processes that answer one question at a time, and are killed when they take too long.

A process is the only thing that can be stopped whatever it is doing, in the middle of a solver's own code. The next
question is that of whoever has had the least of the workers' time, so that those who ask for much wait for those who
ask for little. Nobody saves up time by asking for nothing: who comes back starts where the others are (start-time fair
queuing; Goyal, Vin and Cheng 1997). And one worker is kept from those whose last question took long.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from weakref import WeakKeyDictionary, WeakSet

from satsweep.web import questions
from satsweep.web.limits import MEBI, Limits
from satsweep.web.worker import CANCEL, READY

GRACE = 1.0
"""Seconds that a worker has to notice that nobody waits any more, before it is killed."""
STARTING = 120.0
"""Seconds that a worker may take to load what it needs."""


@dataclass(eq=False)
class Job:
    """A question on its way: who asks, the message, for how long a worker may be at it, and what it said."""

    owner: object
    id: int
    text: str
    seconds: float
    said: asyncio.Queue[str | None] = field(default_factory=lambda: asyncio.Queue(8))
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    slow: bool = False
    """Whether it is of somebody whose last question took long."""

    async def put(self, message: str | None) -> None:
        """Hand a message on, None after the last one, and wait until there is room; not for those who have left."""
        putting = asyncio.ensure_future(self.said.put(message))
        leaving = asyncio.ensure_future(self.cancelled.wait())
        try:
            await asyncio.wait((putting, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            putting.cancel()
            leaving.cancel()

    def end(self, message: str) -> None:
        """Hand on a last message at once, before pieces that nobody has taken yet if there is no room."""
        while self.said.qsize() > self.said.maxsize - 2:
            self.said.get_nowait()
        self.said.put_nowait(message)
        self.said.put_nowait(None)

    def cancel(self) -> None:
        """Wait no longer."""
        self.cancelled.set()
        self.end(questions.refusal(self.id, "nobody waits for this any more"))

    async def messages(self) -> AsyncIterator[str]:
        """What is answered, as it comes."""
        while (message := await self.said.get()) is not None:
            yield message


class Pool:
    """So many workers, and those who wait for one. Use it as a context; it ends all of its processes."""

    def __init__(self, size: int, limits: Limits) -> None:
        self.size = size
        self.limits = limits
        self.killed = 0
        """How many workers had to be killed."""
        self._waiting: dict[object, deque[Job]] = {}
        self._spent: WeakKeyDictionary[object, float] = WeakKeyDictionary()
        """Seconds of the workers' time that somebody has had; and at what is asked for now, as if it took longest."""
        self._now = 0.0
        """What had been spent by those who were served last."""
        self._slow: WeakSet[object] = WeakSet()
        """Those whose last question took longer than counting may."""
        self._slowed = 0
        """How many workers are at questions of theirs."""
        self._count = 0
        self._more = asyncio.Condition()
        self._runners: list[asyncio.Task[None]] = []
        self._processes: set[asyncio.subprocess.Process] = set()

    async def __aenter__(self) -> Pool:
        self._runners = [asyncio.create_task(self._run()) for _ in range(self.size)]
        return self

    async def __aexit__(self, *_: object) -> None:
        for runner in self._runners:
            runner.cancel()
        await asyncio.gather(*self._runners, return_exceptions=True)
        for process in list(self._processes):
            await self._end(process)

    @property
    def waiting(self) -> int:
        """How many questions wait for a worker."""
        return self._count

    @property
    def processes(self) -> list[int]:
        """The identifiers of the processes at work."""
        return [process.pid for process in self._processes]

    async def put(self, job: Job) -> None:
        """Let a question wait for its turn."""
        async with self._more:
            if job.owner not in self._waiting:
                self._spent[job.owner] = max(self._spent.get(job.owner, 0.0), self._now)
            self._waiting.setdefault(job.owner, deque()).append(job)
            self._count += 1
            self._more.notify()

    async def _next(self) -> Job:
        async with self._more:
            await self._more.wait_for(self._served_next)
            owner = min(self._served_next(), key=self._spent.__getitem__)
            job = self._waiting[owner].popleft()
            if not self._waiting[owner]:
                del self._waiting[owner]
            self._count -= 1
            self._now = self._spent[owner]
            self._spent[owner] += job.seconds
            job.slow = owner in self._slow
            self._slowed += job.slow
            return job

    def _served_next(self) -> list[object]:
        """Those who wait and may have a worker now."""
        full = 1 <= self.size - 1 <= self._slowed
        return [owner for owner in self._waiting if not (full and owner in self._slow)]

    async def _finish(self, job: Job, took: float) -> None:
        """Give back what a question was reckoned at and did not take."""
        async with self._more:
            self._spent[job.owner] -= max(0.0, job.seconds - took)
            self._slowed -= job.slow
            (self._slow.add if took > self.limits.solving else self._slow.discard)(job.owner)
            self._more.notify_all()

    async def _run(self) -> None:
        """Keep one worker, and give it one question after the other."""
        process: asyncio.subprocess.Process | None = None
        while True:
            if process is None:
                process = await self._start()
            job = await self._next()
            began = time.monotonic()
            if not job.cancelled.is_set() and not await self._answered(process, job):
                await self._end(process)
                process = None
            await self._finish(job, time.monotonic() - began)

    async def _start(self) -> asyncio.subprocess.Process:
        while True:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "satsweep.web.worker", json.dumps(asdict(self.limits)),
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=64 * MEBI,
                start_new_session=True,
            )  # fmt: skip
            self._processes.add(process)
            assert process.stdout is not None
            with suppress(asyncio.TimeoutError):
                if await asyncio.wait_for(process.stdout.readline(), STARTING) == f"{READY}\n".encode():
                    return process
            await self._end(process)
            await asyncio.sleep(GRACE)

    async def _answered(self, process: asyncio.subprocess.Process, job: Job) -> bool:
        """Have a question answered; whether the worker is fit for another one."""
        try:
            async with asyncio.timeout(job.seconds) as deadline:
                return await self._converse(process, job, deadline)
        except TimeoutError:
            problem = f"this was not done within {job.seconds:g} seconds"
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            problem = "this was too much for the process that was at it"
        self.killed += 1
        job.end(questions.refusal(job.id, problem))
        return False

    async def _converse(self, process: asyncio.subprocess.Process, job: Job, deadline: asyncio.Timeout) -> bool:
        """Say the question to a worker and hand on what it says, until it is ready again."""
        assert process.stdin is not None and process.stdout is not None
        # As JSON a text is one line, whatever it holds.
        process.stdin.write(json.dumps(job.text).encode() + b"\n")
        await process.stdin.drain()
        cancelling = asyncio.create_task(self._cancel(process, job, deadline))
        try:
            while '"part"' in (head := await self._handed_on(process.stdout, job)):
                if '"compiling"' in head:
                    deadline.reschedule(asyncio.get_running_loop().time() + self.limits.compiling + job.seconds)
            await job.put(None)
            return await process.stdout.readline() == f"{READY}\n".encode()
        finally:
            cancelling.cancel()

    async def _handed_on(self, out: asyncio.StreamReader, job: Job) -> str:
        """The beginning of the next message, which has been handed on."""
        message = (await out.readuntil(b"\n")).decode().rstrip("\n")
        await job.put(message)
        return message[:60]

    async def _cancel(self, process: asyncio.subprocess.Process, job: Job, deadline: asyncio.Timeout) -> None:
        """Once nobody waits for the answer, say so to the worker, and give it little time to stop."""
        await job.cancelled.wait()
        assert process.stdin is not None
        deadline.reschedule(asyncio.get_running_loop().time() + GRACE)
        process.stdin.write(f"{CANCEL}\n".encode())

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        """Kill a worker, and what it may have started."""
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        self._processes.discard(process)
