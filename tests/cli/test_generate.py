"""Command ``generate``: facts, every format, files, and every way to end."""

import json
import re
import signal
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import pytest

from satsweep import Board, Layout, Record
from satsweep.arena.workers import Workers
from satsweep.board import Cell
from satsweep.errors import BudgetExceeded
from satsweep.formats import all_formats, certificates, read_layouts
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import play
from satsweep.games.rules import FirstClick, Rules
from satsweep.generator.run import GeneratedBoard, generate
from satsweep.generator.spec import BoardSpec
from satsweep.proofs.trace import check
from tests import PATIENCE
from tests.cli import invoke, posix, said, start as started, validate

pytestmark = pytest.mark.extended

SMALL = ("--rows", 6, "--cols", 8, "--mines", 9, "--seed", 3)
SPEC = BoardSpec(6, 8, 9)


def made(spec: BoardSpec = SPEC, count: int = 1, seed: int = 3) -> list[GeneratedBoard]:
    return list(generate(spec, count, seed))


# --- what it says ----------------------------------------------------------------------------------------------------


def test_random_boards_are_those_of_games() -> None:
    """The board that ``play`` and ``compare`` lay for the same seed."""
    result = invoke("generate", "--rows", 5, "--cols", 7, "--mines", 8, "--seed", 11)
    layout = random_layout(5, 7, 8, game_rng(11, 0))
    assert result.stdout.splitlines()[1] == "// drawn uniformly among all layouts"
    assert result.stdout.endswith(f"openings\n{layout}\n")
    result = invoke("generate", "--rows", 5, "--cols", 7, "--mines", 8, "--seed", 11, "--start", "2,3")
    rng = game_rng(11, 0)
    from satsweep.agents import agent_named

    rules = Rules(first=FirstClick.ZERO, start=Cell(2, 3))
    played = play(random_layout(5, 7, 8, rng), agent_named("random"), rules, rng)
    assert result.stdout.splitlines()[0] == "// board 0 of seed 11, start at 2,3"
    assert result.stdout.endswith(f"{Layout(played.layout.cells, start=(2, 3))}\n")


@pytest.mark.extended
def test_options_reach_the_board_spec() -> None:
    arguments = ("--solvable-by", "gem", "--beyond", "basic", "--start", "2,2", "--first", "safe")
    result = invoke("generate", *SMALL, *arguments, "--topology", "hexagonal")
    from satsweep.topology import HEXAGONAL

    spec = BoardSpec(
        6, 8, 9, start=Cell(2, 2), first=FirstClick.SAFE, topology=HEXAGONAL, solvable_by="gem", beyond="basic"
    )
    assert result.stdout.startswith("// board 0 of seed 3: needs no guess from 2,2, solved by gem, beyond basic\n")
    assert result.stdout.endswith(f"{made(spec)[0].layout}\n")


def test_an_agent_of_ones_own_clears_the_board(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from satsweep import analyse\n\ndef mine(board):\n    own = analyse(board)\n    return own.safe, own.mines\n"
    )
    name = f"{tmp_path}/mine.py:mine"
    result = invoke("generate", *SMALL, "--solvable-by", name, "--beyond", "basic")
    assert result.exit_code == 0
    assert f"needs no guess from 0,0, solved by {name}, beyond basic\n" in result.stdout
    result = invoke("generate", *SMALL, "--solvable-by", f"{name}d")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == f"{tmp_path}/mine.py: expected a function 'mined' or an agent of that name, found none\n"


def test_a_new_seed_is_printed() -> None:
    first = invoke("generate", "--rows", 6, "--cols", 8, "--mines", 9).stdout
    seed = re.match(r"// board 0 of seed (\d+)\n", first)
    assert seed is not None
    assert invoke("generate", "--rows", 6, "--cols", 8, "--mines", 9, "--seed", seed[1]).stdout == first


# --- several, and files ----------------------------------------------------------------------------------------------


@pytest.mark.extended
@pytest.mark.parametrize("jobs", [(), ("--jobs", 1), ("--jobs", 2)], ids=str)
def test_many_boards(jobs: tuple[object, ...]) -> None:
    result = invoke("generate", *SMALL, "--no-guess", "--count", 18, *jobs)
    found = [Layout.from_text(text) for text in result.stdout.split("\n\n")]
    assert found == [one.layout for one in made(count=18)]


