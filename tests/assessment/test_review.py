"""Reviews of single games: forced cells, overlooked ones, chords, flags, other rules, luck by risks."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import log10
from random import Random

import pytest

from satsweep import Board, Layout, Rules, analyse, play, review
from satsweep.agents import agent_named
from satsweep.assessment.overlooked import overlooked
from satsweep.assessment.positions import COVERED, Positions, TechniqueFinder
from satsweep.assessment.verdicts import Judgement, MoveClass
from satsweep.board import Cell
from satsweep.clues import clues_named
from satsweep.formats import read_boards, read_game_content
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import Game, play as play_game, replay
from satsweep.games.record import MoveReason, Outcome, Record
from satsweep.games.rules import FirstClick, Goal
from satsweep.render.review_json import review_values
from satsweep.render.review_text import review_facts, summary_in_words
from satsweep.techniques import TECHNIQUES, Technique
from tests import DATA
from tests.assessment import symbols_of
from tests.formats.replay_files import clicks, rawvf

LAYOUT = Layout(("..*.", "....", "*...", "...*"))
"""Three mines, of which the one in the first row can be deduced from 1,3 on."""


def game_by_hand(layout: Layout, *cells: tuple[int, int], rules: Rules | None = None) -> Record:
    """The record of a game in which these cells are opened."""
    game = Game(layout, rules or Rules())
    for cell in cells:
        if game.outcome is None and game.is_covered(cell):
            game.open(cell)
    game.stop(Outcome.STOPPED)
    assert game.outcome is not None
    return Record("somebody", game.rules, game.layout, tuple(game.moves), game.outcome)


def test_a_cell_that_is_safe_changes_nothing() -> None:
    layout = Layout(("...*", "....", "....", "*..."))
    found = review(game_by_hand(layout, (0, 0), (3, 3), (3, 1)), kernels=False)
    assert found.known == "exact"
    for move in found.moves:
        if move.kind is MoveClass.SAFE:
            assert move.technique is not None and (move.skill, move.luck) == (0, 0) and move.before == move.after
    assert found.start is not None and found.start + (found.skill or 0) + (found.luck or 0) == found.end


def test_a_guess_beside_a_safe_cell_is_judged_by_what_the_player_knew() -> None:
    # 0,0 shows 1 and 0,2 is 1: with 1,0 1,1 1,2 open below, 0,1 is the mine; the guess goes to the far corner.
    layout = Layout((".*..", "....", "...."))
    game = game_by_hand(layout, (0, 0), (2, 0), (0, 2), (0, 3))
    found = review(game, kernels=False)
    assert found.record.won or found.record.outcome is Outcome.STOPPED
    risky = [judgement for move, judgement in found.judgements if judgement.risk and judgement.missed]
    for judgement in risky:
        assert judgement.loss is not None and judgement.loss >= 0
        assert judgement.least_risk == 0
        reason = overlooked(judgement)
        assert reason is not None and reason.cell == judgement.missed[0][0] and reason.argument.sentences


def test_an_overlooked_cell_is_shown_by_the_technique_that_is_named() -> None:
    """The words, not the steps' own technique, tell how hard an argument is."""
    hardest = {rule: Technique.SINGLE for rule in ("single point", "single points")}
    hardest |= {rule: Technique.PAIR for rule in ("1-1", "1-2", "1-2-1", "1-2-2-1", "subset", "overlap")}
    hardest |= {rule: Technique.SEARCH for rule in ("subsets", "suppose", "supposition", "clue set")}
    hardest |= {rule: Technique.TOTAL for rule in ("mine count", "all mines found", "only mines left")}
    shown = Counter[Technique]()
    for seed in range(16):
        rng = game_rng("overlooked", seed)
        layout = random_layout(*((9, 9, 14), (5, 5, 5), (6, 6, 9), (10, 12, 24))[seed % 4], rng)
        record = play(layout, agent_named("random" if seed % 2 else "basic"), Rules(fatal=False), rng)
        for _, judgement in review(record).judgements:
            found = overlooked(judgement)
            if found is not None:
                order = list(Technique)
                taken = max((hardest[step.rule] for step in found.argument.steps), key=order.index)
                assert judgement.missed[0] == (found.cell, taken), found.argument
                assert found.technique is taken
                assert order.index(taken) == min(order.index(technique) for _, technique in judgement.missed)
                shown[taken] += 1
    assert set(shown) == set(Technique) and shown.total() > 150, shown


