"""The fewest clicks: against breadth-first search, against a second engine, played in a game."""

import math
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from satsweep import Board, BoardError, Layout, fewest_clicks, random_layout
from satsweep.board import FLAG, NUMBER_OF
from satsweep.clicks import Click, ClickKind, FewestClicks, bounds, sweep
from satsweep.clicks.model import ClickModel, Selection, source_components
from satsweep.clicks.path import played
from satsweep.clicks.search import OVERLAP, CoreSearch, Variables, first_cuts, overlapping_regions
from satsweep.formats.clicks import ClickedGame
from satsweep.generator.walkthrough import board_numbers
from satsweep.render.clicks import path_lines
from satsweep.topology import TOPOLOGIES
from tests.clicks import fewest_by_bits, fewest_by_trying
from tests.strategies import layouts


# For a test outside of a class this scope is the one test with all its examples, and no other test of the module.
@pytest.fixture(scope="class", params=["sweep", "cores"])
def engine(request: pytest.FixtureRequest) -> Iterator[None]:
    """Both engines in turn, each alone: no board here is too wide for the sweep."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "cores":
            patch.setattr(sweep, "MOST_PREDICTED", -math.inf)
        else:
            patch.setattr("satsweep.clicks.fewest.CoreSearch", None)
        yield


both_engines = pytest.mark.usefixtures("engine")


def table_of(layout: Layout) -> tuple[tuple[int, ...], ...]:
    return layout.topology.neighbours(layout.rows, layout.cols)


def mines_of(layout: Layout) -> set[int]:
    return {index for index, symbol in enumerate(layout.symbols) if symbol == "*"}


def model_of(layout: Layout) -> ClickModel:
    return ClickModel.of(table_of(layout), mines_of(layout))


def random_small(rng: Random, most: int) -> Layout:
    """A layout of at most so many cells, of any shape, density and named topology."""
    sizes = [(rows, cols) for rows in range(1, 6) for cols in range(1, 6) if rows * cols <= most]
    while True:
        rows, cols = rng.choice(sizes)
        mines = set(rng.sample(range(rows * cols), rng.randint(0, rows * cols)))
        try:
            return Layout.from_mines(rows, cols, mines, topology=rng.choice(["square", *TOPOLOGIES]))
        except BoardError:  # hexagons that cannot wrap
            continue


def check_path(found: FewestClicks) -> None:
    """The path wins in a game with chords, and each of its clicks changes something."""
    clicked = played(found.layout, (), found.before)
    turns = clicked.game.turn
    assert played(found.layout, found.path, found.before).game.turn == turns + found.upper
    if found.path:
        assert found.record().won
    else:
        assert clicked.is_over


def check_small(layout: Layout, *, wrong_flags: bool = False) -> None:
    found = fewest_clicks(layout, ())
    assert found.proved
    check_path(found)
    if wrong_flags:
        assert fewest_by_trying(table_of(layout), mines_of(layout), wrong_flags=True) == found.upper
    else:
        assert fewest_by_bits(table_of(layout), mines_of(layout), found.upper - 1) is None


@given(layouts(max_cells=10))
def test_both_searches_by_breadth_agree(layout: Layout) -> None:
    table, mines = table_of(layout), mines_of(layout)
    fewest = fewest_by_trying(table, mines)
    assert fewest is not None and fewest_by_bits(table, mines, fewest) == fewest
    assert fewest_by_bits(table, mines, fewest - 1) is None


@both_engines
def test_equal_to_breadth_first_search() -> None:
    rng = Random("fewest clicks")
    for _ in range(150):
        check_small(random_small(rng, 12))


@both_engines
@given(layouts(max_cells=9))
def test_wrong_flags_never_help(layout: Layout) -> None:
    """The search over all flags, wrong ones included, needs as many clicks."""
    check_small(layout, wrong_flags=True)


@both_engines
@pytest.mark.slow
def test_equal_to_breadth_first_search_on_10_000_layouts() -> None:
    rng = Random("ten thousand")
    for number in range(10_000):
        check_small(random_small(rng, 25 if number % 20 == 0 else 20))


@both_engines
@given(layouts(max_cells=12), st.data())
def test_from_given_first_clicks(layout: Layout, data: st.DataObject) -> None:
    safe = [cell for cell in layout.board(()) if not layout.is_mine(cell)]
    if not safe:
        return
    cell = data.draw(st.sampled_from(safe))
    found = fewest_clicks(layout, cell)
    assert found == fewest_clicks(layout, [cell])
    assert found.path[0] == (ClickKind.DIG, cell) and found.given == 1 and found.proved
    check_path(found)
    game = ClickedGame(Layout(layout.cells, topology=layout.topology))
    game.open(cell)
    opened = sum(1 << layout.index(other) for other in layout.board(()) if game.is_open(other))
    assert fewest_by_trying(table_of(layout), mines_of(layout), opened) == found.upper - 1


@both_engines
@given(layouts(max_cells=9), st.randoms(use_true_random=False))
def test_what_is_left_of_a_game_in_play(layout: Layout, rng: Random) -> None:
    """Also with flags, right and wrong ones: those are removed by a click each."""
    game = ClickedGame(Layout(layout.cells, topology=layout.topology))
    cells = list(layout.board(()))
    for _ in range(rng.randint(0, 5)):
        cell = rng.choice(cells)
        if rng.random() < 0.5 or layout.is_mine(cell):
            game.flag(cell)
        else:
            game.open(cell)
    board = game.game.board
    found = fewest_clicks(layout, (), board=board)
    assert found.proved
    check_path(found)
    opened = sum(1 << layout.index(cell) for cell in board if board[cell] in NUMBER_OF)
    flagged = sum(1 << layout.index(cell) for cell in board if board[cell] == FLAG)
    assert fewest_by_trying(table_of(layout), mines_of(layout), opened, flagged) == found.upper


def check_after_starts(rng: Random) -> None:
    """Several starts and a game in play, numbers dug first, so that openings are left whose border is open."""
    rows, cols = rng.choice([(2, 5), (2, 6), (3, 4), (4, 3), (1, 10)])
    layout = random_layout(rows, cols, rng.randint(1, 3), rng=rng, topology=rng.choice(["square", "torus"]))
    game = ClickedGame(Layout(layout.cells, topology=layout.topology))
    mines, table = mines_of(layout), table_of(layout)
    numbered = [cell for cell, others in enumerate(table) if cell not in mines and not mines.isdisjoint(others)]
    numbers = list(map(layout.cell, numbered))
    dug = rng.sample(numbers, rng.randint(len(numbers) // 2, len(numbers)))
    played_first = rng.randint(0, len(dug))
    for cell in dug[:played_first]:
        game.open(cell)
    board = game.game.board if played_first else None
    starts = dug[played_first:]
    found = fewest_clicks(layout, starts, board=board)
    assert found.proved
    check_path(found)
    opened = sum(1 << layout.index(cell) for cell in dug)
    assert fewest_by_trying(table_of(layout), mines_of(layout), opened) == found.upper - len(starts)


@both_engines
def test_after_several_starts() -> None:
    rng = Random("several starts")
    for _ in range(100):
        check_after_starts(rng)


@both_engines
@pytest.mark.slow
def test_after_several_starts_thoroughly() -> None:
    rng = Random("many starts")
    for _ in range(5_000):
        check_after_starts(rng)


@both_engines
def test_an_opening_of_two_cells_whose_border_is_open() -> None:
    layout = Layout(("....", "**.."))
    found = fewest_clicks(layout, [(0, 0), (0, 2), (1, 2)])
    assert (found.upper, found.proved) == (5, True)


@given(layouts(max_cells=60))
def test_without_flags_it_is_3bv(layout: Layout) -> None:
    found = fewest_clicks(layout, (), flags=False)
    assert found.lower == found.upper == found.bv == board_numbers(layout).bv
    assert found.counts[ClickKind.DIG] == found.upper
    check_path(found)
    assert fewest_clicks(layout, ()).upper <= found.upper


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_paths_of_larger_layouts_win(topology: str) -> None:
    for seed in range(4):
        found = fewest_clicks(random_layout(10, 10, 18, seed, topology=topology), seconds=0.2)
        assert found.lower <= found.upper <= found.bv
        check_path(found)


@both_engines
def test_known_boards() -> None:
    """A flag that two chords share, and a chord that is not worth its flags."""
    shared = fewest_clicks(("....", ".*..", "...."))
    assert [str(click) for click in shared.path] == ["dig 0,3", "dig 1,0", "flag 1,1", "chord 1,0"]
    assert shared.counts == {ClickKind.DIG: 2, ClickKind.FLAG: 1, ClickKind.UNFLAG: 0, ClickKind.CHORD: 1}
    assert fewest_clicks(("..*..",)).counts[ClickKind.DIG] == 2
    assert fewest_clicks(("***", "*.*", "***")).upper == 1
    assert fewest_clicks(("**",)).path == ()
    assert fewest_clicks((".",)).path == (Click(ClickKind.DIG, Layout((".",)).cell(0)),)


def test_a_flag_that_is_taken_away_is_in_the_legend() -> None:
    layout = Layout(("..*.*..*", "........", "*......*"))
    found = fewest_clicks(layout, board=Board(("#F######", "########", "########")))
    assert found.counts[ClickKind.UNFLAG] == 1
    *_, narrow = path_lines(found, 12)
    *_, wide = path_lines(found, 100)
    assert "u a wrong flag that is removed" in narrow and "a wrong flag that is removed" in wide
    *_, without = path_lines(fewest_clicks(layout), 12)
    assert "removed" not in without


@both_engines
def test_flags_of_a_game_in_play_cost_nothing() -> None:
    layout = Layout(("....", ".*..", "...."))
    assert [click.kind for click in fewest_clicks(layout, board=Board(("##1.", "##1.", "##1."))).path] == [
        ClickKind.DIG,
        ClickKind.FLAG,
        ClickKind.CHORD,
    ]
    flagged = fewest_clicks(layout, board=Board(("##1.", "#F1.", "##1.")))
    assert [click.kind for click in flagged.path] == [ClickKind.DIG, ClickKind.CHORD] and flagged.proved
    assert fewest_clicks(layout, flags=False, board=Board(("##1.", "#F1.", "##1."))).upper == 2


def test_chords_that_are_left_out_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards so large that chords share flags, with the chords that the model leaves out and without."""
    boards = [random_layout(8, 8, 10 + seed % 6, seed) for seed in range(24)]
    found = [fewest_clicks(layout) for layout in boards]
    monkeypatch.setattr("satsweep.clicks.model.undominated", lambda chords, spills, diggable: tuple(chords))
    assert [fewest_clicks(layout).upper for layout in boards] == [own.upper for own in found]
    assert all(own.proved for own in found)


