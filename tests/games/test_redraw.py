"""Mines that are redrawn: what the rules decide, what is drawn, what a player can see, and records."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, strategies as st

import satsweep
from satsweep import Board, Layout, Record, Rules, agent_named, analyse, random_layout
from satsweep.arena.kernel_games import suits
from satsweep.assessment.review import review
from satsweep.board import Cell
from satsweep.errors import BoardError
from satsweep.formats.clicks import ClickedGame
from satsweep.formats.records import from_json, to_json
from satsweep.games.game import Game, play, replay
from satsweep.games.record import Action, Move, MoveReason, Outcome
from satsweep.games.rules import FirstClick, Redraw
from satsweep.games.setting import Setting
from tests import brute_force as oracle, strategies
from tests.every_choice import EveryChoice

REDRAWN = [redraw for redraw in Redraw if redraw is not Redraw.NEVER]
CRUEL = (Redraw.CRUEL, Redraw.CRUEL_ALL)


def decided(board: Board, cell: Cell, redraw: Redraw) -> bool | None:
    """What the rules make of a cell, by brute force: a mine, safe, or (None) what it is."""
    truth = oracle.truth(board)
    assert truth is not None
    risk, needless = truth.risk[cell], bool(truth.safe)
    if redraw in CRUEL:
        return True if risk and (needless or redraw is Redraw.CRUEL_ALL) else None
    fair = redraw is Redraw.FAIR_ANY or risk == min(truth.risk.values())
    return False if fair and not needless and risk < 1 else None


def played_at_random(layout: Layout, rules: Rules, seed: int) -> Iterator[tuple[Board, Layout, Move, Game]]:
    """Yield the moves of a game that opens and flags cells at random, each with board and layout before it."""
    game, rng = Game(layout, rules, Random(seed)), Random(seed)
    while game.outcome is None:
        before, cell = (game.board, game.layout), rng.choice(oracle.cells_showing(game.board, "#F"))
        if rng.random() < 0.2 and not game.is_flagged(cell):
            game.flag(cell)
        else:
            yield *before, game.open(cell), game


@given(
    strategies.layouts(12), st.sampled_from(REDRAWN), st.sampled_from([*FirstClick]), st.booleans(), st.integers(0, 99)
)
def test_every_cell_is_as_the_rules_decide(
    layout: Layout, redraw: Redraw, first: FirstClick, fatal: bool, seed: int
) -> None:
    if first in (FirstClick.SAFE, FirstClick.ZERO) or (first is FirstClick.GIVEN and layout.start is None):
        first = FirstClick.ANY
    rules = Rules(first, fatal=fatal, redraw=redraw)
    for board, before, move, game in played_at_random(layout, rules, seed):
        given = first is FirstClick.GIVEN and move.cell == layout.start
        wanted = None if given else decided(board, move.cell, redraw)
        assert move.exploded == (before.is_mine(move.cell) if wanted is None else wanted)
        assert game.layout.mines == layout.mines and game.layout.start == layout.start
        if wanted is None:
            assert game.layout == before
        opened = [cell for cell in board if not game.board.is_covered(cell)]
        assert game.layout.board(opened).cells == tuple(row.replace("F", "#") for row in game.board.cells)


@pytest.mark.extended
@pytest.mark.parametrize("redraw", REDRAWN)
@pytest.mark.parametrize("order", [(0, 5, 2, 4), (4, 0, 3, 1), (1, 2, 5, 0)])
def test_layouts_are_uniform_given_what_is_shown(redraw: Redraw, order: tuple[int, ...]) -> None:
    """A game on a uniform layout has, at each view, a uniform layout: over all layouts and all draws."""
    rules = Rules(FirstClick.ANY, cascade=False, fatal=False, redraw=redraw)
    for opened in range(1, len(order) + 1):
        shares: dict[Board, dict[frozenset[Cell], Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        for mines in combinations(range(6), 2):
            for rng in EveryChoice.ways():
                game = Game(Layout.from_mines(2, 3, mines), rules, rng)
                for index in order[:opened]:
                    if game.outcome is None:
                        game.open(game.layout.cell(index))
                covered = filter(game.board.is_covered, game.board)
                shares[game.board][frozenset(filter(game.layout.is_mine, covered))] += rng.chance
        assert sum(sum(found.values()) for found in shares.values()) == 15
        for board, found in shares.items():
            assert found.keys() == oracle.worlds(board).keys() and len({*found.values()}) == 1, board


def records(
    agent: str, board: str, redraw: Redraw, games: range, first: FirstClick = FirstClick.SAFE
) -> Iterator[Record]:
    for number in games:
        rng = Random(f"{board} {number}")
        yield play(random_layout(board, rng=rng), agent_named(agent), Rules(first, redraw=redraw), rng, name=agent)


def guesses(record: Record) -> Iterator[tuple[Board, Move]]:
    """Yield the opening moves of a record that were not promised, each with the board before it."""
    board = None
    for move, game in replay(record):
        if board is not None and move.action is Action.OPEN:
            yield board, move
        board = game.board


FAIR_GAMES = {"8x8/16": 15, "beginner": 15, "expert": 1}


def check_fair(board: str, games: range) -> None:
    for record in records("sat", board, Redraw.FAIR, games):
        assert record.outcome is Outcome.CLEARED
        assert from_json(to_json(record)) == record


@pytest.mark.parametrize("board", FAIR_GAMES)
def test_who_opens_only_what_is_certain_or_safest_wins_every_fair_game(board: str) -> None:
    check_fair(board, range(FAIR_GAMES[board]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "games"), [("8x8/16", 4000), ("beginner", 3000), ("intermediate", 2000), ("expert", 1000)]
)
def test_10_000_fair_games_are_won(board: str, games: int) -> None:
    check_fair(board, range(games))


def check_cruel(board: str, games: range) -> int:
    """Check that needless guesses at a possible mine lose, and forced ones as they were drawn; count the needless."""
    needless = 0
    for record in records("basic", board, Redraw.CRUEL, games):
        for before, move in guesses(record):
            if move.reason is MoveReason.GUESSED:
                analysis = analyse(before)
                if analysis.safe and analysis.risk(move.cell):
                    needless += 1
                    assert move.exploded and record.outcome is Outcome.EXPLODED
        assert from_json(to_json(record)) == record
    return needless


def test_needless_guesses_of_basic_lose_every_cruel_game() -> None:
    assert check_cruel("beginner", range(60)) > 5


@pytest.mark.slow
@pytest.mark.parametrize(("board", "games"), [("beginner", 7000), ("intermediate", 2000), ("expert", 1000)])
def test_needless_guesses_lose_10_000_cruel_games(board: str, games: int) -> None:
    assert check_cruel(board, range(games)) > games / 20


def test_all_guesses_lose_if_the_rules_are_cruel_to_all() -> None:
    for record in records("sat", "8x8/14", Redraw.CRUEL_ALL, range(30)):
        guessed = [move for move in record.moves if move.reason is MoveReason.GUESSED]
        assert all(move.exploded for move in guessed[1:]) and record.won == (len(guessed) <= 1)


def test_any_forced_guess_is_safe_if_the_rules_say_so() -> None:
    needless = 0
    for record in records("random", "5x5/8", Redraw.FAIR_ANY, range(60), FirstClick.ANY):
        for before, move in guesses(record):
            analysis = analyse(before)
            needless += move.exploded and bool(analysis.safe) and analysis.risk(move.cell) < 1
            assert not move.exploded or analysis.safe or analysis.risk(move.cell) == 1
    assert needless > 0, "those are judged as drawn"


def test_a_game_is_decided_by_its_seed() -> None:
    first, second = (
        [to_json(replace(record, seconds=0.0)) for record in records("basic", "8x8/16", Redraw.FAIR, range(20))]
        for _ in range(2)
    )
    assert first == second


def test_a_record_in_which_the_rules_were_not_kept_is_refused() -> None:
    """Every forced guess at a cell of least risk that lost in a usual game, retold as one of a fair game."""
    refused = 0
    for number in range(20):
        rng = Random(number)
        record = play(random_layout("8x8/16", rng=rng), agent_named("sat"), Rules(), rng)
        retold = replace(record, rules=Rules(redraw="fair"))  # type: ignore[arg-type]
        if record.outcome is Outcome.EXPLODED:
            refused += 1
            with pytest.raises(BoardError, match=r"expected \d,\d to be as the rules decide, found a layout in which"):
                [*replay(retold)]
        else:
            assert [move for move, _ in replay(retold)] == list(record.moves)
    assert refused > 5


def test_kernels_leave_such_games_to_python() -> None:
    rules = Rules(redraw=Redraw.FAIR)
    assert suits(Setting(9, 9, 10), "sat") and not suits(Setting(9, 9, 10, rules), "sat")
    found = satsweep.compare(["sat", "basic"], "8x8/16", games=30, rules=rules)
    sat, basic = (won.mean for own in found.sections[0].summaries if (won := own.measured["won"]))
    assert sat == 1 > basic


@pytest.mark.extended
@pytest.mark.parametrize("redraw", REDRAWN)
def test_the_clicks_of_a_game_make_it_again_on_its_last_layout(redraw: Redraw) -> None:
    """Chords included, whose cells come in an order that no layout changes; the review names what was decided."""
    rules, chords = Rules(FirstClick.ANY, redraw=redraw), 0
    for seed in range(120):
        rng = Random(seed)
        layout = random_layout(3, 4, rng.randint(1, 5), rng)
        game = ClickedGame(layout, rules, Game(layout, rules, Random(seed)))
        clicks: list[tuple[str, Cell]] = []
        while not game.is_over and len(clicks) < 40:
            cell = rng.choice([*game.game.board])
            click = "chord" if game.is_open(cell) else rng.choice(["open", "toggle"])
            chords += click == "chord" and len(game.opened_by_chord(cell)) > 1
            clicks.append((click, cell))
            getattr(game, click)(cell)
        again = ClickedGame(game.game.layout, rules)
        for click, cell in clicks:
            getattr(again, click)(cell)
        assert again.game.moves == game.game.moves
        record = again.record()
        assert record.layout == game.game.layout
        found, board = review(record).decided, None
        for number, (move, now) in enumerate(replay(record), 1):
            if board is not None:
                decides = move.action is Action.OPEN and 0 < risk_of(board, move.cell) < 1
                assert found.get(number) == (decided(board, move.cell, redraw) if decides else None)
            board = now.board.without_flags()
    assert chords > 8 or redraw is Redraw.CRUEL_ALL, "whose first guess is the last"


def risk_of(board: Board, cell: Cell) -> Fraction:
    truth = oracle.truth(board)
    assert truth is not None
    return truth.risk[cell]


def test_the_first_cell_keeps_its_promise() -> None:
    for first in (FirstClick.SAFE, FirstClick.ZERO, FirstClick.GIVEN):
        for number in range(20):
            layout = Layout(("*..*", "....", "....", "*..*"), start=(1, 1))
            game = Game(layout, Rules(first, redraw=Redraw.CRUEL_ALL), Random(number))
            assert not game.open((1, 1)).exploded


@pytest.mark.parametrize(
    ("values", "found"),
    [({"clues": "random 1/2"}, "random 1/2 clues"), ({"tells_total": False}, "a mine total that is not told")],
)
def test_rules_under_which_mines_are_not_redrawn(values: dict[str, object], found: str) -> None:
    with pytest.raises(BoardError, match=f"expected exact clues and a mine total that is told .*, found {found}"):
        Rules.from_values({**values, "redraw": "fair"})
    Rules.from_values({**values, "redraw": "never"})


def test_rules_in_words_and_values() -> None:
    told = {str(Rules(redraw=redraw)).removeprefix(f"{Rules()}") for redraw in Redraw}
    assert len(told) == len(Redraw) and "" in told
    for redraw in REDRAWN:
        rules = Rules(redraw=redraw)
        assert rules.to_values()["redraw"] == redraw.value and Rules.from_values(rules.to_values()) == rules
    assert "redraw" not in Rules().to_values() and Rules().to_values(every=True)["redraw"] == "never"
