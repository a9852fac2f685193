"""Answers to the page's questions: plain values that depend on the question alone.

Boards and layouts travel in satsweep's own text form. An answer also carries the words that the page shows, so that
all wording comes from the server.

Certificates of every kind that are brought to the page are checked as by ``satsweep verify``. They have the board or
layout that they are about, and so has the answer.
"""

import base64
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Literal, cast

from satsweep.analysis.advice import advise
from satsweep.analysis.analyse import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.board import Board, Cell
from satsweep.clues import CLUE_KINDS
from satsweep.errors import BoardError, Contradiction
from satsweep.formats import BINARY_FORMATS, StatementSet, all_formats, certificates, format_named, read_content
from satsweep.formats.strict import Node
from satsweep.games.rules import Redraw
from satsweep.page.advice import advice, board_of, further_advice, hint, told_advice, walk_endgame
from satsweep.page.deals import deal, deal_no_guess, rate, redraw
from satsweep.page.game_review import fewest, review_game, written_game
from satsweep.page.games import animate, layout_of, played_by_user, rules_in, seed_of, watch
from satsweep.page.pictures import read_picture
from satsweep.page.questions import PICTURE, Limits, Question, SendPart, Values, Way, content_of
from satsweep.page.values import (
    AboutValues,
    AgentValues,
    AnalysisValues,
    BytesWrittenValues,
    ChoiceValues,
    ConflictingValues,
    ConflictValues,
    ExplainedValues,
    FormatValues,
    GeometryValues,
    GridReadValues,
    ImpossibleBoardValues,
    LevelValues,
    NamedRisksValues,
    OddsValues,
    ProofReadValues,
    ReasonValues,
    TextWrittenValues,
    UndecidedValues,
)
from satsweep.proofs.certificate import Certificate, Rejected
from satsweep.render.board_text import variant_remarks
from satsweep.render.colours import percent_label
from satsweep.render.explanation_text import (
    conflict_values,
    explanation_values,
    undecided_values,
)
from satsweep.render.number_text import count, fraction, percent
from satsweep.render.page_values import geometry_values, with_parts
from satsweep.sentence import Sentence, capitalised
from satsweep.text import printable
from satsweep.topology import SHAPES, topology_named
from satsweep.why import Explainer, Explanation, conflict
from satsweep.why.sentences import correction_in_words


def is_proof(content: bytes) -> bool:
    keys = "|".join(kind.key for kind in certificates.CERTIFICATES.values())
    # A key, and no text of another field.
    return content.lstrip().startswith(b"{") and re.search(rf'"({keys})"\s*:'.encode(), content) is not None


def proof_values(content: bytes, limits: Limits) -> ProofReadValues:
    """The verdict on a certificate or another proof, and its board or layout.

    Raises BoardError where it cannot be read.
    """
    proof = certificates.from_json(content.decode("utf-8", "replace"))
    about = proof.board if isinstance(proof, Certificate) else proof.layout
    limits.check(about.rows, about.cols)
    accepted, said = True, list[str]()
    try:
        said = list(certificates.kind_of(proof).check(proof))
    except Rejected as error:
        accepted, said = False, [f"rejected: {error}"]
    kind: Literal["board", "layout"] = "board" if isinstance(about, Board) else "layout"
    return {"kind": "proof", "about": kind, "text": str(about), "accepted": accepted, "said": said}


LISTED_FRACTION = 400
"""Most characters of an exact risk where an answer lists the risks of all cells."""
LONGEST_FRACTION = 20_000
"""Most characters of an exact risk where a question is about one cell."""
TOPOLOGY_CHOICES = {shape.example: shape.label for shape in SHAPES.values() if shape.label} | {
    "hexagonal wrapping cols": "hexagonal, left and right edge touch",
    "square in 3 planes": "three square boards, stacked",
}
"""Topologies that the page suggests, with labels; users may type any other name."""
CLUE_CHOICES = {name: label for kind in CLUE_KINDS.values() for name, label in kind.examples.items()}
"""Clue models that the page suggests, with labels; users may type any other name."""


