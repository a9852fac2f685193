"""Estimates of win chances against exact ones, and the search in Python against the compiled one."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from random import Random

import pytest

from satsweep import Board, Cell, Rules, play, review
from satsweep.agents import agent_named
from satsweep.analysis.endgame import SearchExhausted
from satsweep.assessment import estimates
from satsweep.assessment.chances import FewWorlds, WinChances, best_start, exact_start, whole_board
from satsweep.assessment.estimates import _choice, estimated_start
from satsweep.assessment.positions import Positions, Symbols
from satsweep.assessment.verdicts import Judgement, MoveClass, class_of
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.record import Action, Record
from satsweep.games.rules import FirstClick
from tests import EXAMPLES

BLANK = Board(("#####",) * 5, mines=5)


def guesses(record: Record, positions: Positions) -> list[tuple[Symbols, int, bool]]:
    """Positions of a game with the cell that was opened there, where it was not certainly safe.

    The last value says that the position has no safe cell.
    """
    seen, found = positions.covered, []
    for move in record.moves:
        if move.action is not Action.OPEN:
            continue
        cell = record.layout.index(move.cell)
        risks = positions.risks(seen)
        if move is not record.moves[0] and 0 < risks[cell] < 1:
            found.append((seen[:], cell, 0 not in risks))
        for shown, number in move.revealed:
            seen[record.layout.index(shown)] = -2 if number is None else int(number)
    return found


def test_a_search_that_is_given_up_leaves_the_chance_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = game_rng("exhausted", 0)
    record = play(random_layout(3, 4, 3, rng), agent_named("random"), Rules(start=Cell(0, 0)), rng)
    assert review(record, kernels=False).known == "exact"

    def give_up(self: FewWorlds, worlds: int, *cells: object) -> None:
        raise SearchExhausted

    monkeypatch.setattr(FewWorlds, "best", give_up)
    found = review(record, kernels=False)
    assert found.known == "estimate" and found.start is not None
    assert found.start + (found.skill or 0) + (found.luck or 0) == found.end
    assert all(judgement.chosen is None for move, judgement in found.judgements)


@pytest.mark.extended
@pytest.mark.parametrize(("choices", "games"), [(10, 160), pytest.param(40, 400, marks=pytest.mark.slow)])
@pytest.mark.parametrize("settled", [True, False])
def test_estimates_of_choices_have_no_bias(settled: bool, choices: int, games: int) -> None:
    positions = Positions(BLANK)
    assert positions.deep
    off: list[float] = []
    for number in range(60):
        rng = game_rng("bias", number)
        record = play(random_layout(5, 5, 5, rng), agent_named("random"), Rules(start=Cell(2, 2)), rng)
        for seen, cell, is_settled in guesses(record, positions):
            if is_settled != settled or len(off) == choices:
                continue
            exact = WinChances(positions, 2, 0)
            risk = positions.analysis(seen).risk(positions.blank.cell(cell))
            known = exact.of_choice(seen, (cell,), risk, None)
            assert known is not None and known.exact
            rolled = WinChances(positions, games, number)
            rolled._most, rolled._few = 0, None
            assert rolled.estimates is not None
            now = rolled.estimates.of(seen)
            found = rolled.of_choice(seen, (cell,), risk, now)
            assert found is not None and not found.exact
            difference = float((found.chosen - found.possible) - (known.chosen - known.possible))
            if found.error:
                off.append(difference / float(found.error))
            else:
                assert abs(difference) < 1e-5  # the deep player opens the same cell, or one as good
    assert len(off) >= 10
    # Deviations in standard errors: their mean is that of a few dozen normal numbers.
    assert abs(sum(off) / len(off)) < 4 / len(off) ** 0.5
    assert max(map(abs, off)) < 6


@pytest.mark.extended
def test_both_searches_have_the_same_values() -> None:
    blank = Board(("####",) * 3, mines=3)
    fast, slow = whole_board(blank, kernels=True), whole_board(blank, kernels=False)
    assert fast is not None and slow is not None
    rng = Random(5)
    for _ in range(200):
        worlds = fast.all
        for cell in rng.sample(sorted(fast.cells), rng.randrange(1, 6)):
            if part := worlds & rng.choice(list(fast.cells[cell].shows.values())):
                worlds = part
        assert fast.value(worlds) == slow.value(worlds)
        assert fast.chance(worlds) == slow.chance(worlds)


def test_positions_that_follow_from_one_with_few_worlds() -> None:
    blank = Board(("###",) * 2, mines=2)
    few = whole_board(blank, kernels=False)
    assert isinstance(few, FewWorlds) and few.all.bit_count() == 15
    seen = Positions(blank).covered
    assert few.worlds_of(seen) == few.all and few.leads_to(seen)
    seen[0] = 2
    assert few.worlds_of(seen).bit_count() == 3  # two mines among three cells
    assert few.chance(few.worlds_of(seen)) == Fraction(1, 3) + Fraction(1, 3)
    assert few.chance_with(few.worlds_of(seen), (2,)) <= few.chance(few.worlds_of(seen))


def test_exact_chances_of_first_cells() -> None:
    few = whole_board(Board(("####",) * 3, mines=2), kernels=False)
    assert few is not None
    safe = {cell: exact_start(few, cell, FirstClick.SAFE) for cell in few.cells}
    unprotected = {cell: exact_start(few, cell, FirstClick.ANY) for cell in few.cells}
    for cell in few.cells:
        first, free = safe[cell], unprotected[cell]
        assert first is not None and free is not None
        assert free == first * Fraction(10, 12)  # it is safe in 10 of 12 cells
    best, chance = best_start(few, FirstClick.SAFE)
    assert chance == max(safe.values(), key=lambda one: one or 0) == safe[best]
    assert exact_start(few, 0, FirstClick.ZERO) == 1 or exact_start(few, 0, FirstClick.ZERO) is not None


def test_first_cells_of_the_standard_levels_are_in_the_table() -> None:
    for rows, cols, mines in ((9, 9, 10), (16, 16, 40), (16, 30, 99)):
        blank = Board(("#" * cols,) * rows, mines=mines)
        for first in (FirstClick.SAFE, FirstClick.ZERO):
            corner, other = (estimated_start(blank, cell, first) for cell in (0, rows * cols - 1))
            assert corner is not None and corner == other and 0.3 < corner.win < 1
            assert all(estimated_start(blank, cell, first) for cell in range(rows * cols))


@pytest.mark.extended
def test_parts_of_estimated_reviews_add_up() -> None:
    for number, name in enumerate(("random", "gem", "sat", "deep:2")):
        rng = game_rng("estimate", number)
        record = play(random_layout(16, 16, 40, rng), agent_named(name), Rules(start=Cell(0, 0)), rng)
        found = review(record, rolled=4)
        assert found.known == "estimate" and found.start is not None
        assert found.start + (found.skill or 0) + (found.luck or 0) == found.end == int(record.won)
        for before, after in pairwise([move for move in found.moves if move.before is not None]):
            assert before.after == after.before
        if name == "deep:2":
            assert found.skill == 0  # it is the player that estimates
        assert review(record, rolled=4) == found


@pytest.mark.extended
@pytest.mark.parametrize("rolled", [8, 64])
def test_no_chance_is_above_that_to_survive(rolled: int) -> None:
    """Games of careless players; before, 38 of 82 choices had a higher one, and all of them were called good."""
    estimated = 0
    for name, number in product(("random", "basic"), range(10)):
        rng = game_rng("bound", number)
        record = play(random_layout(9, 9, 10, rng), agent_named(name), Rules(start=Cell(0, 0)), rng)
        found = review(record, rolled=rolled)
        assert (found.start or 0) + (found.skill or 0) + (found.luck or 0) == found.end
        for _, judgement in found.judgements:
            assert judgement.chosen is not None and judgement.possible is not None
            assert 0 <= judgement.chosen <= 1 - judgement.risk
            assert judgement.possible <= 1 - judgement.least_risk
            if judgement.missed:
                assert judgement.kind not in (MoveClass.BEST, MoveClass.GOOD)
            estimated += not judgement.exact
    assert estimated > 20


def test_a_choice_keeps_what_it_gives_away_between_its_bounds() -> None:
    half, most = Fraction(1, 2), Fraction(3, 4)
    for possible, lost, kept in (
        (most, 0.125, 0.125),
        (Fraction(1, 4), 0.5, 0.5),
        (Fraction(1, 4), -0.25, -0.25),
        (Fraction(1, 4), -0.75, -0.5),
        (Fraction(1, 4), 0.875, 0.75),
    ):
        choice = _choice(possible, lost, half, 0.0, 3, most)
        assert 0 <= choice.chosen <= half and 0 <= choice.possible <= most
        assert choice.possible - choice.chosen == Fraction(kept)
    assert _choice(Fraction(2, 5), 0.2, half, 0.0, 3)[:2] == (Fraction(1, 5), Fraction(2, 5))


def test_estimates_are_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board on which hardly any game is won: what is left without luck may be below 0."""
    blank = Board(("#" * 8,) * 8, mines=40)
    for value, expected in ((-5.7e-05, Fraction(0)), (1.25, Fraction(1)), (0.25, Fraction(1, 4))):
        monkeypatch.setattr(estimates, "play_from", lambda *_, value=value: (value, 0.1))
        found = estimated_start(blank, 0, FirstClick.SAFE)
        assert found is not None and found.win == expected


