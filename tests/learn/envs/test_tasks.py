"""Text tasks: keys and scores against brute force, rewards without luck, games in text."""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, strategies as st

from satsweep.analysis.analyse import analyse
from satsweep.board import Board, Cell
from satsweep.errors import ImpossibleSpec
from satsweep.games.game import Game
from satsweep.layout import Layout
from satsweep.learn.envs.metrics import METRICS, NEEDS
from satsweep.learn.envs.replies import GRAMMARS, Claims
from satsweep.learn.envs.reward import RewardFunction
from satsweep.learn.envs.tasks import ANY, TASKS, TextTask, deal, is_forced
from satsweep.learn.envs.text import OBSERVATIONS, SYMBOL_SETS, cells_text, symbols_named
from satsweep.learn.envs.text_game import MOST_REFUSED, TextGame
from tests.brute_force import truth, worlds
from tests.conftest import Golden
from tests.strategies import boards

SMALL = Board(("##1.", "##21", "####"), mines=3)
SIZES = ("3x4/3", "4x4/3", "4x4/5", "5x3/4")
plain_boards = boards().filter(lambda board: board.topology.name == "square" and not board.density)


def dealt(kind: str, count: int = 6, **options: object) -> Iterator[TextTask]:
    """Small questions, each with the total told or not."""
    for board in SIZES:
        for seed in range(count):
            yield deal(kind, seed, board=board, tells_total=seed % 2 == 0, **options)  # type: ignore[arg-type]


# Keys


def test_keys_of_deduce_are_the_certain_cells() -> None:
    for task in dealt("deduce"):
        known = truth(task.board)
        assert known is not None
        assert GRAMMARS["deduce"].last(task.answer) == Claims(frozenset(known.safe), frozenset(known.mines))
        assert task.score(task.answer).reward == 1


@given(plain_boards, st.data())
def test_claims_earn_right_ones_less_wrong_ones(board: Board, data: st.DataObject) -> None:
    known = truth(board)
    if known is None or not board.covered:
        return
    some = st.sets(st.sampled_from([*board, Cell(99, 0)]), max_size=5)
    safe, mines = data.draw(some), data.draw(some)
    score = TextTask("deduce", board).score(f"safe: {cells_text(safe)}; mines: {cells_text(mines)}")
    right = len(safe & {*known.safe}) + len(mines & {*known.mines})
    shown = {cell: board[cell] == "*" for cell in board if not board.is_covered(cell)}
    told = sum(shown.get(cell) is False for cell in safe) + sum(shown.get(cell) is True for cell in mines)
    wrong = len(safe) + len(mines) - right - told
    certain = len(known.safe) + len(known.mines)
    assert score.reward == (Fraction(max(0, right - wrong), certain) if certain else int(wrong == 0))
    found = score.metrics
    assert (found["forced_taken"], found["forced_missed"], found["wrong_claims"]) == (right, certain - right, wrong)
    assert sum(value for name, value in found.items() if name.endswith("_found")) == right
    assert sum(value for name, value in found.items() if name.endswith("_missed")) == 2 * (certain - right)


@given(plain_boards, st.data())
def test_moves_earn_one_less_their_regret(board: Board, data: st.DataObject) -> None:
    known = truth(board)
    if known is None or not board.covered:
        return
    cell = data.draw(st.sampled_from(board.covered))
    score = TextTask("move", board).score(f"open {cell.row} {cell.col}")
    assert score.reward == 1 - known.risk[cell] + min(known.risk.values())
    assert (score.reward == 1) == (score.metrics["forced_taken"] or score.metrics["best_guesses"])
    if "*" in board.symbols:
        return  # the game is over
    won = TextTask("move", board, reward="win").score(f"open {cell.row} {cell.col}")
    assert won.reward == 1 + RewardFunction("win", ANY).of(board, cell).value


@pytest.mark.parametrize("rows", [("#",), ("##", "##"), ("1#",)])
def test_a_move_on_a_board_of_mines_alone_loses_a_won_game(rows: tuple[str, ...]) -> None:
    task = TextTask("move", Board(rows, mines="".join(rows).count("#")), reward="win")
    assert task.score(f"open {len(rows) - 1} {len(rows[0]) - 1}").reward == 0


def test_a_move_by_win_chances_is_not_the_least_risk() -> None:
    task = TextTask("move", Board(("#1#", "1##", "###"), mines=2), reward="win")
    assert task.score(task.answer).reward == 1
    assert task.score("open 1 1").reward == Fraction(5, 6) and task.score("open 1 1").metrics["regret_win"] > 0.16