def test_a_cell_that_has_to_be_a_mine_is_the_worst_choice() -> None:
    found = review(game_by_hand(Layout((".*.",)), (0, 0), (0, 1)), kernels=False)
    assert [move.kind for move in found.moves] == [MoveClass.BEST, MoveClass.BLUNDER]
    last = found.moves[1]
    assert last.judgement is not None and last.judgement.risk == 1
    assert (last.skill, last.luck, found.end) == (-1, 0, 0)
    assert found.pluck == float("inf")


def test_the_first_cell_is_judged_where_best_play_is_known() -> None:
    layout = Layout(("....", "....", "*.**"))
    middle, corner = (review(game_by_hand(layout, first), kernels=False) for first in ((1, 1), (0, 0)))
    assert middle.start == corner.start
    assert middle.moves[0].skill < corner.moves[0].skill == 0


def test_a_chord_is_one_choice_of_several_cells() -> None:
    layout = Layout((".*..", "....", "...*"))
    path = (("left", 0, 0), ("right", 1, 1), ("chord", 0, 0))
    found = review(read_game_content(rawvf(layout, clicks(*path)).encode()), kernels=False)
    ((move, judgement),) = [one for one in found.judgements if len(one[1].cells) > 1]
    assert judgement.cells == ((0, 1), (1, 0)) and move.judgement is judgement
    # One mine among three cells; the flag is on one of them, and both others are opened.
    assert judgement.risk == Fraction(2, 3)
    assert found.wrong_flags[0].move.cell == (1, 1)
    assert found.start is not None and found.start + (found.skill or 0) + (found.luck or 0) == found.end == 0


def test_times_of_moves() -> None:
    layout = Layout((".*.*", "....", "*..."))
    found = review(read_game_content(rawvf(layout, clicks(("left", 0, 0), ("left", 0, 2))).encode()), kernels=False)
    times = [move.move.time for move in found.moves]
    assert None not in times
    assert [move.seconds for move in found.moves] == [times[0], (times[1] or 0) - (times[0] or 0)]


def test_times_that_run_backwards() -> None:
    record = game_by_hand(Layout((".*.*.",)), (0, 0), (0, 2), (0, 4))
    moves = tuple(move._replace(time=time) for move, time in zip(record.moves, (2.0, 1.0, 3.5), strict=True))
    found = review(replace(record, moves=moves), kernels=False)
    assert [move.seconds for move in found.moves] == [2.0, 0.0, 1.5]


@pytest.mark.parametrize(
    "rules",
    [
        Rules(fatal=False),
        Rules(goal=Goal.FIND, first=FirstClick.SAFE, cascade=False, fatal=False),
        Rules(tells_total=False),
    ],
    ids=str,
)
def test_other_rules_have_risks_alone(rules: Rules) -> None:
    record = play(LAYOUT, agent_named("random"), rules, Random(3))
    found = review(record, kernels=False)
    assert (found.known, found.start, found.skill, found.luck, found.end) == ("risk", None, None, None, None)
    assert found.judgements
    for move, game in replay(record):
        assert game.board is not None and move is not None
    for _, judgement in found.judgements:
        assert 0 <= judgement.least_risk <= judgement.risk <= 1


def test_unreliable_numbers() -> None:
    rules = Rules(clues=clues_named("underestimate"))
    found = review(play(LAYOUT, agent_named("sat"), rules, Random(1)), kernels=False)
    assert found.known == "risk" and found.judgements


def test_techniques_are_the_stages_of_the_solver() -> None:
    names = {words.stage: technique for technique, words in TECHNIQUES.items()}
    found = Counter[Technique]()
    for board in [*read_boards(DATA / "positions_expert.jsonl")[:60], Board(("1##", "1##"), mines=1)]:
        positions = Positions(board, kernels=False)
        symbols = symbols_of(board)
        finder = TechniqueFinder(positions.near)
        finder.show(symbols, [cell for cell in range(len(symbols)) if symbols[cell] != COVERED])
        stages = analyse(board).stages
        expected = {board.index(cell): names[stage] for stage, cells in stages.items() for cell in cells}
        own = finder.of(expected, partial(positions.board, symbols))
        for cell, technique in expected.items():
            # Pairs are looked for near the cell first, and then they may settle more: their order matters.
            assert own[cell] in ((technique, Technique.PAIR) if technique is Technique.SEARCH else (technique,))
        found.update(own.values())
    assert set(found) == set(Technique)


