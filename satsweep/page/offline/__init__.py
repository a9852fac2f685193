"""The page without a server: a folder that any web host can serve.

``build`` writes the folder: the files of the page, Python for browsers (Pyodide), and one archive of satsweep with the
libraries that its exact path needs (``build.PIECES``). In the browser ``page/worker.js`` starts Python, and ``reply``
answers the questions of the page with the same code as the workers of the server. Reviews ask the engine, which
``use_engine`` hands over, as they ask the compiled library there.
"""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

from satsweep.errors import BoardError
from satsweep.kernels import board_engine
from satsweep.page import questions
from satsweep.page.questions import LIMITS, Cancelled, Question, Values
from satsweep.page.workers import reply_to, warming


def prepared() -> Iterator[None]:
    return warming(LIMITS)


def use_engine(exports: Any) -> None:
    """Let reviews call an instance of the library for WebAssembly."""
    from satsweep.page.offline.browser_library import BrowserLibrary

    board_engine.use(BrowserLibrary(exports))


def reply(text: str, send: Callable[[str], object], is_cancelled: Callable[[int], bool]) -> str:
    """The message that answers a question, after its parts have been sent.

    ``is_cancelled`` says whether the page wants no more of a question. It is asked between two parts, if the browser
    can then handle what has come in meanwhile; elsewhere the page ends the worker.
    """
    try:
        id = Question.of(text).id
    except BoardError as error:
        return questions.refusal(questions.id_of(text), error)

    def send_part(part: Values) -> None:
        send(questions.part(id, part))
        _let_messages_in()
        if is_cancelled(id):
            raise Cancelled

    return reply_to(id, text, LIMITS, send_part, mistake="satsweep made a mistake; the console of the browser has it")


def _let_messages_in() -> None:
    """Return to the browser for a moment, where it can suspend Python."""
    from pyodide.ffi import can_run_sync, run_sync

    if can_run_sync():
        run_sync(asyncio.sleep(0))
