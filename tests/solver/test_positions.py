"""Positions whose worlds and risks are known from outside.

See positions/README.md for the form of the files.
"""

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from satsweep import Board, Cell, analyse
from satsweep.analysis.analysis import Analysis
from satsweep.solver.engines import ENGINES
from tests.brute_force import cells_showing, touching

FILES = sorted((Path(__file__).parent / "positions").glob("*.txt"))


@dataclass
class Position:
    """A board and what is known about it."""

    board: Board
    worlds: int | None = None
    placements: int | None = None
    risks: dict[Cell, str] = field(default_factory=dict)
    sea: str | None = None
    safe: set[Cell] | None = None
    mines: set[Cell] | None = None
    engines: tuple[str, ...] = tuple(ENGINES)


def read(path: Path) -> Position:
    """Read a file; a line that is not understood is an error, not a missed check."""
    board, _, known = path.read_text().partition("----\n")
    position = Position(Board.from_text(board))
    for line in known.splitlines():
        match line.split():
            case ["worlds", number]:
                position.worlds = int(number)
            case ["placements", number]:
                position.placements = int(number)
            case ["risk", place, value]:
                position.risks[cell(place)] = value
            case ["sea", value]:
                position.sea = value
            case ["safe", *places]:
                position.safe = set(map(cell, places))
            case ["mine", *places]:
                position.mines = set(map(cell, places))
            case ["engines", *names]:
                position.engines = tuple(names)
            case _:
                raise ValueError(f"{path.name}: what does {line!r} mean?")
    return position


def cell(place: str) -> Cell:
    row, col = place.split(",")
    return Cell(int(row), int(col))


def agrees(risk: Fraction, printed: str) -> bool:
    """Return whether a number agrees with the one in a file.

    Exactly for a fraction; for a decimal within one unit of the last digit that was printed (by a float).
    """
    if "." not in printed:
        return risk == Fraction(printed)
    exponent = Decimal(printed).as_tuple().exponent
    assert isinstance(exponent, int)
    return abs(risk - Fraction(printed)) <= Fraction(10) ** exponent


def sea(board: Board) -> set[Cell]:
    return set(board.covered) - {near for clue in cells_showing(board, ".12345678") for near in touching(board, clue)}


def placements(board: Board, engine: str) -> int:
    """Without a total every cell of the sea is free, so it doubles the worlds."""
    worlds = analyse(Board(board.cells, topology=board.topology), engine=engine).worlds
    assert worlds is not None
    found, rest = divmod(worlds, 1 << len(sea(board)))
    assert rest == 0
    return found


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_position(path: Path, engine: str) -> None:
    position = read(path)
    if engine not in position.engines:
        pytest.skip(f"{engine} would take too long")
    analysis: Analysis = analyse(position.board, engine=engine)
    if position.worlds is not None:
        assert analysis.worlds == position.worlds
    if position.placements is not None:
        assert placements(position.board, engine) == position.placements
    for place, printed in position.risks.items():
        assert agrees(analysis.risk(place), printed), f"{place}: {float(analysis.risk(place))}, not {printed}"
    if position.sea is not None:
        assert sea(position.board)
        assert all(agrees(analysis.risk(place), position.sea) for place in sea(position.board))
    if position.safe is not None:
        assert set(analysis.safe) == position.safe
    if position.mines is not None:
        assert set(analysis.mines) == position.mines


def test_the_positions_are_all_there() -> None:
    assert len(FILES) >= 9
    assert all(path.read_text().startswith("// ") for path in FILES), "every file names its source"


def test_decimals_are_held_to_their_digits() -> None:
    assert agrees(Fraction(1, 3), "0.333") and agrees(Fraction(1, 3), "0.334")
    assert not agrees(Fraction(1, 3), "0.335") and not agrees(Fraction(1, 3), "0.3331")
    assert agrees(Fraction(1, 3), "1/3") and not agrees(Fraction(1, 3), "333/1000")
