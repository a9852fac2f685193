"""Calls of the compiled library: what is declared is checked, and a wrong argument is an error, no crash."""

import os
import re
import subprocess
import sys
from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from satsweep.kernels import board_engine, counting, record
from satsweep.kernels.api import (
    change_worlds,
    deal_games,
    find_no_guess,
    neighbour_table,
    new_batch,
    play_games,
    positions,
    rate_actions,
    roll_out,
    sample_worlds,
    step_games,
)
from satsweep.kernels.board_engine import BoardEngine
from satsweep.kernels.games import steps
from satsweep.kernels.games.python_random import below, sample, seed
from satsweep.kernels.position.entries import count_position
from satsweep.kernels.position.orders import BeamSearch
from satsweep.kernels.shared.memory import CELLS, COVERED, DEGREE
from satsweep.kernels.toolchain.calls import Array, Buffer, Int, WorkingRecord, checked, table
from satsweep.kernels.toolchain.marks import EXPORTED
from satsweep.topology import SQUARE
from tests import ROOT

NEAR = SQUARE.neighbours(3, 3)
TABLE = neighbour_table(NEAR)
BLANK = np.full(9, COVERED, np.int8)
STATE, SEED = np.zeros(625, np.uint32), ["seed"]
ENGINE = BoardEngine(NEAR, 2)
FAR = TABLE.copy()
FAR[4, 0] = 9
GROUPS = [1, 1], [[0, 1]], [1]


def batch() -> steps.Batch:
    made = new_batch(2, 9)
    deal_games(made, TABLE, 2, [0, 1], ["a", "b"])
    return made


