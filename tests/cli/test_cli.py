"""The command from outside: standard output, standard error, files, exit codes."""

import errno
import json
import os
import re
import signal
import stat
import subprocess
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given

import satsweep
from satsweep.board import Board
from satsweep.cli import COMMANDS, clicks, review
from satsweep.cli.renderers import RENDERERS
from satsweep.formats import FORMATS
from tests import ROOT
from tests.cli import (
    COMMAND,
    SMALL,
    hanging,
    in_terminal,
    interrupted,
    invoke,
    modules_after,
    posix,
    running,
    start,
    validate,
)
from tests.strategies import malformed_bytes


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.txt"
    path.write_text(SMALL)
    return path


# What it answers


@pytest.mark.parametrize(
    ("rows", "cols", "more"),
    [
        (9, 9, "--mines 10 for beginner"),
        (16, 16, "--mines 40 for intermediate"),
        (16, 30, "--mines 99 for expert"),
        (9, 8, "--mines N for a total"),
    ],
)
def test_a_missing_mine_total_is_said(rows: int, cols: int, more: str) -> None:
    board = f"1{'#' * (cols - 1)}\n" + f"{'#' * cols}\n" * (rows - 1)
    said = f"no mine total given: every world counts alike; {more}\n\n"
    answer = invoke("solve", "-", stdin=board)
    assert answer.stdout.startswith(said) and not answer.stderr
    assert invoke("solve", "-", stdin=answer.stdout).stdout.startswith(said), "the answer reads back"
    torus = invoke("solve", "-", stdin=f"topology torus\n{board}").stdout
    assert torus.startswith("no mine total given: every world counts alike; --mines N for a total\n\n")
    for known in (("--mines", "5"), ("--density", "1/5")):
        answer = invoke("solve", "-", *known, stdin=board)
        assert answer.stdout.startswith(f"{known[0].strip('-')} {known[1]}\n   ")
        again = invoke("solve", "-", stdin=answer.stdout).stdout
        assert again.partition("counted by")[0] == answer.stdout.partition("counted by")[0]


@pytest.mark.parametrize("name", ["expert.json", pytest.param("lattice.txt", marks=pytest.mark.extended), "small.txt"])
def test_examples_and_agreement_of_file_and_standard_input(name: str) -> None:
    path = ROOT / "examples" / name
    named = invoke("solve", path, "--format", "json")
    piped = invoke("solve", "-", "--format", "json", stdin=path.read_bytes())
    assert named.exit_code == piped.exit_code == 0
    assert named.stdout == piped.stdout
    validate(json.loads(named.stdout))


def test_mines_and_density_replace_what_the_file_says(small: Path, tmp_path: Path) -> None:
    answer = json.loads(invoke("solve", small, "--mines", 5, "--format", "json").stdout)
    assert answer["mines"] == 5
    assert answer["worlds"] == str(satsweep.analyse(Board.from_text(SMALL.replace("3", "5", 1))).worlds)
    answer = json.loads(invoke("solve", small, "--density", "1/5", "--format", "json").stdout)
    validate(answer)
    assert answer["mines"] is None
    # Sea cells are as likely as the density says, and two cells of equal weight share a mine evenly.
    assert [row[0] for row in answer["risk_exact"]] == ["1/5", "1/5", "1/5"]
    assert Fraction(answer["weight"]) == satsweep.analyse(Board(("##1.", "##21", "####"), density="1/5")).weight
    dense = tmp_path / "dense.txt"
    dense.write_text(SMALL.replace("mines 3", "density 0.9"))
    assert (
        invoke("solve", dense, "--mines", 3).stdout.splitlines()[:4] == invoke("solve", small).stdout.splitlines()[:4]
    )


def test_out_of_budget_still_tells_what_is_known(tmp_path: Path) -> None:
    lattice = ROOT / "examples" / "lattice.txt"
    result = invoke("solve", lattice, "--engine", "sat", "--budget", 0, "--format", "json")
    assert result.exit_code == 4
    answer = json.loads(result.stdout)
    validate(answer)
    assert answer["complete"] is False and answer["worlds"] is None
    unknown = sum(row.count("?") for row in answer["risk_exact"])
    assert unknown == 188 and all(risk is None for row in answer["risk"] for risk in row)
    assert result.stderr == f"{lattice}: the budget was exhausted: the risk of 188 of 188 covered cells is not known\n"
    text = invoke("solve", lattice, "--engine", "sat", "--budget", 0)
    assert text.exit_code == 4 and "?" in text.stdout and "not known" in text.stdout


# What goes wrong


