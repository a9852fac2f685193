"""Repair: boards of any density, and the same ones compiled and in Python."""

import pytest

from satsweep.board import Cell
from satsweep.games.rules import FirstClick
from satsweep.generator.no_guess import first_mended, unsolved
from satsweep.generator.repair import SWAPS
from satsweep.generator.run import generate
from satsweep.generator.spec import BoardSpec, GenerationMethod
from satsweep.proofs.trace import check
from satsweep.solver.budget import Budget
from satsweep.topology import topology_named

METER = Budget().meter()
PACKED = {
    "packed": BoardSpec(6, 6, 22),
    "walled in": BoardSpec(9, 9, 60),
    "torus": BoardSpec(9, 9, 60, topology=topology_named("torus")),
    "hexagonal": BoardSpec(6, 6, 24, topology=topology_named("hexagonal")),
    "safe start": BoardSpec(5, 7, 20, start=Cell(2, 2), first=FirstClick.SAFE),
    "single numbers": BoardSpec(6, 6, 22, solvable_by="basic"),
}
"""Boards that swaps alone seldom make, since they are that dense."""


@pytest.mark.parametrize("mines", [200, 260, 400])
def test_expert_boards_of_any_density(mines: int) -> None:
    made = list(generate(BoardSpec(16, 30, mines, method=GenerationMethod.REPAIR), 5, "dense", traced=False))
    for one in made:
        assert one.layout.mines == mines and one.layout.number(Cell(0, 0)) == 0
        assert unsolved(one.layout, "sat") is None
    assert sum(one.candidates == 1 for one in made) >= 4
    assert any(one.changes > SWAPS for one in made)


@pytest.mark.parametrize(("rows", "cols", "mines"), [(20, 24, 230), (9, 9, 45)])
def test_other_dense_boards(rows: int, cols: int, mines: int) -> None:
    made = list(generate(BoardSpec(rows, cols, mines), 5, "dense", traced=False))
    assert all(one.layout.mines == mines and unsolved(one.layout, "sat") is None for one in made)


@pytest.mark.extended
def test_a_dense_board_is_proved() -> None:
    (made,) = generate(BoardSpec(16, 30, 240, start=Cell(5, 5)), 1, 1)
    assert made.method is GenerationMethod.REPAIR and made.record is not None and made.record.won
    assert made.trace is not None and check(made.trace).proofs > 0


@pytest.mark.extended
@pytest.mark.parametrize("spec", PACKED.values(), ids=PACKED)
def test_exchanges_are_the_same_in_python(spec: BoardSpec) -> None:
    exchanged = 0
    for run in range(30):
        found = first_mended(spec, f"packed/{run}", range(1), SWAPS + 200, METER, compiled=True)
        if found is None or found.changes > SWAPS:
            assert found == first_mended(spec, f"packed/{run}", range(1), SWAPS + 200, METER, compiled=False)
            exchanged += 1
        if exchanged == 2:
            return
    raise AssertionError("expected boards that take exchanges")
