"""Ratings against other ways: every layout listed, games of ``sat``, best play by recursion."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, strategies as st

from satsweep import AGENTS, BoardError, Layout, agent_named, analyse, play
from satsweep.assessment import rate as rating_module
from satsweep.assessment.rate import FEW, MOST_WORLDS, FirstGuess, Rating, exact_win_chance, rate, ratings
from satsweep.board import Board, Cell
from satsweep.clues import clues_named
from satsweep.formats import certificates
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.record import MoveReason, Outcome
from satsweep.generator.no_guess import drawn, unsolved
from satsweep.generator.spec import WEAKER_AGENTS, BoardSpec
from satsweep.generator.walkthrough import GIVEN_START_RULES, board_numbers, claims_beyond
from satsweep.proofs import trace as trace_checker
from satsweep.proofs.certificate import Rejected
from satsweep.proofs.trace import GuessProof
from satsweep.solver import compiled
from satsweep.solver.budget import Budget
from satsweep.topology import HEXAGONAL, TORUS
from tests.no_guess import every_layout, needs_no_guess
from tests.strategies import cascade, layouts


def started(data: st.DataObject, layout: Layout) -> Layout | None:
    free = [(r, c) for r in range(layout.rows) for c in range(layout.cols) if not layout.is_mine((r, c))]
    return Layout(layout.cells, data.draw(st.sampled_from(free)), layout.topology) if free else None


# --- the need of a guess --------------------------------------------------------------------------------------------


@given(layouts(max_cells=12), st.data())
def test_the_need_of_a_guess(layout: Layout, data: st.DataObject) -> None:
    """It is that of a player who lists every layout after every step; each answer has its proof."""
    started_layout = started(data, layout)
    if started_layout is None:
        return
    every = every_layout(layout.rows, layout.cols, layout.mines, started_layout.start or (0, 0), layout.topology)
    found = rate(started_layout)
    assert found.needs_guess is not needs_no_guess(started_layout, every)
    assert found.layout == started_layout and found == rate(layout, started_layout.start)
    (quick,) = ratings([started_layout])
    assert quick.needs_guess == found.needs_guess and quick.quick and not found.quick
    if found.needs_guess:
        assert found.trace is None and found.guess is not None and not found.cleared_by
        check_first_guess(found.guess, started_layout)
    else:
        assert found.trace is not None and found.guess is None and found.cleared_by[-1] == "sat"
        trace_checker.check(found.trace)


def check_first_guess(guess: FirstGuess, layout: Layout) -> None:
    """Compare a first guess with all worlds of its position."""
    position, start = guess.proof.board, layout.start
    assert guess.proof.layout == layout and start is not None
    worlds = worlds_of(position)
    assert {world.cells for world in guess.proof.worlds} <= {world.cells for world in worlds}
    chances = {cell: Fraction(sum(world.is_mine(cell) for world in worlds), len(worlds)) for cell in position.covered}
    assert set(guess.cells) == {cell for cell, chance in chances.items() if 0 < chance < 1}
    assert not any(chance == 0 for chance in chances.values())
    assert guess.risk == chances[guess.cell] == min(chances.values())
    assert guess.mine_world.is_mine(guess.cell) and not guess.safe_world.is_mine(guess.cell)
    assert {guess.mine_world, guess.safe_world} <= set(guess.proof.worlds)
    for cell in guess.cells:
        assert any(world.is_mine(cell) for world in guess.proof.worlds)


def worlds_of(board: Board) -> list[Layout]:
    """All layouts that agree with a position without known mines."""
    first = next(cell for cell in board if not board.is_covered(cell))
    every = every_layout(board.rows, board.cols, board.mines or 0, first, board.topology)
    seen = [cell for cell in board if not board.is_covered(cell)]
    return [
        Layout(layout.cells, topology=layout.topology)
        for layout in every
        if all(layout.number(cell) == board.number(cell) for cell in seen)
    ]


@pytest.mark.extended
def test_games_of_sat_agree() -> None:
    """The agent guesses in a game from the start exactly if the rating says so."""
    guesses = 0
    for number in range(40):
        layout, _ = drawn(BoardSpec(7, 7, 9, start=Cell(3, 3)), "rated", number)
        found = rate(layout)
        game = play(layout, agent_named("sat"), GIVEN_START_RULES)
        reasons = [move.reason for move in game.moves]
        assert found.needs_guess is (MoveReason.GUESSED in reasons)
        if found.guess is not None:
            guesses += 1
            place = reasons.index(MoveReason.GUESSED)
            revealed = {cell for move in game.moves[:place] for cell, _ in move.revealed}
            assert revealed == set(found.guess.proof.board) - set(found.guess.proof.board.covered)
            risk = game.moves[place].risk
            assert risk is None or risk == found.guess.risk
        else:
            assert game.outcome is Outcome.CLEARED
    assert 0 < guesses < 40


# --- difficulty -----------------------------------------------------------------------------------------------------


def test_agents_and_techniques() -> None:
    clearing: set[tuple[str, ...]] = set()
    for number in range(12):
        layout, _ = drawn(BoardSpec(9, 9, 14), "techniques", number)
        found = rate(layout)
        assert (found.bv, found.openings, found.islands) == board_numbers(layout)
        assert found.beyond == claims_beyond(layout)
        assert set(found.cleared_by) == {name for name in (*WEAKER_AGENTS, "sat") if unsolved(layout, name) is None}
        assert set(found.cleared_by) <= set(AGENTS)
        assert found.record is not None and found.chain is not None and found.chain > 0
        assert found.record.won is not found.needs_guess
        clearing.add(found.cleared_by)
    assert len(clearing) > 1


def test_without_a_start_there_are_numbers_only() -> None:
    layout = Layout(("..*.", "....", ".*..", "...."))
    found = rate(layout)
    assert found == Rating(layout, 6, 2, 2, quick=True) and found.needs_guess is None


def test_a_budget_for_risks() -> None:
    layout = random_layout(16, 30, 99, game_rng("budget", 0))
    start = next(cell for cell in layout.board(()) if layout.number(cell) == 2)
    found = rate(layout, start, budget=Budget(states=1))
    whole = rate(layout, start)
    assert found.guess is not None and whole.guess is not None
    assert found.guess.proof.board == whole.guess.proof.board and whole.guess.risk is not None
    assert found.guess.cell in found.guess.cells and found.guess.risk in (None, whole.guess.risk)


# --- best play ------------------------------------------------------------------------------------------------------


def best_chance(worlds: list[Layout], opened: frozenset[Cell]) -> Fraction:
    """Win chance of best play among worlds, all of which agree with what is open."""

    @cache
    def value(possible: tuple[int, ...], seen: frozenset[Cell]) -> int:
        """Worlds that best play wins."""
        layout = worlds[possible[0]]
        if len(seen) + layout.mines == layout.rows * layout.cols:
            return len(possible)
        return max(sum(outcomes(possible, seen, cell)) for cell in layout.board(()) if cell not in seen)

    def outcomes(possible: tuple[int, ...], seen: frozenset[Cell], cell: Cell) -> Iterator[int]:
        shown: dict[frozenset[tuple[Cell, int | None]], tuple[list[int], frozenset[Cell]]] = {}
        for place in possible:
            if not worlds[place].is_mine(cell):
                revealed = frozenset(cascade(worlds[place], cell)) | seen
                key = frozenset((other, worlds[place].number(other)) for other in revealed)
                shown.setdefault(key, ([], revealed))[0].append(place)
        for alike, revealed in shown.values():
            yield value(tuple(alike), revealed)

    return Fraction(value(tuple(range(len(worlds))), opened), len(worlds))


@pytest.mark.extended
def test_the_win_chance_is_that_of_best_play() -> None:
    known = 0
    for number in range(14):
        layout, _ = drawn(BoardSpec(4, 4, 5, start=Cell(0, 0)), "best", number)
        found = rate(layout).guess
        if found is not None and len(worlds := worlds_of(found.proof.board)) <= 30:
            seen = frozenset(set(found.proof.board) - set(found.proof.board.covered))
            assert found.win_chance == best_chance(worlds, seen)
            known += 1
    assert known > 3


@pytest.mark.extended
def test_the_kernels_find_the_same_win_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = analyse(Board(("1####", "#####", "#####"), mines=3))
    assert analysis.worlds is not None and 100 < analysis.worlds <= MOST_WORLDS
    found = exact_win_chance(analysis)
    monkeypatch.setattr(rating_module, "endgame", lambda analysis: None)
    assert found is not None and exact_win_chance(analysis) == found


def test_no_win_chance_of_many_worlds_without_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = analyse(Board(("1######",) + ("#######",) * 3, mines=4))
    assert analysis.worlds is not None and MOST_WORLDS > analysis.worlds > 1_000
    monkeypatch.setattr(compiled, "is_there", lambda: False)
    assert exact_win_chance(analysis) is None


# --- many -----------------------------------------------------------------------------------------------------------


def many() -> list[Layout]:
    """Layouts of several kinds, mixed, more than a batch takes to load the kernels."""
    specs = [
        BoardSpec(9, 9, 12),
        BoardSpec(9, 9, 12, start=Cell(4, 4)),
        BoardSpec(6, 8, 8, topology=TORUS),
        BoardSpec(6, 8, 8, topology=HEXAGONAL),
    ]
    found = [drawn(spec, "many", number)[0] for number in range(FEW) for spec in specs]
    return [*found, Layout(("..*.",)), Layout(("....", "..*."), start=(0, 0))]


@pytest.mark.extended
def test_quick_ratings_are_the_same_by_kernels_and_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    given_layouts = many()
    by_kernels = list(ratings(given_layouts))
    monkeypatch.setattr(rating_module, "_stuck_by_kernels", lambda layouts, exact: {})
    assert list(ratings(given_layouts)) == by_kernels
    assert [found.layout for found in by_kernels] == given_layouts
    assert {found.needs_guess for found in by_kernels} == {True, False, None}
    assert {found.cleared_by for found in by_kernels} == {(), ("sat",), ("basic", "sat")}
    for found in by_kernels[:20]:
        assert found.needs_guess is (unsolved(found.layout, "sat") is not None)
        assert ("basic" in found.cleared_by) is (unsolved(found.layout, "basic") is None)


@pytest.mark.extended
def test_layouts_beyond_the_kernels_go_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    genuine, beyond = compiled.find_no_guess, 0

    def find(table: object, mines: int, seed: str, candidates: range, *rest: object, **more: object) -> object:
        nonlocal beyond
        found = genuine(table, mines, seed, candidates, *rest, **more)  # type: ignore[arg-type]
        if found.outcome == "cleared" and not beyond:
            beyond += 1
            return found._replace(outcome="beyond")
        return found

    monkeypatch.setattr(compiled, "find_no_guess", find, raising=False)
    given_layouts = many()[: 4 * FEW : 4]
    found = list(ratings(given_layouts))
    assert beyond == 1
    assert [one.needs_guess for one in found] == [unsolved(layout, "sat") is not None for layout in given_layouts]


# --- proofs that a guess is needed ----------------------------------------------------------------------------------

LAYOUT = Layout(("..", ".*"), start=(0, 0))
POSITION = Board(("1#", "##"), mines=1)
WORLDS = (Layout(("..", ".*")), Layout(("..", "*.")), Layout((".*", "..")))
PROOF = GuessProof(LAYOUT, POSITION, WORLDS)


def test_a_proof() -> None:
    assert trace_checker.check_guess(PROOF) == 3
    assert certificates.from_json(certificates.to_json(PROOF)) == PROOF


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"worlds": WORLDS[:2]}, "cell 0,1: expected a world with a mine there"),
        ({"worlds": (*WORLDS, Layout(("**", "..")))}, "world 4: expected the mine total 1, found 2"),
        ({"worlds": (*WORLDS, Layout(("*.", "..")))}, "cell 0,0: world 4 does not agree with the position"),
        ({"worlds": (Layout((".*.", "...")),)}, "world 1: expected a layout of the same grid"),
        ({"layout": replace(LAYOUT, start=Cell(0, 1))}, "cell 0,1: the start is not open"),
        ({"layout": Layout(("..", "**"), start=(0, 0))}, "expected the mine total 2, found 1"),
        ({"layout": Layout(("..*", "..."), start=(0, 0))}, "the position is one of another layout"),
        ({"layout": Layout(("*.", ".."), start=(1, 1)), "board": Board(("##", "#1"), mines=1)}, "cell 1,0: expected"),
        ({"board": Board(("2#", "##"), mines=1)}, "cell 0,0: the position is one of another layout"),
        ({"board": Board(("1#", "#*"), mines=1)}, "cell 1,1: expected covered and open cells only"),
        ({"board": Board(("1F", "##"), mines=1)}, "cell 0,1: expected covered and open cells only"),
        ({"board": Board(("1#", "##"))}, "expected the mine total 1, found None"),
        ({"board": replace(POSITION, clues=clues_named("underestimate"))}, "expected a position with exact"),
        ({"board": Board(("11", "1#"), mines=1)}, "the board is cleared"),
    ],
)
def test_tampered_proofs(changes: dict[str, object], message: str) -> None:
    changed = {"layout": LAYOUT, "board": POSITION, "worlds": WORLDS, **changes}
    if message.startswith("cell 1,0"):
        changed["worlds"] = (Layout(("*.", "..")), Layout((".*", "..")))
    with pytest.raises(Rejected) as caught:
        trace_checker.check_guess(GuessProof(**changed))  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


def test_a_proof_has_a_start() -> None:
    with pytest.raises(BoardError, match="expected a layout with a start"):
        trace_checker.check_guess(replace(PROOF, layout=replace(LAYOUT, start=None)))


@given(layouts(max_cells=12), st.data())
def test_no_proof_for_boards_that_need_no_guess(layout: Layout, data: st.DataObject) -> None:
    """Whatever position of the layout is shown: all its worlds together are no proof."""
    started_layout = started(data, layout)
    if started_layout is None or started_layout.start is None:
        return
    every = every_layout(layout.rows, layout.cols, layout.mines, started_layout.start, layout.topology)
    if not needs_no_guess(started_layout, every):
        return
    free = [cell for cell in layout.board(()) if not layout.is_mine(cell)]
    opened = {*data.draw(st.sets(st.sampled_from(free))), started_layout.start}
    board = layout.board(opened)
    with pytest.raises(Rejected):
        trace_checker.check_guess(GuessProof(started_layout, board, tuple(worlds_of(board))))


@pytest.mark.parametrize(
    ("before", "after", "line", "column", "message"),
    [
        ('"mines": 1', '"mines": 2', 2, 12, "expected the total to be the 1 mine shown, found 2"),
        ('"1#"', '"1x"', 9, 5, "expected one of #"),
        ('["..", ".*"]', '["..", "."]', 13, 5, "expected 2 cells"),
        ('["..", ".*"]', "3", 13, 5, "expected an item of 'worlds' as a list"),
        ('"board"', '"position"', 8, 15, "expected a key among"),
    ],
)
def test_malformed_proofs(before: str, after: str, line: int, column: int, message: str) -> None:
    text = certificates.to_json(PROOF)
    assert before in text
    with pytest.raises(BoardError) as caught:
        certificates.from_json(text.replace(before, after, 1))
    assert message in caught.value.message and (caught.value.line, caught.value.column) == (line, column)