@given(malformed_bytes())
def test_no_bytes_are_answered_by_a_traceback(content: bytes) -> None:
    result = invoke("solve", "-", "--format", "json", stdin=content)
    if result.exit_code == 0:
        answer = json.loads(result.stdout)
        validate(answer, "analysis" if "rows" in answer else "rules")
    else:
        assert result.exit_code in (1, 3)
        if result.exit_code == 1 and b'"rules"' not in content:
            validate(json.loads(result.stdout), "reason")
        assert result.exit_code == 1 or result.stdout == ""
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("mines", [-1, 13, "9" * 5000])
def test_totals_that_the_board_cannot_hold(mines: object, small: Path) -> None:
    assert invoke("solve", small, "--mines", mines).exit_code == 2


def test_stages(small: Path) -> None:
    """Cells by stage and components, in words and in JSON."""
    told = invoke("solve", small, "--stages").stdout
    for line in ("single point    ", "subset          ", "SAT             ", "mine total      ", "component 1     "):
        assert f"\n{line}" in told
    answer = json.loads(invoke("solve", small, "--stages", "--json").stdout)
    validate(answer, "analysis")
    forced = [cell for cells in answer["stages"]["forced"].values() for cell in cells]
    assert sorted(forced) == sorted(answer["safe"] + answer["forced_mines"])
    counted = answer["stages"]["components"]
    assert f"counted by {counted[0]['engine']}" in told and int(counted[0]["ways"]) > 1


# Where it goes


@pytest.mark.parametrize("format", list(RENDERERS["analysis"]))
def test_output_goes_to_a_file(format: str, small: Path, tmp_path: Path) -> None:
    output = tmp_path / "answer"
    result = invoke("solve", small, "--format", format, "-o", output)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    printed = invoke("solve", small, "--format", format).stdout
    assert [line for line in output.read_text().splitlines() if "counted by" not in line] == [
        line for line in printed.splitlines() if "counted by" not in line
    ]
    assert sorted(tmp_path.iterdir()) == [output, small]


