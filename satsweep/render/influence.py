"""Chains of influence as text, values and SVG: measures and the longest chain.

The chain is drawn from cell to cell, each further along in a darker blue, with a ring around its root and a square
around its end. Where the board wraps around, a step leaves on one side and comes in on the other.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise, product
from xml.etree.ElementTree import Element

from satsweep.board import Cell
from satsweep.games.record import Record
from satsweep.render import board_svg
from satsweep.render.board_geometry import LEFT, SIDE, SQUARES, BoardGeometry, Point, add, svg_text
from satsweep.render.board_text import variant_fields
from satsweep.render.colours import BEST_COLOUR, UNKNOWN_COLOUR
from satsweep.render.transcript import fact_line, layout_size, layout_summary
from satsweep.text import counted
from satsweep.why.influence import CASCADE, Fact, Influence

MOST_LINES = 40
"""Most lines of a chain; a longer one is shortened."""
_PALE, _DARK = (0xDC, 0xEC, 0xF7), (0x56, 0xB4, 0xE9)
_ROOT = "#d55e00"
_STYLE = f"""{board_svg.STYLE}\
    .chain text {{ font-size: 14px; font-weight: bold; paint-order: stroke; stroke: #ffffff; stroke-width: 3px }}
    .chain .step {{ font-size: 9px; font-weight: normal }}
    .unknown rect {{ fill: {UNKNOWN_COLOUR} }}
"""
_LEAST_WIDTH, _FOOT = 560, 52


def to_text(record: Record, influence: Influence, source: str) -> Iterator[str]:
    """Yield the measures of a game's chains, and the longest chain step by step.

    ``source`` says where the layout is from.
    """
    for name, value in _facts(record, influence, source):
        yield fact_line(name, value)
    lines = list(_steps(influence.chain))
    yield "\n" if lines else ""
    left_out = len(lines) - MOST_LINES
    for number, line in enumerate(lines):
        if left_out > 0 and MOST_LINES // 2 <= number < MOST_LINES // 2 + left_out:
            if number == MOST_LINES // 2:
                yield f"{'':<12} {counted(left_out, 'more line')}; --json has every step\n"
            continue
        yield line


def _facts(record: Record, influence: Influence, source: str) -> Iterator[tuple[str, str]]:
    yield "agent", record.agent
    yield "layout", f"{layout_summary(record.layout)}, {source}"
    yield "outcome", f"{record.outcome.value}: {record.outcome.why}"
    yield "cells", f"{influence.determined:,} determined, {counted(len(influence.roots), 'root')}"
    rules = Counter(step.rule for step in influence.chain if not step.is_root)
    by_rule = ", ".join(f"{count:,} by {rule}" for rule, count in rules.most_common())
    yield "length", f"{influence.length:,}{f': {by_rule}' if by_rule else ''}"
    span = influence.farthest
    yield "reach", f"{span.steps:,}: from {span.root} to {span.cell}" if span else "0"
    yield "breadth", f"{influence.breadth:,}"


def _steps(chain: Sequence[Fact]) -> Iterator[str]:
    """A line for each step, but only one for the steps of a cascade."""
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
    clues = f": {' '.join(map(str, step.clues))}" if step.clues else ""
    known = f"; known: {' '.join(map(str, step.known))}" if step.known else ""
    return f"{step.rule}{clues}{known}"


def to_values(record: Record, influence: Influence) -> dict[str, object]:
    span = influence.farthest
    return {
        "agent": record.agent,
        "rows": influence.rows,
        "cols": influence.cols,
        "mines": record.layout.mines,
        "topology": influence.topology.name,
        **variant_fields(influence.topology, record.rules.clues),
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


def to_json(record: Record, influence: Influence, seed: str | None = None) -> str:
    """The measures of a game's chains as JSON, with every step of the longest one."""
    return json.dumps({**to_values(record, influence), "seed": seed}, indent=2) + "\n"


def to_svg(record: Record, influence: Influence, source: str = "") -> Iterator[str]:
    """Yield a picture of the longest chain, on the board at the end of the game."""
    rows, cols, chain = influence.rows, influence.cols, influence.chain
    parts = (record.agent, layout_size(record.layout), source, record.outcome.value)
    game = ", ".join(part for part in parts if part)
    sheet = board_svg.Sheet(record.layout, record.rules.clues, _LEAST_WIDTH, first=[game])
    sheet.said = f"{game}. {sheet.said}"
    geometry, bottom = sheet.geometry, sheet.bottom
    heading = f"Longest chain of influence: {counted(influence.length, 'cell')}"
    drawn = sheet.begin(bottom + _FOOT, heading, _path(chain), heading, _STYLE)
    geometry.background(drawn)
    labels = _labels(record)
    linked = {step.cell for step in chain}
    plain = [Cell(row, col) for row in range(rows) for col in range(cols) if (row, col) not in linked]
    for name, known in (("unknown", False), ("open", True)):
        group = add(drawn, "g", class_=f"cells {name}")
        for cell in plain:
            if (cell in influence.by_cell) == known:
                shown = board_svg.with_tip(group, _tip(influence, cell))
                geometry.outline(shown, cell)
                _mark(shown, geometry.middle(cell), labels.get(cell, ""))
    _chain(drawn, influence, geometry, labels)
    _foot(drawn, bottom + 18, influence.length)
    yield svg_text(drawn)


def _path(chain: Sequence[Fact]) -> str:
    return f"From {chain[0].cell} to {chain[-1].cell}: {' '.join(str(step.cell) for step in chain)}." if chain else ""


def _labels(record: Record) -> dict[Cell, str]:
    """Labels of cells at the end: a number, F for a flag, * for an open mine."""
    labels = dict.fromkeys(record.flags, "F")
    for move in record.moves:
        for cell, number in move.revealed:
            labels[cell] = "*" if number is None else str(number or "")
    return labels


def _mark(parent: Element, middle: Point, label: str) -> None:
    """Mark of a label: a number, or a disc for a mine, which is red if it exploded."""
    if label in ("F", "*"):
        board_svg.disc(parent, middle, SIDE // 5, _ROOT if label == "*" else "#1a1a1a")
    elif label:
        add(parent, "text", label, x=middle[0], y=middle[1])


def _tip(influence: Influence, cell: Cell) -> str:
    known = influence.by_cell.get(cell)
    if known is None:
        return f"{cell}: never determined"
    return f"{cell}: {'mine' if known.mine else 'safe'}, depth {known.depth}, {_reason(known)}"


def _chain(drawn: Element, influence: Influence, geometry: BoardGeometry, labels: dict[Cell, str]) -> None:
    """Cells of the chain with their marks and depths, and the line through them."""
    chain = influence.chain
    group = add(drawn, "g", class_="cells chain")
    for step in chain:
        tipped = board_svg.with_tip(group, _tip(influence, step.cell))
        geometry.outline(tipped, step.cell, _blue(step.depth, influence.length))
    _line(group, influence, geometry)
    aside, above = (10, 12) if geometry.shape is SQUARES else (9, 10)
    for step in chain:
        x, y = geometry.middle(step.cell)
        _mark(group, (x, y), labels.get(step.cell, ""))
        if step.depth and (step.depth % 5 == 0 or step is chain[-1]):
            add(group, "text", str(step.depth), class_="step", x=x - aside, y=y - above)
    if chain:
        x, y = geometry.middle(chain[0].cell)
        _ring(group, x, y, geometry.shape.wide - 1)
    geometry.cell_names(drawn)
    if chain:
        board_svg.frame(drawn, geometry.shape, geometry.middle(chain[-1].cell))


def _ring(parent: Element, x: int, y: int, radius: int) -> None:
    add(parent, "circle", cx=x, cy=y, r=radius, fill="none", stroke=_ROOT, stroke_width=3)


def _line(parent: Element, influence: Influence, geometry: BoardGeometry) -> None:
    """Steps of the chain as lines.

    A line across edges that touch leaves on one side and comes in on the other; it is cut off at the edges.
    """
    planes = influence.topology.planes
    paths: dict[int | None, list[str]] = {0: []} if planes == 1 else {}
    for before, after in pairwise(influence.chain):
        (x, y), (to_x, to_y) = geometry.middle(before.cell), geometry.middle(after.cell)
        plane = geometry.plane(before.cell)
        right, down = to_x - x, to_y - y
        if plane == geometry.plane(after.cell):
            right, down = _shortest(right, down, geometry)
        path = paths.setdefault(plane if plane == geometry.plane(after.cell) else None, [])
        path.append(f"M{x} {y}l{right} {down}")
        if (x + right, y + down) != (to_x, to_y):
            path.append(f"M{to_x - right} {to_y - down}L{to_x} {to_y}")
    style = {"fill": "none", "stroke": BEST_COLOUR, "stroke-width": 2.5, "stroke-linecap": "round"}
    for within, path in paths.items():
        cut = None
        if within is not None:
            name = f"satsweep-board-{within}" if planes > 1 else "satsweep-board"
            left, top, width, height = geometry.plane_box(within)
            add(add(parent, "clipPath", id=name), "rect", x=left, y=top, width=width, height=height)
            cut = f"url(#{name})"
        add(parent, "path", d="".join(path), **style, clip_path=cut)


def _shortest(right: int, down: int, geometry: BoardGeometry) -> Point:
    """Shortest way between two places, which may lead across edges that touch.

    >>> from satsweep.topology import TORUS
    >>> _shortest(4 * SIDE, 0, BoardGeometry(5, 5, TORUS)), _shortest(2 * SIDE, -3 * SIDE, BoardGeometry(5, 5, TORUS))
    ((-36, 0), (72, 72))
    """
    across, around = geometry.periods
    ways = [(right + one * across, down + other * around) for one, other in product((0, -1, 1), repeat=2)]
    return min(ways, key=lambda way: way[0] ** 2 + way[1] ** 2)


def _blue(depth: int, length: int) -> str:
    share = depth / max(length, 1)
    return "#" + "".join(f"{round(pale + (dark - pale) * share):02x}" for pale, dark in zip(_PALE, _DARK, strict=True))


def _foot(drawn: Element, y: int, length: int) -> None:
    foot = add(drawn, "g", class_="foot")
    _ring(foot, LEFT + 8, y + 8, 7)
    for number in range(5):
        board_svg.legend_box(foot, LEFT + 68 + 14 * number, y, _blue(number, 4), 14, 16)
    board_svg.disc(foot, (LEFT + 256, y + 8), 6)
    board_svg.legend_box(foot, LEFT + 316, y, UNKNOWN_COLOUR, 16, 16)
    for x, said in ((22, "root"), (144, f"depth 0 to {length}"), (268, "mine"), (338, "not known")):
        add(foot, "text", said, x=LEFT + x, y=y + 12)
