"""Agents that do what no agent should, each in its own way, at the second look at a board."""

import os
import re
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NoReturn

from satsweep import Board, agent_named

Deed = Callable[[], Any]
DEEDS: dict[str, Deed] = {}


def hostile(deed: Deed) -> Callable[[], Callable[[Board], Any]]:
    """A factory of agents that play as basic does, and do the deed at the second board."""

    def agent() -> Callable[[Board], Any]:
        basic = agent_named("basic")
        boards: list[Board] = []

        def deduce(board: Board) -> Any:
            boards.append(board)
            odd = deed() if len(boards) == 2 else None
            return basic.deduce(board) if odd is None else odd

        return deduce

    DEEDS[deed.__name__] = deed
    return agent


@hostile
def sleeps() -> None:
    time.sleep(1000)


@hostile
def spins() -> None:
    while True:
        pass


@hostile
def spins_in_c() -> None:
    """No other thread of the process gets a turn."""
    re.match(r"(a+)+$", "a" * 60 + "b")


@hostile
def sleeps_deaf() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        time.sleep(1000)


@hostile
def swallows_everything() -> None:
    while True:
        with suppress(BaseException):
            time.sleep(1000)


@hostile
def exits() -> NoReturn:
    sys.exit(5)


@hostile
def interrupts() -> NoReturn:
    raise KeyboardInterrupt


@hostile
def raises_a_surrogate() -> NoReturn:
    raise ValueError("a \udcff and a \x1b[31m bell \x07")


@hostile
def raises_without_text() -> NoReturn:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    raise Mute


@hostile
def raises_at_length() -> NoReturn:
    raise ValueError("x" * 10**7)


@hostile
def raises_the_base() -> NoReturn:
    class Base(BaseException):
        pass

    raise Base("of all")


@hostile
def recurses() -> None:
    def deeper() -> None:
        deeper()

    deeper()


@hostile
def ends_its_process() -> NoReturn:
    os._exit(7)


@hostile
def kills_itself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@hostile
def kills_its_group() -> None:
    os.killpg(0, signal.SIGTERM)


@hostile
def closes_everything() -> None:
    os.closerange(0, 1000)


@hostile
def writes_everywhere() -> None:
    for descriptor in range(3, 100):
        with suppress(OSError):
            os.write(descriptor, b"\0\0\0\5hello")
    time.sleep(1000)


@hostile
def eats_memory() -> None:
    """The limit is lowered, which spares the machine of the test."""
    resource.setrlimit(resource.RLIMIT_DATA, (1 << 28, 1 << 28))
    eaten = []
    while True:
        eaten.append(bytearray(1 << 27))


@hostile
def tells_its_limits() -> NoReturn:
    with open("/proc/self/oom_score_adj") as file:
        raise ValueError(f"{resource.getrlimit(resource.RLIMIT_DATA)[0]}, first to go: {file.read().strip()}")


@hostile
def answers_with_its_own() -> object:
    class Cells(list[Any]):
        def __repr__(self) -> str:
            raise RuntimeError("no picture")

    return Cells([1, 2, 3])


@hostile
def answers_in_pieces() -> object:
    def cells() -> Iterator[tuple[int, int]]:
        yield 0, 0
        raise LookupError("no more")

    return cells(), []


@hostile
def answers_without_end() -> object:
    def cells() -> Iterator[tuple[int, int]]:
        while True:
            yield 0, 0

    return cells(), []


# --- harmless in the end ---------------------------------------------------------------------------------------------


@hostile
def prints() -> None:
    print("{not JSON")
    sys.__stdout__ and sys.__stdout__.write("[not JSON either")
    os.write(1, b"nor this\n")


@hostile
def closes_the_usual() -> None:
    os.closerange(0, 3)


@hostile
def forks() -> None:
    """The child plays on in the code of its parent."""
    os.fork()


@hostile
def forks_a_sleeper() -> None:
    if not os.fork():
        time.sleep(1000)


@hostile
def leaves_a_thread() -> None:
    threading.Thread(target=time.sleep, args=(1000,)).start()