def about(limits: Limits) -> AboutValues:
    """Agents, formats, levels, suggested topologies and clue models, and limits."""
    from satsweep.agents import agent_names, entry_named
    from satsweep.games.deal import LEVELS
    from satsweep.games.rules import Goal

    agents: list[AgentValues] = []
    for name in agent_names():
        entry = entry_named(name)
        finds = entry.rules.goal is Goal.FIND
        agents.append({"name": name, "summary": entry.summary, "source": entry.source, "finds": finds})
    for name in limits.engines:
        agents.append({"name": name, "summary": "An engine of this server.", "source": "UMI", "finds": False})
    formats: list[FormatValues] = [
        {"name": name, "summary": form.summary, "boards": form.boards, "layouts": form.layouts,
         "written": form.writer is not None, "binary": name in BINARY_FORMATS}
        for name, form in all_formats().items()
    ]  # fmt: skip
    levels: dict[str, LevelValues] = {
        name: {"rows": rows, "cols": cols, "mines": mines} for name, (rows, cols, mines) in LEVELS.items()
    }
    return {
        "agents": agents,
        "formats": formats,
        "levels": levels,
        "topologies": _labelled(TOPOLOGY_CHOICES),
        "clues": _labelled(CLUE_CHOICES),
        "cells": limits.cells,
        "message": limits.message,
        "picture": limits.picture,
    }


def _labelled(choices: Mapping[str, str]) -> list[ChoiceValues]:
    return [{"name": name, "summary": summary} for name, summary in choices.items()]


def read(question: Question, limits: Limits, send: SendPart) -> GridReadValues | NamedRisksValues | ProofReadValues:
    """Convert a text or file of any format to satsweep's own text; check a proof."""
    content = content_of(question)
    if is_proof(content):
        return proof_values(content, limits)
    name, value = read_content(content)
    summary = format_named(name).summary
    if isinstance(value, StatementSet):
        return _rules({"format": name, "summary": summary, "kind": "rules"}, value, limits)
    limits.check(value.rows, value.cols)
    kind: Literal["board", "layout"] = "board" if isinstance(value, Board) else "layout"
    return {"format": name, "summary": summary, "kind": kind, "text": str(value), "mines": value.mines}


def _rules(told: NamedRisksValues, rules: StatementSet, limits: Limits) -> NamedRisksValues:
    named = {cell for rule in rules.statements for cell in rule.cells} | set(rules.cells)
    if max(len(named), rules.total_cells or 0) > limits.cells:
        raise BoardError(f"expected at most {limits.cells:,} cells, found more")
    if max((rules.total_mines or 0, *(rule.mines for rule in rules.statements))) > limits.cells:
        raise BoardError(f"expected at most {limits.cells:,} mines, found more")
    try:
        found = rules.solve(budget=limits.solving)
    except Contradiction as error:
        told["impossible"] = str(error)
        return told
    told["cells"] = [{**_risk(odds), "name": printable(str(name))} for name, odds in found.risks.items()]
    told["elsewhere"] = None if found.elsewhere is None else _risk(found.elsewhere)
    told["complete"] = found.complete
    return told


def write(question: Question, limits: Limits, send: SendPart) -> TextWrittenValues | BytesWrittenValues:
    """A board or layout in another format, or the game of ``moves``, as a file.

    It is text, or base64 for a binary format. A game is RAWVF with all clicks and their times, which cannot say that
    mines were redrawn; such a game is a record of satsweep.
    """
    if "moves" in question.fields:
        return written_game(played_by_user(question, limits))
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


