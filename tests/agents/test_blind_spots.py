"""Blind spots: small boards on which only one of two agents claims, checked by brute force.

Boards are drawn at random, the smallest sizes first; of the boards of the first size that has any, the one with the
fewest covered cells is taken. The mine total is hidden, so that the numbers alone decide. The slow test searches again.
"""

import re
from pathlib import Path
from random import Random

import pytest

from satsweep.agents import AGENTS, agent_named
from satsweep.analysis.analyse import analyse
from satsweep.board import Board, Cell
from satsweep.games.agent import Deduction
from satsweep.games.deal import random_layout
from tests.brute_force import worlds
from tests.conftest import Golden
from tests.symmetries import moved

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
        image, where = moved(board, "mirrored")
        seen = claims(name.removeprefix("mirrored-"), image)
        return {cell: seen[there] for cell, there in where.items() if there in seen}
    deduction = Deduction.of(agent_named(name).deduce(board), board)
    return {**dict.fromkeys(deduction.safe, False), **dict.fromkeys(deduction.mines, True)}


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


def file_of(blind: str, seeing: str) -> str:
    return f"blind_spots/{blind}_{seeing}.txt".replace("-", "_")


def text_of(blind: str, seeing: str) -> str:
    board, cell, mine = blind_spot(blind, seeing)
    verdict = "a mine" if mine else "safe"
    return f"// {blind} < {seeing}: {cell.row},{cell.col} is {verdict}\n{board}\n"


GOLDENS = Path(__file__).parent / "goldens"
TITLE = re.compile(r"// (\S+) < (\S+): (\d+),(\d+) is (safe|a mine)\n")
every_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: " < ".join(pair))


@every_pair
def test_one_finds_what_the_other_cannot(pair: tuple[str, str], golden: Golden) -> None:
    blind, seeing = pair
    file = GOLDENS / file_of(*pair)
    text = file.read_text() if file.exists() else text_of(*pair)
    golden(file_of(*pair), text)
    title = TITLE.match(text)
    assert title is not None and title.group(1, 2) == pair
    board, cell = Board.from_text(text), Cell(int(title[3]), int(title[4]))
    mine = title[5] == "a mine"
    # The oracle: in every layout that agrees with the numbers.
    assert {cell in world for world in worlds(board)} == {mine}
    assert claims("sat", board)[cell] is mine
    assert claims(seeing, board)[cell] is mine
    assert claims(blind, board) == {}


@pytest.mark.slow
@every_pair
def test_the_search_finds_them_again(pair: tuple[str, str], golden: Golden) -> None:
    golden(file_of(*pair), text_of(*pair))


def test_tank_keeps_asking_where_subset_waits_for_the_next_turn() -> None:
    """Tank's claims in one call are not contained in those of subset.

    It continues from its claims, subset returns them first.

    In a game without guesses subset catches up; ``test_agents.py`` checks that on random layouts.
    """
    board = Board(("####", "122*"))
    assert claims("tank", board) == {Cell(0, 0): True, Cell(0, 1): False, Cell(0, 2): True, Cell(0, 3): False}
    assert claims("subset", board) == {Cell(0, 2): True}
    flagged = Board(("##F#", "122*"))
    assert claims("subset", flagged) == {Cell(0, 0): True, Cell(0, 1): False, Cell(0, 3): False}


def test_agents_that_know_nothing_of_a_flag_do_not_claim_it() -> None:
    board = Board(("F1",))
    for name in AGENTS:
        _, mines = agent_named(name).deduce(board)
        assert mines == ()


def test_no_board_is_left_over() -> None:
    assert {*GOLDENS.glob("blind_spots/*")} == {GOLDENS / file_of(*pair) for pair in PAIRS}