WRONG: dict[str, tuple[type[Exception], Callable[[], object]]] = {
    "symbols of another dtype": (TypeError, lambda: positions(BLANK[None].astype(np.int64), TABLE, [2])),
    "symbols that are floats": (TypeError, lambda: positions(BLANK[None].astype(float), TABLE, [2])),
    "symbols in another order": (TypeError, lambda: positions(np.full((9, 2), -1, np.int8).T, TABLE, [2] * 2)),
    "a slice with steps": (TypeError, lambda: sample_worlds(np.full(18, COVERED, np.int8)[::2], TABLE, 2, 1)),
    "symbols of one dimension": (TypeError, lambda: positions(BLANK, TABLE, [2])),
    "20,000 symbols on a table of 9": (ValueError, lambda: positions(np.full((1, 20_000), -1, np.int8), TABLE, [2])),
    "fewer symbols than cells": (ValueError, lambda: sample_worlds(BLANK[:4].copy(), TABLE, 2, 1)),
    "fewer totals than positions": (ValueError, lambda: positions(np.stack([BLANK] * 2), TABLE, [2])),
    "no array": (TypeError, lambda: below(None, 5)),
    "a neighbour beyond the board": (ValueError, lambda: positions(BLANK[None], FAR, [2])),
    "more mines than cells": (ValueError, lambda: play_games(TABLE, 10, "seed", range(1))),
    "fewer mines than none": (ValueError, lambda: play_games(TABLE, -1, "seed", range(1))),
    "a start beyond the board": (ValueError, lambda: play_games(TABLE, 2, "seed", range(1), start=9)),
    "fewer layouts than games": (
        ValueError,
        lambda: play_games(TABLE, 2, "seed", range(2), layouts=np.zeros((1, 9), np.int8)),
    ),
    "layouts of another board": (
        ValueError,
        lambda: play_games(TABLE, 2, "seed", range(1), layouts=np.zeros((1, 4), np.int8)),
    ),
    "a layout with more than a mine in a cell": (
        ValueError,
        lambda: play_games(TABLE, 2, "seed", range(1), layouts=np.full((1, 9), 7, np.int8)),
    ),
    "moves of three columns": (
        ValueError,
        lambda: play_games(TABLE, 2, "seed", range(1), moves=np.zeros((9, 3), np.int32)),
    ),
    "estimates of one column": (
        ValueError,
        lambda: play_games(TABLE, 2, "seed", range(1), estimates=np.zeros((1, 1))),
    ),
    "moves that cannot be written": (
        TypeError,
        lambda: play_games(TABLE, 2, "seed", range(1), moves=np.frombuffer(bytes(160), np.int32).reshape(10, 4)),
    ),
    "a row beyond the batch": (ValueError, lambda: deal_games(batch(), TABLE, 2, [2], SEED)),
    "a row before the batch": (ValueError, lambda: deal_games(batch(), TABLE, 2, [-1], SEED)),
    "fewer seeds than rows": (ValueError, lambda: deal_games(batch(), TABLE, 2, [0, 1], SEED)),
    "a batch of another board": (ValueError, lambda: deal_games(new_batch(1, 4), TABLE, 2, [0], SEED)),
    "an action beyond the board": (ValueError, lambda: step_games(batch(), TABLE, np.array([0, 9]))),
    "an action too few": (ValueError, lambda: step_games(batch(), TABLE, np.array([0]))),
    "a changed row before the batch": (
        ValueError,
        lambda: change_worlds(batch(), TABLE, [-1], np.zeros((1, 9), np.int8)),
    ),
    "a rated cell beyond the board": (ValueError, lambda: rate_actions(BLANK[None], TABLE, 2, np.array([9]))),
    "a candidate beyond the board": (ValueError, lambda: roll_out(BLANK, TABLE, 2, [9], 1)),
    "a candidate before the board": (ValueError, lambda: roll_out(BLANK, TABLE, 2, [-1], 1)),
    "a start of a search beyond the board": (ValueError, lambda: find_no_guess(TABLE, 2, "seed", range(1), 9)),
    "a search for more mines than cells": (ValueError, lambda: find_no_guess(TABLE, 10, "seed", range(1), 0)),
    "a technique that there is not": (ValueError, lambda: find_no_guess(TABLE, 2, "seed", range(1), 0, technique=3)),
    "a number below nothing": (ValueError, lambda: below(STATE, 0)),
    "a state that is cut": (ValueError, lambda: below(STATE[:600].copy(), 5)),
    "an integer of 65 bits": (ValueError, lambda: below(STATE, 1 << 63)),
    "a number that is no integer": (TypeError, lambda: below(STATE, 2.0)),
    "a key longer than its words": (ValueError, lambda: seed(STATE, np.zeros(3, np.uint32), 4)),
    "a sample without room": (
        ValueError,
        lambda: sample(STATE, 9, 3, np.zeros(2, np.int32), np.zeros(9, np.int32)),
    ),
    "an argument too few": (ValueError, lambda: below(STATE)),
    "an array in place of the record": (
        TypeError,
        lambda: steps.renumber_games(TABLE, np.zeros(1, record.WORK), batch(), np.zeros(1, np.int32)),
    ),
    "a board wider than the kernels": (
        ValueError,
        lambda: step_games(new_batch(1, 2), np.full((2, DEGREE + 1), -1, np.int32), np.array([0])),
    ),
    "a board larger than the kernels": (
        ValueError,
        lambda: step_games(new_batch(1, CELLS + 1), np.full((CELLS + 1, 1), -1, np.int32), np.array([0])),
    ),
    "counts of fewer symbols": (ValueError, lambda: counting.count_components(bytes(8), Buffer(table(NEAR)))),
    "counts with a neighbour beyond": (ValueError, lambda: counting.count_components(bytes(9), Buffer(FAR))),
    "a group beyond the component": (ValueError, lambda: counting.count_component([1, 1], [[0, 2]], [1])),
    "fewer needs than constraints": (ValueError, lambda: counting.count_component(GROUPS[0], GROUPS[1], [])),
    "a group of fewer cells than none": (ValueError, lambda: counting.count_component([1, -1], *GROUPS[1:])),
    "an order from beyond the constraints": (ValueError, lambda: BeamSearch([[1], [0]], [2, 2])(2, 4)),
    "a constraint beyond the others": (ValueError, lambda: BeamSearch([[1], [2]], [2, 2])(0, 4)),
    "fewer symbols than the engine's cells": (ValueError, lambda: ENGINE.risks(bytes(8))),
    "mines of 33 bits": (ValueError, lambda: BoardEngine(NEAR, 1 << 31).risks(BLANK.tobytes())),
    "a chance without room": (
        ValueError,
        lambda: ENGINE.call("chances", 2, b"seed\0", 0, -1, 1, 3, array("d", [0])),
    ),
    "a guess that cannot be written": (
        TypeError,
        lambda: ENGINE.call("guess", BLANK, 2, 1, bytes(4), array("d", [0]), array("i", [0])),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_argument_is_an_error(name: str) -> None:
    expected, call = WRONG[name]
    with pytest.raises(expected, match="expected|memory|argument|integer|bytes-like"):
        call()


def test_any_memory_will_do() -> None:
    """Symbols as bytes, an array and a memoryview have the counts of those of NumPy."""
    near, shown = Buffer(table(NEAR)), np.array([1, *[COVERED] * 8], np.int8)
    counts = counting.count_components(shown.tobytes(), near)
    assert counts.ways and counts == counting.count_components(shown.tobytes(), Buffer(TABLE))
    for memory in (array("b", shown.tobytes()), memoryview(shown.tobytes()).cast("b"), shown):
        count_position(near, counting.memory.record, memory, *counting.memory.counts)
        assert counting._counts(0, 9) == counts


def test_read_only_memory_is_copied() -> None:
    numbers: Any = np.arange(5)
    view = memoryview(numbers).toreadonly()
    buffer = Buffer(view)
    numbers[:] = 9
    assert buffer.span() == (0, 4) and Buffer(view).span() == (9, 9)
    assert buffer.tobytes() != view.tobytes()


def test_a_part_of_an_array_has_bounds_of_its_own() -> None:
    whole: Any = np.arange(10)
    assert Buffer(memoryview(whole)[2:5]).span() == (2, 4)


@pytest.mark.parametrize("given, fine", [((3, 3, 0), True), ((3, 5, 3), True), ((3, 2, 3), False), ((3, 3, 2), False)])
def test_lengths_with_marks(given: tuple[int, int, int], fine: bool) -> None:
    """``+`` may be longer, ``?`` may be none."""
    shapes = [Array("f8", shape) for shape in ("cells", "cells+", "cells?")]
    arrays = [np.zeros(length) for length in given]
    if fine:
        assert len(checked(arrays, shapes, {})) == 3
        return
    with pytest.raises(ValueError, match="expected 3 for cells"):
        checked(arrays, shapes, {})


def test_a_number_can_be_a_length() -> None:
    parameters = Int(name="cells"), Array("i4", "cells")
    assert checked((2, array("i", [0, 0])), parameters, {})[0] == 2
    with pytest.raises(ValueError, match="expected 3 for cells"):
        checked((3, array("i", [0, 0])), parameters, {})
    with pytest.raises(ValueError, match=re.escape("expected 4 (cells), found 3")):
        checked((3, array("i", [0, 0, 0])), parameters, {"cells": 4})


def test_a_fork_has_memory_of_its_own() -> None:
    """Parent and child would count in the same memory if the child's writing reached the parent."""
    code = """
import os
from satsweep.kernels.counting import memory
record, ways = memory.record.memory, memory.counts[2].view
if os.fork() == 0:
    record[0], ways[0] = 1, 1.0
    os._exit(0)
os.wait()
assert record[0] == ways[0] == 0
"""
    if hasattr(os, "fork"):
        subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_c_has_the_declarations_of_all_kernels() -> None:
    """An array has five words, and two a dimension; the result and errors come first."""
    header = record.header()
    for one in EXPORTED:
        assert f" {one.symbol}(int64_t *, void **" in header
    (line,) = (line for line in header.splitlines() if "solver_count_one(" in line)
    assert line.count("int64_t,") + line.endswith("int64_t);") == 6 * 4 + 2 and line.count("void *,") == 1 + 6 * 3


def test_functions_of_the_c_interface_are_declared_as_in_its_header() -> None:
    text = re.sub(r"\s+", " ", (ROOT / "satsweep/kernels/c/satsweep.h").read_text())
    kinds = {"int32_t": "i", "int": "i", "int64_t": "q", "size_t": "N"}
    pointed = {"int8_t": "i1", "uint8_t": "u1", "char": "u1", "int32_t": "i4", "double": "f8"}
    for name, parameters in board_engine.FUNCTIONS.items():
        found = re.search(rf"int satsweep_{name}\( ?void \*room, ([^)]*)\);", text)
        assert found is not None
        for said, parameter in zip(found[1].split(", "), parameters, strict=True):
            kind = said.removeprefix("const ").split()[0]
            if isinstance(parameter, Int):
                assert (kinds[kind], "*" in said) == (parameter.kind, False), said
            else:
                assert (pointed[kind], "*" in said) == (parameter.dtype, True), said
                assert parameter.written != said.startswith("const "), said


def test_a_record_is_as_long_as_the_library_says() -> None:
    assert len(WorkingRecord().memory) == record.WORK.itemsize
