"""Difficulty: clicks, openings, claims beyond agents, chains."""

import scipy
from hypothesis import given

from satsweep.agents import agent_named
from satsweep.games.game import play
from satsweep.generator.no_guess import drawn, suits, unsolved
from satsweep.generator.spec import WEAKER_AGENTS, BoardSpec
from satsweep.generator.walkthrough import (
    GIVEN_START_RULES,
    MOST_NEIGHBOURS_FOR_CHAINS,
    Difficulty,
    board_numbers,
    claims_beyond,
    difficulty,
    walkthrough,
)
from satsweep.layout import Layout
from satsweep.topology import SQUARE, topology_named
from satsweep.why.influence import chains
from tests.brute_force import touching
from tests.strategies import layouts


@given(layouts())
def test_clicks_clear_the_board(layout: Layout) -> None:
    """Open all openings first, each by a click, then the covered cells one by one."""
    board = layout.board(())
    safe = [(r, c) for r in range(layout.rows) for c in range(layout.cols) if not layout.is_mine((r, c))]
    opened: set[tuple[int, int]] = set()
    used = openings = 0
    for cell in sorted(safe, key=lambda cell: layout.number(cell) != 0):
        if cell not in opened:
            used += 1
            openings += layout.number(cell) == 0
            waiting = [cell]
            while waiting:
                here = waiting.pop()
                if here not in opened:
                    opened.add(here)
                    waiting += touching(board, here) if layout.number(here) == 0 else ()
    assert board_numbers(layout)[:2] == (used, openings)


def test_openings_and_islands_of_expert_boards() -> None:
    """On a square grid they are what image processing calls connected components."""
    for game in range(20):
        layout, _ = drawn(BoardSpec(16, 30, 99, start=None, no_guess=False), "openings", game)
        zeros = [[layout.number((row, col)) == 0 for col in range(30)] for row in range(16)]
        assert board_numbers(layout).openings == scipy.ndimage.label(zeros, structure=[[1] * 3] * 3)[1]
        edge = scipy.ndimage.binary_dilation(zeros, structure=[[1] * 3] * 3)
        alone = [[not layout.is_mine((row, col)) and not edge[row, col] for col in range(30)] for row in range(16)]
        assert board_numbers(layout).islands == scipy.ndimage.label(alone, structure=[[1] * 3] * 3)[1]
        assert board_numbers(layout).bv == board_numbers(layout).openings + sum(map(sum, alone))


def no_guess_boards(count: int) -> list[Layout]:
    spec = BoardSpec(9, 9, 14)
    found = (drawn(spec, "difficulty", number)[0] for number in range(1_000))
    return [next(layout for layout in found if suits(spec, layout)) for _ in range(count)]


def test_beyond() -> None:
    """Nothing is beyond an agent exactly if it clears the board by itself."""
    counts = []
    for layout in no_guess_boards(25):
        for name in WEAKER_AGENTS:
            claims = claims_beyond(name, layout)
            assert (claims == 0) is (unsolved(layout, name) is None)
            counts.append(claims)
        assert claims_beyond("basic", layout) >= claims_beyond("sat", layout) == 0
    assert 0 < sum(count > 0 for count in counts) < len(counts)


def test_all_together() -> None:
    for layout in no_guess_boards(5):
        record = walkthrough(layout).record
        hard = difficulty(layout, record)
        beyond = {name: claims_beyond(name, layout) for name in ("basic", "tank", "subset", "gem", "gem-full")}
        assert hard == Difficulty(*board_numbers(layout)[:2], beyond, chains(record).length)
        assert difficulty(layout) == Difficulty(*board_numbers(layout)[:2])


def test_no_chain_where_it_would_take_hours() -> None:
    wide = topology_named("offsets " + " ".join(f"{row},{col}" for row in range(3) for col in range(-2, 4)
                                                if (row, col) > (0, 0)))  # fmt: skip
    assert wide.most > MOST_NEIGHBOURS_FOR_CHAINS
    record = walkthrough(Layout(("......", "......", "....*."), start=(0, 0), topology=wide)).record
    assert record.won and difficulty(record.layout, record).chain is None
    square = walkthrough(Layout(("......", "......", "....*."), start=(0, 0))).record
    assert difficulty(square.layout, square).chain is not None


def test_the_chain_of_boards_that_single_numbers_clear() -> None:
    """It is as long as that of the agent that uses nothing else."""
    layout = next(layout for layout in no_guess_boards(25) if claims_beyond("basic", layout) == 0)
    played = play(layout, agent_named("basic"), GIVEN_START_RULES)
    assert difficulty(layout, walkthrough(layout).record).chain == chains(played).length
    assert layout.topology == SQUARE