def test_lines_of_json(tmp_path: Path) -> None:
    file = tmp_path / "boards.jsonl"
    assert (
        invoke("generate", *SMALL, "--no-guess", "--beyond", "basic", "--count", 4, "--json", "-o", file).stdout == ""
    )
    expected = made(BoardSpec(6, 8, 9, beyond="basic"), 4)
    assert read_layouts(file) == [one.layout for one in expected]
    for line, one in zip(file.read_text().splitlines(), expected, strict=True):
        values = json.loads(line)
        validate(values, "board")
        assert one.difficulty is not None and one.trace is not None
        assert values["id"] == f"3/{one.number}"
        assert values["comment"] == {
            "method": "rejection",
            "uniform": True,
            "candidates": one.candidates,
            "changes": 0,
            "no_guess": True,
            "solvable_by": "sat",
            "beyond": "basic",
            "3bv": one.difficulty.bv,
            "openings": one.difficulty.openings,
            "claims_beyond": dict(one.difficulty.beyond),
            "longest_chain": one.difficulty.chain,
            "positions_proved": len(one.trace.certificates),
            "cells_proved": sum(len(certificate.proofs) for certificate in one.trace.certificates),
        }
    assert invoke("generate", *SMALL, "--json").stdout.count("\n") == 1


def test_traces_and_records(tmp_path: Path) -> None:
    files = ("-o", tmp_path / "{}.txt", "--trace", tmp_path / "{}-trace.json", "--record", tmp_path / "{}-record.json")
    result = invoke("generate", *SMALL, "--no-guess", "--count", 3, *files)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert len(list(tmp_path.iterdir())) == 9
    for one in made(count=3):
        layout, trace = tmp_path / f"{one.number}.txt", tmp_path / f"{one.number}-trace.json"
        assert Layout.load(layout) == one.layout
        assert certificates.from_json(trace.read_text()) == one.trace
        check(one.trace)
        assert Record.load(tmp_path / f"{one.number}-record.json") == one.record
        assert invoke("verify", layout, trace).exit_code == 0


LAYOUTS = [name for name, form in all_formats().items() if form.layouts and form.writer is not None]
POSITIONS = [name for name, form in all_formats().items() if form.boards and not form.layouts and form.writer]


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_format_of_layouts(name: str, tmp_path: Path) -> None:
    """With its start, or without it by ``--without start``."""
    file, options = tmp_path / "board", ("--rows", 4, "--cols", 4, "--mines", 2, "--seed", 3, "--no-guess")
    arguments = (*options, "--format", name, "-o", file)
    result = invoke("generate", *arguments)
    layout = made(BoardSpec(4, 4, 2))[0].layout
    if result.exit_code:
        refused = f"board 0 cannot be written as {name}: expected no start, found 0,0: "
        assert result.exit_code == 3 and result.stderr.startswith(refused)
        assert result.stderr.endswith("this format cannot hold it, --without start leaves it out\n")
        assert not file.exists()
        result = invoke("generate", *arguments, "--without", "start")
        layout = Layout(layout.cells)
    assert (result.exit_code, result.stdout) == (0, "")
    assert Layout.load(file, format=name) == layout
    # Text and JSON hold the facts themselves.
    apart = name not in ("text", "json")
    facts = "board 0 of seed 3: needs no guess from 0,0; made by rejection, uniform among all" if apart else ""
    assert result.stderr.startswith(facts) and result.stderr.count("\n") == apart


@pytest.mark.parametrize("name", POSITIONS)
def test_every_format_of_positions(name: str, tmp_path: Path) -> None:
    """The position after the start is opened, where the puzzle begins."""
    file, total = tmp_path / "board", 9 if name != "minesweepr" else None
    without = () if total else ("--without", "mines")
    if without:
        refused = invoke("generate", *SMALL, "--no-guess", "--format", name, "-o", file)
        assert refused.exit_code == 3 and "expected no mine total" in refused.stderr
        assert refused.stderr.endswith(", --without mines leaves it out\n")
    assert invoke("generate", *SMALL, "--no-guess", "--format", name, "-o", file, *without).exit_code == 0
    layout = made()[0].layout
    board = Board.load(file, format=name)
    assert board.mines == total and board[0, 0] == "."
    assert all(board.number(cell) == layout.number(cell) for cell in board if not board.is_covered(cell))
    assert invoke("generate", *SMALL, "--format", name, "-o", file, *without).exit_code == 0
    assert len(Board.load(file, format=name).covered) == 48


