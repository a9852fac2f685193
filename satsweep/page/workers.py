"""Worker processes, and the pool that gives them the questions of a fair queue.

A worker answers one question at a time and is killed after a time limit: only a process can be stopped in the middle of
a solver's own code. Questions come in on its standard input: a line with the id and the number of bytes, then the
message. Answers go out on standard output, one per line. While it answers, ``cancel`` is the only line that it may
receive. Every question has an answer or an error, and no question ends the process.

One task of the pool owns each worker: it starts the worker, gives it questions, ends it, and starts the next, after any
failure.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import queue
import signal
import sys
import threading
import time
import traceback
from asyncio.subprocess import Process
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TextIO

from satsweep.errors import SatsweepError
from satsweep.interpreter import PYTHON
from satsweep.page import questions
from satsweep.page.fair_queue import FairQueue, Job
from satsweep.page.questions import MEBI, Cancelled, Limits, Question, SendPart, Values

READY, BEGUN, GROWN, CANCEL = "ready", "begun", "grown", "cancel"
"""Lines of the protocol: three that a worker prints, and one that it receives."""

WARMING = (
    '{"id": 0, "ask": "solve", "board": "mines 2\\n#1#\\n1##\\n###"}',
    '{"id": 0, "ask": "explain", "board": "mines 3\\n##1.\\n##21\\n####", "cell": [2, 1]}',
    '{"id": 0, "ask": "watch", "agent": "sat", "rows": 5, "cols": 5, "mines": 3}',
)
"""Questions that load what most questions need, before a worker is ready."""


def main() -> None:
    """Answer until standard input ends. The first argument is the limits as JSON."""
    limits = Limits(**json.loads(sys.argv[1]))
    out = _claimed_output()
    _restrain(limits)

    for _ in warming(limits):
        pass
    waiting: queue.SimpleQueue[tuple[int, str]] = queue.SimpleQueue()
    cancelled = threading.Event()
    threading.Thread(target=_listen, args=(waiting, cancelled), daemon=True).start()
    print(READY, file=out, flush=True)
    while True:
        id, text = waiting.get()
        cancelled.clear()
        print(BEGUN, file=out, flush=True)

        def send(part: Values, id: int = id) -> None:
            if cancelled.is_set():
                raise Cancelled
            print(questions.part(id, part), file=out, flush=True)

        mistake = "satsweep made a mistake; the server has printed where"
        message = reply_to(id, text, limits, send, mistake=mistake)
        print(message, file=out, flush=True)
        print(GROWN if _size() > limits.memory_kept else READY, file=out, flush=True)


def warming(limits: Limits) -> Iterator[None]:
    from satsweep.page.answers import answer_to

    for text in WARMING:
        with suppress(SatsweepError, MemoryError):
            answer_to(Question.of(text), limits, lambda part: None)
        yield


def reply_to(id: int, text: str, limits: Limits, send: SendPart, *, mistake: str) -> str:
    """The message that answers a question; every question has one.

    ``mistake`` is said of an error that should not be.
    """
    from satsweep.page.answers import answer_to

    try:
        return questions.answer(id, answer_to(Question.of(text), limits, send))
    except Cancelled:
        return questions.refusal(id, "cancelled")
    except SatsweepError as error:
        return questions.refusal(id, error)
    except MemoryError:
        return questions.refusal(id, "this needs more memory than a worker may use")
    except Exception:
        traceback.print_exc()
        return questions.refusal(id, mistake)


def _claimed_output() -> TextIO:
    """A private standard output; what C++ solvers print goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    return out


def _restrain(limits: Limits) -> None:
    """Limit the memory of this process, and lower its priority."""
    try:
        import resource
    except ImportError:
        return  # Windows has neither; there only the time is bounded.
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    os.nice(5)


def _size() -> int:
    """Peak memory of this process, in bytes; 0 where it is not known."""
    with suppress(OSError, StopIteration):  # Linux adds the peak of the process that started this one to its usage
        lines = Path("/proc/self/status").read_text().splitlines()
        return 1024 * int(next(line.split()[1] for line in lines if line.startswith("VmHWM")))
    try:
        import resource
    except ImportError:
        return 0
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return grown if sys.platform == "darwin" else grown * 1024


def _listen(waiting: queue.SimpleQueue[tuple[int, str]], cancelled: threading.Event) -> None:
    for line in sys.stdin.buffer:
        if line.decode().strip() == CANCEL:
            cancelled.set()
        else:
            id, size = map(int, line.split())
            waiting.put((id, sys.stdin.buffer.read(size).decode()))
    os._exit(0)


GRACE = 1.0
"""Seconds that a worker has to stop a cancelled question before it is killed."""
STARTING = 120.0
"""Seconds that a worker may take to load its modules."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds before a worker is tried again; each pause is twice the last."""
LONGEST_ANSWER = 16 * MEBI
"""Most bytes of a message of a worker."""

log = logging.getLogger("satsweep.page")


class NotBegun(Exception):
    """The worker ended before it began a question."""


class Pool:
    """Context manager of a queue, its ``size`` workers and a reserved one."""

    def __init__(self, size: int, limits: Limits) -> None:
        self.size = size + 1
        self.limits = limits
        self.killed = 0
        """Number of workers that were killed."""
        self.queue = FairQueue(self.size)
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
        return None if self._ready else self._problem

    def put(self, job: Job) -> None:
        self.queue.put(job)
        self._refuse()

    def _refuse(self) -> None:
        """Refuse all questions if there has been no worker for some time."""
        if self.problem is not None and time.monotonic() > self._last_ready + self.limits.starting:
            self.queue.refuse(self.problem)

    async def _own(self) -> None:
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
        worker = await asyncio.create_subprocess_exec(
            *PYTHON, "-m", "satsweep.page.workers", json.dumps(asdict(self.limits)),
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
        await worker.wait()
        self._lose(worker)
        self.queue.wake()

    def _lose(self, worker: Process) -> None:
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
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                worker.kill()
            else:
                os.killpg(worker.pid, signal.SIGKILL)
        await worker.wait()
        self._processes.discard(worker)


if __name__ == "__main__":
    main()