@pytest.mark.parametrize(("raised", "code"), [(OSError(errno.ENOSPC, "No space left"), 3), (KeyboardInterrupt(), 130)])
def test_a_file_is_never_half_overwritten(
    raised: BaseException, code: int, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaking_off(*arguments: object, **options: object) -> Iterator[str]:
        yield "half of "
        raise raised

    monkeypatch.setattr("satsweep.cli.board_answers.solved_to_json", breaking_off)
    output = tmp_path / "answer.json"
    output.write_text("before")
    result = invoke("solve", small, "--format", "json", "-o", output)
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr == (f"{output}: cannot write: No space left\n" if code == 3 else "")
    assert output.read_text() == "before"
    assert sorted(tmp_path.iterdir()) == [output, small]


def test_output_that_cannot_be_written(small: Path, tmp_path: Path) -> None:
    for output in (tmp_path / "missing" / "answer", tmp_path, small / "answer"):
        result = invoke("solve", small, "-o", output)
        assert (result.exit_code, result.stdout) == (3, "")
        assert result.stderr.startswith(f"{output}: cannot write: ") and result.stderr.count("\n") == 1
    assert small.read_text() == SMALL


@posix
def test_a_file_keeps_its_mode_and_a_link_stays_a_link(small: Path, tmp_path: Path) -> None:
    output, link = tmp_path / "answer", tmp_path / "link"
    output.write_text("before")
    output.chmod(0o640)
    link.symlink_to(output)
    assert invoke("solve", small, "-o", link).exit_code == 0
    assert link.is_symlink() and "worlds" in output.read_text()
    assert stat.S_IMODE(output.stat().st_mode) == 0o640


@posix
def test_a_pipe_is_written_to_and_not_replaced(small: Path, tmp_path: Path) -> None:
    """A pipe made here, never a device.

    Where root runs the tests, a fault would replace a device of the machine.
    """
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert invoke("solve", small, "-o", pipe).exit_code == 0
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert b"worlds" in os.read(reading, 65536)
    os.close(reading)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everything")
def test_a_protected_file_stays_as_it_is(small: Path, tmp_path: Path) -> None:
    output = tmp_path / "answer"
    output.write_text("before")
    output.chmod(0o400)
    result = invoke("solve", small, "-o", output)
    assert (result.exit_code, output.read_text()) == (3, "before")


@posix
def test_a_reader_that_has_enough_is_no_error() -> None:
    process = start("solve", ROOT / "examples" / "expert.json", "--format", "svg")
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    said = process.stderr.read()
    assert (process.wait(), said) == (0, b"")
    process.stderr.close()


@posix
def test_closed_standard_streams(small: Path) -> None:
    script = 'exec 3>&2; "$0" "$1" solve "$2" >&-; echo $? >&3; "$0" "$1" solve - <&-; echo $? >&3'
    ran = subprocess.run(["sh", "-c", script, *COMMAND, str(small)], capture_output=True, text=True)
    assert ran.stdout == ""
    assert ran.stderr.splitlines()[0::2][0].startswith("<stdout>: cannot write")
    assert [line for line in ran.stderr.splitlines() if line.isdigit()] == ["3", "3"]


@posix
def test_solve_alone_reads_what_is_pasted() -> None:
    import pty

    master, slave = pty.openpty()
    process = start("solve", stdin=slave)
    os.close(slave)
    os.write(master, f"{SMALL}\x04".encode())
    shown, remarks = process.communicate()
    os.close(master)
    assert process.returncode == 0 and b"best move       2,1 is safe" in shown
    assert remarks.decode().splitlines() == [
        "paste a board, then Ctrl-D on a line of its own; `satsweep formats` lists all forms"
    ]
    assert invoke("solve", stdin=SMALL).stdout.startswith("mines 3\n   0  1  2  3\n")


@pytest.mark.extended
@posix
def test_colour_in_a_terminal_and_only_there(small: Path) -> None:
    plain = invoke("solve", small).stdout
    coloured = in_terminal("solve", small)
    assert "\x1b[" in coloured and "\x1b[" not in plain
    assert in_terminal("solve", small, NO_COLOR="1").splitlines()[:6] == plain.splitlines()[:6]
    assert "\x1b[" not in in_terminal("solve", small, TERM="dumb")
    assert "\x1b[" in in_terminal("solve", small, NO_COLOR="")
    assert "\x1b[" not in in_terminal("solve", small, "--format", "json")


@posix
def test_a_wide_board_fits_the_terminal() -> None:
    plain = in_terminal("solve", ROOT / "examples" / "expert.json", NO_COLOR="1")
    assert max(map(len, plain.splitlines())) <= 80


# Interrupts

ANNOUNCING = """
import sys
from satsweep.solver.budget import Meter
spend = Meter.spend
def announced(meter, states=0):
    sys.stderr.write("counting\\n") if not meter.spent else None
    sys.stderr.flush()
    spend(meter, states)
Meter.spend = announced
"""
DEAF = """
import hashlib, sys, threading
import satsweep.analysis.analyse
def announce():
    sys.stderr.write("counting\\n")
    sys.stderr.flush()
def analyse(board, **options):
    # Stands for a solver: minutes in C code, which lets other threads run and takes no notice of signals. The delay
    # is for it to begin; were it too short, the test could only pass too easily.
    threading.Timer(0.5, announce).start()
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
satsweep.analysis.analyse.analyse = analyse
"""


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """Board that no engine can finish: one component of 31x31 cells.

    It shows every second number of every second row.
    """
    size = 31
    mines = {(row, col) for row in range(1, size, 2) for col in range(1, size, 2)}
    rows = []
    for row in range(size):
        around = [sum((row + i, col + j) in mines for i in (-1, 1) for j in (-1, 1)) for col in range(size)]
        rows.append("".join("#" if row % 2 or col % 2 else str(around[col]) for col in range(size)))
    path = tmp_path / "endless.json"
    path.write_text(FORMATS["json"].write(Board(rows, mines=len(mines))))
    return path


@pytest.mark.extended
@posix
@pytest.mark.parametrize("engine", ["elimination", "sat", "cpsat"])
def test_interrupt_while_counting(engine: str, endless: Path) -> None:
    stdout, stderr, code = interrupted(ANNOUNCING, "solve", endless, "--engine", engine)
    assert (code, stdout) == (130, b"")
    assert set(stderr.splitlines()) <= {b"counting"}


@pytest.mark.extended
@posix
def test_interrupt_where_python_does_not_run(small: Path) -> None:
    assert interrupted(DEAF, "solve", small) == (b"", b"", 130)


@pytest.mark.extended
@posix
@pytest.mark.parametrize(
    ("name", "words"),
    [
        *(
            (name, ("solve", "examples/small.txt"))
            for name in ("typer", "satsweep.analysis.analyse", "satsweep.render")
        ),
        *((name, ("play", "--agent", "basic")) for name in ("satsweep.agents", "satsweep.render.transcript")),
    ],
)
def test_interrupt_while_importing(name: str, words: tuple[str, ...]) -> None:
    assert interrupted(hanging(name), *words) == (b"", b"", 130)


@posix
def test_after_a_solution_interrupts_are_as_before(small: Path) -> None:
    before, handler = signal.pthread_sigmask(signal.SIG_BLOCK, ()), signal.getsignal(signal.SIGINT)
    assert invoke("solve", small).exit_code == 0
    assert invoke("solve", small / "missing").exit_code == 3
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
    assert signal.getsignal(signal.SIGINT) is handler


# Around it


def test_version() -> None:
    assert invoke("--version").stdout == f"satsweep {satsweep.__version__}\n"


def test_engines_lists_engines_and_versions() -> None:
    result = invoke("engines")
    assert result.exit_code == 0
    lines = dict(line.split(maxsplit=1) for line in result.stdout.splitlines() if line)
    assert {"auto", "elimination", "sat", "cpsat", "python-sat", "ortools", "networkx", "numpy"} <= set(lines)
    assert all(lines.values())


@pytest.mark.parametrize(
    ("words", "known"),
    [("solve --engine e", "elimination"), ("play --agent gem", "gem gem-full gem-refute gem-select")],
)
def test_completion_knows_engines_and_agents(words: str, known: str) -> None:
    environment = {**os.environ, "_SATSWEEP_COMPLETE": "complete_bash", "COMP_WORDS": f"satsweep {words}"}
    process = start(env={**environment, "COMP_CWORD": "3"})
    assert process.communicate()[0].decode().split() == known.split()


LIGHT = "gmpy2 networkx numpy ortools pysat rich satsweep.analysis.analysis"
"""What the command does not load before it is asked for an answer."""


@pytest.mark.parametrize(
    ("code", "loaded", "others"),
    [
        ("import satsweep.cli", "satsweep.cli typer", f"{LIGHT} matplotlib numba json"),
        (running("--version"), "", f"{LIGHT} matplotlib numba json"),
        (
            running("play", "--help"),
            "satsweep.cli.play",
            "satsweep.agents satsweep.games.game satsweep.analysis.analysis networkx pysat rich.live",
        ),
        (running("engines"), "satsweep.solver.engines", "numpy networkx ortools pysat"),
        ("import satsweep.cli.explain, satsweep.cli.solve", "", "numpy ortools pysat"),
        (  # A safe cell is named without games, pictures, elimination, or help.
            running("solve", "examples/small.txt"),
            "satsweep.kernels.counting",
            "asyncio email gmpy2 markdown_it networkx numpy ortools pysat rich sqlite3 ssl statistics tempfile "
            "satsweep.cli.game_options satsweep.cli.explain satsweep.games satsweep.questions "
            "satsweep.render.board_geometry satsweep.render.stage_text satsweep.solver.engines.circuit "
            "satsweep.solver.engines.order satsweep.kernels.api satsweep.why.explainer satsweep.formats.records",
        ),
    ],
)
def test_a_command_loads_what_it_needs(code: str, loaded: str, others: str) -> None:
    found = modules_after(code)
    assert found >= {*loaded.split()} and not found & {*others.split()}


def test_defaults_are_those_of_the_library() -> None:
    """The command has them before it loads what they are of."""
    from satsweep.assessment import review as reviewing
    from satsweep.clicks import fewest

    assert (clicks.SECONDS, review.ROLLED) == (fewest.SECONDS, reviewing.ROLLED)


def test_a_command_is_imported_when_it_is_asked_for() -> None:
    """Each import costs a millisecond or two, and only one command runs."""
    own = {"satsweep", "satsweep.errors", *(f"satsweep.cli{name}" for name in ("", ".exits", ".help_panels", ".usual"))}
    for code in ("import satsweep.cli", running("--help")):
        assert {name for name in modules_after(code) if name.startswith("satsweep")} == own
    named = re.findall(r"^│ ([a-z-]+) ", invoke("--help-all").stdout.partition("Solve and")[2], re.MULTILINE)
    assert named == list(COMMANDS)
    for name in COMMANDS:
        assert f"satsweep {name}" in invoke(name, "--help").stdout


@pytest.mark.parametrize("words", [(), ("solve",)])
def test_help_loads_what_it_prints(words: tuple[str, ...]) -> None:
    """Panels, and no readers of Markdown and tracebacks; these are there for others in the same process."""
    more = "\nfrom rich.markdown import Markdown\nassert Markdown('*a*').parsed\nimport typer.rich_utils"
    loaded = modules_after(running(*words, "--help"))
    assert "rich.panel" in loaded
    assert not loaded & {"markdown_it", "pygments", "rich.markdown", "rich.syntax", "rich.traceback", "rich.progress"}
    assert "markdown_it" in modules_after(running(*words, "--help") + more)