# --- ways to end -----------------------------------------------------------------------------------------------------


def test_hopeless_specs() -> None:
    """Columns of two cells that do not touch each other: numbers say nothing of the next column."""
    size = "--rows", 2, "--cols", 12, "--mines", 8, "--topology", "offsets 1,0"
    result = invoke("generate", *size, "--no-guess", "--seed", 1)
    assert (result.exit_code, result.stdout) == (4, "")
    said = "0 of 1 board made: no board was found by repair of 100 layouts\n"
    assert result.stderr == said


@pytest.mark.extended
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_made_in_time_is_written(jobs: int, tmp_path: Path) -> None:
    """Of far too many boards, those made in time are the first of the seed, in order."""
    file = tmp_path / "boards.jsonl"
    arguments = (*SMALL, "--no-guess", "--count", 10**7, "--time-budget", 1.5, "--jobs", jobs, "--json", "-o", file)
    result = invoke("generate", *arguments)
    assert result.exit_code == 4
    done = re.fullmatch(r"([\d,]+) of 10,000,000 boards made: out of time\n", result.stderr)
    assert done is not None
    found = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    assert len(found) == int(done[1].replace(",", ""))
    assert [values["id"] for values in found] == [f"3/{number}" for number in range(len(found))]
    assert [tuple(values["layout"]) for values in found[:3]] == [one.layout.cells for one in made(count=3)][
        : len(found)
    ]


@pytest.mark.extended
@posix
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_reader_that_has_enough(jobs: int) -> None:
    """The command ends when its reader has gone."""
    running = started("generate", *SMALL, "--no-guess", "--count", 10**9, "--jobs", jobs, "--json")
    assert running.stdout is not None and running.stderr is not None
    line = running.stdout.readline()
    running.stdout.close()
    assert json.loads(line)["id"] == "3/0"
    assert (running.wait(timeout=PATIENCE), running.stderr.read()) == (0, b"")
    running.stderr.close()


@pytest.mark.extended
@posix
def test_interrupt() -> None:
    running = started("generate", "--board", "expert", "--no-guess", "--count", 10**6, "--seed", 1, "--jobs", 2)
    assert running.stdout is not None
    running.stdout.readline()
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130 and re.fullmatch(rb"interrupted after [\d,]+ of 1,000,000 boards\n", errors)


