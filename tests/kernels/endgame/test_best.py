"""The endgame search against plain game trees, and against best play on whole small boards."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from satsweep.kernels.api import play_games
from satsweep.kernels.endgame.few import CLASSES, FEW, NODES, SORTED, UNLIMITED, bound, load_problem
from satsweep.kernels.endgame.search import choose, value
from satsweep.kernels.endgame.sets import FULL, Sets, compare, prepare
from satsweep.topology import SQUARE, TORUS
from tests.game_tree import MINE, GameTree
from tests.kernels.boards import all_layouts, table
from tests.kernels.endgame.problems import best_opening, room_for, solved, values_in, values_of_openings
from tests.optimal import Solved

pytestmark = pytest.mark.extended

Table = NDArray[np.uint8]
Neighbours = Sequence[Sequence[int]]


def table_of(worlds: Sequence[Sequence[int]], neighbours: Neighbours, outside: Sequence[int] | None = None) -> Table:
    """Return what each cell shows in each world, given the mines of every world."""
    mined = np.zeros((len(worlds), len(neighbours)), bool)
    for row, mines in zip(mined, worlds, strict=True):
        row[list(mines)] = True
    touches = np.zeros((len(neighbours), len(neighbours)), np.int64)
    for cell, cells in enumerate(neighbours):
        touches[list(cells), cell] = 1
    return np.where(mined, MINE, mined @ touches + np.array(outside or [0] * len(neighbours))).astype(np.uint8)


def scopes_of(neighbours: Neighbours) -> list[tuple[int, list[int]]]:
    return [(cell, [cell, *around]) for cell, around in enumerate(neighbours)]


def some_position(rng: Random, cells: int, most: int) -> tuple[Table, list[tuple[int, list[int]]]]:
    """Return the worlds that agree with some open cells of a random board, and scopes.

    The board is a grid, a torus, or any graph.
    """
    while True:
        kind = rng.randrange(3)
        if kind == 2:
            size = rng.randrange(cells, cells + 4)
            edges = [pair for pair in combinations(range(size), 2) if rng.random() < 0.4]
            neighbours: Neighbours = [[sum(pair) - cell for pair in edges if cell in pair] for cell in range(size)]
        else:
            rows, cols = rng.choice([(2, 4), (2, 5), (3, 3), (3, 4)])
            size, neighbours = rows * cols, (SQUARE, TORUS)[kind].neighbours(rows, cols)
        mines = rng.sample(range(size), rng.randrange(1, size // 2 + 1))
        safe = [cell for cell in range(size) if cell not in mines]
        seen = set(rng.sample(safe, min(len(safe), max(rng.randrange(4), size - cells))))
        live = [cell for cell in range(size) if cell not in seen]
        told = rng.random() < 0.6
        worlds = [
            world
            for count in range(len(live) + 1)
            for world in combinations(live, count)
            if (not told or count == len(mines))
            and all(len({*neighbours[cell]} & {*world}) == len({*neighbours[cell]} & {*mines}) for cell in seen)
        ]
        if len(live) > cells or len(worlds) > most:
            continue
        place = {cell: i for i, cell in enumerate(live)}
        inside = [[place[other] for other in neighbours[cell] if other in place] for cell in live]
        scopes = scopes_of(inside)
        scopes += [(-1, [place[other] for other in neighbours[cell] if other in place]) for cell in seen]
        return table_of([[place[cell] for cell in world] for world in worlds], inside), scopes


def agrees(table: Table, scopes: Sequence[tuple[int, Sequence[int]]], weights: Sequence[int] | None) -> None:
    """Check every value, and the cell chosen, against the oracle."""
    expected = GameTree(table, weights).openings()
    found = values_of_openings(table, weights, scopes)
    assert [(opening.low, opening.high) for opening in found] == [(won, won) for won in expected]
    best = best_opening(table, weights, scopes)
    if best.cell < 0:
        assert np.all(table == MINE)
    else:
        assert (best.low, best.high) == (max(expected), max(expected))
        assert expected[best.cell] == max(expected)


@pytest.mark.parametrize("seed", range(4))
def test_random_positions(seed: int) -> None:
    rng = Random(f"endgame/{seed}")
    for _ in range(60):
        table, scopes = some_position(rng, 7, 40)
        agrees(table, scopes, None)
        agrees(table, scopes, [rng.choice((1, 2, 3, 7)) for _ in table])


@pytest.mark.parametrize("seed", range(4))
def test_random_positions_with_more_worlds(seed: int) -> None:
    rng = Random(f"endgame/many/{seed}")
    tried = 0
    while tried < 6:
        table, scopes = some_position(rng, 7, 128)
        if len(table) > FEW:
            tried += 1
            agrees(table, scopes, None)
            agrees(table, scopes, [rng.choice((2, 4, 6)) for _ in table])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_many_random_positions(seed: int) -> None:
    rng = Random(f"endgame/slow/{seed}")
    for _ in range(30):
        table, scopes = some_position(rng, 8, 256)
        agrees(table, scopes, None if rng.random() < 0.5 else [rng.randrange(1, 5) for _ in table])


@pytest.mark.parametrize("seed", range(6))
def test_any_worlds_that_are_different(seed: int) -> None:
    """The search must not lean on geometry: mines anywhere, meaningless numbers."""
    rng = Random(f"endgame/any/{seed}")
    layouts = rng.sample(list(product((0, 1), repeat=7)), rng.choice((5, 20, 64, 65, 90)))
    table = np.array([[MINE if mine else rng.randrange(rng.choice((1, 2, 27))) for mine in row] for row in layouts])
    agrees(table, (), None if seed % 2 else [rng.randrange(1, 9) for _ in layouts])


def beside(left: Table, right: Table) -> Table:
    """All worlds of two boards that have nothing to do with each other."""
    return np.array([[*a, *b] for a in left for b in right], np.uint8)


def two_regions() -> tuple[Table, Table, list[tuple[int, list[int]]]]:
    neighbours = SQUARE.neighbours(3, 3)
    left = table_of(list(combinations(range(9), 4)), neighbours)
    right = table_of([world for k in (1, 2) for world in combinations(range(9), k)], neighbours)
    far = [(cell + 9, [other + 9 for other in scope]) for cell, scope in scopes_of(neighbours)]
    return left, right, scopes_of(neighbours) + far


def worth(m: Sets, worlds: int) -> tuple[int, int]:
    """Bounds on the value of all worlds together, regions looked for first."""
    low, high = value(m, 0, worlds, -1, 0, worlds, 0)
    return int(low), int(high)


def test_regions_are_worth_their_product() -> None:
    left, right, scopes = two_regions()
    won = best_opening(left).high * best_opening(right).high
    whole = beside(left, right)
    together = room_for(whole)
    assert choose(together, len(whole), UNLIMITED)[1:] == (won, won)
    apart = room_for(whole, scopes=scopes)
    assert worth(apart, len(whole)) == (won, won)
    assert 10 * apart.spent[NODES] < together.spent[NODES], "the regions were searched together"
    assert best_opening(whole, [3] * len(whole), scopes).low == 3 * won


def test_what_is_almost_a_product_is_none() -> None:
    left, right, scopes = two_regions()
    whole = beside(left, right)
    rng = Random("endgame/almost")
    for drop in (1, len(left)):
        fewer = whole[sorted(rng.sample(range(len(whole)), len(whole) - drop))]
        assert worth(room_for(fewer, scopes=scopes), len(fewer)) == best_opening(fewer)[1:]
    # Beside the first world nothing is missing, so there are as many worlds as in a product; but these are others.
    kept = [row for row in whole if (row[9:] != right[-1]).any() or (row[:9] == left[0]).all()]
    strangers = [[*a, *rng.choice(left)] for a in left[1:]]
    changed = np.array([*kept, *strangers], np.uint8)
    assert len(changed) == len(whole)
    won = best_opening(changed)
    assert won.high != best_opening(left).high * best_opening(right).high
    assert worth(room_for(changed, scopes=scopes), len(changed)) == won[1:]


def test_cells_by_the_hundred() -> None:
    """Repeated cells, and settled ones, do not change a small position."""
    rng = Random("endgame/wide")
    neighbours = SQUARE.neighbours(3, 4)
    small = table_of(list(combinations(range(12), 3)), neighbours)
    won = best_opening(small)
    places = sorted(rng.sample(range(300), 12))
    wide = np.where(np.arange(300) % 3 == 0, MINE, 2) * np.ones((len(small), 1), int)
    wide[:, places] = small
    assert best_opening(wide) == (places[won.cell], won.low, won.high)
    assert best_opening(wide[:60]).low == best_opening(small[:60]).low
    assert best_opening(np.concatenate([small] * 25, axis=1))[1:] == won[1:]


def test_play_goes_on_with_what_is_known() -> None:
    """The values of all outcomes of the best opening add up, in the same room."""
    table = table_of(list(combinations(range(16), 4)), SQUARE.neighbours(4, 4))
    m = room_for(table)
    cell, low, high = choose(m, len(table), UNLIMITED)
    assert (low, high) == (961, 961)
    total = 0
    for shown in range(9):
        total += chosen(m, table, cell, shown, 961)
    assert total == 961


def chosen(m: Sets, table: Table, cell: int, shown: int, most: int) -> int:
    left = np.flatnonzero(m.code[: len(table), cell] == shown)
    if not len(left):
        return 0
    m.chosen[: len(left)] = left
    _, low, high = choose(m, len(left), UNLIMITED)
    assert low == high <= most
    return int(low)


def test_what_is_kept_of_parts_changes_nothing() -> None:
    """Parts are compared again where there is no room to keep what was found out about them."""
    for whole in (table_of(list(combinations(range(16), 5)), SQUARE.neighbours(4, 4)), beside(*two_regions()[:2])):
        m = room_for(whole)
        forgetful = room_for(whole)._replace(kept=np.zeros(8, np.int64))
        found = choose(m, len(whole), UNLIMITED)
        assert m.kept.any() and choose(forgetful, len(whole), UNLIMITED) == found
        assert forgetful.spent[NODES] == m.spent[NODES] > 100


def test_bounds_of_few_worlds_are_those_of_their_classes() -> None:
    """In the order of the classes, too, where a bound is one sum."""
    rng = Random("endgame/classes")
    tried = 0
    while tried < 30:
        table, _ = some_position(rng, 8, FEW - 1)
        if len(table) < 3:
            continue
        tried += 1
        m, few = room_for(table), room_for(table).few
        every = range(len(table))
        problem = m.row, m.weight, m.chosen, 0, len(table), m.same[0]
        with np.errstate(over="ignore"):  # words, as of C
            compare(m, 0, len(table), 0)
            load_problem(few, *problem, len(table))
            assert not few.size[SORTED]
            classes = [{world for world in every if int(few.clash[at]) >> world & 1} for at in range(few.size[CLASSES])]
            load_problem(few, *problem, 0)
        assert few.size[SORTED] and sorted(world for own in classes for world in own) == [*every]
        for _ in range(20):
            worlds = {world for world in every if rng.random() < rng.choice((0.2, 0.5, 0.9))}
            word = np.uint64(sum(int(few.place[world]) for world in worlds))
            with np.errstate(over="ignore"):
                assert bound(few, word) == sum(not worlds.isdisjoint(own) for own in classes)


def test_a_budget_leaves_bounds() -> None:
    table = table_of(list(combinations(range(16), 5)), SQUARE.neighbours(4, 4))
    exact = best_opening(table)
    assert exact.low == exact.high
    met = []
    for budget in (0, 1, 10, 100, 1_000, 10_000):
        found = best_opening(table, budget=budget)
        assert found.low <= exact.low <= found.high <= len(table)
        assert 0 <= found.cell < 16
        met.append(found.low == found.high)
    assert not met[0] and met == sorted(met)
    few = table[:: len(table) // 60]
    for budget in (0, 1, 10):
        found = best_opening(few, budget=budget)
        assert found.low <= best_opening(few).low <= found.high


def test_room_that_is_too_small_is_said() -> None:
    table = table_of(list(combinations(range(12), 4)), SQUARE.neighbours(3, 4))
    m = room_for(table)
    small = m._replace(chosen=m.chosen[: len(table) + 100].copy())
    _, low, high = choose(small, len(table), UNLIMITED)
    assert small.size[FULL] and low <= 173 <= high


def test_a_safe_cell_that_tells() -> None:
    """Two cells of which one is a mine, and a third one that is safe and shows which."""
    table = np.array([[MINE, 0, 1], [0, MINE, 0]])
    assert best_opening(table) == (2, 2, 2)
    assert [opening.high for opening in values_of_openings(table)] == [1, 1, 2]


def test_settled_positions() -> None:
    assert best_opening(np.array([[MINE, 1, MINE]])) == (1, 1, 1)
    assert best_opening(np.array([[MINE, MINE]]), [5]) == (-1, 5, 5)
    # Both numbers tell, neither costs: the first is opened.
    assert best_opening(np.array([[MINE, 0, 1, 2], [0, MINE, 0, 1]])) == (2, 2, 2)
    assert best_opening(np.array([[MINE, 0], [0, MINE]]), [2, 3]) == (0, 3, 3)


def test_one_room_for_every_problem() -> None:
    """A room is used over and over, for smaller problems, too, and remembers nothing."""
    rng = Random("endgame/again")
    big = table_of(list(combinations(range(10), 4)), SQUARE.neighbours(2, 5))
    m = room_for(big)
    for _ in range(20):
        rows = sorted(rng.sample(range(len(big)), rng.randrange(2, len(big))))
        m.code[: len(rows), :10] = big[rows]
        m.weight[: len(rows)] = 1
        m.chosen[: len(rows)] = np.arange(len(rows))
        prepare(m, len(rows), 10, 0)
        assert tuple(choose(m, len(rows), UNLIMITED)) == best_opening(big[rows])


@pytest.mark.parametrize("board", solved(9_000))
def test_small_boards(board: Solved) -> None:
    """Solve a board for every first cell, over all layouts and those with a zero."""
    rows, cols, mines = board[:3]
    neighbours = SQUARE.neighbours(rows, cols)
    table = table_of(list(combinations(range(rows * cols), mines)), neighbours)
    m = room_for(table, scopes=scopes_of(neighbours), slots=1 << max(12, len(table).bit_length() + 4))
    for (r, c), (wins, zero_wins, zeros) in board.first.items():
        cell = r * cols + c
        found = chosen(m, table, cell, 0, len(table)), int((table[:, cell] == 0).sum())
        assert found == (zero_wins, zeros), (r, c)
        m.chosen[: len(table)] = np.arange(len(table))
        assert value(m, 0, len(table), cell, 0, len(table), 0) == (wins, wins), (r, c)
    best = {wins for wins, _, _ in board.first.values()}
    assert max(best) == board.wins
    if len(table) <= 2_000:
        openings = values_in(m, len(table))
        assert all(opening.low == opening.high for opening in openings)
        picture = np.array([opening.low for opening in openings]).reshape(rows, cols)
        assert (picture == picture[::-1]).all() and (picture == picture[:, ::-1]).all()
        assert set(picture.flat) == best
        assert choose(m, len(table), UNLIMITED)[1] == board.wins


def won(board: Solved, layouts: np.ndarray, first: str, start: int | None = None) -> tuple[int, int, float]:
    """Return the layouts won, the first cell opened, the first expected chance to win."""
    if start is not None:  # games that begin alike one after the other: that is quicker
        around = layouts[:, SQUARE.neighbours(board.rows, board.cols)[start]]
        layouts = layouts[np.lexsort((*around.T, around.sum(1), layouts[:, start]))]
    moves, estimates = np.zeros((1, 4), np.int32), np.full((len(layouts), 2), -1.0)
    played = play_games(
        table(SQUARE, board.rows, board.cols), board.mines, "all", range(len(layouts)), first=first, start=start,
        layouts=layouts, policy="deep", moves=moves, estimates=estimates,
    )  # fmt: skip
    return int(played["won"].sum()), int(moves[0, 2]), float(estimates[0, 0])


@pytest.mark.parametrize("board", solved(1_300))
def test_the_deep_player_on_small_boards(board: Solved) -> None:
    everything = all_layouts(board.rows * board.cols, board.mines)
    neighbours = SQUARE.neighbours(board.rows, board.cols)
    best_zero = Fraction(-1)
    for place, (wins, zero_wins, zeros) in board.first.items():
        cell = place[0] * board.cols + place[1]
        safe = everything[everything[:, cell] == 0]
        zero = safe[safe[:, neighbours[cell]].sum(1) == 0]
        assert (len(safe), len(zero)) == (board.safe, zeros), place
        assert won(board, everything, "any", cell)[0] == wins, place
        assert won(board, safe, "safe", cell)[0] == wins, place
        if zeros:
            assert won(board, zero, "zero", cell)[0] == zero_wins, place
            best_zero = max(best_zero, Fraction(zero_wins, zeros))
    best = max(wins for wins, _, _ in board.first.values())
    assert best == board.wins
    if best_zero >= 0:
        assert best_zero == Fraction(board.zero_best)

    # No start is given: the player begins with the best cell, and says what it expects unless nothing is left
    # to guess.
    games, _, told = won(board, everything, "any")
    assert games == best and told in (-1, best / len(everything))
    _, cell, told = won(board, everything[:1], "safe")
    safe = everything[everything[:, cell] == 0]
    assert won(board, safe, "safe")[:2] == (best, cell) and told in (-1, best / len(safe))