def test_the_example_is_reviewed_exactly() -> None:
    """The game of the guide: command and page say the same, and more roll-outs change nothing."""
    game = Record.load(EXAMPLES / "game.json")
    few, many = review(game, rolled=2), review(game, rolled=64)
    assert few.known == "exact" and few.parts == many.parts == (
        Fraction(2357, 3864), Fraction(-87, 646), 1 - Fraction(2357, 3864) + Fraction(87, 646), 1,
    )  # fmt: skip


def test_classes_of_losses() -> None:
    losses = [Fraction(-1, 50), Fraction(0), Fraction(1, 1000), Fraction(1, 100), Fraction(3, 100), Fraction(1, 10)]
    assert [class_of(loss) for loss in losses] == [MoveClass.BEST, *list(MoveClass)[2:]]
    assert [class_of(loss / 5, Fraction(1, 50)) for loss in losses] == [MoveClass.BEST, *list(MoveClass)[2:]]


@pytest.mark.parametrize("chosen", [Fraction(40, 10**5), Fraction(41, 10**5)])
def test_where_hardly_any_game_is_won_a_great_risk_is_a_fault(chosen: Fraction) -> None:
    """73 % risk beside 29 % was good, as estimates of the two cells hardly differ."""
    risk, least = Fraction(7318, 10**4), Fraction(2909, 10**4)
    guess = Judgement(BLANK, (Cell(0, 0),), risk, least, Cell(4, 4), chosen, Fraction(40, 10**5), best_risk=least)
    assert guess.is_by_risk and guess.kind is MoveClass.BLUNDER
    assert not replace(guess, exact=True).is_by_risk
    assert replace(guess, chosen=Fraction(1, 4), possible=Fraction(1, 4)).kind is MoveClass.BEST


def test_faults_of_careless_games_on_dense_boards() -> None:
    faint = 0
    for seed in (2, 5, 7):
        rng = Random(seed)
        record = play(random_layout("8x8/40", rng=rng), agent_named("random" if seed % 2 else "basic"), Rules(), rng)
        found = review(record, rolled=8)
        assert found.start is not None and 0 <= found.start <= 1
        for _, own in found.judgements:
            if own.is_by_risk and own.risk - own.least_risk >= Fraction(1, 10):
                faint += 1
                assert own.kind is MoveClass.BLUNDER and own.best_risk == own.least_risk
                assert own.best is not None
    assert faint
