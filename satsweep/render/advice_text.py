"""Advice in words and as plain values, the same for the command and the page."""

from __future__ import annotations

from fractions import Fraction

from satsweep.render.number_text import cell_list, fraction, percent
from satsweep.solver.advice import Candidate, MoveAdvice
from satsweep.solver.unavoidable import UnavoidableGuess
from satsweep.text import counted

MOST_LISTED = 100
"""Most candidates that are listed as values."""


def move_in_words(advice: MoveAdvice, exact: bool = False) -> str:
    """The cell to open, its risk, and the chance to win, in a few words."""
    if not advice.candidates:
        return "none"
    best = advice.candidates[0]
    if not best.risk:
        return f"{best.cell} is safe"
    wins = "" if best.win is None else f"; {win_in_words(best.win, exact)}"
    return f"{best.cell} with risk {percent(best.risk, exact)}{wins}"


def win_in_words(win: Fraction | float, exact: bool = False) -> str:
    """The chance to win with a cell; one that is estimated is said to be."""
    if isinstance(win, Fraction):
        return f"best play wins with {percent(win, exact)}"
    return f"wins with about {100 * win:.0f} % (estimate)"


def advice_values(advice: MoveAdvice) -> dict[str, object]:
    """Advice as plain values; of many candidates the best."""
    return {
        "kind": advice.kind,
        "sentence": sentence(advice),
        "candidates": [_candidate_values(own) for own in advice.candidates[:MOST_LISTED]],
        "dead": advice.dead,
        "unavoidable": [{"cells": guess.cells, "why": why_unavoidable(guess)} for guess in advice.unavoidable],
    }


def sentence(advice: MoveAdvice) -> str:
    """One line that says what to do."""
    if not advice.candidates:
        return "There is no cell to open."
    best = advice.candidates[0]
    if not best.risk:
        others = len(advice.candidates) - 1
        more = f", and so {'is' if others == 1 else 'are'} {counted(others, 'more cell')}" if others else ""
        return f"Open {best.cell}: it is safe{more}."
    wins = "" if best.win is None else f", and {win_in_words(best.win)}"
    return f"No cell is safe. The best guess is {best.cell}: a mine with {percent(best.risk)}{wins}."


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
    """Reasons for a candidate and against it, in a sentence or two."""
    if not own.risk:
        if own.reason is None:
            return "It is safe."
        numbers = len(own.reason.clues)
        return f"It is safe: {counted(numbers, 'number')} {'proves' if numbers == 1 else 'prove'} it."
    said = [f"It is a mine with {percent(own.risk)}."]
    if own.win is not None:
        said.append(f"With it {win_in_words(own.win)}.")
    if own.dead:
        said.append("It tells nothing: it would show the same number in every case, and settle no other cell.")
    elif own.progress is not None:
        said.append(f"If it is safe, a safe cell follows with {percent(own.progress)}.")
    return " ".join(said)


def why_unavoidable(guess: UnavoidableGuess) -> str:
    """Why a guess cannot be avoided."""
    if len(guess.first) == 1:
        one, other = guess.cells
        return f"{one} or {other} is a mine, and no other cell can ever tell which: a guess at 50 %, now or later."
    return (
        f"The mines are at {cell_list(guess.first)} or at {cell_list(guess.second)}, and no other cell can ever tell "
        "which: a guess at 50 %, now or later."
    )