def test_the_sum_of_risks_is_the_pluck_of_metasweeper() -> None:
    ms_toollib = pytest.importorskip("ms_toollib")
    several = 0
    for number in range(8):
        rng = game_rng("pluck", number)
        record = play(random_layout(5, 5, 5, rng), agent_named("basic"), Rules(), rng)
        expected, before = 0.0, None
        for move, game in replay(record):
            if before is not None and move.revealed and move.reason is not MoveReason.START:
                cells = [
                    [10 if symbol in "#F" else int(symbol.replace(".", "0")) for symbol in row] for row in before.cells
                ]
                risks, *_ = ms_toollib.cal_probability_onboard(cells, record.layout.mines)
                risk = risks[move.cell[0]][move.cell[1]]
                expected = float("inf") if risk == 1 else expected - log10(1 - risk)
                several += 0 < risk < 1
            before = game.board
        assert review(record, kernels=False).pluck == pytest.approx(expected, abs=1e-9)
    assert several > 5


@pytest.mark.parametrize("chances", [(Fraction(1, 2), Fraction(1, 2)), (None, None)])
def test_a_guess_beside_a_safe_cell_is_never_good(chances: tuple[Fraction | None, Fraction | None]) -> None:
    """A pair that cannot be avoided costs nothing now; still a cell was safe."""
    board, risk = Board(("#1#", "#1#"), mines=1), Fraction(1, 2)
    least = risk if chances[0] is None else Fraction(0)
    guess = Judgement(board, (Cell(0, 0),), risk, least, None, *chances, exact=True)
    assert guess.kind is MoveClass.BEST
    assert replace(guess, missed=((Cell(0, 2), Technique.SINGLE),)).kind is MoveClass.INACCURACY


def test_no_choices_are_said_to_be_better_than_the_best() -> None:
    """Estimates of a chosen cell and of the best one may differ where they are the same."""
    above = 0
    for seed in range(19, 27):
        rng = Random(seed)
        found = review(play_game(random_layout("beginner", rng=rng), agent_named("sat"), Rules(), rng))
        if found.skill is not None and found.skill > 0:
            above += 1
            assert "choices like these" not in summary_in_words(found).lower()
    assert above


@pytest.mark.parametrize(("redraw", "agent", "name"), [("fair", "sat", "spared"), ("cruel", "basic", "punished")])
def test_games_whose_mines_are_redrawn_are_reviewed_by_risk(redraw: str, agent: str, name: str) -> None:
    """Luck is left out, and the guesses that the rules decided are named: they are as the rules want them."""
    decided = 0
    for seed in range(12):
        rng = Random(seed)
        record = play_game(random_layout("8x8/16", rng=rng), agent_named(agent), Rules(redraw=redraw), rng)  # type: ignore[arg-type]
        found = review(record)
        assert (found.known, found.start, found.luck) == ("risk", None, None)
        facts = dict(review_facts(found))
        assert "luck is left out" in facts["known"] and "go well" not in summary_in_words(found)
        cells = {move.number: move.move for move in found.moves if move.number in found.decided}
        assert facts.get(name, "") == " ".join(str(move.cell) for move in cells.values())
        assert all(move.exploded == found.decided[number] == (name == "punished") for number, move in cells.items())
        told = [move.get("decided") for move in review_values(found)["moves"]]
        assert told == [
            {None: None, True: "mine", False: "safe"}[found.decided.get(move.number)] for move in found.moves
        ]
        guesses = [
            own for move, own in found.judgements if (own.risk and not own.missed if redraw == "fair" else own.missed)
        ]
        decided += len(cells)
        assert len(cells) == sum(own.risk == own.least_risk if redraw == "fair" else own.risk > 0 for own in guesses)
    assert decided > 3
    assert not review(replace(record, rules=Rules(redraw="never"))).decided  # type: ignore[arg-type]
