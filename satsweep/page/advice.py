"""Answers about the next move: advice, hints in steps, endgames to walk through."""

from fractions import Fraction
from typing import cast

from satsweep.analysis.advice import Chances, advise
from satsweep.analysis.analyse import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.analysis.candidates import MoveAdvice
from satsweep.analysis.endgame import MOST_WORLDS, Endgame, SearchExhausted, endgame
from satsweep.board import FLAG, Board, Cell
from satsweep.errors import BoardError, Contradiction
from satsweep.formats.strict import Node
from satsweep.page.questions import Limits, Question, SendPart
from satsweep.page.values import (
    AdviceValues,
    ChanceValues,
    EndgameNodeValues,
    EndgameUnknownValues,
    HintStepsValues,
    HintStepValues,
    Sentence,
)
from satsweep.render.advice_text import advice_values, sentence, why_candidate
from satsweep.render.number_text import count, fraction, percent
from satsweep.render.page_values import with_parts
from satsweep.sentence import capitalised
from satsweep.solver import compiled
from satsweep.text import counted
from satsweep.why import Explainer, Explanation, argument_in_words
from satsweep.why.minimal.reasons import easiest

NOT_THERE = "The deep player needs the compiled library, which is not here, so its chances to win are not known."
"""Remark of advice without the estimates that were asked for."""


def advice(question: Question, limits: Limits, send: SendPart) -> AdviceValues:
    """Cells to open, best first; ``deep`` (true unless given) asks the deep player.

    ``note`` says if the package has none.
    """
    analysis = analysed(question, limits)
    advised = _advised(question, analysis)
    told = told_advice(advised, analysis.board)
    if question.get("deep", Node.boolean, True) and advised.kind == "risk" and not compiled.is_there():
        told["note"] = NOT_THERE
    return told


def further_advice(question: Question, limits: Limits, send: SendPart) -> AdviceValues:
    """Advice with ``wins``, the chances to win that a deep player has found.

    They are pairs of a cell and a number, its best cell first; ``exact`` says if they are those of best play.
    """
    analysis = analysed(question, limits)
    known = _known_wins(question, analysis)
    return told_advice(advise(analysis, last=question.get("last", Node.cell, None), known=known), analysis.board)


def told_advice(advised: MoveAdvice, board: Board) -> AdviceValues:
    """Advice as plain values."""
    return cast(AdviceValues, with_parts(advice_values(advised, board)))


def analysed(question: Question, limits: Limits) -> Analysis:
    board = board_of(question, limits).without_flags()
    try:
        return analyse(board, budget=limits.solving)
    except Contradiction as error:
        raise BoardError(f"expected a board that is possible: {error}") from None


def _advised(question: Question, analysis: Analysis) -> MoveAdvice:
    last = question.get("last", Node.cell, None)
    return advise(analysis, last=last, deep=question.get("deep", Node.boolean, True))


def _known_wins(question: Question, analysis: Analysis) -> Chances:
    wins: dict[Cell, Fraction | float] = {}
    exact, worlds = question.get("exact", Node.boolean, False), analysis.worlds
    for node in question.fields["wins"].items():
        place, share = node.items() if len(node.items()) == 2 else node.fail("expected a cell and a chance to win")
        cell, win = place.cell(), float(share.number())
        if cell not in analysis.board.covered or not 0 <= win <= 1:
            node.fail("expected a covered cell and a chance to win from 0 to 1")
        wins[cell] = Fraction(round(win * worlds), worlds) if exact and worlds else win
    return Chances("risk" if not wins else "exact" if exact else "estimate", wins, next(iter(wins), None))


def board_of(question: Question, limits: Limits) -> Board:
    board = Board.from_text(question.fields["board"].string())
    limits.check(board.rows, board.cols)
    return board


