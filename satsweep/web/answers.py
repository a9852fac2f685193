"""What each question is answered with: plain values, worked out from the question alone.

Boards and layouts come and go in satsweep's own text form. An answer says everything in words that a person reads,
too, so that there is one place that finds them.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from fractions import Fraction

from satsweep.board import Board
from satsweep.errors import BoardError, Contradiction
from satsweep.formats import BINARY_FORMATS, StatementSet, all_formats, format_named, read_content
from satsweep.formats.strict import Node
from satsweep.render.cell_look import in_percent
from satsweep.render.explanation_text import (
    candidate_values,
    conflict_values,
    reason_values,
    undecided_sentence,
    undecided_values,
)
from satsweep.render.facts import best_move, count, fraction, percent, remarks
from satsweep.render.named_cells import name_of
from satsweep.solver.analysis import Analysis, analyse
from satsweep.solver.pipeline import risk
from satsweep.web.games import deal, layout_of, watch
from satsweep.web.geometry import geometry
from satsweep.web.limits import Limits
from satsweep.web.questions import Question, Said, Values
from satsweep.why import Explainer, Explanation, conflict, ranked_guesses
from satsweep.why.sentences import tell_correction

LONG = 400
"""Fractions of more characters are told only where one is asked for."""
LONGEST = 20_000
GUESSES = 10


def about(question: Question, limits: Limits, say: Said) -> Values:
    """Who can play, which formats there are, and how large boards may be."""
    from importlib.metadata import entry_points

    from satsweep.agents import AGENTS, entry_named
    from satsweep.games.deal import LEVELS
    from satsweep.games.rules import Goal
    from satsweep.topology import TOPOLOGIES

    question.check(())
    names = dict.fromkeys([*AGENTS, *(entry.name for entry in entry_points(group="satsweep.agents"))])
    agents = []
    for name in names:
        entry = entry_named(name)
        finds = entry.rules.goal is Goal.FIND
        agents.append({"name": name, "summary": entry.summary, "source": entry.source, "finds": finds})
    formats = [
        {"name": name, "summary": form.summary, "boards": form.boards, "layouts": form.layouts,
         "written": form.writer is not None, "binary": name in BINARY_FORMATS}
        for name, form in all_formats().items()
    ]  # fmt: skip
    levels = {name: {"rows": rows, "cols": cols, "mines": mines} for name, (rows, cols, mines) in LEVELS.items()}
    return {
        "agents": agents,
        "formats": formats,
        "levels": levels,
        "topologies": list(TOPOLOGIES),
        "cells": limits.cells,
        "message": limits.message,
    }


def read(question: Question, limits: Limits, say: Said) -> Values:
    """What somebody pasted or dropped, in whatever format it is: as satsweep's own text."""
    question.check((), ("text", "base64"))
    if ("text" in question.fields) == ("base64" in question.fields):
        raise BoardError("expected text or base64")
    name, value = read_content(_content(question))
    told: dict[str, object] = {"format": name, "summary": format_named(name).summary}
    if isinstance(value, StatementSet):
        return {**told, "kind": "rules", **_rules(value, limits)}
    limits.check(value.rows, value.cols)
    kind = "board" if isinstance(value, Board) else "layout"
    return {**told, "kind": kind, "text": str(value), "mines": value.mines}


def _content(question: Question) -> bytes:
    text = question.get("text", Node.string, "")
    if text:
        return text.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(question.get("base64", Node.string, ""), validate=True)
    except (binascii.Error, ValueError):
        raise BoardError("expected base64") from None


def _rules(rules: StatementSet, limits: Limits) -> Values:
    """What is known of cells that have names and no grid."""
    named = {cell for rule in rules.rules for cell in rule.cells} | set(rules.cells)
    if max(len(named), rules.total_cells or 0) > limits.cells:
        raise BoardError(f"expected at most {limits.cells:,} cells, found more")
    try:
        found = rules.solve(budget=limits.solving)
    except Contradiction as error:
        return {"impossible": str(error)}
    cells = [{"name": name_of(name), **_risk(odds)} for name, odds in found.risks.items()]
    elsewhere = found.elsewhere
    return {"cells": cells, "elsewhere": None if elsewhere is None else _risk(elsewhere), "complete": found.complete}


def write(question: Question, limits: Limits, say: Said) -> Values:
    """A position in another format: text, or base64 where that is none."""
    question.check(("format",), ("board", "layout"))
    name = question.fields["format"].string()
    if name not in all_formats():
        raise BoardError(f"expected a format among {', '.join(all_formats())}, found {name[:40]!r}")
    value = layout_of(question, limits) if "layout" in question.fields else board_of(question, limits)
    form = format_named(name)
    content = form.write(value)
    suffix = (form.suffixes or (".txt",))[0]
    if isinstance(content, bytes):
        return {"base64": base64.b64encode(content).decode("ascii"), "suffix": suffix}
    return {"text": content, "suffix": suffix, "inline": form.inline}


