"""Options that a command cannot use for what it was given are refused, not passed over; `convert` has its own tests."""

from pathlib import Path

import pytest

from tests.cli import invoke, said

RULES = '{"rules": [{"num_mines": 1, "cells": ["a", "b"]}], "total_cells": 3}'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("board.txt").write_text("mines 1\nF1#\n11#\n")
    Path("layout.txt").write_text("start 0,0\n....\n.*..\n....\n")
    Path("guess.txt").write_text("start 0,0\n.*.\n...\n.*.\n")
    Path("rules.json").write_text(RULES)
    assert invoke("solve", "board.txt", "--certify", "board.json").exit_code == 0
    assert invoke("rate", "layout.txt", "--proof", "rate.json").exit_code == 0
    assert invoke("rate", "guess.txt", "--proof", "guess.json").exit_code == 0
    assert invoke("clicks", "layout.txt", "--certify", "clicks.json").exit_code == 0
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_an_option_of_verify_makes_a_difference_or_is_refused() -> None:
    """For every kind of certificate."""
    for kind, file in {
        "board": "board.txt",
        "rate": "layout.txt",
        "guess": "guess.txt",
        "clicks": "layout.txt",
    }.items():
        proof = f"{kind}.json"
        plain = invoke("verify", file, proof)
        assert plain.exit_code == 0, proof
        for option in (("--mines", "3"), ("--mines", "99"), ("--flags", "trust")):
            result = invoke("verify", file, proof, *option)
            if proof == "board.json":
                assert (result.exit_code, result.stdout) != (0, plain.stdout) or option[0] == "--flags"
            else:
                assert (result.exit_code, result.stdout) == (2, "")
                assert f"'{option[0]}': expected a certificate of a board with it, found a " in said(result.stderr)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("solve rules.json --flags trust", "'--flags': expected a board with --flags, found rules"),
        ("clicks layout.txt --anywhere --board board.txt", "'--anywhere': expected no --board with it"),
        ("review a.json b.json --exact", "'--exact': expected one game with it, without --history and --keep"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_options_that_say_nothing_of_the_input(line: str, message: str) -> None:
    result = invoke(*line.split())
    assert (result.exit_code, result.stdout) == (2, "") and message in said(result.stderr)
