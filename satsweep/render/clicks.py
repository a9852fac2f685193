"""The fewest clicks of a layout as text and JSON, the path drawn on the board."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from textwrap import wrap

from satsweep.board import MINE, Cell
from satsweep.clicks.fewest import FewestClicks
from satsweep.clicks.made import GameClick, GameClicks
from satsweep.clicks.path import ClickKind
from satsweep.render.board_text import WIDTH, column_numbers, numbered_rows
from satsweep.text import counted
from satsweep.topology import SQUARE

_INDENT = 14
_MOST_LISTED = 12
"""Most clicks that are named one by one."""
MARKS = {ClickKind.DIG: "", ClickKind.FLAG: "f", ClickKind.UNFLAG: "u", ClickKind.CHORD: "c"}
"""Letters behind the number of a click on the board."""
_ARTICLES = {ClickKind.DIG: "a", ClickKind.FLAG: "a", ClickKind.UNFLAG: "an", ClickKind.CHORD: "a"}
_LEGEND = {
    ClickKind.DIG: "{} is a dig",
    ClickKind.FLAG: "{} a flag",
    ClickKind.UNFLAG: "{} a wrong flag that is removed",
    ClickKind.CHORD: "{} a chord",
}


def clicks_to_text(found: FewestClicks, name: str, *, width: int | None = None) -> Iterator[str]:
    """Yield the bounds, the path drawn on the board, and its clicks in order."""
    yield f"{name}\n"
    for key, value in clicks_facts(found):
        yield f"  {key:<{_INDENT}}{value}\n"
    if not found.path:
        return
    yield "\n"
    for line in path_lines(found, width or WIDTH):
        yield f"  {line}".rstrip() + "\n"
    yield "\n"
    clicks = wrap(", ".join(str(click).replace(" ", "\N{NO-BREAK SPACE}") for click in found.path), (width or 100) - 2)
    yield from (f"  {line.replace(chr(0xA0), ' ')}\n" for line in clicks)


def clicks_and_efficiency(found: FewestClicks) -> str:
    """The fewest clicks with the efficiency that they are, in words."""
    return bounds_in_words(found) + efficiency_of(found)


def efficiency_of(found: FewestClicks) -> str:
    """The efficiency of a path, and the most that the bounds allow, in brackets.

    >>> from satsweep.clicks import Click
    >>> from satsweep.layout import Layout
    >>> print(efficiency_of(FewestClicks(Layout(("*.",)), (Click(ClickKind.DIG, Cell(0, 1)),) * 5, 4, 6)).strip())
    (efficiency 120.0 %, at most 150.0 %)
    """
    return "" if found.efficiency is None else f" ({_efficiency_and_most(found.efficiency, found)})"


def _efficiency_and_most(efficiency: Fraction, found: FewestClicks) -> str:
    most = "" if found.proved or not found.lower else f", at most {efficiency_text(Fraction(found.bv, found.lower))}"
    return f"efficiency {efficiency_text(efficiency)}{most}"


def game_clicks_facts(found: GameClicks, best: FewestClicks | None = None) -> Iterator[tuple[str, str]]:
    """Facts about the clicks of a game, as names and values.

    ``best`` are the fewest that clear its board.
    """
    yield "clicks", f"{found.made:,}" + (f": {in_kinds(found.counts)}" if found.clicks else "")
    done = f"{found.bv:,}" if found.solved == found.bv else f"{found.solved:,} of {found.bv:,}"
    yield "3BV", done + ("" if found.throughput is None else f", throughput {efficiency_text(found.throughput)}")
    if wasted := found.not_needed:
        kinds = Counter(click.kind for click in wasted)
        each = ", ".join(f"{click.kind.value} {click.cell}" for click in wasted) if len(wasted) <= _MOST_LISTED else ""
        yield "not needed", in_kinds({kind: kinds[kind] for kind in ClickKind}) + (f": {each}" if each else "")
    if best is not None:
        start = "" if found.start is None else f", from {found.start}"
        yield "fewest clicks", clicks_and_efficiency(best) + start


def click_in_words(click: GameClick, bv: int) -> str:
    """A click of a game: its kind, what is solved after it, whether it was needed.

    >>> print(click_in_words(GameClick(4, ClickKind.FLAG, Cell(0, 0), 3, False), 24))
    Click 4, a flag: 3 of 24 3BV, throughput 75.0 %. Not needed: the other clicks win without it.
    """
    so_far = f"{click.solved:,} of {bv:,} 3BV, throughput {efficiency_text(click.solved / click.number)}"
    wasted = "" if click.is_needed else " Not needed: the other clicks win without it."
    return f"Click {click.number:,}, {_ARTICLES[click.kind]} {click.kind.value}: {so_far}.{wasted}"


def clicks_facts(found: FewestClicks) -> Iterator[tuple[str, str]]:
    """Facts about the fewest clicks, as names and values."""
    layout = found.layout
    grid = "" if layout.topology == SQUARE else f", {layout.topology.name}"
    yield "board", f"{layout.rows}x{layout.cols}, {counted(layout.mines, 'mine')}{grid}"
    yield "clicks", bounds_in_words(found)
    if found.path:
        yield "made of", made_of(found)
    given = f", of which {found.given:,} {'was' if found.given == 1 else 'were'} given" if found.given else ""
    efficiency = "" if found.efficiency is None else f", {_efficiency_and_most(found.efficiency, found)}"
    yield "3BV", f"{found.bv:,}{' of what was left' if found.before else ''}{efficiency}{given}"


def bounds_in_words(found: FewestClicks) -> str:
    """The fewest clicks, or between which bounds they are.

    >>> from satsweep.clicks.fewest import fewest_clicks
    >>> bounds_in_words(fewest_clicks(("..*..",)))
    '2, and no fewer clear the layout'
    """
    if found.proved:
        return f"{found.upper:,}, and no fewer clear the layout"
    return f"{found.upper:,} found, at least {found.lower:,} needed; the time was up"


def efficiency_text(efficiency: Fraction | float) -> str:
    """An efficiency in percent.

    >>> efficiency_text(Fraction(65, 48))
    '135.4 %'
    """
    return f"{100 * float(efficiency):.1f} %"


def made_of(found: FewestClicks) -> str:
    """Number of clicks of each kind."""
    return in_kinds(found.counts)


def in_kinds(counts: Mapping[ClickKind, int]) -> str:
    """Numbers of clicks by their kind in words.

    >>> in_kinds({ClickKind.DIG: 2, ClickKind.FLAG: 0, ClickKind.CHORD: 1})
    '2 digs, 1 chord'
    """
    return ", ".join(counted(count, kind.value) for kind, count in counts.items() if count)


def path_lines(found: FewestClicks, width: int) -> Iterator[str]:
    """The board with the number of each click in its cell; letters where it is wide."""
    layout = found.layout
    marks: dict[Cell, list[str]] = {}
    for number, click in enumerate(found.path, 1):
        marks.setdefault(click.cell, []).append(f"{number}{MARKS[click.kind]}")
    across = 1 + max(len("+".join(numbers)) for numbers in marks.values())
    is_narrow = across * layout.cols + 4 > width
    if is_narrow:
        letters = {ClickKind.DIG: "d", ClickKind.CHORD: "c", ClickKind.FLAG: "f", ClickKind.UNFLAG: "u"}
        kinds: dict[Cell, list[str]] = {}
        for click in found.path:
            kinds.setdefault(click.cell, []).append(letters[click.kind])
        marks = {cell: ["b"] if len(own) > 1 else own for cell, own in kinds.items()}
        across = 2
    yield column_numbers(range(layout.cols), len(str(layout.rows - 1)), across)
    for row, head in numbered_rows(layout.topology, layout.rows, range(layout.rows), across):
        cells = [] if row is None else [Cell(row, col) for col in range(layout.cols)]
        yield head + "".join(f"{'+'.join(marks.get(cell, [])) or _symbol(found, cell):>{across}}" for cell in cells)
    yield ""
    if is_narrow:
        unflagged = found.counts[ClickKind.UNFLAG] > 0
        both, removed = ("several", ", u a wrong flag that is removed") if unflagged else ("both", "")
        yield f"d is a dig, c a chord, b {both}, f a flag{removed}; . stays, * is a mine without a flag"
        return
    kinds_there = [kind for kind in ClickKind if found.counts[kind]]
    example = dict.fromkeys(kinds_there, "")
    for number, click in enumerate(found.path, 1):
        example[click.kind] = example[click.kind] or f"{number}{MARKS[click.kind]}"
    said = ", ".join(_LEGEND[kind].format(mark) for kind, mark in example.items())
    yield f"{said}; . opens with another cell, * is a mine without a flag"


def _symbol(found: FewestClicks, cell: Cell) -> str:
    return MINE if found.layout.is_mine(cell) else "."


def clicks_values(found: FewestClicks, file: str) -> dict[str, object]:
    """The fewest clicks of a layout as JSON values."""
    layout = found.layout
    return {
        "file": file,
        "rows": layout.rows,
        "cols": layout.cols,
        "mines": layout.mines,
        **({} if layout.topology == SQUARE else {"topology": layout.topology.name}),
        **bounds_values(found),
        "given": found.given,
        "path": [{"click": click.kind.value, "cell": list(click.cell)} for click in found.path],
    }


def bounds_values(found: FewestClicks) -> dict[str, object]:
    """The bounds and what they mean, as JSON values."""
    return {
        "lower": found.lower,
        "upper": found.upper,
        "proved": found.proved,
        "3bv": found.bv,
        "efficiency": None if found.efficiency is None else float(found.efficiency),
    }


def game_clicks_values(found: GameClicks, best: FewestClicks | None = None) -> dict[str, object]:
    """The clicks of a game as JSON values, with the fewest if they are given."""
    return {
        "made": found.made,
        "kinds": {kind.value: count for kind, count in found.counts.items()},
        "3bv": found.bv,
        "solved": found.solved,
        "throughput": None if found.throughput is None else float(found.throughput),
        "not_needed": len(found.not_needed),
        "start": found.start and list(found.start),
        **({} if best is None else {"fewest": bounds_values(best)}),
    }


def clicks_to_json(found: FewestClicks, name: str) -> str:
    """The fewest clicks of a layout as a JSON object, a click a line."""
    values = clicks_values(found, name)
    path = values.pop("path")
    assert isinstance(path, list)
    head = json.dumps(values, indent=2)[:-2]
    lines = ",\n".join(f"    {json.dumps(click)}" for click in path)
    return f'{head},\n  "path": [{f"{chr(10)}{lines}{chr(10)}  " if path else ""}]\n}}\n'
