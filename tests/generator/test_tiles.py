"""Boards too large for the kernels, made tile by tile."""

from dataclasses import replace
from time import monotonic

import pytest

from satsweep.board import Cell
from satsweep.errors import BudgetExceeded
from satsweep.games.rules import FirstClick
from satsweep.generator import tiles as tiled_boards
from satsweep.generator.no_guess import drawn, fits_tiles, unsolved
from satsweep.generator.run import MethodChoice, choose_method, generate
from satsweep.generator.spec import BoardSpec, GenerationMethod
from satsweep.generator.tiles import Tiles, tiled, tiles
from satsweep.proofs.trace import check
from satsweep.solver.budget import Budget
from satsweep.topology import SQUARE, topology_named

METER = Budget().meter()
LARGE = BoardSpec(110, 110, 1_500)
SPECS = {
    "corner": LARGE,
    "middle": replace(LARGE, start=Cell(50, 61), first=FirstClick.SAFE),
    "torus": replace(LARGE, topology=topology_named("torus")),
    "hexagonal": replace(LARGE, topology=topology_named("hexagonal")),
    "knight": replace(LARGE, topology=topology_named("knight"), start=Cell(50, 50)),
    "single numbers": replace(LARGE, solvable_by="basic"),
}


@pytest.fixture
def small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiles of 60 cells, so that small boards have many."""
    monkeypatch.setattr(tiled_boards, "TILE", 60)
    monkeypatch.setattr(tiled_boards, "SMALL", 30)
    tiles.cache_clear()


@pytest.fixture(autouse=True)
def _forget_tiles() -> object:
    yield
    tiles.cache_clear()


@pytest.mark.parametrize(("rows", "cols", "start"), [(100, 120, 0), (110, 110, 6_000), (1, 20_000, 7)])
def test_every_cell_is_in_one_tile(rows: int, cols: int, start: int) -> None:
    found = tiles(SQUARE, rows, cols, start)
    assert sorted(found.order) == list(range(rows * cols)) and found.ends[-1] == rows * cols
    assert found.order[0] == start
    sizes = [end - first for first, end in zip((0, *found.ends), found.ends, strict=False)]
    assert min(sizes) > 0 and max(sizes) <= 2 * tiled_boards.TILE + tiled_boards.SMALL


@pytest.mark.extended
@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_large_boards_need_no_guess(spec: BoardSpec) -> None:
    assert fits_tiles(spec) and choose_method(spec, 0, METER) == MethodChoice(GenerationMethod.REPAIR, True)
    (made,) = generate(spec, 1, "large", traced=False)
    assert made.layout.mines == spec.mines and made.layout.start == spec.start
    assert not any(made.layout.symbols[cell] == "*" for cell in spec.fixed)
    assert unsolved(made.layout, spec.player) is None
    assert list(generate(spec, 1, "large", traced=False)) == [made]


@pytest.mark.extended
def test_a_large_board_is_proved() -> None:
    (made,) = generate(LARGE, 1, 1)
    assert made.trace is not None and made.record is not None and made.record.won
    assert check(made.trace).positions == len(made.trace.certificates)


@pytest.mark.extended
@pytest.mark.parametrize("mines", [40, 80, 120, 200, 350])
@pytest.mark.usefixtures("small_tiles")
def test_small_tiles_of_any_density(mines: int) -> None:
    """The exact agent clears what is made of tiles; the last mines may be one block."""
    solved = 0
    for number in range(8):
        spec = BoardSpec(20, 20, mines, start=Cell(number, 5))
        layout, _ = drawn(spec, "tiles", number)
        found = tiled(spec, layout, f"tiles/{number}", METER)
        if found is not None:
            assert found.layout.mines == mines and not any(found.layout.symbols[cell] == "*" for cell in spec.fixed)
            assert unsolved(found.layout, "sat") is None
            solved += 1
    assert solved >= 2


def test_the_budget_ends_a_large_board() -> None:
    """A tile at a time, and within a tile."""
    spec = BoardSpec(200, 200, 17_500)
    layout, _ = drawn(spec, "late", 0)
    for seconds in (0, 0.1):
        begun = monotonic()
        with pytest.raises(BudgetExceeded):
            tiled(spec, layout, "late", Budget(seconds=seconds).meter())
        assert monotonic() - begun < 3


def test_a_cell_of_which_no_number_tells_is_left_to_the_next_tile() -> None:
    """The corner of a tile whose neighbours in it all touch the next one."""
    spec = BoardSpec(300, 300, 30_000)
    found = tiled(spec, drawn(spec, "x", 0)[0], "x/0", METER)
    assert found is not None and found.layout.mines == spec.mines


def test_tiles_know_their_end() -> None:
    assert tiles(SQUARE, 2, 3, 4) == Tiles([4, 0, 1, 2, 3, 5], [6])


@pytest.mark.usefixtures("small_tiles")
def test_tiles_and_the_proof_tell_how_far_they_are() -> None:
    told: list[tuple[str, float]] = []
    spec = BoardSpec(24, 30, 110, method=GenerationMethod.REPAIR)
    layout, _ = drawn(spec, "run", 0)
    assert tiled(spec, layout, "run/0", METER, lambda work, share: told.append((work, share)))
    assert [share for _, share in told] == sorted({share for _, share in told}) and len(told) > 5
    assert told[-1] == ("repair", 1.0) and {work for work, _ in told} == {"repair"}
    told.clear()
    (_,) = generate(spec, seed=1, progress=lambda work, share: told.append((work, share)))
    shares = [share for work, share in told if work == "proof"]
    assert shares == sorted(shares) and 0 <= shares[0] < 0.2 and 0.5 < shares[-1] < 1