def test_a_risk_is_exact_or_wrong() -> None:
    for task in dealt("risk", 3):
        known = truth(task.board)
        assert known is not None and 0 < known.risk[task.cell] < 1
        assert task.answer == f"risk {known.risk[task.cell]}" and task.score(task.answer).reward == 1
        near = task.score(f"risk {known.risk[task.cell] + Fraction(1, 1000)}")
        assert near.reward == 0 and near.metrics["wrong_claims"] == 1


def forced_by(board: Board, cell: Cell, mine: bool, numbers: set[Cell], total: bool) -> bool:
    """Whether numbers force a cell, by trying every layout."""
    return all((cell in world) == mine for world in worlds(board, numbers=numbers, total=total))


@given(plain_boards, st.data())
def test_numbers_force_a_cell_as_brute_force_says(board: Board, data: st.DataObject) -> None:
    numbers = [cell for cell in board if board.number(cell) is not None]
    if truth(board) is None or not board.covered or not numbers:
        return
    some = data.draw(st.sets(st.sampled_from(numbers)))
    total = board.mines is not None and data.draw(st.booleans())
    for cell in board.covered:
        for mine in (False, True):
            found = is_forced(board, cell, mine, [*some, *([None] if total else [])])
            assert found == forced_by(board, cell, mine, some, total)


@pytest.mark.extended
def test_reasons_without_a_number_to_spare_earn_everything() -> None:
    """Whatever their size, by brute force; a number to spare costs its share, a number too few costs all."""
    sizes = set()
    for task in dealt("why", 4):
        mine = task.cell in task.analysis.mines
        numbers = [cell for cell in task.board if task.board.number(cell)]
        said = f"{'mine' if mine else 'safe'} {task.cell.row} {task.cell.col} because"
        totals = (False, True) if task.board.mines is not None else (False,)
        for total, size in ((total, size) for total in totals for size in range(1, 5)):
            for some in map(set, combinations(numbers, size)):
                forced = forced_by(task.board, task.cell, mine, some, total)
                fewer = [(some - {one}, total) for one in some] + [(some, False)] * total
                minimal = forced and not any(forced_by(task.board, task.cell, mine, *less) for less in fewer)
                reward = task.score(f"{said} {cells_text(some)}{' and total' * total}").reward
                assert (reward > 0, reward == 1) == (forced, minimal)
                sizes |= {size} if minimal else set()
        assert task.score(task.answer).reward == 1
        assert task.score(task.answer.replace("mine" if mine else "safe", "safe" if mine else "mine")).reward == 0
    assert {1, 2, 3} <= sizes


def test_to_name_every_number_does_not_pay() -> None:
    task = TextTask("why", SMALL, cell=Cell(2, 1))
    assert task.answer == "safe 2 1 because (0,2) (1,2) (1,3)"
    assert task.score(f"{task.answer} (0,3)").reward == Fraction(3, 4)
    assert task.score(f"{task.answer} and total").reward == Fraction(3, 4)
    assert task.score("safe 2 1 because (0,2) (0,2) (1,2) (1,3)").reward == 1
    assert task.score("safe 2 0 because (0,2) (1,2) (1,3)").reward == 0
    assert task.score("safe 2 1 because (0,2) (1,2) (1,3) (0,0)").reward == 0
    assert task.score("safe 2 1 because (0,2) (1,2) (1,3) (9,9)").reward == 0
    assert TextTask("why", Board(SMALL.cells), cell=Cell(2, 1)).score(f"{task.answer} and total").reward == 0


# Deals


def test_the_same_seed_deals_the_same_question() -> None:
    for kind in TASKS:
        tasks = {deal(kind, seed, board="5x5/5").prompt for seed in range(5)}
        assert tasks == {deal(kind, seed, board="5x5/5").prompt for seed in range(5)}
        assert len(tasks) > 2


def test_prompts(golden: Golden) -> None:
    """One of each kind, as a model gets it, with its key."""
    shown = []
    for kind, form in zip(TASKS, OBSERVATIONS, strict=True):
        task = deal(kind, "golden", board="5x5/5", observation=form, tells_total=kind != "risk")
        shown.append(f"{task.prompt}\n\nA right answer: {task.answer}\n")
    game = TextGame("5x5/5", "golden")
    shown.append(f"{game.prompt}\n\nA right answer: {game.answer}\n\n{game.step(game.answer).text}\n")
    golden("prompts.txt", "\n----\n\n".join(shown))


@pytest.mark.parametrize("kind", TASKS)
@pytest.mark.parametrize("needs", [one for one in NEEDS if one != "several"])
def test_a_question_needs_what_is_asked_for(kind: str, needs: str) -> None:
    if (kind, needs) == ("why", "nothing"):
        return
    task = deal(kind, 3, board="5x5/7", needs=needs)
    known = truth(task.board) if len(task.board.covered) <= 16 else task.analysis
    assert known is not None and task.needs == needs and task.score(task.answer).reward == 1
    if needs == "nothing":
        assert not known.safe and (kind == "move" or not known.mines)
    if needs == "single" and kind == "why":
        assert len(task.answer.split("because")[1].split()) == 1


