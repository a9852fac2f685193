"""An agent, whatever it does, costs its own games only."""

import json
import multiprocessing
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from textwrap import indent

import pytest

from satsweep.agents.isolated import isolated
from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block
from satsweep.arena.plan import Plan
from satsweep.arena.run import run_plan
from satsweep.arena.store import Store
from satsweep.arena.terminal import to_text
from satsweep.arena.workers import processes
from satsweep.games.game import play
from satsweep.games.setting import Setting
from tests import PATIENCE, wait_until
from tests.arena.reports import HostileRun, hostile_run, untimed
from tests.cli import COMMAND, invoke

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(sys.platform != "linux", reason="what these agents do is POSIX, their limits are of Linux"),
]

FILE = Path(__file__).with_name("hostile_agents.py")
LATE = "the agent took more than 1 s"
MEMORY = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
FAILING = {
    "sleeps": LATE,
    "spins": LATE,
    "spins_in_c": LATE,
    "sleeps_deaf": LATE,
    "swallows_everything": LATE,
    "answers_without_end": LATE,
    "writes_everywhere": "the agent's process broke its connection",
    "closes_everything": "the agent's process ended with exit code 1",
    "exits": "deduce raised SystemExit at hostile_agents.py: 5",
    "interrupts": "KeyboardInterrupt",
    "raises_a_surrogate": r"deduce raised ValueError at hostile_agents.py: a \udcff and a \x1b[31m bell \x07",
    "raises_without_text": "deduce raised Mute at hostile_agents.py: (an error without a text)",
    "raises_at_length": "deduce raised ValueError at hostile_agents.py: " + "x" * 450,
    "raises_the_base": "Base: of all",
    "recurses": "deduce raised RecursionError at hostile_agents.py: maximum recursion depth exceeded",
    "ends_its_process": "the agent's process ended with exit code 7",
    "kills_itself": "the agent's process was killed by SIGKILL",
    "kills_its_group": "the agent's process was killed by SIGTERM",
    "eats_memory": "deduce raised MemoryError at hostile_agents.py: ",
    "tells_its_limits": f"deduce raised ValueError at hostile_agents.py: {MEMORY}, first to go: 1000",
    "answers_with_its_own": "expected safe cells and mines, each as (row, column), found <Cells> "
    "(deduce at hostile_agents.py)",
    "answers_in_pieces": "LookupError: no more",
}
"""Failures of the agents, by their names."""
HARMLESS = ("prints", "closes_the_usual", "forks", "forks_a_sleeper", "leaves_a_thread")
SETTING = Setting(5, 5, 4)
GOOD = Plan(("basic", "gem"), (SETTING,), games=2, game_seconds=PATIENCE)
ENDING = [name for name, message in FAILING.items() if message != LATE]
ALL = replace(GOOD, agents=("basic", *(f"{FILE}:{name}" for name in (*ENDING, *HARMLESS)), "gem"))
NEVER = replace(GOOD, agents=tuple(f"{FILE}:{name}" for name in FAILING if name not in ENDING), game_seconds=1.0)


run, late_run = hostile_run(ALL), hostile_run(NEVER)


def test_good_agents_play_as_if_they_were_alone(run: HostileRun) -> None:
    run.check_good_agents(GOOD)


@pytest.mark.parametrize("name", FAILING)
def test_its_games_are_lost_and_reported(request: pytest.FixtureRequest, name: str) -> None:
    run: HostileRun = request.getfixturevalue("run" if name in ENDING else "late_run")
    failures = run.failures_of(f"{FILE}:{name}")
    assert [one.game for one in failures] == [0, 1]
    said = {re.sub(r"(?<=\.py):\d+", "", one.message or "") for one in failures}
    assert {re.sub(r"^(the agent took .* s), in \S+ at \S+$", r"\1", message) for message in said} == {FAILING[name]}
    assert [result.failed for result in run.results if result.agent == failures[0].agent] == [True] * 2


@pytest.mark.parametrize("name", HARMLESS)
def test_what_harms_nothing_is_no_failure(run: HostileRun, name: str) -> None:
    agent = ALL.agents.index(f"{FILE}:{name}")
    found = [result._replace(agent=0) for result in run.results if result.agent == agent]
    assert found == [result for result in run.results if result.agent == 0]


