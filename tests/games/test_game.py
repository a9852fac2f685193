"""Tests of the rules of play: promises, revealed cells, and every outcome."""

import itertools
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random
from typing import Any, Literal

import pytest
import scipy
from hypothesis import assume, given, strategies as st

from satsweep.agents import AGENTS, agent_named
from satsweep.board import NUMBERS, Board, Cell
from satsweep.clues import clues_named
from satsweep.errors import AgentError, BoardError
from satsweep.games.agent import Agent, Deduction, Guess, Inference, Thinking
from satsweep.games.deal import with_start
from satsweep.games.game import Game, play, play_moves, record
from satsweep.games.record import Action, MoveReason, Outcome
from satsweep.games.rules import FIND_MINES_RULES, FirstClick, Goal, Rules
from satsweep.layout import Layout
from tests.brute_force import chance, touching
from tests.strategies import CLUE_MODELS, cascade, clue_models, layouts

CORNER = Layout(("*..", "...", "..."))
ANY = Rules(first=FirstClick.ANY)


def playing(*claims: Any, guesses: Sequence[object] = ()) -> Agent:
    """Make an agent that returns given claims and guesses in turn, and then none."""
    said, guessed = iter(claims), iter(guesses)
    return Agent(lambda board: next(said, Deduction()), lambda board, rng: next(guessed, None))  # type: ignore[arg-type,return-value]


class Choosing(Random):
    """Random generator whose samples are chosen; it records the population."""

    chosen: tuple[int, ...] = ()
    drawn_from: list[int]

    def sample(self, population: Any, k: int, **options: Any) -> list[Any]:
        self.drawn_from = list(population)
        return [population[place] for place in self.chosen]


# --- the first cell --------------------------------------------------------------------------------------------


def moved_layouts(layout: Layout, rules: Rules, first: Cell) -> Counter[Layout]:
    """Count how often each layout is played, over every sample for moved mines."""
    rng = Choosing()
    game = Game(layout, rules, rng)
    blank = Board(("#" * layout.cols,) * layout.rows, topology=layout.topology)
    promised = {first} | ({*blank.neighbours(first)} if rules.first is FirstClick.ZERO else set())
    moving = sum(map(layout.is_mine, promised))
    free = layout.rows * layout.cols - layout.mines - len(promised) + moving
    found: Counter[Layout] = Counter()
    for chosen in combinations(range(free), moving):
        rng.chosen = chosen
        game = Game(layout, rules, rng)
        game.open(first)
        if moving:
            assert len(rng.drawn_from) == free
        found[game.layout] += 1
    return found