@pytest.mark.extended
def test_three_numbers_at_once() -> None:
    task = deal("why", 1, board="6x6/9", needs="several")
    assert task.score(task.answer).metrics["several_found"] == 1
    assert task.score("safe 0 0 because total").metrics["several_missed"] == 1


def test_what_cannot_be_dealt() -> None:
    for wrong in ({"kind": "guess"}, {"kind": "move", "needs": "luck"}, {"kind": "why", "needs": "nothing"}):
        with pytest.raises(ValueError, match="expected a task among deduce, move, risk, why and a need among"):
            deal(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ImpossibleSpec, match="every game on 2x2/3 is over when it begins"):
        deal("move", board="2x2/3")
    with pytest.raises(ImpossibleSpec, match="no position of 1,000 games on 2x3/1 needs several"):
        deal("move", board="2x3/1", needs="several")
    with pytest.raises(ValueError, match="expected a task among"):
        TextTask("guess", SMALL)
    with pytest.raises(ValueError, match="expected a covered cell for the task risk"):
        TextTask("risk", SMALL)
    with pytest.raises(ValueError, match="expected a reward among regret, win, credit"):
        TextGame(reward="luck")


@pytest.mark.parametrize("kind", TASKS)
def test_format_errors_and_metrics(kind: str) -> None:
    task = deal(kind, 1, board="4x4/3")
    score = task.score("I do not know.")
    assert score.reward == Fraction(-1, 10) and score.metrics["format_errors"] == 1 and "`" in score.remark
    for reply in ("I do not know.", task.answer):
        found = task.score(reply).metrics
        assert tuple(found) == METRICS and all(type(value) is float for value in found.values())
        assert found["prompt_characters"] == len(task.prompt) and found["completion_characters"] == len(reply)


def test_a_move_that_is_none() -> None:
    for cell in ("0 3", "9 9"):
        score = TextTask("move", SMALL).score(f"open {cell}")
        assert score.reward == Fraction(-1, 10) and score.metrics["illegal"] == 1


# Games


@pytest.mark.parametrize("reward", ["regret", "win"])
def test_best_play_earns_nothing_and_any_other_less(reward: str) -> None:
    for seed in range(8):
        best, wild, rng = TextGame("4x4/4", seed, reward=reward), TextGame("4x4/4", seed, reward=reward), Random(seed)
        while not best.over:
            best.step(best.answer)
        assert best.score.reward == 0 and not best.score.metrics["forced_missed"]
        lost = Fraction(0)
        while not wild.over:
            cell = rng.choice(wild.game.board.covered)
            expected = RewardFunction(reward, ANY).of(wild.game.board, cell).value
            turn = wild.step(f"open {cell.row} {cell.col}")
            assert turn.reward == expected
            lost += turn.reward
        assert wild.score.reward == lost <= 0
        assert wild.score.metrics["win"] == (wild.score.metrics["opened"] == 1)


def test_rewards_are_one_in_all_worlds_of_a_position() -> None:
    """The proof that luck is not paid, for each cell of some positions."""
    for seed in range(4):
        rng = Random(seed)
        game = TextGame("4x4/4", seed)
        while not game.over:
            board, start = game.game.board, game.game.start
            opened = [move.cell for move in game.game.moves]
            rewards: dict[Cell, set[Fraction]] = {}
            for world in worlds(board):
                layout = Layout.from_mines(4, 4, [4 * row + col for row, col in world])
                for cell in board.covered:
                    other = TextGame("4x4/4", seed)
                    other.game = Game(layout, ANY)
                    for move in opened:
                        other.game.open(move)
                    assert other.game.board == board and start in opened
                    rewards.setdefault(cell, set()).add(other.step(f"open {cell.row} {cell.col}").reward)
            assert all(len(values) == 1 for values in rewards.values())
            safe = [cell for cell in board.covered if not game.game.layout.is_mine(cell)]
            cell = rng.choice(safe)
            game.step(f"open {cell.row} {cell.col}")


def test_a_board_that_needs_no_guess_earns_exactly_one() -> None:
    for seed in range(6):
        game = TextGame("6x6/8", seed, reward="credit", no_guess=True, observation="json")
        while not game.over:
            turn = game.step(game.answer)
            assert json.loads(turn.text.split("\n\n")[1])["mines"] == 8
        assert game.score.reward == 1 == game.score.metrics["win"]
        assert game.score.metrics["guesses"] == 0 == game.score.metrics["regret_risk"]


