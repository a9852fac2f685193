"""Tests of blind spots: a board for each pair of agents, checked by brute force."""

import re

import pytest

from satsweep.agents import AGENTS, agent_named
from satsweep.board import Board, Cell
from tests.agents.find_blind_spots import FOLDER, PAIRS, claims, path_of, text_of
from tests.brute_force import worlds

TITLE = re.compile(r"// (\S+) < (\S+): (\d+),(\d+) is (safe|a mine)\n")

every_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: " < ".join(pair))


def test_no_board_is_left_over() -> None:
    assert set(FOLDER.iterdir()) == {path_of(*pair) for pair in PAIRS}


@every_pair
def test_one_finds_what_the_other_cannot(pair: tuple[str, str]) -> None:
    blind, seeing = pair
    text = path_of(*pair).read_text()
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
def test_the_search_finds_them_again(pair: tuple[str, str]) -> None:
    assert path_of(*pair).read_text() == text_of(*pair)


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
