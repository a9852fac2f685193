"""Rewards against brute force and reviews; the price of giving up; credit."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, strategies as st

from satsweep import Board, BoardSpec, Layout, Rules, generate, review
from satsweep.agents import agent_named
from satsweep.board import Cell
from satsweep.errors import BoardError
from satsweep.games.deal import random_layout
from satsweep.games.game import Game, play, replay
from satsweep.games.record import Outcome
from satsweep.games.rules import RULES, FirstClick, Goal
from satsweep.learn.envs.reward import KINDS, UNDERSTOOD, MoveReward, RewardFunction, check_rules, forced_credit
from tests.brute_force import truth
from tests.strategies import boards, unreliable_boards

ANY = Rules(FirstClick.ANY)


@given(st.one_of(boards(), unreliable_boards()), st.data())
def test_regret_is_excess_risk(board: Board, data: st.DataObject) -> None:
    known = truth(board)
    if known is None or not board.covered:
        return
    cell = data.draw(st.sampled_from(board.covered))
    least = min(known.risk.values())
    found = RewardFunction("regret", ANY).of(board, cell)
    assert (found.value, found.risk) == (least - known.risk[cell], known.risk[cell])
    assert found.exact and found.least_risk == least and found.is_unavoidable == (known.risk[cell] == least > 0)


Worlds = frozenset[frozenset[Cell]]


def shown(cell: Cell, world: frozenset[Cell]) -> int | None:
    if cell in world:
        return None
    return sum(abs(cell.row - row) <= 1 and abs(cell.col - col) <= 1 for row, col in world)


@cache
def value(worlds: Worlds, covered: frozenset[Cell]) -> int:
    """The worlds that best play wins, by trying every cell; all cells but mines are to be opened."""
    if all(len(covered) == len(world) for world in worlds):
        return len(worlds)
    return max(value_with(worlds, covered, cell) for cell in covered)


def value_with(worlds: Worlds, covered: frozenset[Cell], cell: Cell) -> int:
    numbers: dict[int, set[frozenset[Cell]]] = {}
    for world in worlds:
        if (number := shown(cell, world)) is not None:
            numbers.setdefault(number, set()).add(world)
    return sum(value(frozenset(same), covered - {cell}) for same in numbers.values())


def situation(board: Board) -> tuple[Worlds, frozenset[Cell]]:
    covered = frozenset(board.covered)
    assert board.mines is not None
    worlds = (frozenset(mines) for mines in combinations(sorted(covered), board.mines))
    agreeing = (
        world
        for world in worlds
        if all(shown(cell, world) == board.number(cell) for cell in board if cell not in covered)
    )
    return frozenset(agreeing), covered


def positions(rows: int, cols: int, mines: int, rules: Rules, games: int) -> Iterable[Board]:
    """Positions of games in which random cells are opened, all before the end."""
    draw = Random(f"{rows}x{cols}/{mines}")
    for _ in range(games):
        game = Game(random_layout(rows, cols, mines, draw), rules, draw)
        while game.outcome is None:
            yield game.board
            game.open(draw.choice(game.board.covered))


def test_win_regret_is_the_chance_that_is_given_away() -> None:
    met = set()
    for board in positions(2, 4, 3, ANY, 25):
        worlds, covered = situation(board)
        best = value(worlds, covered)
        assert RewardFunction("win", ANY).left(board) == (Fraction(best, len(worlds)), "exact")
        for cell in covered:
            found = RewardFunction("win", ANY).of(board, cell)
            expected = Fraction(value_with(worlds, covered, cell) - best, len(worlds))
            assert (found.value, found.known) == (expected, "exact")
            met.add(expected < 0 and RewardFunction("regret", ANY).of(board, cell).value == 0)
    assert met == {False, True}, "least risk is not always best"


@pytest.mark.extended
@pytest.mark.parametrize(("rows", "cols", "mines"), [(4, 4, 4), (3, 6, 5), (5, 5, 4)])
@pytest.mark.parametrize("first", [FirstClick.ANY, FirstClick.SAFE, FirstClick.ZERO])
def test_rewards_of_a_game_add_up_to_its_skill(rows: int, cols: int, mines: int, first: FirstClick) -> None:
    rules, draw, skills = Rules(first), Random(str(first)), []
    function = RewardFunction("win", rules)
    for agent in ("random", "basic", "sat") * 5:
        played = play(random_layout(rows, cols, mines, draw), agent_named(agent), rules, draw)
        total, before = Fraction(0), Board(("#" * cols,) * rows, mines)
        for move, game in replay(played):
            if move.revealed:
                total += function.of(before, move.cell).value
            before = game.board
        found = review(played)
        assert found.known == "exact" and found.skill is not None and found.luck is not None
        assert total == found.skill and found.start is not None
        assert found.start + total + found.luck == found.end
        skills.append(total)
    assert min(skills) < max(skills) <= 0


Policy = Callable[[frozenset[Cell]], Cell]


def expected_sum(board: Board, worlds: Worlds, policy: Policy, kind: str) -> tuple[Fraction, Fraction]:
    """The mean sum of all rewards to come, and the chance to lose, if a policy plays on."""
    covered = frozenset(board.covered)
    if all(len(covered) == len(world) for world in worlds):
        return Fraction(0), Fraction(0)
    cell = policy(covered)
    earned, lost = RewardFunction(kind, ANY).of(board, cell).value, Fraction(0)
    for number in {shown(cell, world) for world in worlds}:
        same = frozenset(world for world in worlds if shown(cell, world) == number)
        part = Fraction(len(same), len(worlds))
        if number is None:
            lost += part
        else:
            more, losing = expected_sum(board.with_opened({cell: number}), same, policy, kind)
            earned, lost = earned + part * more, lost + part * losing
    return earned, lost


@pytest.mark.parametrize("seed", range(6))
def test_giving_up_never_pays(seed: int) -> None:
    """Whatever a player would do, good or bad, it loses no more by going on."""
    board = Board(("####", "####"), 3)
    for position in [board, *positions(2, 4, 3, Rules(FirstClick.ANY, cascade=False), 4)]:
        worlds, _ = situation(position)

        def policy(covered: frozenset[Cell]) -> Cell:
            return Random(f"{seed}{sorted(covered)}").choice(sorted(covered))

        for kind in KINDS:
            earned, lost = expected_sum(position, worlds, policy, kind)
            price, _ = RewardFunction(kind, ANY).left(position)
            assert -price <= earned <= 0
            assert kind == "regret" or earned == 1 - lost - price, "with wins, to the last digit"


def test_giving_up_where_mines_are_not_fatal() -> None:
    for kind in KINDS:
        assert RewardFunction(kind, Rules(fatal=False)).left(Board(("2#", "##"), 2)) == (2, "exact")
        assert RewardFunction(kind, Rules(fatal=False)).left(Board(("2#", "##"))) == (2, "exact")


def test_the_first_cell_is_safe_by_promise() -> None:
    blank = Board(("#####",) * 5, 4)
    for first in (FirstClick.SAFE, FirstClick.ZERO):
        assert RewardFunction("regret", Rules(first)).of(blank, (2, 2)) == MoveReward(
            Fraction(0), Fraction(0), Fraction(0)
        )
    at_a_corner = RewardFunction("win", Rules(FirstClick.ZERO)).of(blank, (2, 2))
    assert at_a_corner.exact and at_a_corner.possible is not None
    price = RewardFunction("win", Rules(FirstClick.ZERO)).left(blank)
    assert price == (at_a_corner.possible, "exact")
    assert RewardFunction("regret", ANY).of(blank, (0, 0)).risk == Fraction(4, 25)


def test_estimates_depend_on_what_is_seen_alone() -> None:
    """Other positions before, and other questions in between, change nothing."""
    game = Game(random_layout("expert", seed=3), Rules(FirstClick.ZERO), Random(3))
    game.open((8, 15))
    first = game.board
    asked = [cell for cell in first.covered if RewardFunction().of(first, cell).risk > 0][:40:13]
    once = [RewardFunction("win").of(first, cell) for cell in asked]
    price = RewardFunction("win").left(first)
    assert {reward.known for reward in once} == {"estimate"} and price[1] == "estimate"
    again = [RewardFunction("win").of(first, cell) for cell in reversed(asked)]
    assert again[::-1] == once and RewardFunction("win").left(first) == price
    for reward in once:
        assert reward.possible is not None and reward.chosen is not None
        assert reward.value == reward.chosen - reward.possible and 0 <= reward.chosen <= 1 - reward.risk
        assert abs(reward.possible - price[0]) < Fraction(1, 4)


def test_an_estimate_above_the_best_one_earns_nothing() -> None:
    earned = []
    for seed in range(2):
        rng = Random(f"above/{seed}")
        game = Game(random_layout(9, 9, 12, rng), Rules(), rng)
        game.open((4, 4))
        rewards = [RewardFunction("win").of(game.board, cell) for cell in game.board.covered[:20]]
        earned += [reward.value for reward in rewards if reward.known == "estimate" and reward.risk]
        assert all(one.chosen is None or one.value == one.chosen - (one.possible or 0) for one in rewards)
    assert max(earned) == 0 > min(earned) and len(earned) > 20


def test_a_certain_mine_costs_the_whole_chance_to_win() -> None:
    """Also while many worlds are left, beside cells that are certainly safe."""
    game = Game(random_layout("expert", seed=3), Rules(FirstClick.ZERO), Random(3))
    game.open((8, 15))
    risks = {cell: RewardFunction().of(game.board, cell) for cell in game.board.covered}
    mine = next(cell for cell, reward in risks.items() if reward.risk == 1)
    assert risks[mine].value == -1
    found = RewardFunction("win").of(game.board, mine)
    assert found.chosen == 0 and found.known == "estimate" and -1 < found.value < 0


def test_where_no_win_chance_is_known() -> None:
    board = Board(("2#", "##"), 2)
    for rules in (Rules(fatal=False), Rules(FirstClick.ANY, tells_total=False)):
        own = board if rules.tells_total else Board(("2#", "##"))
        found = RewardFunction("win", rules).of(own, (0, 1))
        assert found.known == "risk" and found.value == found.least_risk - found.risk and found.possible is None


def credit_of(layout: Layout, agent: str) -> tuple[Fraction, bool, int]:
    """The credit of a whole game of an agent, whether it was won, and its guesses."""
    played = play(layout, agent_named(agent), Rules(FirstClick.GIVEN), Random(1))
    function, total, safe = RewardFunction(rules=Rules(FirstClick.GIVEN)), Fraction(0), 0
    board = Board(("#" * layout.cols,) * layout.rows, layout.mines)
    guesses = 0
    for place, (move, game) in enumerate(replay(played)):
        if place and move.revealed:
            reward = function.of(board, move.cell)
            opened = sum(number is not None for _, number in move.revealed)
            total += forced_credit(reward, opened, safe)
            guesses += reward.risk > 0
        board = game.board
        safe = safe if place else len(board.covered) - layout.mines
    return total, played.outcome is Outcome.CLEARED, guesses


def test_a_cleared_board_that_needs_no_guess_earns_one() -> None:
    for board in generate(BoardSpec(9, 9, 10), count=6, seed=4):
        assert credit_of(board.layout, "sat") == (1, True, 0)
    results = [
        credit_of(Layout(layout.cells, start=(0, 0)), "sat")
        for seed in range(40)
        if not (layout := random_layout(5, 5, 6, seed=seed)).is_mine((0, 0))
    ]
    assert any(won and guesses and earned < 1 for earned, won, guesses in results), "luck earns nothing"
    assert all(earned <= 1 and (earned < 1 or not guesses) for earned, won, guesses in results)


def test_flags_are_opinions() -> None:
    plain, flagged = Board(("1#1", "1##", "###"), 2), Board(("1F1", "1#F", "###"), 2)
    for kind in KINDS:
        for cell in plain.covered:
            assert RewardFunction(kind).of(plain, cell) == RewardFunction(kind).of(flagged, cell)


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a reward among regret, win, found 'luck'"):
        RewardFunction("luck")
    with pytest.raises(BoardError, match="expected a covered cell, found 0,0"):
        RewardFunction().of(Board(("1#",), 1), (0, 0))
    with pytest.raises(BoardError, match="expected a game that can still be won, found an opened mine"):
        RewardFunction("win").of(Board(("*#", "##"), mines=2), (0, 1))
    with pytest.raises(BoardError, match="expected a covered cell, found 0,2"):
        RewardFunction().of(Board(("1#",), 1), (0, 2))
    with pytest.raises(ValueError, match="expected the rule goal to be clear here, found find"):
        check_rules(Rules(goal=Goal.FIND))


def test_every_rule_is_understood_or_refused() -> None:
    assert set(UNDERSTOOD) <= RULES.keys() and "goal" not in UNDERSTOOD
