"""Worker process that answers questions one by one.

Questions come in on standard input, one per line; answers go out on standard output. The pool kills it when it takes
too long. While it answers, ``cancel`` is the only line that it may receive.
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
"""Lines: printed when ready; received to cancel; printed by a worker to replace."""


def main() -> None:
    """Answer until standard input ends. The first argument is the limits as JSON."""
    limits = Limits(**json.loads(sys.argv[1]))
    out = _claimed_output()
    _restrain(limits)

    from satsweep.web.answers import answer_to

    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    cancelled = threading.Event()
    threading.Thread(target=_listen, args=(waiting, cancelled), daemon=True).start()
    print(READY, file=out, flush=True)
    while True:
        text = waiting.get()
        cancelled.clear()
        question = Question.of(text)

        def send(part: Values, id: int = question.id) -> None:
            if cancelled.is_set():
                raise Cancelled
            print(questions.part(id, part), file=out, flush=True)

        try:
            message = questions.answer(question.id, answer_to(question, limits, send))
        except Cancelled:
            message = questions.refusal(question.id, "cancelled")
        except SatsweepError as error:
            message = questions.refusal(question.id, error)
        except MemoryError:
            message = questions.refusal(question.id, "this needs more memory than a worker may use")
        print(message, file=out, flush=True)
        print(GROWN if _size() > limits.memory_kept else READY, file=out, flush=True)


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
    """Peak memory of this process, in bytes."""
    try:
        import resource
    except ImportError:
        return 0
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return grown if sys.platform == "darwin" else grown * 1024


def _listen(waiting: queue.SimpleQueue[str], cancelled: threading.Event) -> None:
    """Read standard input, and end the process when it ends."""
    for line in sys.stdin:
        if line.strip() == CANCEL:
            cancelled.set()
        else:
            waiting.put(json.loads(line))
    os._exit(0)


if __name__ == "__main__":
    main()