def test_credit_pays_no_luck() -> None:
    game = TextGame("4x4/4", 3, reward="credit")
    while not game.over:
        guesses = [cell for cell in game.game.board.covered if cell not in analyse(game.game.board).safe]
        lucky = [cell for cell in guesses if not game.game.layout.is_mine(cell)]
        if not lucky:
            assert game.give_up().reward == 0
            break
        assert game.step(f"open {lucky[0].row} {lucky[0].col}").reward == 0


def test_three_format_errors_in_a_row_end_a_game() -> None:
    game = TextGame("5x5/5", 1)
    assert game.step("hm").reward == game.step("open 99 99").reward == Fraction(-1, 10)
    assert game.step(game.answer).reward == 0 and not game.over
    for _ in range(MOST_REFUSED - 1):
        assert not game.step("hm").done
    last = game.step("hm")
    assert last.done and last.reward == Fraction(-11, 10) and "The game is given up." in last.text
    found = game.score.metrics
    assert (found["format_errors"], found["illegal"], found["turns"], found["forced_taken"]) == (4, 1, 6, 1)
    assert game.score.reward == Fraction(-15, 10) and not found["win"]
    with pytest.raises(ValueError, match="expected a game that goes on"):
        game.step("open 0 0")


@pytest.mark.parametrize("reward", ["regret", "win"])
def test_giving_up_costs_what_was_left(reward: str) -> None:
    game = TextGame("4x4/4", 2, reward=reward)
    left = RewardFunction(reward, ANY).left(game.game.board)[0]
    turn = game.step("I have had enough.\ndone")
    assert turn.done and turn.reward == -left < 0 and "given up" in turn.text


def test_a_repeated_cell_is_counted() -> None:
    game = TextGame("5x5/5", 1)
    start = game.game.moves[0].cell
    for _ in range(2):
        game.step(f"open {start.row} {start.col}")
    assert (game.score.metrics["illegal"], game.score.metrics["repeats"]) == (2, 1)


def test_games_of_a_seed_are_numbered() -> None:
    games = [TextGame("6x6/8", 5, number=number).prompt for number in (0, 1, 0)]
    assert games[0] == games[2] != games[1]
    assert "mines: unknown" in TextGame("6x6/8", 5, tells_total=False).prompt


@pytest.mark.parametrize("form", OBSERVATIONS)
def test_other_symbols_say_the_same(form: str) -> None:
    letters = SYMBOL_SETS["letters"]
    usual, other = (TextTask("deduce", SMALL, form, symbols=symbols) for symbols in (SYMBOL_SETS["usual"], letters))
    assert other.prompt != usual.prompt and other.score(usual.answer).reward == 1
    assert "a=0 b=1 c=2" in other.prompt
    told = {"grid": "0 ~ ~ b a", "coordinates": "(1,2)=c", "constraints": "the c at (1,2)", "json": '"number": "c"'}
    assert told[form] in other.prompt


@pytest.mark.parametrize("symbols", ["", "#012345678", "##12345678*", "# 12345678*", "?012345678*", "#01234567\n*"])
def test_symbols_are_eleven_different_characters(symbols: str) -> None:
    with pytest.raises(ValueError, match="expected symbols among usual, letters, signs, or eleven"):
        symbols_named(symbols)


@pytest.mark.parametrize("mine", [None, False, True])
def test_a_game_of_certain_cells_ends_at_the_first_other_one(mine: bool | None) -> None:
    text = TextGame.of(TextGame("6x6/8", 1, no_guess=True).game)
    assert "No guess is needed" in text.prompt
    text.step(text.answer)
    earned, game = text.score.reward, text.game
    others = [cell for cell in game.board.covered if cell not in analyse(game.board).safe]
    while not text.over:
        cell = next((cell for cell in others if game.layout.is_mine(cell) == mine), None)
        text.step(text.answer if cell is None else f"open {cell.row} {cell.col}")
    assert 0 < earned < 1
    assert text.score.reward == (1 if mine is None else earned)


def test_the_prompt_of_a_move_asks_for_what_is_scored() -> None:
    """By regret for the least risk, by chances to win for the best of them; the right answers differ."""
    board = Board(("#1#", "1##", "###"), mines=2)
    regret, win = (TextTask("move", board, reward=reward) for reward in ("regret", "win"))
    assert "as little risk as you can" in regret.prompt and "chance to win" not in regret.prompt
    assert "best chance to win the game" in win.prompt and "risk" not in win.prompt
    assert win.score(win.answer).reward == regret.score(regret.answer).reward == 1
    assert regret.score("open 1 1").reward == 1 > win.score("open 1 1").reward
    with pytest.raises(ValueError, match="expected a reward among regret, win, found 'gold'"):
        TextTask("move", board, reward="gold")
