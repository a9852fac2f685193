"""Search for blind spots: small boards on which only one of two agents claims.

``python -m tests.agents.find_blind_spots`` writes them to ``blind_spots/``, the same ones every time. Boards are drawn
at random, the smallest sizes first; of the boards of the first size that has any, the one with the fewest covered cells
is taken. The mine total is hidden, so that the numbers alone decide. ``test_blind_spots.py`` replays them.
"""

from pathlib import Path
from random import Random

from satsweep.agents import agent_named
from satsweep.board import Board, Cell
from satsweep.games.agent import Deduction
from satsweep.games.deal import random_layout
from satsweep.solver.analysis import analyse

FOLDER = Path(__file__).parent / "blind_spots"

PAIRS = [
    ("random", "basic"),
    ("basic", "tank"),
    ("tank", "subset"),
    ("basic", "gem"),
    ("tank", "gem"),
    ("gem", "tank"),
    ("subset", "gem"),
    ("gem", "subset"),
    ("gem", "mirrored-gem"),
    ("gem", "gem-full"),
    ("gem-full", "tank"),
    ("gem-full", "subset"),
    ("gem-full", "gem-refute"),
    ("gem-full", "sat"),
    ("gem-refute", "sat"),
    ("ai1", "ai0"),
    ("ai0", "ai1"),
]
"""Agents that claim nothing, and agents that claim; some pairs occur both ways.

Where ``subset`` claims nothing ``tank`` does not either.
"""

SIZES = [
    (rows, cols) for area in range(2, 37) for rows in range(1, 7) for cols in range(rows, 7) if rows * cols == area
]
BOARDS_PER_SIZE = 3_000
MOST_COVERED = 14

Claims = dict[Cell, bool]
"""Claimed cells, and whether each is claimed to be a mine."""


def claims(name: str, board: Board) -> Claims:
    """Return an agent's first claims on a board; for ``sat`` all forced cells."""
    if name == "sat":
        analysis = analyse(board)
        return {**dict.fromkeys(analysis.safe, False), **dict.fromkeys(analysis.mines, True)}
    if name.startswith("mirrored-"):
        seen = claims(name.removeprefix("mirrored-"), mirrored(board))
        return {Cell(row, board.cols - 1 - col): mine for (row, col), mine in seen.items()}
    deduction = Deduction.of(agent_named(name).deduce(board), board)
    return {**dict.fromkeys(deduction.safe, False), **dict.fromkeys(deduction.mines, True)}


def mirrored(board: Board) -> Board:
    return Board((row[::-1] for row in board.cells), mines=board.mines, topology=board.topology)


def random_view(rows: int, cols: int, rng: Random, opens_mines: bool) -> Board:
    layout = random_layout(rows, cols, rng.randint(1, max(1, rows * cols // 2)), rng)
    share = rng.random()
    cells = [Cell(row, col) for row in range(rows) for col in range(cols)]
    opened = [cell for cell in cells if (opens_mines or not layout.is_mine(cell)) and rng.random() < share]
    return layout.board(opened, tells_total=False)


def blind_spot(blind: str, seeing: str) -> tuple[Board, Cell, bool]:
    """Return the board for a pair, the first cell claimed and whether it is a mine."""
    rng = Random(f"{blind} < {seeing}")
    # The two mine search agents differ where a mine is open.
    opens_mines = blind.startswith("ai")
    for rows, cols in SIZES:
        found = []
        for _ in range(BOARDS_PER_SIZE):
            board = random_view(rows, cols, rng, opens_mines)
            # The blind agent first: it is cheap, and claims nothing on few of the boards that have forced cells.
            if len(board.covered) <= MOST_COVERED and not claims(blind, board):
                seen = claims(seeing, board)
                if seen:
                    cell = min(seen)
                    found.append((len(board.covered), str(board), board, cell, seen[cell]))
        if found:
            *_, board, cell, mine = min(found, key=lambda spot: spot[:2])
            return board, cell, mine
    raise LookupError(f"no blind spot of {blind} that {seeing} sees")


def path_of(blind: str, seeing: str) -> Path:
    return FOLDER / f"{blind}_{seeing}.txt".replace("-", "_")


def text_of(blind: str, seeing: str) -> str:
    board, cell, mine = blind_spot(blind, seeing)
    verdict = "a mine" if mine else "safe"
    return f"// {blind} < {seeing}: {cell.row},{cell.col} is {verdict}\n{board}\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for blind, seeing in PAIRS:
        path_of(blind, seeing).write_text(text_of(blind, seeing))


if __name__ == "__main__":
    main()