def solve(question: Question, limits: Limits, send: SendPart) -> AnalysisValues | ImpossibleBoardValues:
    """Risks of all covered cells: indices (``cells``) into distinct risks (``odds``).

    A cell that is not covered has -1. If no world agrees with the board, ``impossible`` has numbers that cannot all be
    true, as the solver found them; the question ``conflict`` finds a smallest set.
    """
    board = board_of(question, limits).without_flags()
    try:
        analysis = analyse(board, budget=limits.solving)
    except Contradiction as error:
        clues = [Cell(*clue) for clue in error.clues if isinstance(clue, tuple)]
        return {"impossible": {"clues": clues, "total": error.total, "message": with_parts(Sentence(error.message))}}
    return analysis_values(analysis)


def analysis_values(analysis: Analysis) -> AnalysisValues:
    """An analysis as an answer: risks, forced cells, best move and remarks."""
    board = analysis.board
    cells = [-1] * (board.rows * board.cols)
    levels = analysis.cells_by_risk
    for number, members in enumerate(levels.values()):
        for cell in members:
            cells[board.index(cell)] = number
    worlds, expected = analysis.worlds, analysis.expected_mines
    advised = advise(analysis, deep=False)  # quick; the page asks for `advice` afterwards
    return {
        "cells": cells,
        "odds": [_risk(known) for known in levels],
        "safe": len(analysis.safe),
        "mines": len(analysis.mines),
        "unknown": len(analysis.unknown),
        "covered": len(analysis.odds),
        "best": advised.best,
        "advice": told_advice(advised, board),
        "worlds": "not known" if worlds is None else count(worlds),
        "expected": None if expected is None else f"{float(expected):.4g}",
        "remarks": list(variant_remarks(board.topology, board.clues, board.part)),
        "complete": analysis.complete,
        "seconds": round(sum(analysis.seconds.values()), 4),
    }


def _risk(known: Fraction | None) -> OddsValues:
    """A risk as float, percentage, exact fraction and label; None if unknown."""
    if known is None:
        return {"risk": None, "percent": "not known", "exact": None}
    told: OddsValues = {"risk": float(known), "percent": percent(known), "exact": _short(known, LISTED_FRACTION)}
    return told if known in (0, 1) else {**told, "label": percent_label(known)}


def _short(value: Fraction, most: int) -> str | None:
    written = fraction(value)
    return written if len(written) <= most else None


def explain(question: Question, limits: Limits, send: SendPart) -> ExplainedValues:
    """The reason why a cell is forced, or a world of either kind if it is not."""
    board = board_of(question, limits).without_flags()
    with Explainer(board, budget=limits.solving) as reasons:
        why = reasons.of(question.fields["cell"].cell())
    if isinstance(why, Explanation):
        return {"reason": cast(ReasonValues, with_parts(explanation_values(why)))}
    told = cast(UndecidedValues, undecided_values(why))
    if why.risk is not None:
        told["risk_percent"] = percent(why.risk)
        told["risk_exact"] = _short(why.risk, LONGEST_FRACTION)
    return {"undecided": told}


def conflicting(question: Question, limits: Limits, send: SendPart) -> ConflictingValues:
    """A smallest set of contradictory numbers, the argument, and corrections."""
    board = board_of(question, limits).without_flags()
    found = conflict(board)
    if found is None:
        return {"conflict": None}
    said = [capitalised(correction_in_words(board, correction)) for correction in found.corrections]
    return {"conflict": cast(ConflictValues, with_parts(conflict_values(found))), "corrections_said": with_parts(said)}


def grid(question: Question, limits: Limits, send: SendPart) -> GeometryValues:
    """Geometry of a board: places of the cells on the page, and neighbours."""
    rows, cols = question.fields["rows"].integer(), question.fields["cols"].integer()
    limits.check(rows, cols)
    topology = topology_named(question.get("topology", Node.string, "square"))
    return cast(GeometryValues, geometry_values(rows, cols, topology))


