"""Command ``explain``, and the explanations and proofs of ``solve``."""

import json
from pathlib import Path

import pytest

from satsweep.analysis.analyse import analyse
from satsweep.board import Board
from satsweep.questions.recount import CountMismatch
from satsweep.solver.budget import Budget
from tests import ROOT
from tests.cli import CONTRADICTORY, SMALL, invoke, validate

GUESS = "mines 2\n#1#\n1##\n###\n"
LATTICE = ROOT / "examples" / "lattice.txt"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.txt"
    path.write_text(SMALL)
    return path


# explain


@pytest.mark.parametrize("cell", [(), ("0,0",)])
def test_risks_without_a_mine_total_are_said_to_be_so(cell: tuple[str, ...]) -> None:
    said = "no mine total given: every world counts alike; --mines N for a total\n\n"
    without = GUESS.partition("\n")[2]
    assert invoke("explain", "-", *cell, stdin=without).stdout.startswith(said)
    assert said not in invoke("explain", "-", *cell, stdin=GUESS).stdout
    assert said not in invoke("explain", "-", "2,1", stdin=SMALL.partition("\n")[2]).stdout, "a proof needs no total"


@pytest.mark.parametrize("arguments", [("2,1",), ("0,0",), ()])
@pytest.mark.parametrize("format", ["text", "json", "svg"])
def test_every_form_goes_to_a_file(arguments: tuple[str, ...], format: str, small: Path, tmp_path: Path) -> None:
    output = tmp_path / "why"
    printed = invoke("explain", small, *arguments, "--format", format)
    written = invoke("explain", small, *arguments, "--format", format, "-o", output)
    assert (printed.exit_code, written.exit_code, written.stdout) == (0, 0, "")
    assert output.read_text() == printed.stdout
    if format == "svg":
        assert printed.stdout.startswith("<svg ")


def test_guesses_as_a_picture() -> None:
    assert "the best guesses" in invoke("explain", "-", "--format", "svg", stdin=GUESS).stdout


def test_out_of_budget_what_is_forced_is_still_explained() -> None:
    result = invoke("explain", LATTICE, "--budget", 0, "--format", "json")
    assert result.exit_code == 4 and result.stderr.count("\n") == 1
    validate(json.loads(result.stdout), "reason")
    forced = analyse(Board.from_text(LATTICE.read_text()), budget=Budget(seconds=0))
    assert len(json.loads(result.stdout)["reasons"]) == len(forced.safe) + len(forced.mines)


# Boards that cannot be


@pytest.mark.parametrize("command", [("solve",), ("explain",), ("explain", "0,0")])
@pytest.mark.parametrize("format", ["text", "json", "svg"])
def test_an_impossible_board(command: tuple[str, ...], format: str, tmp_path: Path) -> None:
    name, *cell = command
    output = tmp_path / "conflict"
    printed = invoke(name, "-", *cell, "--format", format, stdin=CONTRADICTORY)
    written = invoke(name, "-", *cell, "--format", format, "-o", output, stdin=CONTRADICTORY)
    line = "<stdin>: these numbers cannot all be true: 1 at 1,1, 3 at 1,2, 1 at 1,3\n"
    assert (printed.exit_code, printed.stderr) == (written.exit_code, written.stderr) == (1, line)
    assert written.stdout == "" and output.read_text() == printed.stdout
    if format == "json":
        values = json.loads(printed.stdout)
        validate(values, "reason")
        assert {"cell": [1, 2], "shown": 3, "instead": 2} in values["conflict"]["corrections"]


# solve


def test_solve_explains_every_forced_cell(small: Path) -> None:
    plain, explained = invoke("solve", small).stdout, invoke("solve", small, "--explain").stdout
    answer, why = explained.rsplit("\n\n", 1)
    assert answer.splitlines()[:4] == plain.splitlines()[:4]
    assert why.startswith("2,1 is safe (subsets): ")
    values = json.loads(invoke("solve", small, "--explain", "--format", "json").stdout)
    validate(values)
    assert [reason["cell"] for reason in values["reasons"]] == values["safe"] + values["forced_mines"]


def test_certificates_are_accepted(tmp_path: Path) -> None:
    board, certificate = ROOT / "examples" / "expert.json", tmp_path / "certificate.json"
    assert invoke("solve", board, "--certify", certificate).exit_code == 0
    result = invoke("verify", board, certificate)
    assert result.exit_code == 0 and "15 safe" in result.stdout
    assert len(json.loads(certificate.read_text())["proofs"]) == 80


def test_refutations_are_files_of_their_own(small: Path, tmp_path: Path) -> None:
    directory = tmp_path / "proofs"
    for _ in range(2):
        assert invoke("solve", small, "--drup", directory).exit_code == 0
        assert sorted(path.name for path in directory.iterdir()) == ["2_1.cnf", "2_1.drup"]
    assert "p cnf" in (directory / "2_1.cnf").read_text()
    assert (directory / "2_1.drup").read_text().endswith("0\n")


def test_counts_are_checked(small: Path) -> None:
    result = invoke("solve", small, "--cross-check")
    assert result.exit_code == 0
    lines = [line for line in result.stdout.splitlines() if line.startswith("cross-check")]
    assert [line.split()[1] for line in lines] == ["components:", "board:"]
    assert "2 by elimination and by CP-SAT" in lines[0]
    values = json.loads(invoke("solve", small, "--cross-check", "--format", "json").stdout)
    validate(values)
    assert values["cross_check"]["complete"] is True
    assert {check["ways"] for check in values["cross_check"]["board"]} == {values["worlds"]}


def test_counts_that_differ_are_no_answer(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def differing(*given: object, **options: object) -> None:
        raise CountMismatch("3 worlds and 4")

    monkeypatch.setattr("satsweep.questions.recount.cross_check", differing)
    result = invoke("solve", small, "--cross-check")
    assert (result.exit_code, result.stdout) == (5, "")
    assert result.stderr == f"{small}: the cross-check failed: 3 worlds and 4\n"


def test_counts_that_cannot_be_checked_in_time() -> None:
    result = invoke("solve", LATTICE, "--engine", "sat", "--budget", 0, "--cross-check", "--format", "json")
    assert result.exit_code == 4
    values = json.loads(result.stdout)
    validate(values)
    assert values["cross_check"]["complete"] is False
