"""Command ``compare`` from outside: its output, and that no finished game is lost."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from csv import DictReader
from pathlib import Path
from random import Random

import pytest
from typer.testing import Result

from satsweep.arena.planfile import plan_names
from satsweep.arena.store import Store
from satsweep.games.deal import random_layout
from tests import PATIENCE, ROOT, TESTS, wait_until
from tests.cli import COMMAND, invoke, on_terminal, posix, said, validate

pytestmark = pytest.mark.extended

AGENTS = TESTS / "arena" / "troubled_agents.py"
SMALL = ("--agents", "basic,gem,sat", "--board", "5x5/4", "--games", "12", "--jobs", "1")


def compare(*arguments: object) -> Result:
    return invoke("compare", *arguments)


def test_the_report_on_the_terminal() -> None:
    done = compare(*SMALL, "--board", "6x6/0.2")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "5x5, 4 mines, first cell safe at 0,0" in done.stdout
    assert "6x6, 7 mines, first cell safe at 0,0" in done.stdout
    assert re.search(r"^sat +12 ", done.stdout, re.MULTILINE)
    assert re.search(r"^sat - gem +[+-]", done.stdout, re.MULTILINE)


def test_json_follows_its_schema() -> None:
    done = compare(*SMALL, "--json")
    report = json.loads(done.stdout)
    validate(report, "comparison")
    (section,) = report["settings"]
    assert [standing["agent"] for standing in section["agents"]] == ["basic", "gem", "sat"]
    assert len(section["comparisons"]) == 3


def test_files_of_a_report(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("r.csv", "r.html", "r.svg", "r.png", "r.pdf")]
    csv, html, svg, png, pdf = files
    done = compare(
        *SMALL, "--csv", str(csv), "--html", str(html), "--plot", str(svg), "--plot", str(png), "--plot", str(pdf)
    )
    assert (done.exit_code, done.stderr) == (0, "")
    assert csv.read_text().count("\n") == 4
    assert html.read_text().lower().startswith("<!doctype html>")
    assert b"<svg" in svg.read_bytes()
    assert png.read_bytes().startswith(b"\x89PNG") and pdf.read_bytes().startswith(b"%PDF")


def test_a_sequential_test_ends_a_run(tmp_path: Path) -> None:
    store, jobs = tmp_path / "games.sqlite", ("--jobs", 1, "--played-by", "python", "--json")
    done = compare("--agents", "basic,gem", "--board", "8x8/10", "--sprt", "0,8", "--store", store, *jobs)
    assert (done.exit_code, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert report["sprt"]["accepted"] in ("h0", "h1") and report["plan"]["games"] is None
    again = invoke("results", store, "--sprt", "0,8", "--json")
    assert json.loads(again.stdout)["sprt"] == report["sprt"]
    other = json.loads(invoke("results", store, "--sprt", "0,30", "--two-sided", "--json").stdout)["sprt"]
    assert (other["h1"], other["two_sided"], len(other["log_ratios"])) == (30, True, 2)
    compare("--agents", "basic", "--games", 2, "--store", store, *jobs)
    wrong = invoke("results", store, "--run", 2, "--sprt", "0,1")
    assert wrong.exit_code == 2 and "expected two agents" in wrong.stderr


def test_a_plan_of_ones_own(tmp_path: Path) -> None:
    plan = tmp_path / "mine.toml"
    plan.write_text('agents = ["basic"]\ngames = 3\n[[boards]]\nsize = [4, 4]\nmines = [2, "three"]\n')
    done = compare("--plan", str(plan))
    assert (done.exit_code, done.stdout) == (3, "")
    assert done.stderr.startswith(f"{plan}:5:13: expected ")
    plan.write_text(plan.read_text().replace('"three"', "3"))
    done = compare("--plan", str(plan), "--jobs", "1")
    assert done.exit_code == 0
    assert "3 mines" in done.stdout


def test_layouts_from_a_file(tmp_path: Path) -> None:
    layouts = tmp_path / "games.jsonl"
    found = [random_layout(5, 6, 5, Random(seed), start=(1, 1)) for seed in range(4)]
    layouts.write_text("".join(json.dumps({"layout": layout.cells, "start": [1, 1]}) + "\n" for layout in found))
    done = compare("--layouts", str(layouts), "--agents", "basic", "--jobs", "1", "--json")
    (section,) = json.loads(done.stdout)["settings"]
    assert section["agents"][0]["games"] == 4
    assert section["setting"]["first"] == "given"


def test_failed_games_are_reported_with_their_layout() -> None:
    done = compare("--agents", f"basic,{AGENTS}:raises", "--board", "6x6/7", "--games", "20", "--jobs", "1")
    assert done.exit_code == 1
    assert "raises raised ValueError at troubled_agents.py:" in done.stdout and ": a three" in done.stdout
    assert re.search(r"^ *[.*]{6}$", done.stdout, re.MULTILINE), "the layout is drawn"


def test_plans_are_listed() -> None:
    done = invoke("plans")
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.stdout.splitlines() if not line.startswith(" ")] == plan_names()
    assert "the S.A.M. report" in done.stdout


def test_results_and_export(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    assert compare(*SMALL, "--store", str(store)).exit_code == 0
    assert compare(*SMALL, "--seed", "b", "--store", str(store)).exit_code == 0
    listed = invoke("results", str(store))
    assert [line[:2] for line in listed.stdout.splitlines() if line[0] != " "] == ["1 ", "2 "]
    report = invoke("results", str(store), "--run", "2", "--json")
    assert json.loads(report.stdout)["plan"]["seed"] == "b"
    assert invoke("results", str(store), "--json").stderr == f"{store}: expected the number of a run, there are 1, 2\n"
    for command in ("results", "export"):
        wrong = invoke(command, str(store), "--run", "3")
        assert (wrong.exit_code, wrong.stdout) == (2, "")
        error = said(wrong.stderr)
        assert error.startswith("Invalid value for '--run': ") and error.endswith(": expected a run among 1, 2")
    table = invoke("export", str(store), "--run", "1").stdout
    assert table.startswith("setting,rows,cols,") and table.count("\n") == 1 + 3 * 12
    lines = invoke("export", str(store), "--run", "1", "--format", "jsonl", "--seconds").stdout.splitlines()
    assert all(json.loads(line)["seconds"] > 0 for line in lines) and len(lines) == 36
    parquet = tmp_path / "runs.parquet"
    assert invoke("export", str(store), "--run", "1", "--format", "parquet", "-o", str(parquet)).exit_code == 0
    import pyarrow.parquet

    assert pyarrow.parquet.read_table(parquet).num_rows == 36
    assert invoke("export", str(store), "--run", "1", "--format", "parquet").exit_code == 2


def test_plays_of_a_layout(tmp_path: Path) -> None:
    """The run of a plan with plays is not that of a plan without, and its report and exports say so."""
    store, csv = tmp_path / "runs.sqlite", tmp_path / "plays.csv"
    assert compare(*SMALL, "--store", str(store)).exit_code == 0
    done = compare(*SMALL, "--plays", "3", "--store", str(store), "--csv", str(csv))
    assert done.exit_code == 0, done.stderr
    assert "Luck of the board and luck of the play" in done.stdout
    assert "won_board_deviation" in csv.read_text().splitlines()[0]
    listed = invoke("results", str(store)).stdout
    assert listed.count("; 3 plays of a layout") == 1
    again = invoke("results", str(store), "--run", "2", "--csv", str(tmp_path / "again.csv"))
    assert again.exit_code == 0 and (tmp_path / "again.csv").read_text() == csv.read_text()
    rows = list(DictReader(invoke("export", str(store), "--run", "2").stdout.splitlines()))
    assert list(rows[0])[list(rows[0]).index("game") :][:3] == ["game", "layout", "play"]
    assert all(divmod(int(row["game"]), 3) == (int(row["layout"]), int(row["play"])) for row in rows)
    once = invoke("export", str(store), "--run", "1").stdout.splitlines()
    assert "layout" not in once[0].split(",")


SLOW = ("--agents", f"{AGENTS}:slow,basic", "--board", "5x5/4", "--board", "4x6/5", "--games", "60")


@pytest.fixture
def started() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start the command in a group of its own, of which nothing outlives the test."""
    running: list[subprocess.Popen[str]] = []
    pipe = subprocess.PIPE

    def start(*words: object) -> subprocess.Popen[str]:
        command = [*COMMAND, "compare", *map(str, words)]
        running.append(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True))
        return running[-1]

    yield start
    for process in running:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def exported(store: Path) -> str:
    return invoke("export", str(store)).stdout


