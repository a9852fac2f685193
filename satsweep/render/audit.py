"""Audit reports as text and JSON; unsound claims beside worlds that refute them."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from textwrap import indent

from satsweep.board import Board, Cell
from satsweep.formats.strict import json_text, lines
from satsweep.learn.corpus.keys import KeyAudit, explained_example
from satsweep.oracle.lessons import lessons_of, reasoned
from satsweep.oracle.report import Audit, Missed, Unsound, WrongRisk
from satsweep.render.board_text import (
    SAFE_IN_WORLD,
    bracketed_lines,
    header_lines,
    rows_of_world,
    side_by_side,
    variant_fields,
)
from satsweep.render.lessons import lesson_lines, lessons_values
from satsweep.render.number_text import cell_list, percent, rounded_and_exact
from satsweep.techniques import Technique
from satsweep.text import counted

MOST_DRAWN = 3
"""Most unsound claims that are drawn."""

_INDENT = 14


def audit_to_text(
    audit: Audit, *, exact: bool = False, width: int | None = None, noun: str = "game", missed: int | None = None
) -> Iterator[str]:
    """Yield the figures, the first unsound claims, missed cells and failures.

    ``noun`` is what is numbered: games or boards. Each technique has ``missed`` examples of missed cells, by default
    one if the agent claims anything.
    """
    for name, value in audit_facts(audit, exact):
        yield f"{name:<{_INDENT}}{value}\n"
    for refuted in refutations(audit, width):
        yield "\n"
        yield from (f"{line}\n" for line in refuted)
    if missed or missed is None and audit.claims:
        for lesson in lessons_of(audit, missed or 1):
            yield "\n"
            yield from (f"{line}\n" for line in lesson_lines(lesson))
    for wrong in sorted(audit.wrong_risks, key=lambda one: -one.error)[:MOST_DRAWN]:
        yield "\n"
        for line in wrong_risk(wrong, exact):
            yield f"{line}\n"
    yield from (f"\n{failed}\n" for failed in failure_lines(audit, noun))


def refutations(audit: Audit, width: int | None = None) -> Iterator[list[str]]:
    """Yield the lines of the first unsound claims, and of how many more there are."""
    for unsound in audit.unsound[:MOST_DRAWN]:
        yield [*refutation(unsound, width)]
    if len(audit.unsound) > MOST_DRAWN:
        yield [f"and {counted(len(audit.unsound) - MOST_DRAWN, 'more unsound claim')}"]


def failure_lines(audit: Audit, noun: str = "game") -> Iterator[str]:
    """Yield the first failures with their positions, and how many more there are."""
    for number, position, message in audit.failures[:MOST_DRAWN]:
        yield f"{noun} {number} failed: {message}\n{indent(position.strip(), '  ')}"
    if len(audit.failures) > MOST_DRAWN:
        yield f"and {counted(len(audit.failures) - MOST_DRAWN, 'more failure')}"


def audit_facts(audit: Audit, exact: bool = False) -> Iterator[tuple[str, str]]:
    yield "agent", audit.agent
    games = [counted(audit.games, "game")] if audit.games else []
    yield "examined", ", ".join([*games, counted(audit.positions, "position")])
    wrong = f"{len(audit.unsound):,} of them unsound" if audit.unsound else "all of them true"
    if audit.failures:
        yield "failed", f"{len(audit.failures):,}, which take no part in the rest"
    yield "claims", f"{audit.claims:,}, {wrong}" if audit.claims else "none"
    yield "found", _share(audit.found, audit.forced, audit.completeness, exact)
    yield "beyond basic", _share(audit.found_beyond, audit.forced_beyond, audit.completeness_beyond, exact)
    if audit.regrets:
        mean, greatest = audit.mean_regret, audit.greatest_regret
        assert mean is not None and greatest is not None
        yield "guesses", f"{len(audit.regrets):,}, {audit.least_risk_guesses:,} of them of least risk"
        yield "regret", f"{percent(mean, exact)} on average, {percent(greatest, exact)} at most"
    if audit.risks:
        wrong = f"{audit.wrong_risk_cells:,} of them wrong" if audit.wrong_risks else "all of them right"
        worst = audit.greatest_risk_error
        by = f", by up to {percent(worst, exact)}" if worst else ""
        yield "risks", f"{audit.risks:,} reported, {wrong}{by}"
    if audit.unjudged:
        yield "not judged", f"{counted(audit.unjudged, 'guess', 'es')}: the risk was not known within the budget"


def refutation(unsound: Unsound, width: int | None = None) -> Iterator[str]:
    """An unsound claim: the board beside a world in which the claim is false.

    >>> from satsweep.layout import Layout
    >>> unsound = Unsound(Board(("##", "1#"), mines=1), Cell(0, 1), "safe", Layout((".*", "..")))
    >>> print(*refutation(unsound), sep="\\n")
    0,1 is claimed to be safe. This world agrees with the board, and in it 0,1 is a mine:
    <BLANKLINE>
    board       a world (* mine, - safe)
      0 1         0 1
    0 #[#]      0 -[*]
    1 1 #       1 1 -
    mines 1
    """
    board, cell = unsound.board, unsound.cell
    claimed, really = ("a mine", "safe") if unsound.claimed == "mine" else ("safe", "a mine")
    said = f"{cell} is claimed to be {claimed}" + (f", although {unsound.broken}" if unsound.broken else "")
    yield f"{said}. This world agrees with the board, and in it {cell} is {really}:"
    yield ""
    shown = ["board", *bracketed_lines(board, board.cells, [cell])]
    world = bracketed_lines(board, rows_of_world(board, unsound.world), [cell])
    yield from side_by_side(shown, [f"a world (* mine, {SAFE_IN_WORLD} safe)", *world], width)
    yield from header_lines(board)


def wrong_risk(wrong: WrongRisk, exact: bool = False) -> Iterator[str]:
    """A wrong risk, on its board.

    >>> wrong = WrongRisk(Board(("##", "1#"), mines=1), Cell(0, 1), Fraction(1, 2), Fraction(1, 3))
    >>> print(*wrong_risk(wrong), sep="\\n")
    0,1 is reported to be a mine with 50 %. The exact risk is 33.33 %:
    <BLANKLINE>
      0 1
    0 #[#]
    1 1 #
    mines 1
    """
    board, cell, reported, true, cells = wrong
    others = f", and {counted(cells - 1, 'other')} here are wrong" if cells > 1 else ""
    yield (
        f"{cell} is reported to be a mine with {percent(reported, exact)}. "
        f"The exact risk is {percent(true, exact)}{others}:"
    )
    yield ""
    yield from bracketed_lines(board, board.cells, [cell])
    yield from header_lines(board)


def missed_claims(board: Board, missed: Sequence[tuple[Cell, bool]]) -> Iterator[str]:
    """Forced cells that were not claimed: the board beside a board that shows them.

    >>> print(*missed_claims(Board(("#1.",)), [(Cell(0, 0), True)]), sep="\\n")
    not claimed to be mines: 0,0
    <BLANKLINE>
    board        forced (* mine, - safe)
      0 1 2        0 1 2
    0[#]1 .      0[*]1 .
    <BLANKLINE>
    0,0 is a mine (single point):
    The 1 at row 0, column 1 needs one mine and has only one cell for it, so row 0, column 0 is a mine.
    """
    for kind, mine in (("safe", False), ("mines", True)):
        cells = " ".join(str(cell) for cell, is_mine in missed if is_mine == mine)
        if cells:
            yield f"not claimed to be {kind}: {cells}"
    yield ""
    forced = dict(missed)
    rows = [
        "".join(
            symbol if (row, col) not in forced else "*" if forced[Cell(row, col)] else SAFE_IN_WORLD
            for col, symbol in enumerate(line)
        )
        for row, line in enumerate(board.cells)
    ]
    shown = ["board", *bracketed_lines(board, board.cells, forced)]
    yield from side_by_side(shown, [f"forced (* mine, {SAFE_IN_WORLD} safe)", *bracketed_lines(board, rows, forced)])
    yield from header_lines(board)
    for cell, mine in missed[:MOST_DRAWN]:
        argument = reasoned(Missed(board, cell, mine, Technique.SINGLE)).argument
        yield ""
        yield f"{cell} is {'a mine' if mine else 'safe'} ({argument.rule}):"
        yield from argument.sentences
    if len(missed) > MOST_DRAWN:
        yield f"and {counted(len(missed) - MOST_DRAWN, 'more cell')}"


def audit_to_json(audit: Audit, *, missed: int | None = None) -> Iterator[str]:
    """Yield the report as JSON, with ``missed`` examples for each technique, or 3."""
    fields: dict[str, object] = {
        "agent": audit.agent,
        "sound": audit.sound,
        "games": audit.games,
        "positions": audit.positions,
        "claims": audit.claims,
        "forced": audit.forced,
        "found": audit.found,
        **rounded_and_exact("completeness", audit.completeness),
        "forced_beyond": audit.forced_beyond,
        "found_beyond": audit.found_beyond,
        **rounded_and_exact("completeness_beyond", audit.completeness_beyond),
        "guesses": audit.guesses,
        "least_risk_guesses": audit.least_risk_guesses,
        "unjudged": audit.unjudged,
        **rounded_and_exact("mean_regret", audit.mean_regret),
        **rounded_and_exact("greatest_regret", audit.greatest_regret),
        "risks": audit.risks,
        "wrong_risk_cells": audit.wrong_risk_cells,
        **rounded_and_exact("greatest_risk_error", audit.greatest_risk_error),
    }
    fields["unsound"] = lines(map(_unsound_values, audit.unsound))
    fields["wrong_risks"] = lines(map(_wrong_values, audit.wrong_risks))
    fields["missed"] = lines(lessons_values(audit, MOST_DRAWN if missed is None else missed))
    fields["failures"] = lines(failure._asdict() for failure in audit.failures)
    yield json_text(fields)


def _unsound_values(unsound: Unsound) -> dict[str, object]:
    board = unsound.board
    fields: dict[str, object] = {"cell": unsound.cell, "claimed": unsound.claimed, "broken": unsound.broken or None}
    fields["mines"] = board.mines
    if board.density is not None:
        fields["density"] = str(board.density)
    fields |= {"topology": board.topology.name, **variant_fields(board.topology, board.clues)}
    return fields | {"board": board.cells, "world": unsound.world.cells}


def _wrong_values(wrong: WrongRisk) -> dict[str, object]:
    board = wrong.board
    fields: dict[str, object] = {"cell": wrong.cell, "cells": wrong.cells, "mines": board.mines}
    fields |= rounded_and_exact("reported", wrong.reported) | rounded_and_exact("exact", wrong.exact)
    fields |= {"topology": board.topology.name, **variant_fields(board.topology, board.clues)}
    return fields | {"board": board.cells}


def _share(found: int, forced: int, share: Fraction | None, exact: bool) -> str:
    if share is None:
        return "nothing was forced"
    return f"{found:,} of {counted(forced, 'forced cell')}, {percent(share, exact)}"


def key_audit_to_text(audit: KeyAudit) -> Iterator[str]:
    """Yield the verdicts on keys, and an explained example of each fault."""
    yield f"{'keys':<{_INDENT + 2}}{audit.rows:,}\n"
    if audit.refused:
        yield f"{'not read':<{_INDENT + 2}}{counted(audit.refused, 'row')}\n"
    for verdict, number in audit.verdicts.items():
        if number or verdict in ("right", "incomplete", "wrong"):
            share = f", {percent(Fraction(number, audit.rows))}" if audit.rows else ""
            yield f"{verdict:<{_INDENT + 2}}{number:,}{share}\n"
    yield f"{'forced cells':<{_INDENT + 2}}{audit.forced:,}, {audit.missing:,} of them not in a key\n"
    if audit.unfounded:
        yield f"{'not forced':<{_INDENT + 2}}{counted(audit.unfounded, 'cell')} in a key\n"
    for verdict, (line, position, found) in audit.examples.items():
        yield f"\n{verdict}, line {line}: the key is {cell_list(sorted(position.key))}\n"
        marked = [cell for cell in (*found.missing[:1], *found.unfounded[:1]) if cell in set(position.board)]
        for drawn in bracketed_lines(position.board, position.board.cells, marked):
            yield f"{drawn}\n"
        for sentence in explained_example(position, found):
            yield f"{sentence}\n"


def key_audit_to_json(audit: KeyAudit) -> str:
    examples = {
        verdict: {
            "line": line,
            "board": str(position.board),
            "key": sorted(position.key),
            "missing": found.missing,
            "unfounded": found.unfounded,
            "why": explained_example(position, found),
        }
        for verdict, (line, position, found) in audit.examples.items()
    }
    rows = {"rows": audit.rows, "refused": audit.refused, "verdicts": audit.verdicts}
    sums = {"forced": audit.forced, "missing": audit.missing, "unfounded": audit.unfounded}
    return json_text({**rows, **sums, "examples": examples})