def solve(question: Question, limits: Limits, say: Said) -> Values:
    """The risk of every covered cell: ``odds`` are the different ones there are, and ``cells`` has one for each cell.

    A cell that is not covered has -1. If no layout agrees with the board, ``impossible`` has the numbers that cannot
    all be true, as they were found; ``conflict`` is asked for the least of them.
    """
    question.check(("board",))
    board = _without_flags(question, limits)
    try:
        analysis = analyse(board, budget=limits.solving)
    except Contradiction as error:
        clues = [list(clue) for clue in error.clues if isinstance(clue, tuple)]
        return {"impossible": {"clues": clues, "total": error.total, "message": str(error)}}
    return analysis_values(analysis)


def analysis_values(analysis: Analysis) -> Values:
    """What is known about a board: the numbers, and what is said about them."""
    board = analysis.board
    cells = [-1] * (board.rows * board.cols)
    different: dict[Fraction | None, int] = {}
    for odds in analysis.solution.verdict.odds:
        known = None if odds.mined is None else risk(odds)
        for index in odds.cells:
            cells[index] = different.setdefault(known, len(different))
    worlds, expected = analysis.worlds, analysis.expected_mines
    return {
        "cells": cells,
        "odds": [_risk(known) for known in different],
        "safe": len(analysis.safe),
        "mines": len(analysis.mines),
        "unknown": len(analysis.unknown),
        "covered": len(analysis.odds),
        "best": analysis.best,
        "best_said": best_move(analysis),
        "worlds": "not known" if worlds is None else count(worlds),
        "expected": None if expected is None else f"{float(expected):.4g}",
        "remarks": list(remarks(board.topology, board.clues)),
        "complete": analysis.complete,
        "seconds": round(sum(analysis.seconds.values()), 4),
    }


def _risk(known: Fraction | None) -> dict[str, object]:
    if known is None:
        return {"risk": None, "percent": "not known", "exact": None}
    told = {"risk": float(known), "percent": percent(known), "exact": _short(known, LONG)}
    return told if known in (0, 1) else {**told, "label": in_percent(known)}


def _short(value: Fraction, most: int) -> str | None:
    written = fraction(value)
    return written if len(written) <= most else None


def explain(question: Question, limits: Limits, say: Said) -> Values:
    """Why a cell is a mine, or safe; or a world of either kind."""
    question.check(("board", "cell"))
    board = _without_flags(question, limits)
    with Explainer(board, budget=limits.solving) as reasons:
        why = reasons.of(question.fields["cell"].cell())
    if isinstance(why, Explanation):
        return {"reason": reason_values(why)}
    values = undecided_values(why) | {"said": undecided_sentence(why)}
    if why.risk is not None:
        values["risk_exact"] = _short(why.risk, LONGEST)
    return {"undecided": values}


def conflicting(question: Question, limits: Limits, say: Said) -> Values:
    """Which numbers of a board cannot all be true, why, and what would do instead."""
    question.check(("board",))
    board = _without_flags(question, limits)
    found = conflict(board)
    if found is None:
        return {"conflict": None}
    said = [tell_correction(board, correction) for correction in found.corrections]
    return {"conflict": conflict_values(found), "corrections_said": said}


def guesses(question: Question, limits: Limits, say: Said) -> Values:
    """The best cells to open where none is safe, best first."""
    question.check(("board",))
    ranked = ranked_guesses(analyse(_without_flags(question, limits), budget=limits.solving), GUESSES)
    told = []
    for candidate in ranked:
        values = candidate_values(candidate)
        values["risk_percent"] = percent(candidate.risk)
        values["progress_percent"] = None if candidate.progress is None else percent(candidate.progress)
        # What is exact is told by solve, and may be long.
        told.append({key: value for key, value in values.items() if not key.endswith("_exact")})
    return {"candidates": told}


def grid(question: Question, limits: Limits, say: Said) -> Values:
    """Where the cells of a board are drawn, and which of them touch."""
    question.check(("rows", "cols"), ("topology",))
    rows, cols = question.fields["rows"].integer(), question.fields["cols"].integer()
    limits.check(rows, cols)
    return geometry(rows, cols, question.get("topology", Node.string, "square"))


def board_of(question: Question, limits: Limits) -> Board:
    """The board that a question is about."""
    board = Board.from_text(question.fields["board"].string())
    limits.check(board.rows, board.cols)
    return board


def _without_flags(question: Question, limits: Limits) -> Board:
    """The same without anybody's opinion."""
    return board_of(question, limits).without_flags()


ANSWERS: dict[str, Callable[[Question, Limits, Said], Values]] = {
    "about": about,
    "read": read,
    "write": write,
    "solve": solve,
    "explain": explain,
    "conflict": conflicting,
    "guesses": guesses,
    "grid": grid,
    "deal": deal,
    "watch": watch,
}
"""What can be asked."""


def answered(question: Question, limits: Limits, say: Said) -> Values:
    """The answer to a question. Raises SatsweepError where there is none."""
    if question.ask not in ANSWERS:
        raise BoardError(f"expected to be asked one of {', '.join(ANSWERS)}, found {str(question.ask)[:40]!r}")
    return ANSWERS[question.ask](question, limits, say)
