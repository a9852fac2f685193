"""Advice and best play in words and as plain values."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from satsweep.analysis.candidates import Candidate, MoveAdvice, UnavoidableGuess
from satsweep.analysis.endgame import BestPlay
from satsweep.board import Board
from satsweep.render.number_text import about_percent, cell_list, fraction, percent
from satsweep.sentence import Sentence, joined, named
from satsweep.text import counted

MOST_LINES = 60
"""Most lines of a tree in text."""


def best_play_values(play: BestPlay) -> dict[str, object]:
    values: dict[str, object] = {
        "worlds": play.worlds,
        "won": play.won,
        "win": fraction(Fraction(play.won, play.worlds)),
    }
    if play.cell is None:
        return values
    after = [{"number": number, **best_play_values(own)} for number, own in play.numbers.items()]
    return {**values, "cell": play.cell, "lost": play.lost, "numbers": after}


def best_play_lines(play: BestPlay) -> Iterator[str]:
    """Yield a line for each position of the tree; of a large tree the first ones.

    >>> from satsweep.analysis.analyse import analyse
    >>> from satsweep.analysis.endgame import best_play
    >>> analysis = analyse("mines 2\\n#1#\\n1##\\n###")
    >>> print(*best_play_lines(best_play(analysis, analysis.best)), sep="")
    best play wins 4 of 6 worlds: open 0,0, a mine in 1
      0 (4 worlds): wins 3: open 2,2, which is safe
        0 (1 world): won
        1 (2 worlds): wins 1: open 0,2, a mine in 1
          1 (1 world): won
        2 (1 world): won
      1 (1 world): won
    <BLANKLINE>
    """
    if play.cell is None:
        yield "best play wins for certain: no guess is needed\n"
        return
    yield f"best play wins {play.won:,} of {counted(play.worlds, 'world')}: {_move(play)}\n"
    lines = _lines(play, 1)
    yield from islice(lines, MOST_LINES)
    if left := sum(1 for _ in lines):
        yield f"... and {counted(left, 'more line')}; --json has the whole tree\n"


def _lines(play: BestPlay, depth: int) -> Iterator[str]:
    """A line for each number that the cell to open can show, and those below it."""
    for number, after in play.numbers.items():
        said = "won" if after.cell is None else f"wins {after.won:,}: {_move(after)}"
        yield f"{'  ' * depth}{number} ({counted(after.worlds, 'world')}): {said}\n"
        yield from _lines(after, depth + 1)


def _move(play: BestPlay) -> str:
    return f"open {play.cell}, {f'a mine in {play.lost:,}' if play.lost else 'which is safe'}"


MOST_LISTED = 100
"""Most candidates that are listed as values."""


def move_in_words(advice: MoveAdvice, exact: bool = False) -> str:
    if advice.best is None:
        return "none"
    if advice.kind == "safe":
        return f"{advice.best} is safe"
    best = advice.candidates[0]
    wins = "" if best.win is None else f"; {win_in_words(best.win, exact)}"
    return f"{best.cell} with risk {percent(best.risk, exact)}{wins}"


def win_in_words(win: Fraction | float, exact: bool = False) -> str:
    """The chance to win with a cell; one that is estimated is said to be."""
    if isinstance(win, Fraction):
        return f"best play wins with {percent(win, exact)}"
    return f"wins with {about_percent(win)} (estimate)"


def advice_values(advice: MoveAdvice, board: Board) -> dict[str, object]:
    """Advice on a board as plain values; of many candidates the best."""
    return {
        "kind": advice.kind,
        "sentence": sentence(advice, board),
        "candidates": [_candidate_values(own) for own in advice.candidates[:MOST_LISTED]],
        "dead": advice.dead,
        "unavoidable": [{"cells": guess.cells, "why": why_unavoidable(guess)} for guess in advice.unavoidable],
    }


def sentence(advice: MoveAdvice, board: Board) -> Sentence:
    """One line that says what to do.

    Most games make the first cell safe, so a board of which nothing is open gets no risk.
    """
    if not advice.candidates:
        return Sentence("There is no cell to open.")
    best, cell = advice.candidates[0], named(advice.candidates[0].cell)
    if not best.risk:
        others = len(advice.candidates) - 1
        more = f", and so {'is' if others == 1 else 'are'} {counted(others, 'more cell')}" if others else ""
        return Sentence("Open ", cell, f": it is safe{more}.")
    if all(board.is_covered(cell) for cell in board):
        return Sentence("No cell is open yet. Begin at ", cell, ": most games make the first cell safe.")
    wins = "" if best.win is None else f"; {win_in_words(best.win)}"
    return Sentence("No cell is safe. The best guess is ", cell, f": {percent(best.risk)} risk{wins}.")


def _candidate_values(own: Candidate) -> dict[str, object]:
    return {
        "cell": own.cell,
        "risk": fraction(own.risk),
        "percent": percent(own.risk),
        "progress": None if own.progress is None else fraction(own.progress),
        "win": None if own.win is None else float(own.win),
        "win_exact": fraction(own.win) if isinstance(own.win, Fraction) else None,
        "dead": own.dead,
        "why": why_candidate(own),
    }


def why_candidate(own: Candidate) -> str:
    if not own.risk:
        if own.reason is None:
            return "It is safe."
        numbers = len(own.reason.clues)
        return f"It is safe: {counted(numbers, 'number')} {'proves' if numbers == 1 else 'prove'} it."
    said = [f"{percent(own.risk)} risk."]
    if own.win is not None:
        said.append(f"With it {win_in_words(own.win)}.")
    if own.dead:
        said.append("It tells nothing: it would show the same number in every case, and settle no other cell.")
    elif own.progress is not None:
        said.append(f"If it is safe, a safe cell follows with {percent(own.progress)}.")
    return " ".join(said)


def why_unavoidable(guess: UnavoidableGuess) -> Sentence:
    which = "and no other cell can ever tell which: a guess at 50 %, now or later."
    if len(guess.first) == 1:
        return Sentence(joined(map(named, guess.cells), " or "), " is a mine, ", which)
    return Sentence("The mines are at ", cell_list(guess.first), " or at ", cell_list(guess.second), ", ", which)
