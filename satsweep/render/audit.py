"""What the oracle found, as text and as JSON; a claim that is wrong is drawn beside a world that refutes it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest

from satsweep.board import Board, Cell
from satsweep.layout import Layout
from satsweep.oracle.report import Audit, Unsound
from satsweep.render.facts import fraction, percent, specials
from satsweep.render.grid import begins_plane, ruler, shift

MOST_DRAWN = 3
WIDTH = 140
"""As wide as an expert board beside its world."""

SAFE_IN_WORLD = "-"
_INDENT = 14
_GAP = " " * 6


def audit_to_text(audit: Audit, *, exact: bool = False, width: int | None = None) -> Iterator[str]:
    """What was found, and the first of the claims that are wrong, a line at a time."""
    for name, value in audit_facts(audit, exact):
        yield f"{name:<{_INDENT}}{value}\n"
    for unsound in audit.unsound[:MOST_DRAWN]:
        yield "\n"
        for line in refutation(unsound, width):
            yield f"{line}\n"
    if len(audit.unsound) > MOST_DRAWN:
        yield f"\nand {len(audit.unsound) - MOST_DRAWN:,} more unsound claims\n"


def audit_facts(audit: Audit, exact: bool = False) -> Iterator[tuple[str, str]]:
    """What was found, in numbers: names and values."""
    yield "agent", audit.agent
    games = [_counted(audit.games, "game")] if audit.games else []
    yield "examined", ", ".join([*games, _counted(audit.positions, "position")])
    wrong = f"{len(audit.unsound):,} of them unsound" if audit.unsound else "all of them true"
    yield "claims", f"{audit.claims:,}, {wrong}" if audit.claims else "none"
    yield "found", _share(audit.found, audit.forced, audit.completeness, exact)
    yield "beyond basic", _share(audit.found_beyond, audit.forced_beyond, audit.completeness_beyond, exact)
    if audit.regrets:
        mean, greatest = audit.mean_regret, audit.greatest_regret
        assert mean is not None and greatest is not None
        yield "guesses", f"{len(audit.regrets):,}, {audit.least_risk_guesses:,} of them of least risk"
        yield "regret", f"{percent(mean, exact)} on average, {percent(greatest, exact)} at most"
    if audit.unjudged:
        yield "not judged", f"{_counted(audit.unjudged, 'guess', 'es')}: the risk was not known within the budget"


def refutation(unsound: Unsound, width: int | None = None) -> Iterator[str]:
    """A claim that does not follow, and side by side the board and a world in which the claim is false.

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
    yield f"{cell} is claimed to be {claimed}. This world agrees with the board, and in it {cell} is {really}:"
    yield ""
    shown = ["board", *grid(board, board.cells, [cell])]
    world = [f"a world (* mine, {SAFE_IN_WORLD} safe)", *grid(board, world_rows(board, unsound.world), [cell])]
    yield from beside(shown, world, width)
    yield from header(board)


def omission(board: Board, missed: Sequence[tuple[Cell, bool]]) -> Iterator[str]:
    """Forced cells that were not claimed, and side by side the board and the board with what they are.

    >>> print(*omission(Board(("#1.",)), [(Cell(0, 0), True)]), sep="\\n")
    not claimed to be mines: 0,0
    <BLANKLINE>
    board        forced (* mine, - safe)
      0 1 2        0 1 2
    0[#]1 .      0[*]1 .
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
    shown = ["board", *grid(board, board.cells, list(forced))]
    yield from beside(shown, [f"forced (* mine, {SAFE_IN_WORLD} safe)", *grid(board, rows, list(forced))])
    yield from header(board)


def header(board: Board) -> list[str]:
    """What a board says besides its cells, a line each."""
    return str(board).split("\n")[: -board.rows]


def grid(board: Board, rows: Sequence[str], marked: Sequence[tuple[int, int]] = ()) -> list[str]:
    """Rows of symbols on the grid of a board, with their numbers, and brackets around some cells."""
    margin = len(str(len(rows) - 1))
    lines = [ruler(range(len(rows[0])), margin, 2)]
    for row, symbols in enumerate(rows):
        if begins_plane(board.topology, board.rows, row):
            lines.append("")
        first = margin + shift(board.topology, board.rows, row, 2)
        line = list(f"{row:>{margin}}".ljust(first + 1) + " ".join(symbols) + " ")
        for col in (col for place, col in marked if place == row):
            line[first + 2 * col], line[first + 2 * col + 2] = "[]"
        lines.append("".join(line).rstrip())
    return lines


def world_rows(board: Board, world: Layout) -> list[str]:
    """A board with every covered cell shown as it is in a world."""
    return [
        "".join(
            ("*" if world.is_mine((row, col)) else SAFE_IN_WORLD) if board.is_covered((row, col)) else symbol
            for col, symbol in enumerate(line)
        )
        for row, line in enumerate(board.cells)
    ]


def beside(left: Sequence[str], right: Sequence[str], width: int | None = None) -> Iterator[str]:
    """Two drawings side by side, or one below the other where the width is too small for both."""
    across = max(map(len, left))
    if across + len(_GAP) + max(map(len, right)) > (width or WIDTH):
        yield from (*left, "", *right)
        return
    for one, other in zip_longest(left, right, fillvalue=""):
        yield f"{one:<{across}}{_GAP}{other}".rstrip()


def audit_to_json(audit: Audit) -> Iterator[str]:
    """All of it as JSON, every unsound claim included; fractions both exact and rounded."""
    fields: dict[str, object] = {
        "agent": audit.agent,
        "sound": audit.sound,
        "games": audit.games,
        "positions": audit.positions,
        "claims": audit.claims,
        "forced": audit.forced,
        "found": audit.found,
        "completeness": _number(audit.completeness),
        "completeness_exact": _fraction(audit.completeness),
        "forced_beyond": audit.forced_beyond,
        "found_beyond": audit.found_beyond,
        "completeness_beyond": _number(audit.completeness_beyond),
        "completeness_beyond_exact": _fraction(audit.completeness_beyond),
        "guesses": audit.guesses,
        "least_risk_guesses": audit.least_risk_guesses,
        "unjudged": audit.unjudged,
        "mean_regret": _number(audit.mean_regret),
        "mean_regret_exact": _fraction(audit.mean_regret),
        "greatest_regret": _number(audit.greatest_regret),
        "greatest_regret_exact": _fraction(audit.greatest_regret),
    }
    yield "{\n" + "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in fields.items())
    unsound = ",".join(f"\n    {json.dumps(_unsound(found))}" for found in audit.unsound)
    yield '  "unsound": [' + unsound + ("\n  ]" if unsound else "]") + "\n}\n"


def _unsound(unsound: Unsound) -> dict[str, object]:
    board = unsound.board
    fields: dict[str, object] = {"cell": unsound.cell, "claimed": unsound.claimed, "mines": board.mines}
    if board.density is not None:
        fields["density"] = str(board.density)
    fields |= {"topology": board.topology.name, **specials(board.topology, board.clues)}
    return fields | {"board": board.cells, "world": unsound.world.cells}


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _fraction(value: Fraction | None) -> str | None:
    return None if value is None else fraction(value)


def _counted(number: int, name: str, plural: str = "s") -> str:
    return f"{number:,} {name}{plural if number != 1 else ''}"


def _share(found: int, forced: int, share: Fraction | None, exact: bool) -> str:
    if share is None:
        return "nothing was forced"
    return f"{found:,} of {_counted(forced, 'forced cell')}, {percent(share, exact)}"
