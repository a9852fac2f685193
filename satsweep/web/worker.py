"""Worker process that answers questions one by one.

Questions come in on standard input: a line with the id and the number of bytes, then the message. Answers go out on
standard output, one per line. The pool kills a worker that takes too long. While a worker answers, ``cancel`` is the
only line that it may receive. Every question has an answer or an error, and no question ends the process.
"""

import json
import os
import queue
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from satsweep.errors import SatsweepError
from satsweep.web import questions
from satsweep.web.limits import Limits
from satsweep.web.questions import Cancelled, Question, SendPart, Values

READY, BEGUN, GROWN, CANCEL = "ready", "begun", "grown", "cancel"
"""Lines of the protocol: three that a worker prints, and one that it receives."""

WARMING = (
    '{"id": 0, "ask": "guesses", "board": "mines 2\\n#1#\\n1##\\n###"}',
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
    """Answer some questions, one a step, to load what most questions need."""
    from satsweep.web.answers import answer_to

    for text in WARMING:
        with suppress(SatsweepError, MemoryError):
            answer_to(Question.of(text), limits, lambda part: None)
        yield


def reply_to(id: int, text: str, limits: Limits, send: SendPart, *, mistake: str) -> str:
    """The message that answers a question; every question has one.

    ``mistake`` is said of an error that should not be.
    """
    from satsweep.web.answers import answer_to

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
    """Read standard input, and end the process when it ends."""
    for line in sys.stdin.buffer:
        if line.decode().strip() == CANCEL:
            cancelled.set()
        else:
            id, size = map(int, line.split())
            waiting.put((id, sys.stdin.buffer.read(size).decode()))
    os._exit(0)


if __name__ == "__main__":
    main()