@pytest.mark.parametrize(
    ("ends", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "interrupted after 3 of 9 boards"),
        (BrokenExecutor(), 4, "3 of 9 boards made: a worker process died"),
        (BudgetExceeded("given up"), 4, "3 of 9 boards made: given up"),
    ],
    ids=["interrupted", "a process died", "given up"],
)
def test_what_was_made_is_written_however_it_ends(
    ends: BaseException, code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def some(*given: object, **more: object) -> Iterator[GeneratedBoard]:
        yield from made(count=3)
        raise ends

    monkeypatch.setattr("satsweep.generator.run.generate", some)
    file = tmp_path / "boards.jsonl"
    result = invoke("generate", *SMALL, "--no-guess", "--count", 9, "--json", "-o", file, "--jobs", 1)
    assert (result.exit_code, result.stdout, result.stderr) == (code, "", message + "\n")
    assert read_layouts(file) == [one.layout for one in made(count=3)]


def test_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute for each board, if there is no time budget for all of them."""
    asked: list[tuple[object, object]] = []

    def none(*given: object, budget: float | None, patience: float | None, **more: object) -> Iterator[GeneratedBoard]:
        asked.append((budget, patience))
        return iter(())

    monkeypatch.setattr("satsweep.generator.run.generate", none)
    assert invoke("generate", *SMALL, "--no-guess").exit_code == 0
    assert invoke("generate", *SMALL, "--no-guess", "--time-budget", 5).exit_code == 0
    assert asked == [(None, 60), (5, None)]


@pytest.mark.parametrize(
    ("arguments", "parallel"),
    [
        (("--count", 2), False),
        (("--board", "expert", "--no-guess", "--count", 41), False),
        (("--board", "expert", "--no-guess", "--count", 42), True),
        (("--board", "expert", "--no-guess", "--count", 42, "--jobs", 1), False),
        (("--board", "expert", "--no-guess", "--count", 2, "--jobs", 2), True),
        (("--board", "expert", "--no-guess", "--jobs", 2), False),
        (("--board", "expert", "--count", 10_000), False),
    ],
    ids=str,
)
def test_when_processes_are_started(
    arguments: tuple[object, ...], parallel: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ThreadPoolExecutor(1) as threads:
        workers = Workers.of(threads)
        monkeypatch.setattr("satsweep.arena.workers.processes", lambda jobs: workers)
        given: list[object] = []

        def generate_nothing(*_: object, executor: object, **more: object) -> Iterator[object]:
            given.append(executor)
            return iter(())

        monkeypatch.setattr("satsweep.generator.run.generate", generate_nothing)
        assert invoke("generate", *arguments).exit_code == 0
        assert given == [threads if parallel else None]


def test_a_person_is_told_where_the_boards_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satsweep.cli.generate.is_terminal", lambda stream: True)
    result = invoke("generate", "--board", "5x5/3", "--count", 2, "--output", tmp_path / "{}.txt")
    assert result.stderr == f"2 boards written to {tmp_path}/{{}}.txt\n"


def test_bare_boards_are_the_same_boards() -> None:
    words = ("generate", "--board", "9x9/10", "--no-guess", "--start", "4,4", "--seed", 1)
    whole, bare = invoke(*words).stdout, invoke(*words, "--bare").stdout
    facts = ("// 3BV", "// claims", "// trace")
    assert bare.split("\n") == [line for line in whole.split("\n") if not line.startswith(facts)] != whole.split("\n")
    refused = invoke(*words, "--bare", "--trace", "trace.json")
    assert refused.exit_code == 2 and "expected no --trace and no --record with it" in said(refused.stderr)


def test_boards_of_few_clicks() -> None:
    text = invoke("generate", "--board", "beginner", "--efficiency", "150", "--clicks", 16, "--seed", 1).stdout
    assert text.startswith("// board 0 of seed 1, at most 16 clicks, efficiency at least 150.0 %\n")
    assert "// 16 clicks clear it (efficiency 156.2 %)\n" in text
    text = invoke("generate", "--board", "beginner", "--efficiency", "120", "--seed", 2).stdout
    assert "// 15 clicks clear it (efficiency 120.0 %)\n" in text
    line = json.loads(invoke("generate", "--board", "beginner", "--clicks", 12, "--seed", 1, "--json").stdout)
    assert line["comment"]["clicks"] <= 12 and line["comment"]["method"] == "rejection"
    for value in ("0", "nan", "-5", "inf"):
        refused = invoke("generate", *SMALL, "--efficiency", value)
        assert refused.exit_code == 2 and "expected a number of percent above 0" in said(refused.stderr)
    none = invoke("generate", "--rows", 2, "--cols", 2, "--mines", 1, "--clicks", 2)
    assert (none.exit_code, none.stderr) == (1, "no board is as ordered: not one of 4 layouts\n")


def test_the_bar_tells_how_far_a_board_is(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[float, str]] = []

    class Bar:
        def show(self, completed: float, text: str) -> None:
            shown.append((completed, text))

        def hidden(self) -> nullcontext[None]:
            return nullcontext()

    monkeypatch.setattr("satsweep.cli.generate.progress_bar", lambda count, text: nullcontext(Bar()))
    assert invoke("generate", "--board", "9x9/14", "--no-guess", "--start", "0,0", "--seed", "1").exit_code == 0
    assert any(0 < completed < 1 and text.startswith("0 of 1 board, proof ") for completed, text in shown[:-1])
    assert shown[-1] == (1, "1 of 1 board")