def test_the_report_is_whole(run: HostileRun, late_run: HostileRun) -> None:
    for found, failing in ((run, len(ENDING)), (late_run, len(FAILING) - len(ENDING))):
        assert len(json.loads(found.report.to_json().encode())["failures"]) == 2 * failing
    text = to_text(late_run.report).encode().decode()
    assert "hostile_agents.py:sleeps, game 0 of 5x5, 4 mines, first cell safe, seed 0:" in text and LATE in text


def test_a_run_with_failures_is_continued(run: HostileRun) -> None:
    """Games that failed are not played again, and not lost."""
    with Store(run.path) as store:
        assert run_plan(ALL, processes(1), store) == run.report
        assert untimed(store.run().results()) == run.results


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=PATIENCE)


def test_the_output_of_an_agent_is_not_that_of_the_command() -> None:
    agents = f"basic,{FILE}:prints"
    done = command("compare", "--agents", agents, "--board", "5x5/4", "--games", "2", "--jobs", "1", "--json")
    assert done.returncode == 0
    assert [one["agent"] for one in json.loads(done.stdout)["settings"][0]["agents"]] == [
        "basic",
        f"{FILE.name}:prints",
    ]
    assert "{not JSON" in done.stderr and "nor this" in done.stderr


def test_the_name_of_a_file_may_be_no_text(tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/m\xff.py")
    Path(name).write_text("def deduce(board):\n    return [], []\n")
    csv, store = tmp_path / "report.csv", tmp_path / "runs.db"
    options = ("--board", "5x5/4", "--games", "1", "--jobs", "1", "--csv", str(csv), "--store", str(store))
    for locale in ("C", "C.UTF-8"):
        done = subprocess.run(
            [*COMMAND, "compare", "--agents", f"{name}:deduce", *options, "--json"],
            capture_output=True,
            check=True,
            env={**os.environ, "LC_ALL": locale},
        )
        assert done.stderr == b"" and b'"agents"' in done.stdout
        assert r"m\udcff.py:deduce" in csv.read_text()


def test_the_command_has_the_limit(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("import time\n\ndef slow(board):\n    time.sleep(99)\n")
    arguments = ("--agents", f"basic,{tmp_path}/agent.py:slow", "--board", "5x5/4", "--games", "1", "--jobs", "1")
    done = command("compare", *arguments, "--game-seconds", "0.3")
    assert (done.returncode, done.stderr) == (1, "")
    assert "the agent took more than 0.3 s" in done.stdout


def test_an_interrupted_call_leaves_no_answer_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next game gets a process of its own."""
    layout, _ = SETTING.layout("0", 0)
    rules = SETTING.rules
    with isolated(f"{FILE}:leaves_a_thread", PATIENCE) as agent:
        expected = play(layout, agent.fresh(), rules)

        def interrupt(stream: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            playing = agent.fresh()
            patch.setattr("satsweep.agents.isolated._PlainValues", interrupt)
            playing.deduce(layout.board(()))
        assert play(layout, agent.fresh(), rules) == expected


def test_forked_copies_have_processes_of_their_own() -> None:
    block = Block.of(replace(GOOD, agents=(f"{FILE}:prints",)), 0, range(2))
    before = untimed(play_block(block).results)
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        found = pool.submit(play_block, block).result(timeout=PATIENCE).results
    assert untimed(found) == before == untimed(play_block(block).results)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("while True: pass\n", "{}: not loaded: the agent took more than 1 s, in <module> at agent.py:1"),
        ("import os\nos._exit(4)\n", "{}: not loaded: the agent's process ended with exit code 4"),
        ("import sys\nsys.exit(4)\n", "{place}: expected code that runs, found SystemExit at agent.py:2: 4"),
        ("raise ValueError('\\udcff')\n", "{place}: expected code that runs, found ValueError at agent.py:1: \\udcff"),
    ],
)
def test_code_that_never_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, message: str) -> None:
    if "while" in code:
        monkeypatch.setattr("satsweep.agents.isolated.LOAD_SECONDS", 1.0)
    (tmp_path / "agent.py").write_text(code)
    agent = f"{tmp_path}/agent.py:deduce"
    done = invoke("compare", "--agents", agent, "--game-seconds", 1)
    assert (done.exit_code, done.stdout) == (3, "")
    assert done.stderr == message.format(agent, place=f"{tmp_path}/agent.py") + "\n"


def test_no_limit_is_no_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[float | None] = set()

    def recording(agent: str, seconds: float | None, **options: bool) -> object:
        if ".py:" in agent:
            asked.add(seconds)
        return isolated(agent, seconds, **options)

    monkeypatch.setattr("satsweep.agents.isolated.isolated", recording)
    (tmp_path / "agent.py").write_text("def deduce(board):\n    return (), ()\n")
    for given, expected in (("0", None), ("2", 2.0)):
        options = ("--board", "5x5/4", "--games", 1, "--jobs", 1, "--game-seconds", given)
        assert invoke("compare", "--agents", f"{tmp_path}/agent.py:deduce", *options).exit_code == 0
        assert asked == {expected}
        asked.clear()


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """Not even a process that holds the interpreter, nor one that an agent has forked."""
    mark = tmp_path / "unmistakable.py"
    mark.write_text(FILE.read_text())
    options = ("--board", "5x5/4", "--games", "9", "--jobs", "1", "--game-seconds", "0")
    agents = ",".join(f"{mark}:{name}" for name in ("forks_a_sleeper", "spins_in_c"))
    running = subprocess.Popen([*COMMAND, "compare", "--agents", agents, *options], stdout=subprocess.PIPE)
    wait_until(lambda: len(_processes_of(running.pid)) >= 2 + 4 + 2)
    family = _processes_of(running.pid)
    running.kill()
    running.communicate()
    wait_until(lambda: not any(Path(f"/proc/{one}").exists() and _is_running(one) for one in family))


FLEEING = """import subprocess, sys
sleep = ["sleep", "{}"]
away = f"import subprocess; subprocess.Popen({{sleep}}, start_new_session=True, env={{dict()}})"
subprocess.run([sys.executable, "-c", away], start_new_session=True)
open(__file__.rpartition("/")[0] + "/begun", "w").close()
"""
"""Code that starts a process of a session, a parent and an environment of its own."""
ENGINE = r"""for line in sys.stdin:
    if line == 'ping\n':
        print('pong', flush=True)
    elif line == 'umi 1\n':
        print('name n\nversion 1\numi 1', flush=True)
    else:
        break
"""
ENDS = {"over": "pass\n", "late": "import time\ntime.sleep(99)\n", "ended": "import os\nos._exit(3)\n"}
"""What an agent that has started one does at its first board, by how it ends."""


@pytest.mark.parametrize("end", [*ENDS, "killed"])
@pytest.mark.parametrize("kind", ["agent", "engine"])
def test_what_an_agent_starts_ends_with_it(tmp_path: Path, kind: str, end: str) -> None:
    """Even in a session of its own; however the agent ends, or the run."""
    seconds = f"{7_000_000 + os.getpid()}.{len(end)}{len(kind)}"
    own, file, deed = FLEEING.format(seconds), tmp_path / "agent.py", ENDS.get(end, ENDS["late"])
    if kind == "agent":
        file.write_text(f"{own}\ndef deduce(board):\n{indent(deed, '    ')}    return [], []\n")
        name = f"{file}:deduce"
    else:
        file.write_text(own + ENGINE + deed)
        name = f"cmd:{shlex.join([sys.executable, str(file)])}"
    words = ["compare", "--agents", f"basic,{name}", "--board", "5x5/4", "--games", "2", "--jobs", "1"]
    nowhere = subprocess.DEVNULL
    limit = "60" if end == "killed" else "2"
    running = subprocess.Popen([*COMMAND, *words, "--game-seconds", limit], stdout=nowhere, stderr=nowhere)
    wait_until((tmp_path / "begun").exists)
    if end == "killed":
        running.kill()
    running.wait()
    wait_until(lambda: not _with_argument(seconds))


def _with_argument(word: str) -> list[Path]:
    """Processes with this last argument."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if file.read_bytes().split(b"\0")[-2:] == [word.encode(), b""]:
                found.append(file)
    return found


def _processes_of(pid: int) -> set[int]:
    """The descendants of a process."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        try:
            parent = waiting.pop()
            children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
            for task in Path(f"/proc/{parent}/task").iterdir():
                children += (task / "children").read_text().split()
        except OSError:
            continue
        waiting += [int(child) for child in children if int(child) not in found]
        found.update(map(int, children))
    return found


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