def hint(question: Question, limits: Limits, send: SendPart) -> HintStepsValues:
    """The easiest next move in steps: place, numbers, conclusion, move.

    ``last`` is the cell of the last move, near which the hint is if it can be.
    """
    analysis = analysed(question, limits)
    if analysis.safe:
        cell = easiest(analysis.board, analysis.safe, question.get("last", Node.cell, None))
        steps = _proof(analysis, cell)
    else:
        advised = _advised(question, analysis)
        if advised.best is None:
            raise BoardError("expected a cell that can be opened, found none")
        cell, steps = advised.best, _guess(advised, analysis.board)
    flagged = board_of(question, limits)[cell] == FLAG
    move: Sentence = ["Remove the flag and open " if flagged else "Open ", cell, "."]
    step: HintStepValues = {"text": move, "cell": cell, "action": "open"}
    return {"steps": [*steps, step], "cell": cell, "safe": bool(analysis.safe)}


def _proof(analysis: Analysis, cell: Cell) -> list[HintStepValues]:
    board = analysis.board
    with Explainer(board, analysis=analysis) as reasons:
        why = reasons.of(cell)
    assert isinstance(why, Explanation)
    touched = {near for clue in why.clues for near in board.neighbours(clue)}.intersection(board.covered)
    total = f"the mine total, {board.mines}" if why.total else ""
    numbers = f"{counted(len(why.clues), 'number')}" if why.clues else ""
    read = " and ".join(part for part in (numbers, total) if part)
    needed = f"{capitalised(read)} will do." if read else "No number is needed."
    return [
        {"text": ["Look here."], "cells": sorted({cell, *touched})},
        {"text": [needed], "cells": why.clues},
        {"text": with_parts(argument_in_words(why).text), "cells": [cell]},
    ]


def _guess(advised: MoveAdvice, board: Board) -> list[HintStepValues]:
    best = advised.candidates[0]
    numbers = [near for near in board.neighbours(best.cell) if board.number(near) is not None]
    equals = [own.cell for own in advised.guesses[0]]
    return [
        {"text": ["No cell is safe: a guess is due."], "cells": equals},
        {"text": with_parts(sentence(advised, board)), "cells": numbers},
        {"text": [why_candidate(best)], "cells": [best.cell]},
    ]


def walk_endgame(question: Question, limits: Limits, send: SendPart) -> EndgameNodeValues | EndgameUnknownValues:
    """Best play, exactly, where few worlds are left: a node of its tree.

    ``path`` has the steps from the board on, each a row, a column and the number shown. ``cell`` asks about the numbers
    of that cell, otherwise about those of the best one. ``cells`` is null where best play is not known, with ``why``.
    """
    analysis = analysed(question, limits)
    position = endgame(analysis)
    if analysis.board.part:
        return {"cells": None, "why": "Best play is known of whole boards only."}
    if position is None:
        worlds = "not counted" if analysis.worlds is None else f"{count(analysis.worlds)} are possible"
        return {"cells": None, "why": f"Best play is known with {MOST_WORLDS:,} solutions or fewer; {worlds} here."}
    steps: list[Node] = question.get("path", Node.items, [])
    for step in steps:
        position = _after(position, step)
    try:
        return _node(position, question.get("cell", Node.cell, None))
    except SearchExhausted:
        return {"cells": None, "why": "Best play is not known: the search would take too long here."}


def _after(position: Endgame, node: Node) -> Endgame:
    row, col, shown = (
        (part.integer() for part in node.items())
        if len(node.items()) == 3
        else node.fail("expected a row, a column and a number")
    )
    cell = Cell(row, col)
    after = position.numbers(cell) if cell in position.cells else {}
    if shown not in after:
        node.fail(f"expected a cell that can show {shown}")
    return after[shown]


def _node(position: Endgame, asked: Cell | None) -> EndgameNodeValues:
    """A position as values: its cells, and the numbers of the asked or the best one."""
    cell = position.best() if asked is None else asked
    if cell is not None and cell not in position.cells:
        raise BoardError(f"expected a cell that may be safe, found {cell}")
    followers = {} if cell is None else position.numbers(cell)
    return {
        "worlds": position.size,
        **_chance(position.win),
        "cells": [{"cell": own, **_chance(position.win_with(own))} for own in position.cells],
        "best": position.best(),
        "cell": cell,
        "numbers": [{"number": n, "worlds": after.size, **_chance(after.win)} for n, after in followers.items()],
    }


def _chance(win: Fraction) -> ChanceValues:
    return {"win": float(win), "win_exact": fraction(win), "percent": percent(win)}