_SIZED = Way(("rows", "cols", "mines"), ("topology", "clues", "seed", "first", "start"))
_LAID_OUT = Way(("layout",), ("clues", "seed", "first", "start"))


def _on_a_board(key: str, *optional: str) -> tuple[Way, ...]:
    """Ways to ask about a game on a board, which is new or a layout."""
    return tuple(Way((*way.needed, key), (*way.optional, *optional)) for way in (_SIZED, _LAID_OUT))


FIELDS: dict[str, Callable[[Node], object]] = {
    "agent": Node.string, "base64": Node.string, "board": Node.string, "cell": Node.cell, "clue_seed": Node.integer,
    "clues": Node.string, "cols": Node.integer, "deep": Node.boolean, "exact": Node.boolean, "first": Node.string,
    "format": Node.string, "goal": Node.string, "height": Node.integer, "last": Node.cell, "layout": Node.string,
    "mines": Node.integer, "mode": Node.string, "moves": Node.items, "opening": Node.cell, "outcome": Node.string,
    "path": Node.items, "pixels": Node.string, "player": Node.string,
    "redraw": lambda node: node.choice(Redraw), "rows": Node.integer,
    "rules": rules_in, "seconds": Node.integer, "seed": seed_of, "start": Node.cell, "technique": Node.string,
    "text": Node.string, "topology": Node.string, "width": Node.integer, "wins": Node.items,
}  # fmt: skip
"""Fields of questions, and what they are."""
FILE = (Way(("text",)), Way(("base64",)))
BOARD = Way(("board",))
CLICKED = (
    Way((*_SIZED.needed, "moves"), (*_SIZED.optional, "mode")),
    Way(
        (*_LAID_OUT.needed, "moves"), (*_LAID_OUT.optional, "redraw", "rules", "player", "clue_seed", "outcome", "mode")
    ),
)
"""Ways to ask about clicks: on a board that was dealt, or by all rules of play."""
ANSWERS: dict[str, tuple[Callable[[Question, Limits, SendPart], Values], tuple[Way, ...]]] = {
    "read": (read, FILE),
    PICTURE: (read_picture, (Way(("width", "height", "pixels")),)),
    "write": (write, (Way(("format", "board")), Way(("format", "layout")), *CLICKED)),
    "solve": (solve, (BOARD,)),
    "explain": (explain, (Way(("board", "cell")),)),
    "conflict": (conflicting, (BOARD,)),
    "advice": (advice, (Way(("board",), ("last", "deep")),)),
    "further_advice": (further_advice, (Way(("board", "wins"), ("last", "exact")),)),
    "hint": (hint, (Way(("board",), ("last", "deep")),)),
    "endgame": (walk_endgame, (Way(("board",), ("path", "cell")),)),
    "grid": (grid, (Way(("rows", "cols"), ("topology",)),)),
    "deal": (deal, (_SIZED, _LAID_OUT)),
    "deal_no_guess": (
        deal_no_guess,
        (Way(("rows", "cols", "mines", "start", "technique"), ("topology", "clues", "seed", "first")),),
    ),
    "redraw": (redraw, (Way(("board", "layout", "opening", "redraw"), ("seed",)),)),
    "rate": (rate, (Way(("layout",)),)),
    "watch": (watch, _on_a_board("agent", "goal")),
    "animate": (animate, (*CLICKED, *_on_a_board("agent", "goal"))),
    "review_game": (review_game, (*CLICKED, *FILE)),
    "fewest_clicks": (fewest, (Way(("layout",), ("seconds", "start")),)),
}
"""Questions by name: the functions that answer them, and the ways to ask them."""


def answer_to(question: Question, limits: Limits, send: SendPart) -> Values:
    if question.ask not in ANSWERS:
        raise BoardError(f"expected a question among {', '.join(ANSWERS)}, found {str(question.ask)[:40]!r}")
    answer, ways = ANSWERS[question.ask]
    return answer(question.checked(ways, FIELDS), limits, send)