@both_engines
def test_bounds_grow_together() -> None:
    """Each value is one to stop at: bounds never become worse, and all hold."""
    layout = random_layout("intermediate", seed=3)
    found = list(bounds(layout, seconds=60.0))
    assert found[-1].proved
    best = found[-1].upper
    for one, other in zip(found, found[1:], strict=False):
        assert one.lower <= other.lower <= best <= other.upper <= one.upper
    assert found[0].upper == found[0].bv
    without_time = fewest_clicks(layout, seconds=0.0)
    assert without_time.upper == found[0].upper and not without_time.proved


def test_windows_find_better_paths() -> None:
    """The improvement alone reaches a best path, with no help of the search for cores."""
    from satsweep.clicks.fewest import improvements

    layout = random_layout("beginner", seed=2)
    best = fewest_clicks(layout).upper
    search = CoreSearch(model_of(layout))
    climbing = improvements(search)
    steps = 0
    while search.upper > best and steps < 20_000:
        next(climbing)
        steps += 1
    search.close()
    assert search.upper == best and search.lower == 0


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_regions_grow_and_overlap(topology: str) -> None:
    table = table_of(random_layout(12, 12, 20, 1, topology=topology))
    *found, everything = overlapping_regions(table)
    assert everything == frozenset(range(144))
    small = found[: OVERLAP * 144 // 15]
    assert frozenset().union(*small) == everything and all(15 <= len(region) <= 45 for region in small)
    covered = [sum(cell in region for region in small) for cell in everything]
    assert min(covered) >= OVERLAP // 2
    assert sum(len(region) for region in found[-3:]) > 3 * 90


@given(st.integers(1, 7).flatmap(lambda n: st.lists(st.sets(st.integers(0, n - 1)), min_size=n, max_size=n)), st.data())
def test_source_components_are_what_must_be_entered(arcs: list[set[int]], data: st.DataObject) -> None:
    start = data.draw(st.sets(st.sampled_from(range(len(arcs)))))
    reach = [{node} for node in range(len(arcs))]
    for _ in arcs:
        reach = [nodes | {other for node in nodes for other in arcs[node]} for nodes in reach]
    left = set(range(len(arcs))) - {other for node in start for other in reach[node]}
    sources = {
        frozenset(other for other in reach[node] & left if node in reach[other])
        for node in left
        if all(node in reach[other] <= reach[node] for other in left if node in reach[other])
    }
    assert {frozenset(nodes) for nodes in source_components([sorted(own) for own in arcs], start)} == sources


def fewest_by_cp_sat(model: ClickModel) -> int:
    """The least cost of a model by CP-SAT, with cuts until all nodes are reached."""
    from ortools.sat.python import cp_model

    variables = Variables(model)
    problem = cp_model.CpModel()
    clicks = {number: problem.new_bool_var(str(number)) for number in variables.cells}
    problem.minimize(sum(clicks.values()))
    clauses = [*variables.flag_clauses(), *map(variables.cut, first_cuts(model))]
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.optimize_with_core = True
    while clauses:
        for clause in clauses:
            problem.add_bool_or(clicks[literal] if literal > 0 else ~clicks[-literal] for literal in clause)
        assert solver.solve(problem) == cp_model.OPTIMAL
        chosen: Selection = variables.selection(number for number in clicks if solver.boolean_value(clicks[number]))
        clauses = [variables.cut(nodes) for nodes in model.unreached(chosen)]
    return round(solver.objective_value)


@both_engines
@pytest.mark.extended
def test_cp_sat_agrees() -> None:
    for seed in range(3):
        layout = random_layout("beginner", seed=f"CP-SAT {seed}")
        assert fewest_by_cp_sat(model_of(layout)) == fewest_clicks(layout).upper


@both_engines
@pytest.mark.slow
def test_cp_sat_agrees_on_300_beginner_boards() -> None:
    for seed in range(300):
        layout = random_layout("beginner", seed=f"CP-SAT {seed}")
        found = fewest_clicks(layout)
        assert found.proved and fewest_by_cp_sat(model_of(layout)) == found.upper


LAYOUT = Layout(("..*", "..."))


@pytest.mark.parametrize(
    ("start", "board", "message"),
    [
        ((0, 2), None, "expected a start on a covered safe cell, found a mine at 0,2"),
        ((5, 5), None, "5,5"),
        ([(0, 0), (1, 0)], None, "expected a start on a covered safe cell, found an open cell at 1,0"),
        ((), Board(("##", "##")), "expected a board of 2x3, square, as the layout"),
        ((), Board(("###", "###"), mines=2), "expected the 1 mines of the layout, found 2"),
        ((), Board(("#2#", "###")), "expected a position of the layout, which has 1 here, found 2"),
        ((), Board(("##1", "###")), "which has a mine here, found 1"),
        ((), Board((".##", "###")), "expected open or flagged cells around an open cell without mines around"),
    ],
)
def test_starts_and_boards_that_cannot_be(start: tuple[int, int], board: Board | None, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        fewest_clicks(LAYOUT, start, board=board)


def test_arguments() -> None:
    with pytest.raises(ValueError, match="expected seconds of at least 0"):
        fewest_clicks(LAYOUT, seconds=math.nan)
    with pytest.raises(TypeError, match="a number for seconds"):
        fewest_clicks(LAYOUT, seconds="long")  # type: ignore[arg-type]
    with pytest.raises(BoardError, match="expected a game, found no move"):
        fewest_clicks(("*",)).record()


@settings(max_examples=5)
@given(layouts(max_cells=20))
def test_the_start_of_the_layout_counts(layout: Layout) -> None:
    if layout.start is not None and not layout.is_mine(layout.start):
        found = fewest_clicks(layout)
        assert found.path[0].cell == layout.start and found == fewest_clicks(layout, layout.start)
