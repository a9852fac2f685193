"""A process that answers: questions come in on standard input, a line each, and answers go out on standard output.

It knows nothing of connections, and is killed when it takes too long. Only ``cancel`` comes in while it works: then
nobody waits for the answer any more.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from typing import TextIO

from satsweep.errors import SatsweepError
from satsweep.web import questions
from satsweep.web.limits import Limits
from satsweep.web.questions import Cancelled, Question, Values

READY, CANCEL, GROWN = "ready", "cancel", "grown"
"""Said when it is ready; said to it; said in place of ``ready`` when it has grown too large to go on."""


def main() -> None:
    """Answer until standard input ends. The first argument has the limits, as JSON."""
    limits = Limits(**json.loads(sys.argv[1]))
    out = _claimed_output()
    _restrain(limits)

    from satsweep.web.answers import answered

    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    cancelled = threading.Event()
    threading.Thread(target=_listen, args=(waiting, cancelled), daemon=True).start()
    print(READY, file=out, flush=True)
    while True:
        text = waiting.get()
        cancelled.clear()
        question = Question.of(text)

        def say(piece: Values, id: int = question.id) -> None:
            if cancelled.is_set():
                raise Cancelled
            print(questions.part(id, piece), file=out, flush=True)

        try:
            message = questions.answer(question.id, answered(question, limits, say))
        except Cancelled:
            message = questions.refusal(question.id, "nobody waits for this any more")
        except SatsweepError as error:
            message = questions.refusal(question.id, error)
        except MemoryError:
            message = questions.refusal(question.id, "this takes more memory than there is for it")
        print(message, file=out, flush=True)
        print(GROWN if _size() > limits.memory_kept else READY, file=out, flush=True)


def _claimed_output() -> TextIO:
    """Standard output, which from here on nobody else writes to: solvers written in C++ might."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    return out


def _restrain(limits: Limits) -> None:
    """Take no more memory than is granted, and leave the processor to others first."""
    try:
        import resource
    except ImportError:
        return  # Windows knows neither; there the time is all that is bounded.
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    os.nice(5)


def _size() -> int:
    """The most memory that the process has had so far."""
    try:
        import resource
    except ImportError:
        return 0
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return grown if sys.platform == "darwin" else grown * 1024


def _listen(waiting: queue.SimpleQueue[str], cancelled: threading.Event) -> None:
    """Take in what is said, and end with whoever says it."""
    for line in sys.stdin:
        if line.strip() == CANCEL:
            cancelled.set()
        else:
            waiting.put(json.loads(line))
    os._exit(0)


if __name__ == "__main__":
    main()
