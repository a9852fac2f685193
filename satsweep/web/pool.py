"""Pool of worker processes that answer the questions of a fair queue.

A worker answers one question at a time and is killed after a time limit. Workers are processes because only a process
can be stopped in the middle of a solver's own code. One task owns each worker: it starts the worker, gives it
questions, ends it, and starts the next, after any failure.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
import time
from asyncio.subprocess import Process
from contextlib import suppress
from dataclasses import asdict

from satsweep.interpreter import PYTHON
from satsweep.web import questions
from satsweep.web.fair_queue import FairQueue, Job
from satsweep.web.limits import MEBI, Limits
from satsweep.web.worker import BEGUN, CANCEL, READY

GRACE = 1.0
"""Seconds that a worker has to stop a cancelled question before it is killed."""
STARTING = 120.0
"""Seconds that a worker may take to load its modules."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds before a worker is tried again; each pause is twice the last."""
LONGEST_ANSWER = 16 * MEBI
"""Most bytes of a message of a worker."""

log = logging.getLogger("satsweep.web")


class NotBegun(Exception):
    """The worker ended before it began a question."""


class Pool:
    """Context manager of a queue, its ``size`` workers and a reserved one."""

    def __init__(self, size: int, limits: Limits) -> None:
        self.size = size + 1
        self.limits = limits
        self.killed = 0
        """Number of workers that were killed."""
        self.queue = FairQueue(self.size, limits.light, limits.share)
        self._problem: str | None = None
        """Why the last worker did not start."""
        self._ready: set[Process] = set()
        self._last_ready = time.monotonic()
        """Time when there was a worker."""
        self._owners: list[asyncio.Task[None]] = []
        self._processes: set[Process] = set()

    async def __aenter__(self) -> Pool:
        self._owners = [asyncio.create_task(self._own()) for _ in range(self.size)]
        return self

    async def __aexit__(self, *_: object) -> None:
        for owner in self._owners:
            owner.cancel()
        await asyncio.gather(*self._owners, return_exceptions=True)
        for process in list(self._processes):
            await self._end(process)

    @property
    def problem(self) -> str | None:
        """Why there is no worker; None if there is one, or one may start."""
        return None if self._ready else self._problem

    def put(self, job: Job) -> None:
        """Queue a question, or refuse it if there has been no worker for some time."""
        self.queue.put(job)
        self._refuse()

    def _refuse(self) -> None:
        """Refuse all questions if there has been no worker for some time."""
        if self.problem is not None and time.monotonic() > self._last_ready + self.limits.starting:
            self.queue.refuse(self.problem)

    async def _own(self) -> None:
        """Keep one worker running, and give it one question after another."""
        while True:
            worker = await self._started()
            watching = asyncio.create_task(self._watch(worker))
            try:
                while (job := await self._next(worker)) is not None and await self._done(worker, job):
                    pass
            finally:
                watching.cancel()
                self._lose(worker)
                await self._end(worker)

    async def _next(self, worker: Process) -> Job | None:
        """The next question; None if the worker has ended."""
        while worker.returncode is None:
            job = self.queue.take()
            if job is not None:
                return job
            await self.queue.change()
        return None

    async def _done(self, worker: Process, job: Job) -> bool:
        """Let a worker answer a question; return True if it can take another one."""
        began, again = time.monotonic(), False
        try:
            return job.cancelled.is_set() or await self._answered(worker, job)
        except NotBegun:
            again = True
            return False
        except Exception:
            log.exception("no answer to a question")
            job.cancel("satsweep made a mistake; the server has printed where")
            return False
        finally:
            self.queue.finish(job, time.monotonic() - began)
            if again:
                self.queue.put(job, first=True)

    async def _started(self) -> Process:
        """Start a worker; while none can be had, try again and refuse old questions."""
        pause = FIRST_PAUSE
        while True:
            try:
                worker = await self._start()
            except Exception as error:  # out of descriptors, processes, memory, threads: the next try may succeed
                problem = f"no worker process can be started: {error or type(error).__name__}"
                if self._problem is None:
                    log.warning("%s; trying again", problem)
                self._problem = problem
            else:
                if self._problem is not None:
                    log.warning("worker processes start again")
                self._problem = None
                return worker
            self._refuse()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _start(self) -> Process:
        """Start a worker, and return it when it is ready."""
        worker = await asyncio.create_subprocess_exec(
            *PYTHON, "-m", "satsweep.web.worker", json.dumps(asdict(self.limits)),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=LONGEST_ANSWER,
            start_new_session=True,
        )  # fmt: skip
        self._processes.add(worker)
        assert worker.stdout is not None
        try:
            async with asyncio.timeout(STARTING):
                if await worker.stdout.readline() != f"{READY}\n".encode():
                    raise RuntimeError("it ended before it was ready")
        except BaseException:
            await self._end(worker)
            raise
        self._ready.add(worker)
        return worker

    async def _watch(self, worker: Process) -> None:
        """Let the owner of a worker start another one when this one has ended."""
        await worker.wait()
        self._lose(worker)
        self.queue.wake()

    def _lose(self, worker: Process) -> None:
        """Note that a worker takes no more questions."""
        if worker in self._ready:
            self._ready.remove(worker)
            self._last_ready = time.monotonic()

    async def _answered(self, worker: Process, job: Job) -> bool:
        """Pass on the answer of a worker; return True if it can take another question."""
        try:
            async with asyncio.timeout(job.seconds) as deadline:
                return await self._converse(worker, job, deadline)
        except TimeoutError:
            problem = f"no answer within {job.seconds:g} seconds"
        except asyncio.LimitOverrunError:
            problem = f"the answer has more than {LONGEST_ANSWER:,} bytes"
        except (ConnectionError, asyncio.IncompleteReadError):
            problem = "the worker process ended before it had an answer"
        self.killed += 1
        job.end(questions.refusal(job.id, problem))
        return False

    async def _converse(self, worker: Process, job: Job, deadline: asyncio.Timeout) -> bool:
        """Send a question to a worker, and pass on its replies until it is ready again."""
        assert worker.stdin is not None and worker.stdout is not None
        worker.stdin.write(f"{job.id} {len(job.content)}\n".encode() + job.content)
        with suppress(ConnectionError):
            await worker.stdin.drain()
        if await worker.stdout.readline() != f"{BEGUN}\n".encode():
            raise NotBegun
        cancelling = asyncio.create_task(self._cancel(worker, job, deadline))
        try:
            while '"part"' in await self._pass_on(worker.stdout, job):
                pass
            job.end()
            return await worker.stdout.readline() == f"{READY}\n".encode()
        finally:
            cancelling.cancel()

    async def _pass_on(self, out: asyncio.StreamReader, job: Job) -> str:
        """Pass on the next message of a worker, and return its beginning."""
        message = (await out.readuntil(b"\n")).decode().rstrip("\n")
        job.put(message)
        return message[:60]

    async def _cancel(self, worker: Process, job: Job, deadline: asyncio.Timeout) -> None:
        """When the question is cancelled, tell the worker, which has ``GRACE`` to stop."""
        await job.cancelled.wait()
        assert worker.stdin is not None
        deadline.reschedule(asyncio.get_running_loop().time() + GRACE)
        worker.stdin.write(f"{CANCEL}\n".encode())

    async def _end(self, worker: Process) -> None:
        """Kill a worker and the processes that it started."""
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                worker.kill()
            else:
                os.killpg(worker.pid, signal.SIGKILL)
        await worker.wait()
        self._processes.discard(worker)