@pytest.mark.parametrize(("rows", "cols", "mines"), [(2, 3, 2), (3, 3, 3), (3, 3, 4), (1, 6, 3), (3, 4, 2)])
@pytest.mark.parametrize("first", [FirstClick.SAFE, FirstClick.ZERO])
def test_moved_mines_leave_every_allowed_layout_equally_likely(
    rows: int, cols: int, mines: int, first: FirstClick
) -> None:
    """The layout after moving is uniform among those that keep the promise."""
    rules = Rules(first=first)
    blank = Board(("#" * cols,) * rows)
    for start in (Cell(0, 0), Cell(rows - 1, cols // 2)):
        promised = {start, *blank.neighbours(start)} if first is FirstClick.ZERO else {start}
        weights: Counter[Layout] = Counter()
        room = rows * cols - len(promised) >= mines
        for mined in combinations(range(rows * cols), mines):
            layout = Layout(("." * cols,) * rows).with_mines(set(mined))
            if not room:
                with pytest.raises(BoardError, match="expected room for a"):
                    Game(layout, rules).open(start)
                return
            found = moved_layouts(layout, rules, start)
            for moved, times in found.items():
                weights[moved] += Fraction(times, found.total())  # type: ignore[assignment]
        assert len(set(weights.values())) == 1
        assert len(weights) == comb(rows * cols - len(promised), mines)
        assert all(not moved.is_mine(cell) for moved in weights for cell in promised)


def test_only_the_first_opened_cell_is_promised() -> None:
    layout = Layout(("**", ".."))
    game = Game(layout, Rules(fatal=False), Random(1))
    game.flag((1, 0))
    game.open((0, 0))
    assert not game.layout.is_mine((0, 0)) and game.layout.is_mine((0, 1)) and game.layout.mines == 2
    assert game.open((0, 1)).exploded


def test_a_given_start_is_that_of_the_layout_or_of_the_rules() -> None:
    layout = Layout(("*..", "..."), start=(1, 2))
    assert Game(layout, Rules(first=FirstClick.GIVEN)).start == (1, 2)
    assert Game(layout, Rules(first=FirstClick.GIVEN, start=Cell(0, 1))).start == (0, 1)
    assert Game(layout).start is None
    mined = Layout(("*..",), start=(0, 0))
    game = play(mined, playing(), Rules(first=FirstClick.GIVEN))
    assert game.outcome is Outcome.EXPLODED and game.layout == mined
    with pytest.raises(BoardError, match="expected a layout with a start"):
        Game(CORNER, Rules(first=FirstClick.GIVEN))


@pytest.mark.parametrize("start", [(3, 0), (0, 3), (-1, 0), (0, -1)])
def test_a_start_off_the_grid_is_refused(start: tuple[int, int]) -> None:
    with pytest.raises(BoardError, match="expected a start on the 3x3 grid"):
        Game(CORNER, Rules(start=Cell(*start)))


def test_the_rules_open_the_start_before_the_agent_is_asked() -> None:
    game = play(CORNER, playing(), Rules(start=Cell(2, 2), cascade=False))
    assert [(move.turn, move.action, move.cell, move.reason) for move in game.moves] == [
        (0, Action.OPEN, (2, 2), MoveReason.START)
    ]
    assert game.outcome is Outcome.STUCK


@given(layouts(), st.integers(0, 5))
def test_with_start_draws_a_safe_cell(layout: Layout, seed: int) -> None:
    if layout.mines == layout.rows * layout.cols:
        with pytest.raises(BoardError, match="expected a safe cell to start"):
            with_start(layout, Random(seed))
        return
    started = with_start(layout, Random(seed))
    assert started.start is not None and not layout.is_mine(started.start)
    assert (started.cells, started.topology) == (layout.cells, layout.topology)


# --- what a move reveals ---------------------------------------------------------------------------------------


@given(layouts(), st.data())
def test_opening_reveals_what_the_layout_holds(layout: Layout, data: st.DataObject) -> None:
    cells = [Cell(row, col) for row in range(layout.rows) for col in range(layout.cols)]
    cell = data.draw(st.sampled_from(cells))
    spread = Game(layout, Rules(first=FirstClick.ANY, fatal=False)).open(cell)
    alone = Game(layout, Rules(first=FirstClick.ANY, fatal=False, cascade=False)).open(cell)
    assert {opened for opened, _ in spread.revealed} == cascade(layout, cell)
    assert len(set(spread.revealed)) == len(spread.revealed) and spread.revealed[0][0] == cell
    assert all(number == layout.number(opened) for opened, number in spread.revealed)
    assert alone.revealed == ((cell, layout.number(cell)),)


@given(layouts(), st.randoms(use_true_random=False), st.booleans(), st.booleans())
def test_the_board_is_what_was_opened_and_flagged(layout: Layout, rng: Random, cascades: bool, tells: bool) -> None:
    """After any sequence of actions the board shows the layout, and the counts agree."""
    rules = Rules(first=FirstClick.ANY, fatal=False, cascade=cascades, tells_total=tells)
    game = Game(layout, rules)
    opened: set[Cell] = set()
    flags: set[Cell] = set()
    while game.outcome is None:
        cell = rng.choice([cell for cell in game.board if game.is_covered(cell)])
        action = rng.choice(["open", "open", "flag", "unflag"])
        move = getattr(game, action)(cell)
        if action == "open":
            opened |= {other for other, _ in move.revealed}
            flags.discard(cell)
            assert not flags & opened, "a cascade goes around flags"
        else:
            flags = flags | {cell} if action == "flag" else flags - {cell}
        seen = layout.board(opened, tells_total=tells)
        rows = ["".join("F" if (r, c) in flags else s for c, s in enumerate(row)) for r, row in enumerate(seen.cells)]
        assert game.board == Board(rows, mines=seen.mines, topology=layout.topology)
        assert game.mines_left == layout.mines - len(flags) - sum(map(layout.is_mine, opened))
        assert all(game.is_flagged(cell) for cell in flags)
    covered = [cell for cell in game.board if game.board[cell] == "#"]
    assert not covered
    right = not any(map(layout.is_mine, opened)) and not any(not layout.is_mine(cell) for cell in flags)
    assert game.outcome is (Outcome.CLEARED if right else Outcome.PLAYED_OUT)


@pytest.mark.parametrize("size", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_cascade_needs_no_stack(size: int) -> None:
    """A recursive cascade would be too deep for Python long before that."""
    game = Game(Layout(("." * size,) * size), ANY)
    move = game.open((size // 2, size // 2))
    assert len(move.revealed) == size * size and game.outcome is Outcome.CLEARED


# --- what cells show where clues are not exact -------------------------------------------------------------------


def shown_alone(layout: Layout, rules: Rules, seed: int) -> dict[Cell, int | Literal["?"] | None]:
    """Return what each safe cell shows if it is opened by itself, the last one first."""
    game = Game(layout, replace(rules, first=FirstClick.ANY, cascade=False, fatal=False), clue_seed=seed)
    cells = [Cell(row, col) for row in range(layout.rows) for col in range(layout.cols)]
    shown = [game.open(cell).revealed[0] for cell in reversed(cells) if not layout.is_mine(cell)]
    return dict(shown)


def leaves_no_room(clues: str, shown: object, around: int) -> bool:
    """Return whether no cell with a mine around can show this."""
    assert isinstance(shown, int | str)
    symbol = shown if isinstance(shown, str) else NUMBERS[shown]
    return bool(chance(clues, symbol, 0, around)) and not any(
        chance(clues, symbol, mines, around) for mines in range(1, around + 1)
    )


@given(layouts(), clue_models, st.integers(0, 2**32 - 1), st.data())
def test_a_cascade_goes_on_where_what_is_shown_leaves_no_room(
    layout: Layout, model: str, seed: int, data: st.DataObject
) -> None:
    """A cell shows the same number in a cascade as when it is opened by itself."""
    rules = Rules(FirstClick.ANY, fatal=False, clues=clues_named(model))
    shown = shown_alone(layout, rules, seed)
    assume(shown)
    start = data.draw(st.sampled_from(sorted(shown)))
    game = Game(layout, rules, clue_seed=seed)
    move = game.open(start)
    board = game.board
    reached, waiting = {start}, [start]
    for cell in waiting:
        around = touching(board, cell)
        if leaves_no_room(model, shown[cell], len(around)):
            assert not any(map(layout.is_mine, around))
            waiting += sorted(around - reached)
            reached |= around
    assert dict(move.revealed) == {cell: shown[cell] for cell in reached}
    assert len(move.revealed) == len(reached) and move.revealed[0][0] == start
    for cell in board:
        number = shown.get(cell) if cell in reached else "#"
        assert board[cell] == ("?" if number is None else number if isinstance(number, str) else NUMBERS[number])
    assert board.clues == rules.clues


@given(layouts(), clue_models, st.integers(0, 99))
def test_no_mine_around_is_a_promise_that_opens_neighbours(layout: Layout, model: str, seed: int) -> None:
    """Neighbours open for any shown number; without a cascade they stay covered."""
    start = Cell(layout.rows // 2, layout.cols // 2)
    around = layout.board([]).neighbours(start)
    assume(layout.mines + 1 + len(around) <= layout.rows * layout.cols)
    for cascades in (True, False):
        game = Game(layout, Rules(FirstClick.ZERO, cascade=cascades, clues=clues_named(model)), Random(seed))
        opened = {cell for cell, _ in game.open(start).revealed}
        assert opened >= {start, *around} if cascades else opened == {start}
        assert not any(map(game.layout.is_mine, {start, *around} | opened))


class Listing(Random):
    """Random generator that enumerates every possible outcome of a draw."""

    def __init__(self) -> None:
        super().__init__()
        self.ways: list[int] = []
        self.last: list[int] = []
        self.at = 0
        self.probability = Fraction(1)

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        low, high = (0, start) if stop is None else (start, stop)
        if self.at == len(self.ways):
            self.ways.append(low)
        drawn = self.ways[self.at]
        self.at += 1
        self.last[self.at - 1 :] = [high - 1]
        self.probability /= high - low
        return drawn

    def again(self) -> bool:
        """Go on to the next outcome; False if there is none."""
        self.probability, self.at = Fraction(1), 0
        while self.ways and self.ways[-1] == self.last[len(self.ways) - 1]:
            self.ways.pop()
        if self.ways:
            self.ways[-1] += 1
        return bool(self.ways)


@pytest.mark.parametrize("model", CLUE_MODELS)
def test_clues_are_drawn_as_the_model_says(model: str) -> None:
    """Every outcome of the draw, for every number of mines among up to ten neighbours."""
    clues = clues_named(model)
    for mines, around in itertools.combinations_with_replacement(range(11), 2):
        rng, found = Listing(), dict[int | None, Fraction]()
        while True:
            shown = clues.draw(mines, around, rng)
            found[shown] = found.get(shown, Fraction(0)) + rng.probability
            if not rng.again():
                break
        for number in (None, *range(36)):
            symbol = "?" if number is None else NUMBERS[number]
            said = chance(model, symbol, mines, around) if number is not None or model.startswith("random") else 0
            assert found.get(number, 0) == said
        assert sum(found.values()) == 1


@pytest.mark.parametrize("model", CLUE_MODELS)
def test_cells_are_drawn_independently(model: str) -> None:
    """A chi-square test on pairs of two adjacent cells, over 1,500 fixed seeds."""
    layout, cells = Layout(("*.*", "*..", "...")), (Cell(0, 1), Cell(1, 1))
    clues, games = clues_named(model), 1500
    counts: Counter[tuple[object, ...]] = Counter()
    for seed in range(games):
        game = Game(layout, Rules(FirstClick.ANY, cascade=False, clues=clues), clue_seed=seed)
        counts[tuple(game.open(cell).revealed[0][1] for cell in cells)] += 1
    odds = [
        {
            "?" if shown is None else shown: Fraction(weight, clues.scale(around))
            for shown, weight in clues.shown(layout.number(cell) or 0, around)
        }
        for cell, around in zip(cells, (5, 8), strict=True)
    ]
    expected = {(one, other): odds[0][one] * odds[1][other] * games for one in odds[0] for other in odds[1]}
    assert counts.keys() <= expected.keys()
    statistic = sum((counts[pair] - often) ** 2 / often for pair, often in expected.items())
    assert float(statistic) < scipy.stats.chi2.ppf(0.999, len(expected) - 1)


def test_games_have_a_clue_seed_of_their_own_if_clues_are_not_exact() -> None:
    rules = Rules(FirstClick.ANY, clues=clues_named("underestimate"))
    seeds = {Game(CORNER, rules, Random(seed)).clue_seed for seed in range(20)}
    assert len(seeds) == 20 and None not in seeds
    assert Game(CORNER, rules, Random(1)).clue_seed == Game(CORNER, rules, Random(1)).clue_seed
    assert Game(CORNER, ANY, Random(1)).clue_seed is None
    assert Game(CORNER, rules, clue_seed=7).clue_seed == 7


# --- how games end ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "moves", "outcome"),
    [
        (ANY, [("open", (0, 1))], Outcome.CLEARED),
        (ANY, [("open", (0, 0))], Outcome.EXPLODED),
        (ANY, [("flag", (0, 0))], None),
        (ANY, [("flag", (0, 1)), ("flag", (0, 0)), ("open", (0, 1))], Outcome.CLEARED),
        (Rules(FirstClick.ANY, fatal=False), [("open", (0, 1))], None),
        (Rules(FirstClick.ANY, fatal=False), [("open", (0, 1)), ("flag", (0, 0))], Outcome.CLEARED),
        (Rules(FirstClick.ANY, fatal=False), [("open", (0, 0)), ("open", (0, 1))], Outcome.PLAYED_OUT),
        (Rules(FirstClick.ANY, fatal=False), [("flag", (0, 0)), ("flag", (0, 1))], Outcome.PLAYED_OUT),
        (Rules(FirstClick.ANY, fatal=False), [("flag", (0, 1)), ("open", (0, 0))], Outcome.PLAYED_OUT),
        (Rules(FirstClick.ANY, fatal=False, goal=Goal.FIND), [("open", (0, 0))], Outcome.FOUND),
        (Rules(FirstClick.ANY, fatal=False, goal=Goal.FIND), [("flag", (0, 0))], Outcome.FOUND),
        (Rules(FirstClick.ANY, fatal=False, goal=Goal.FIND), [("flag", (0, 1))], Outcome.MISTAKEN),
        (Rules(FirstClick.ANY, fatal=False, goal=Goal.FIND), [("open", (0, 1))], None),
        (Rules(FirstClick.ANY, goal=Goal.FIND), [("open", (0, 0))], Outcome.EXPLODED),
        (Rules(FirstClick.ANY, goal=Goal.FIND), [("open", (0, 1)), ("flag", (0, 0))], Outcome.FOUND),
    ],
)
def test_outcomes(rules: Rules, moves: list[tuple[str, tuple[int, int]]], outcome: Outcome | None) -> None:
    game = Game(Layout(("*.",)), rules)
    for number, (action, cell) in enumerate(moves):
        assert game.outcome is None, f"the game ended before move {number}"
        getattr(game, action)(cell)
    assert game.outcome is outcome


@pytest.mark.parametrize(
    ("layout", "rules", "outcome"),
    [
        (Layout(("**",)), ANY, Outcome.CLEARED),
        (Layout(("..",)), Rules(FirstClick.ANY, goal=Goal.FIND), Outcome.FOUND),
        (Layout(("..",)), ANY, None),
        (Layout(("**",)), Rules(FirstClick.ANY, fatal=False), None),
    ],
)
def test_games_that_are_over_before_they_begin(layout: Layout, rules: Rules, outcome: Outcome | None) -> None:
    assert Game(layout, rules).outcome is outcome
    if outcome is not None:
        assert play(layout, playing(), rules).moves == ()


def test_every_outcome_is_known_and_only_reaching_the_goal_wins() -> None:
    assert {outcome for outcome in Outcome if outcome.won} == {Outcome.CLEARED, Outcome.FOUND}
    assert len({outcome.why for outcome in Outcome}) == len(Outcome)


@pytest.mark.parametrize("action", ["open", "flag", "unflag", "note"])
def test_nothing_moves_after_the_end(action: str) -> None:
    game = Game(CORNER, ANY)
    game.open((0, 0))
    act: Callable[..., object] = getattr(game, action)
    arguments = ((1, 1), MoveReason.DEDUCED) if action == "note" else ((1, 1),)
    with pytest.raises(BoardError, match="expected a game that goes on, found it exploded"):
        act(*arguments)
    game.stop(Outcome.STOPPED)
    assert game.outcome is Outcome.EXPLODED, "the end of a game does not change"
    assert len(game.moves) == 1


@pytest.mark.parametrize("action", ["open", "flag", "unflag", "note"])
@pytest.mark.parametrize("cell", [(2, 2), (3, 0), (0, 3), (-1, 0), (0, -1)])
def test_only_covered_cells_can_be_acted_on(action: str, cell: tuple[int, int]) -> None:
    game = Game(CORNER, Rules(first=FirstClick.ANY, cascade=False))
    game.open((2, 2))
    act: Callable[..., object] = getattr(game, action)
    with pytest.raises(BoardError, match="expected a covered cell, found"):
        act(*((cell, MoveReason.DEDUCED) if action == "note" else (cell,)))
    assert len(game.moves) == 1 and game.noted == set()


def test_flags_count_once_and_can_be_opened() -> None:
    game = Game(CORNER, Rules(first=FirstClick.ANY, fatal=False))
    for _ in range(2):
        game.flag((0, 0))
    assert game.mines_left == 0
    for _ in range(2):
        game.unflag((0, 0))
    assert game.mines_left == 1
    game.flag((1, 1))
    assert game.open((1, 1)).revealed == ((Cell(1, 1), 1),)
    assert game.mines_left == 1 and not game.is_flagged((1, 1))


# --- agents in a game ------------------------------------------------------------------------------------------


def test_mines_are_flagged_before_cells_are_opened() -> None:
    why = {Cell(0, 0): Inference("a rule", (Cell(1, 1),))}
    claims = Deduction(safe=(Cell(1, 1), Cell(0, 1)), mines=(Cell(0, 0),), why=why)
    game = play(CORNER, playing(claims), Rules(FirstClick.ANY, cascade=False))
    assert [(move.turn, move.action, move.cell, move.inference) for move in game.moves] == [
        (1, Action.FLAG, (0, 0), why[Cell(0, 0)]),
        (1, Action.OPEN, (1, 1), None),
        (1, Action.OPEN, (0, 1), None),
    ]
    assert game.outcome is Outcome.STUCK and all(move.reason is MoveReason.DEDUCED for move in game.moves)


def test_an_agent_may_open_fewer_cells_than_it_knows_to_be_safe() -> None:
    claims = Deduction(safe=(Cell(1, 1), Cell(0, 1)), opens=(Cell(0, 1),))
    game = play(CORNER, playing(claims), Rules(FirstClick.ANY, cascade=False))
    assert [(move.turn, move.action, move.cell) for move in game.moves] == [
        (1, Action.OPEN, (0, 1)),
        (1, Action.NOTE, (1, 1)),
    ]


def test_claims_are_not_repeated() -> None:
    """A repeated claim has no effect, so the agent guesses."""
    claims = Deduction(safe=(Cell(1, 1),), mines=(Cell(0, 0),), opens=())
    game = play(CORNER, playing(claims, claims, guesses=[(2, 2)]), Rules(FirstClick.ANY, cascade=False))
    assert [move.action for move in game.moves] == [Action.FLAG, Action.NOTE, Action.OPEN]
    assert game.moves[2].reason is MoveReason.GUESSED and game.moves[2].turn == 2


def test_guesses_tell_why_and_how_risky() -> None:
    guess = Guess(Cell(0, 0), "because", Fraction(1, 9))
    game = play(CORNER, playing(guesses=[guess]), ANY)
    assert (game.moves[0].why, game.moves[0].risk, game.outcome) == ("because", Fraction(1, 9), Outcome.EXPLODED)
    assert (game.measures.guesses, game.measures.guesses_lost) == (1, 1)


def test_pairs_will_do() -> None:
    agent = playing(([(1, 1)], [[0, 0]]), guesses=[[0, 1]])
    game = play(CORNER, agent, Rules(FirstClick.ANY, cascade=False))
    assert [tuple(move.cell) for move in game.moves] == [(0, 0), (1, 1), (0, 1)]


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        (None, "expected safe cells and mines"),
        ([(0, 1)], "expected safe cells and mines"),
        (([0], []), "expected safe cells and mines"),
        (([(0, 0), (0, 1)], [(0, 1)]), "the agent claims 0,1 to be safe and a mine"),
        (([(0, 9)], []), "the agent names 0,9, which is no covered cell"),
        (([(-1, 0)], []), "the agent names -1,0, which is no covered cell"),
        (([("a", "b")], []), "expected safe cells and mines"),
        (Deduction(opens=(Cell(2, 2),)), "the agent names 2,2, which is no covered cell"),
        (Deduction(opens=(Cell(0, 0),)), "the agent opens 0,0, which it does not claim to be safe"),
    ],
)
def test_claims_that_the_rules_do_not_allow(claims: object, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        play(CORNER, playing(claims), Rules(start=Cell(2, 2), cascade=False))


@pytest.mark.parametrize("claims", [([(2, 2)], []), ([], [(2, 2)]), Deduction((Cell(2, 2),), opens=(Cell(2, 2),))])
def test_claims_about_open_cells_change_nothing(claims: object) -> None:
    record = play(CORNER, playing(claims, guesses=[None]), Rules(start=Cell(2, 2), cascade=False))
    assert record.outcome is Outcome.STUCK and len(record.moves) == 1


@pytest.mark.parametrize("guess", [3, (1,), (2, 2), (0, 9), Guess(Cell(9, 9)), ("a", "b")])
def test_guesses_that_the_rules_do_not_allow(guess: object) -> None:
    with pytest.raises(AgentError, match="expected a guess|no covered cell"):
        play(CORNER, playing(guesses=[guess]), Rules(start=Cell(2, 2), cascade=False))


def test_time_is_that_of_the_agent() -> None:
    """Processor time: neither what the agent waits for nor what the game or its watchers do counts."""

    def slow(board: Board) -> Deduction:
        work(0.02)
        time.sleep(0.2)
        return Deduction()

    def work(seconds: float) -> None:
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            pass

    game = Game(CORNER, ANY)
    thinking = Thinking()
    for _ in play_moves(game, Agent(slow, lambda board, rng: (2, 2)), Random(0), thinking):
        work(0.2)
    assert 0.02 <= thinking.seconds < 0.1
    assert record(game, "slow", thinking.seconds).seconds == thinking.seconds


@pytest.mark.slow
@pytest.mark.parametrize("name", AGENTS)
def test_a_million_cells_are_no_obstacle(name: str) -> None:
    """One cascade opens all but one cell, which holds the mine."""
    layout = Layout((*["." * 1000] * 999, "." * 999 + "*"))
    rules = Rules(start=Cell(0, 0))
    game = play(layout, agent_named(name), rules, Random(0), name=name)
    assert game.outcome is Outcome.CLEARED and game.measures.opened == 999_999


def test_the_rules_in_words_tell_all_of_them_apart() -> None:
    values = itertools.product(FirstClick, (None, Cell(0, 1)), (True, False), (True, False), Goal, (True, False))
    said = [
        str(Rules(first, start, cascade, fatal, goal, tells_total=tells))
        for first, start, cascade, fatal, goal, tells in values
    ]
    assert len(set(said)) == len(said) == 4 * 2**5
    assert (
        str(FIND_MINES_RULES)
        == "first cell given, no cascade, play goes on after a mine, find the mines, mine total known"
    )
