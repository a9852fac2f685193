"""Pool of worker processes with a fair queue.

A worker answers one question at a time and is killed after a time limit. Workers are processes because only a process
can be stopped in the middle of a solver's own code. The queue is fair by start time (start-time fair queuing; Goyal,
Vin and Cheng 1997): the next question is that of the client with the least worker time, so that expensive clients do
not delay cheap ones. A client that was idle starts level with the others and saves up nothing. One worker is reserved
for clients whose last question was not slow.
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
"""Seconds that a worker has to stop a cancelled question before it is killed."""
STARTING = 120.0
"""Seconds that a worker may take to load its modules."""


@dataclass(eq=False)
class Job:
    """A queued question: its client, message and time limit, and the messages back."""

    owner: object
    id: int
    text: str
    seconds: float
    replies: asyncio.Queue[str | None] = field(default_factory=lambda: asyncio.Queue(8))
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    slow: bool = False
    """True if the last question of the same client was slow."""

    async def put(self, message: str | None) -> None:
        """Queue a reply (None after the last) when there is room, unless cancelled."""
        putting = asyncio.ensure_future(self.replies.put(message))
        leaving = asyncio.ensure_future(self.cancelled.wait())
        try:
            await asyncio.wait((putting, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            putting.cancel()
            leaving.cancel()

    def end(self, message: str) -> None:
        """Queue a last reply at once; drop parts that were not taken if there is no room."""
        while self.replies.qsize() > self.replies.maxsize - 2:
            self.replies.get_nowait()
        self.replies.put_nowait(message)
        self.replies.put_nowait(None)

    def cancel(self) -> None:
        """Cancel the question."""
        self.cancelled.set()
        self.end(questions.refusal(self.id, "cancelled"))

    async def messages(self) -> AsyncIterator[str]:
        """Replies in order, as they arrive."""
        while (message := await self.replies.get()) is not None:
            yield message


class Pool:
    """Pool of ``size`` workers with its queue: a context manager that ends them."""

    def __init__(self, size: int, limits: Limits) -> None:
        self.size = size
        self.limits = limits
        self.killed = 0
        """Number of workers that were killed."""
        self._waiting: dict[object, deque[Job]] = {}
        self._spent: WeakKeyDictionary[object, float] = WeakKeyDictionary()
        """Worker seconds of each client; unfinished questions count with their limits."""
        self._now = 0.0
        """Virtual time: worker seconds of the client served last, when it was served."""
        self._slow: WeakSet[object] = WeakSet()
        """Clients whose last question took longer than ``limits.solving``."""
        self._slow_jobs = 0
        """Number of workers that answer slow clients."""
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
        """Number of questions in the queue."""
        return self._count

    @property
    def processes(self) -> list[int]:
        """Process ids of the workers."""
        return [process.pid for process in self._processes]

    async def put(self, job: Job) -> None:
        """Queue a question."""
        async with self._more:
            if job.owner not in self._waiting:
                self._spent[job.owner] = max(self._spent.get(job.owner, 0.0), self._now)
            self._waiting.setdefault(job.owner, deque()).append(job)
            self._count += 1
            self._more.notify()

    async def _next(self) -> Job:
        """Take the next question from the queue when one is eligible."""
        async with self._more:
            await self._more.wait_for(self._eligible)
            owner = min(self._eligible(), key=self._spent.__getitem__)
            job = self._waiting[owner].popleft()
            if not self._waiting[owner]:
                del self._waiting[owner]
            self._count -= 1
            self._now = self._spent[owner]
            self._spent[owner] += job.seconds
            job.slow = owner in self._slow
            self._slow_jobs += job.slow
            return job

    def _eligible(self) -> list[object]:
        """Clients eligible to be served next."""
        full = 1 <= self.size - 1 <= self._slow_jobs
        return [owner for owner in self._waiting if not (full and owner in self._slow)]

    async def _finish(self, job: Job, took: float) -> None:
        """Account for a finished question: refund the time that it did not take."""
        async with self._more:
            self._spent[job.owner] -= max(0.0, job.seconds - took)
            self._slow_jobs -= job.slow
            (self._slow.add if took > self.limits.solving else self._slow.discard)(job.owner)
            self._more.notify_all()

    async def _run(self) -> None:
        """Keep one worker running, and give it one question after another."""
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
        """Start a worker, and return it when it is ready."""
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
        """Let a worker answer a question; return True if it can take another one."""
        try:
            async with asyncio.timeout(job.seconds) as deadline:
                return await self._converse(process, job, deadline)
        except TimeoutError:
            problem = f"no answer within {job.seconds:g} seconds"
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            problem = "the worker process ended before it had an answer"
        self.killed += 1
        job.end(questions.refusal(job.id, problem))
        return False

    async def _converse(self, process: asyncio.subprocess.Process, job: Job, deadline: asyncio.Timeout) -> bool:
        """Send a question to a worker, and pass on its replies until it is ready again."""
        assert process.stdin is not None and process.stdout is not None
        # A text in JSON is one line, even if it has line breaks.
        process.stdin.write(json.dumps(job.text).encode() + b"\n")
        await process.stdin.drain()
        cancelling = asyncio.create_task(self._cancel(process, job, deadline))
        try:
            while '"part"' in (head := await self._pass_on(process.stdout, job)):
                if '"compiling"' in head:
                    deadline.reschedule(asyncio.get_running_loop().time() + self.limits.compiling + job.seconds)
            await job.put(None)
            return await process.stdout.readline() == f"{READY}\n".encode()
        finally:
            cancelling.cancel()

    async def _pass_on(self, out: asyncio.StreamReader, job: Job) -> str:
        """Pass on the next message of a worker, and return its beginning."""
        message = (await out.readuntil(b"\n")).decode().rstrip("\n")
        await job.put(message)
        return message[:60]

    async def _cancel(self, process: asyncio.subprocess.Process, job: Job, deadline: asyncio.Timeout) -> None:
        """When the question is cancelled, tell the worker, which has ``GRACE`` to stop."""
        await job.cancelled.wait()
        assert process.stdin is not None
        deadline.reschedule(asyncio.get_running_loop().time() + GRACE)
        process.stdin.write(f"{CANCEL}\n".encode())

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        """Kill a worker and the processes that it started."""
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        self._processes.discard(process)
