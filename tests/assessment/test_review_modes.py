"""Reviews of games in the modes of other programs: boards without a guess, redrawn ones, players who knew more."""

from dataclasses import replace
from fractions import Fraction

import pytest

from satsweep import Layout, Record, Rules, review
from satsweep.assessment.verdicts import MoveClass, Review
from satsweep.formats import read_game_content
from satsweep.games.modes import MODES, ModeChances
from satsweep.games.record import Outcome
from satsweep.games.rules import FirstClick
from satsweep.render.review_text import move_in_words, review_facts, summary_in_words
from tests.assessment.test_review import game_by_hand
from tests.formats.replay_files import clicks, rawvf
from tests.page.pages import ask

LAYOUT = Layout(("...*", "....", "....", "*..."))
"""From the middle of it no guess is needed."""
FORCED = Layout(("*.", ".."))
"""From its last cell one of three others is a mine."""


def reviewed(record: Record, mode: str) -> Review:
    found = review(replace(record, mode=mode), kernels=False)
    if found.start is not None:
        assert found.skill is not None and found.luck is not None
        assert found.start + found.skill + found.luck == found.end
    return found


def test_a_board_without_a_guess_is_won_for_certain() -> None:
    """It said a start of 34.3 % and luck of +65.7 %."""
    text = rawvf(LAYOUT, clicks(("left", 1, 1), ("left", 3, 3), ("left", 0, 2), ("left", 2, 0)), "Mode: No Guess")
    found = review(read_game_content(text.encode()), kernels=False)
    assert found.known == "exact" and found.parts == (1, 0, 0, 1)
    facts = dict(review_facts(found))
    assert facts["mode"].startswith("no guess: boards need no guess") and facts["start"] == "100 %"


@pytest.mark.parametrize(("cell", "won"), [((0, 0), False), ((0, 1), True)])
def test_a_guess_that_had_to_be_is_no_fault_of_the_player(cell: tuple[int, int], won: bool) -> None:
    """Boards of some programs need one after all; what it turns up is luck."""
    found = reviewed(game_by_hand(FORCED, (1, 1), cell), "no guess")
    (move, guess) = found.judgements[0]
    assert (guess.risk, guess.least_risk, guess.kind) == (Fraction(1, 3), Fraction(1, 3), MoveClass.BEST)
    assert (found.start, move.skill, move.after, found.known) == (1, 0, int(won), "estimate")


def test_a_guess_beside_a_safe_cell_costs_its_whole_risk() -> None:
    """The far corner is one of several cells that hold one mine, while 1,0 is safe by a number."""
    layout = Layout((".*..", "....", "...."))
    found = reviewed(game_by_hand(layout, (0, 0), (2, 0), (0, 2), (0, 3)), "no guess")
    for move, guess in found.judgements:
        if guess.missed:
            assert move.skill == -guess.risk and guess.possible == 1
            assert guess.kind in (MoveClass.INACCURACY, MoveClass.MISTAKE, MoveClass.BLUNDER)


@pytest.mark.parametrize("mode", [name for name, mode in MODES.items() if mode.chances is ModeChances.UNKNOWN])
def test_players_who_knew_more_and_chosen_boards_have_no_chances(mode: str) -> None:
    record = game_by_hand(FORCED, (1, 1), (0, 1))
    assert review(record, kernels=False).start is not None
    found = reviewed(record, mode)
    assert (found.known, found.start, found.luck) == ("risk", None, None)
    assert dict(review_facts(found))["mode"] == f"{mode}: {MODES[mode].said}"
    assert MODES[mode].said in summary_in_words(found) and "go well" not in summary_in_words(found)


def test_guessable_boards_are_judged_as_redrawn_ones() -> None:
    found = reviewed(game_by_hand(FORCED, (1, 1), (0, 1)), "guessable")
    assert found.is_redrawn and (found.known, found.start) == ("risk", None) and found.judgements
    assert "luck is left out" in dict(review_facts(found))["known"] and not found.decided


def test_a_mode_that_opens_at_the_start() -> None:
    opening, number = (game_by_hand(LAYOUT, first) for first in ((0, 0), (0, 2)))
    assert reviewed(opening, "win7").record.rules == Rules(first=FirstClick.ZERO)
    assert reviewed(opening, "win7").start != reviewed(opening, "standard").start
    assert reviewed(number, "win7").record.rules == Rules(), "the file says otherwise"
    assert reviewed(replace(opening, rules=Rules(first=FirstClick.ANY)), "win7").record.rules.first is FirstClick.ANY


def test_a_mode_that_is_not_known_is_said_in_a_line() -> None:
    record = game_by_hand(LAYOUT, (0, 0), (3, 3))
    found, usual = reviewed(record, "Blitz"), reviewed(record, "standard")
    assert found.parts == usual.parts
    told = [fact for fact in review_facts(found) if fact not in [*review_facts(usual)]]
    assert told == [("mode", "Blitz: this mode is not known, so the game is reviewed as a standard one")]


def test_a_stopped_game_without_a_guess_can_still_be_won() -> None:
    record = game_by_hand(LAYOUT, (1, 1))
    assert record.outcome in (Outcome.STOPPED, Outcome.CLEARED)
    assert reviewed(record, "no guess").parts == (1, 0, 0, 1)


def test_the_page_reviews_in_the_mode_of_a_file_and_of_its_own_boards() -> None:
    text = rawvf(LAYOUT, clicks(("left", 0, 2), ("left", 2, 0)), "Mode: Classic NG")
    found = ask("review_game", text=text)
    assert (found["mode"], found["start"]) == ("no guess", 1.0) == (found["asked"]["mode"], 1.0)
    again = ask("review_game", **found["asked"])
    assert again == {key: value for key, value in found.items() if key != "asked"}
    assert "Mode: no guess" in ask("write", **found["asked"])["text"]


def test_what_a_fault_costs_is_said() -> None:
    layout = Layout((".*..", "....", "...."))
    found = reviewed(game_by_hand(layout, (0, 0), (2, 0), (0, 2), (0, 3)), "no guess")
    for move, guess in found.judgements:
        if guess.missed and guess.loss:
            assert "more wins" in move_in_words(move) and guess.loss == guess.risk <= Fraction(1)
