"""Runs of ``benchmarks/records.py``: sums of blocks are those of all games, and parts that are kept are not played."""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import ROOT

PLAYERS = ("sat", "deep:2")


@pytest.fixture
def records(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The program, in blocks of 40 games."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "benchmarks")])
    module = importlib.import_module("records")
    monkeypatch.setattr(module, "BLOCK", 40)
    return module


class InTurn:
    """Plays blocks in this process, and counts them."""

    blocks = 0

    def map(self, play: Any, *columns: Any) -> Iterator[Any]:
        for values in zip(*columns, strict=False):
            self.blocks += 1
            yield play(*values)


@pytest.mark.parametrize("player", PLAYERS)
def test_sums_of_blocks_are_those_of_all_games(records: Any, player: str) -> None:
    setting = records.RECORDS["8x8"].setting()
    whole = [records.play(setting, player, "x", range(130))]
    parts = [*records.parts_of(InTurn(), setting, player, "x", 130, None)]
    assert len(parts) == 4
    assert records.intervals_of(parts) == records.intervals_of(whole)
    assert np.allclose(sum(np.array(part.calibration) for part in parts), whole[0].calibration)
    share = whole[0].sums[0] / 130
    error = (share * (1 - share) / 130) ** 0.5
    assert records.intervals_of(parts)["won"] == [round(100 * share, 3), round(196 * error, 3)]


def test_kept_parts_are_not_played_again(records: Any, tmp_path: Path) -> None:
    path, setting = tmp_path / "parts.jsonl", records.RECORDS["beginner zero"].setting()
    interrupted = records.parts_of(InTurn(), setting, "deep:2", "x", 120, path)
    first = [next(interrupted), next(interrupted)]
    interrupted.close()
    assert len(path.read_text().splitlines()) == 2
    rest = InTurn()
    resumed = [*records.parts_of(rest, setting, "deep:2", "x", 200, path)]
    assert (json.dumps(resumed[:2]), rest.blocks) == (json.dumps(first), 3)
    for other in (setting._replace(start=(2, 3)), setting._replace(mines=9)):
        fresh = InTurn()
        assert len([*records.parts_of(fresh, other, "deep:2", "x", 40, path)]) == fresh.blocks == 1


def test_a_board_is_played_from_the_best_start_too(
    records: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "out.jsonl"
    asked = ["records.py", "--boards", "8x8", "--players", "sat", "deep:2", "--games", "20", "--output"]
    record = records.RECORDS["8x8"]._replace(start=(1, 1))
    monkeypatch.setitem(records.RECORDS, "8x8", record)
    monkeypatch.setattr(sys, "argv", [*asked, str(output)])
    records.main()
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert [(line["start"], line["player"]) for line in lines] == [
        ([1, 1], "sat"),
        ([1, 1], "deep:2"),
        ([0, 0], "deep:2"),
    ]
    records.main()
    assert len(output.read_text().splitlines()) == 3


def test_a_game_beyond_the_kernels_is_played_on(records: Any) -> None:
    """Expert game 7,174,213 is the first of the table that the kernels leave to Python; it is won."""
    part = records.play(records.RECORDS["expert"].setting(), "deep:2", "records", range(7_174_213, 7_174_214))
    assert part.sums == part.squares == [1, 1, 1]
    setting = records.RECORDS["8x8"].setting()
    won = [records.play_in_python(setting, "deep:2", "x", game) for game in range(20)]
    assert sum(won) == records.play(setting, "deep:2", "x", range(20)).sums[0]