def games_in(store: Path) -> int:
    try:
        with Store(store, writing=False) as kept:
            return sum(found.games for found in kept.runs())
    except Exception:
        return 0


def is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The export of a run that nothing has interrupted, by one process."""
    store = tmp_path_factory.mktemp("whole") / "runs.sqlite"
    assert invoke("compare", *SLOW, "--store", str(store), "--jobs", "1").exit_code == 0
    return exported(store)


def kill_after_some_games(started: Callable[..., subprocess.Popen[str]], store: Path, seconds: float) -> None:
    """Start a run, and kill it so long after it has finished some games."""
    before = games_in(store)
    process = started(*SLOW, "--store", store, "--jobs", 2)
    wait_until(lambda: games_in(store) > before or process.poll() is not None)
    time.sleep(seconds)
    process.kill()
    process.communicate()
    wait_until(lambda: not is_alive(process.pid))


@posix
def test_killed_again_and_again(tmp_path: Path, whole: str, started: Callable[..., subprocess.Popen[str]]) -> None:
    """Three times kill -9, then a whole run: the same bytes as without interruption."""
    store, rng = tmp_path / "runs.sqlite", Random(7)
    for _ in range(3):
        kill_after_some_games(started, store, rng.uniform(0, 0.2))
    assert games_in(store) > 0
    done = invoke("compare", *SLOW, "--store", str(store), "--jobs", "3")
    assert done.exit_code == 0
    assert exported(store) == whole
    assert [file.name for file in tmp_path.iterdir()] == ["runs.sqlite"]


@posix
def test_interrupted(tmp_path: Path, whole: str, started: Callable[..., subprocess.Popen[str]]) -> None:
    store = tmp_path / "runs.sqlite"
    process = started(*SLOW, "--store", store, "--jobs", 2)
    wait_until(lambda: games_in(store) > 0)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes of the group
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    kept = games_in(store)
    assert (
        err == f"interrupted after {kept:,} of 240 games, which are kept in {store}; the same command resumes the run\n"
    )
    assert "first cell safe at 0,0" in out, "what was finished is reported"
    wait_until(lambda: not is_alive(process.pid))
    assert invoke("compare", *SLOW, "--store", str(store)).exit_code == 0
    assert exported(store) == whole


@posix
def test_interrupted_with_an_engine(tmp_path: Path, started: Callable[..., subprocess.Popen[str]]) -> None:
    """The versions of engines are those of the run, too."""
    store, engine = tmp_path / "runs.sqlite", f"cmd:{shlex.join([sys.executable, str(ROOT / 'examples/umi/basic.py')])}"
    process = started("--agents", engine, "--board", "5x5/4", "--games", 100_000, "--store", store, "--jobs", 1)
    wait_until(lambda: games_in(store) > 0)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    *_, last = err.splitlines()  # the engine, which is interrupted, too, may have its own word
    assert last.startswith("interrupted after ")
    assert "5x5, 4 mines" in out


@posix
def test_interrupted_without_a_store(tmp_path: Path, started: Callable[..., subprocess.Popen[str]]) -> None:
    played, agent = tmp_path / "played", tmp_path / "agent.py"
    agent.write_text(
        "from pathlib import Path\n\n\ndef deduce(board):\n"
        f"    with open({str(tmp_path / 'boards')!r}, 'a') as boards:\n        boards.write('.')\n"
        f"        if boards.tell() == 4_000:\n            Path({str(played)!r}).touch()\n"
        "    return [], []\n"
    )
    boards = ("--board", "5x5/4", "--board", "4x6/5")
    process = started("--agents", f"{agent}:deduce,basic", *boards, "--games", 100_000, "--jobs", 1)
    wait_until(played.exists)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert re.fullmatch(r"interrupted after [\d,]+ of 400,000 games; with --store FILE they would be kept, .*\n", err)
    assert "5x5, 4 mines" in out


def test_a_cluster_of_this_machine(tmp_path: Path) -> None:
    store, other = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    assert compare(*SMALL, "--store", str(store)).exit_code == 0
    arguments = [argument for argument in SMALL if argument not in ("--jobs", "1")]
    done = compare(*arguments, "--cluster", "local", "--store", str(other))
    assert done.exit_code == 0, done.stderr
    assert exported(other) == exported(store)


@posix
def test_progress_is_for_terminals_only() -> None:
    written, out = on_terminal("compare", *SMALL, "--games", 200, streams=("stderr",))
    assert "games" in written and "sat " in written and "\x1b" not in out
