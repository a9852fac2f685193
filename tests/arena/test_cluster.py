"""A Dask cluster plays the games that processes play, and survives dead workers."""

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from satsweep.arena import workers
from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block
from satsweep.arena.plan import Plan
from satsweep.arena.result import Result
from satsweep.board import Cell
from satsweep.errors import WorkersError
from satsweep.games.rules import Rules
from satsweep.games.setting import Setting
from tests import PATIENCE, ROOT
from tests.arena.reports import run_results, untimed

pytestmark = pytest.mark.extended

AGENTS = Path(__file__).with_name("troubled_agents.py")
ENGINE = ROOT / "examples" / "umi" / "basic.py"
PLAN = Plan(("basic", "sat"), (Setting(6, 6, 7, Rules(start=Cell(0, 0))), Setting(5, 5, 4)), games=40)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler and two workers, each a process, as on several machines.

    They are killed in the end, each with its children: Dask's nanny does not end by SIGTERM if it is just starting its
    worker again, which then waits for a scheduler that has ended.
    """
    folder = tmp_path_factory.mktemp("cluster")
    with ExitStack() as running:

        def start(*command: str) -> tuple[subprocess.Popen[bytes], Path]:
            """Start a process; its messages go to a file, as they would fill a pipe that nobody reads."""
            log = folder / f"{len(list(folder.iterdir()))}.log"
            words = [sys.executable, "-m", "distributed.cli.dask_" + command[0], *command[1:]]
            with log.open("w") as file:
                process = running.enter_context(
                    subprocess.Popen(words, stderr=file, cwd=folder, start_new_session=sys.platform != "win32")
                )
            running.callback(end, process)
            return process, log

        head, log = start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
        while not (found := re.search(r"Scheduler at: +(tcp://\S+)", log.read_text())):
            assert head.poll() is None, log.read_text()
            time.sleep(0.05)
        for _ in range(2):
            start(
                "worker", found[1], "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1",
                "--local-directory", str(folder / "scratch"),
            )  # fmt: skip
        yield found[1]


def end(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)


def results_of(plan: Plan, address: str) -> list[Result]:
    with workers.cluster(address) as found:
        assert found.jobs == 2
        return run_results(plan, found)


def expected(plan: Plan) -> list[Result]:
    blocks = [Block.of(plan, index, range(plan.games or 0)) for index in range(len(plan.settings))]
    return sorted(untimed(result for block in blocks for result in play_block(block).results))


def wait_for_workers(address: str) -> None:
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=PATIENCE)


def workers_of(address: str) -> set[str]:
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        return set(client.nthreads())


@pytest.mark.filterwarnings("default")
def test_the_same_games(scheduler: str) -> None:
    wait_for_workers(scheduler)
    assert results_of(PLAN, scheduler) == expected(PLAN)


@pytest.mark.filterwarnings("default")
def test_a_worker_dies(scheduler: str, tmp_path: Path) -> None:
    wait_for_workers(scheduler)
    copied = shutil.copy(AGENTS, tmp_path)
    found = results_of(replace(PLAN, agents=("basic", f"{copied}:dies_once")), scheduler)
    assert Path(f"{copied}.died").exists()
    plain = expected(replace(PLAN, agents=("basic", "basic")))
    assert found == plain


KILLS_ITS_WORKER = """
def deed():
    import os, signal
    try:
        os.close(os.open(__file__ + ".died", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    with open(f"/proc/{os.getppid()}/stat") as supervisor:
        worker = int(supervisor.read().rpartition(")")[2].split()[1])
    os.kill(worker, signal.SIGKILL)
"""


@pytest.mark.filterwarnings("default")
@pytest.mark.skipif(sys.platform != "linux", reason="needs the processes of Linux")
def test_a_worker_of_engines_dies(scheduler: str, tmp_path: Path) -> None:
    """An engine kills the worker that it plays for, once; every game is played all the same."""
    wait_for_workers(scheduler)
    text, file = ENGINE.read_text(), tmp_path / "engine.py"
    before = "safe, mines = claims(board)"
    deadly = text.replace(before, f"deed()\n                {before}")
    file.write_text(deadly.replace("def text(", f"{KILLS_ITS_WORKER}\n\ndef text("))
    engines = tuple(f"cmd:{shlex.join([sys.executable, str(path)])}" for path in (file, ENGINE))
    setting = replace(PLAN.settings[0], rules=Rules())
    plan = replace(PLAN, agents=("basic", *engines), settings=(setting,), games=20)
    before_it = workers_of(scheduler)
    found = results_of(plan, scheduler)
    assert Path(f"{file}.died").exists()
    wait_for_workers(scheduler)
    assert len(workers_of(scheduler) - before_it) == 1, "one of them is new"
    assert found == expected(plan) and not any(result.failed for result in found)
    assert [one._replace(agent=0) for one in found if one.agent == 1] == [
        one._replace(agent=0) for one in found if one.agent == 2
    ]


def test_a_scheduler_that_is_not_there() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
    with pytest.raises(WorkersError, match="expected a Dask scheduler at tcp://127.0.0.1"), workers.cluster(address):
        pass
