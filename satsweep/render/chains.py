"""Chains of influence for people: facts and the longest chain as text, and the chain on its board as one SVG file.

The chain is drawn from cell to cell, each further along in a darker blue, with a ring around its root and a square
around its end. Where the board wraps around, a step leaves on one side and comes in on the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from satsweep.board import Cell
from satsweep.chains import CASCADE, Fact, Influence
from satsweep.record import Record
from satsweep.render.squares import BEST_COLOUR, UNKNOWN_COLOUR
from satsweep.render.svg import LEFT, SIDE, STYLE, TOP, axes, escaped, opening, outline
from satsweep.render.transcript import fact, size

SHOWN = 40
"""A chain of more lines than this is shortened."""
_PALE, _DARK = (0xDC, 0xEC, 0xF7), (0x56, 0xB4, 0xE9)
_ROOT = "#d55e00"
_STYLE = f"""{STYLE}\
    .chain text {{ font-size: 14px; font-weight: bold; paint-order: stroke; stroke: #ffffff; stroke-width: 3px }}
    .chain .step {{ font-size: 9px; font-weight: normal }}
    .unknown rect {{ fill: {UNKNOWN_COLOUR} }}
"""
_TOP, _FOOT = TOP + 18, 52


def to_text(record: Record, influence: Influence, source: str) -> Iterator[str]:
    """The measures of a game's chains, and the longest of them step by step; ``source`` says which game it is."""
    for name, value in _facts(record, influence, source):
        yield fact(name, value)
    lines = list(_steps(influence.chain))
    yield "\n" if lines else ""
    left_out = len(lines) - SHOWN
    for number, line in enumerate(lines):
        if left_out > 0 and SHOWN // 2 <= number < SHOWN // 2 + left_out:
            if number == SHOWN // 2:
                yield f"{'':<12} {left_out} more lines; --json has every step\n"
            continue
        yield line


def _facts(record: Record, influence: Influence, source: str) -> Iterator[tuple[str, str]]:
    yield "agent", record.agent
    yield "layout", f"{size(record.layout)}, {source}"
    yield "outcome", f"{record.outcome.value}: {record.outcome.why}"
    yield "cells", f"{influence.determined:,} determined, {_many(len(influence.roots), 'root')}"
    rules = Counter(step.rule for step in influence.chain if not step.is_root)
    by_rule = ", ".join(f"{count:,} by {rule}" for rule, count in rules.most_common())
    yield "length", f"{influence.length:,}{f': {by_rule}' if by_rule else ''}"
    span = influence.farthest
    yield "reach", f"{span.steps:,}: from {span.root} to {span.cell}" if span else "0"
    yield "breadth", f"{influence.breadth:,}"


def _steps(chain: Sequence[Fact]) -> Iterator[str]:
    """A line for each step, but one for all steps of a cascade."""
    for cascaded, group in groupby(chain, lambda step: step.rule == CASCADE):
        steps = list(group)
        if cascaded and len(steps) > 2:
            through = " ".join(str(step.cell) for step in steps)
            if len(steps) > 6:
                through = f"{steps[0].cell} {steps[1].cell} ... {steps[-2].cell} {steps[-1].cell}"
            yield f"{f'{steps[0].depth}-{steps[-1].depth}':>12} {through}  {CASCADE}\n"
            continue
        for step in steps:
            yield f"{step.depth:>12} {step.cell!s:<7} {'mine' if step.mine else 'safe'}  {_reason(step)}\n"


def _reason(step: Fact) -> str:
    """The rule of a step and what it rests on."""
    clues = f": {' '.join(map(str, step.clues))}" if step.clues else ""
    known = f"; known: {' '.join(map(str, step.known))}" if step.known else ""
    return f"{step.rule}{clues}{known}"


def _many(number: int, name: str) -> str:
    return f"{number:,} {name}{'s' * (number != 1)}"


def as_values(record: Record, influence: Influence) -> dict[str, object]:
    """The same as plain values: measures, and every step of the longest chain."""
    span = influence.farthest
    return {
        "agent": record.agent,
        "rows": influence.rows,
        "cols": influence.cols,
        "mines": record.layout.mines,
        "topology": influence.topology.name,
        "outcome": record.outcome.value,
        "determined": influence.determined,
        "roots": [list(root.cell) for root in influence.roots],
        "length": influence.length,
        "reach": influence.reach,
        "farthest": None if span is None else {"root": list(span.root), "cell": list(span.cell)},
        "breadth": influence.breadth,
        "chain": [
            {
                "cell": list(step.cell),
                "depth": step.depth,
                "turn": step.turn,
                "mine": step.mine,
                "rule": step.rule,
                "clues": list(map(list, step.clues)),
                "known": list(map(list, step.known)),
            }
            for step in influence.chain
        ],
    }


def to_svg(record: Record, influence: Influence, source: str = "") -> Iterator[str]:
    """The longest chain on the board as it was in the end."""
    rows, cols, chain = influence.rows, influence.cols, influence.chain
    width, height = max(LEFT + cols * SIDE + 20, 560), _TOP + rows * SIDE + _FOOT
    heading = f"Longest chain of influence: {_many(influence.length, 'cell')}"
    parts = (record.agent, size(record.layout), source, record.outcome.value)
    game = escaped(", ".join(part for part in parts if part))
    yield from opening(width, height, heading, f"{game}. {_path(chain)}", heading, _STYLE)
    yield f'  <text x="{LEFT}" y="46" font-size="12">{game}</text>\n'
    yield from axes(rows, cols, top=_TOP)
    labels = _labels(record)
    linked = {step.cell for step in chain}
    plain = [Cell(row, col) for row in range(rows) for col in range(cols) if (row, col) not in linked]
    for name, known in (("unknown", False), ("open", True)):
        yield f'  <g class="cells {name}">\n'
        for cell in plain:
            if (cell in influence.of) == known:
                yield f"    <g>{_tip(influence, cell)}{_square(cell)}{_mark(cell, labels.get(cell, ''))}</g>\n"
        yield "  </g>\n"
    yield from _chain(influence, labels)
    yield from _foot(_TOP + rows * SIDE + 18, influence.length)
    yield "</svg>\n"


def _path(chain: Sequence[Fact]) -> str:
    return f"From {chain[0].cell} to {chain[-1].cell}: {' '.join(str(step.cell) for step in chain)}." if chain else ""


def _labels(record: Record) -> dict[Cell, str]:
    """What cells show in the end: a number, F for a flag, * for an open mine."""
    labels = dict.fromkeys(record.flags, "F")
    for move in record.moves:
        for cell, number in move.revealed:
            labels[cell] = "*" if number is None else str(number or "")
    return labels


def _middle(cell: Cell) -> tuple[int, int]:
    return LEFT + cell.col * SIDE + SIDE // 2, _TOP + cell.row * SIDE + SIDE // 2


def _square(cell: Cell, fill: str = "") -> str:
    x, y = LEFT + cell.col * SIDE, _TOP + cell.row * SIDE
    return f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}"{fill and f" fill={chr(34)}{fill}{chr(34)}"}/>'


def _mark(cell: Cell, label: str) -> str:
    """A number as it is, and a disc for a mine, which is red if it went off."""
    x, y = _middle(cell)
    if label in ("F", "*"):
        return f'<circle cx="{x}" cy="{y}" r="{SIDE // 5}" fill="{_ROOT if label == "*" else "#1a1a1a"}"/>'
    return f'<text x="{x}" y="{y}">{label}</text>' if label else ""


def _tip(influence: Influence, cell: Cell) -> str:
    known = influence.of.get(cell)
    if known is None:
        return f"<title>{cell}: never determined</title>"
    return f"<title>{cell}: {'mine' if known.mine else 'safe'}, depth {known.depth}, {escaped(_reason(known))}</title>"


def _chain(influence: Influence, labels: dict[Cell, str]) -> Iterator[str]:
    chain = influence.chain
    yield '  <g class="cells chain">\n'
    for step in chain:
        yield f"    <g>{_tip(influence, step.cell)}{_square(step.cell, _blue(step.depth, influence.length))}</g>\n"
    yield from _line(influence)
    for step in chain:
        x, y = _middle(step.cell)
        yield f"    {_mark(step.cell, labels.get(step.cell, ''))}"
        number = step.depth if step.depth % 5 == 0 or step is chain[-1] else ""
        yield f'<text class="step" x="{x - 10}" y="{y - 12}">{number}</text>\n' if number else "\n"
    if chain:
        x, y = _middle(chain[0].cell)
        yield f'    <circle cx="{x}" cy="{y}" r="{SIDE // 2 - 1}" fill="none" stroke="{_ROOT}" stroke-width="3"/>\n'
    yield "  </g>\n"
    if chain:
        x, y = _middle(chain[-1].cell)
        yield f"  {outline(x - SIDE // 2, y - SIDE // 2, SIDE)}\n"


def _line(influence: Influence) -> Iterator[str]:
    """The steps as lines, cut off at the edges of the board."""
    rows, cols, topology = influence.rows, influence.cols, influence.topology
    path = []
    for before, after in pairwise(influence.chain):
        down = _shortest(after.cell.row - before.cell.row, rows, topology.wraps_rows)
        right = _shortest(after.cell.col - before.cell.col, cols, topology.wraps_cols)
        (x, y), (to_x, to_y) = _middle(before.cell), _middle(after.cell)
        path.append(f"M{x} {y}l{right * SIDE} {down * SIDE}")
        if (x + right * SIDE, y + down * SIDE) != (to_x, to_y):
            path.append(f"M{to_x - right * SIDE} {to_y - down * SIDE}L{to_x} {to_y}")
    yield f'    <clipPath id="satsweep-board"><rect x="{LEFT}" y="{_TOP}" width="{cols * SIDE}" '
    yield f'height="{rows * SIDE}"/></clipPath>\n'
    yield f'    <path d="{"".join(path)}" fill="none" stroke="{BEST_COLOUR}" stroke-width="2.5" stroke-linecap="round" '
    yield 'clip-path="url(#satsweep-board)"/>\n'


def _shortest(steps: int, size: int, wraps: bool) -> int:
    """The way from one place to another, across the edge where that is shorter.

    >>> _shortest(4, 5, True), _shortest(4, 5, False), _shortest(-3, 5, True)
    (-1, 4, 2)
    """
    return (steps + size // 2) % size - size // 2 if wraps else steps


def _blue(depth: int, length: int) -> str:
    """The colour of a step: dark type can be read on all of them."""
    share = depth / max(length, 1)
    return "#" + "".join(f"{round(pale + (dark - pale) * share):02x}" for pale, dark in zip(_PALE, _DARK, strict=True))


def _foot(y: int, length: int) -> Iterator[str]:
    """What the marks mean."""
    yield '  <g class="foot">\n'
    yield f'    <circle cx="{LEFT + 8}" cy="{y + 8}" r="7" fill="none" stroke="{_ROOT}" stroke-width="3"/>'
    yield f'<text x="{LEFT + 22}" y="{y + 12}">root</text>\n'
    for number in range(5):
        fill = _blue(number, 4)
        yield f'    <rect x="{LEFT + 68 + 14 * number}" y="{y}" width="14" height="16" fill="{fill}"/>\n'
    yield f'    <text x="{LEFT + 144}" y="{y + 12}">depth 0 to {length}</text>\n'
    yield f'    <circle cx="{LEFT + 256}" cy="{y + 8}" r="6" fill="#1a1a1a"/>'
    yield f'<text x="{LEFT + 268}" y="{y + 12}">mine</text>\n'
    yield f'    <rect x="{LEFT + 316}" y="{y}" width="16" height="16" fill="{UNKNOWN_COLOUR}"/>'
    yield f'<text x="{LEFT + 338}" y="{y + 12}">not known</text>\n  </g>\n'
