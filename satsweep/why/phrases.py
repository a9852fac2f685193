"""Names of cells, clues and amounts, and the sentences of single conclusions.

Rows and columns are counted from 0 at the top left, as everywhere in satsweep: ``Cell(3, 7)`` is row 3, column 7.

A sentence says what a number needs, shares, and implies. A number that is not exact is a lower or an upper bound. It
stands alone, or beside the mine total; only exact numbers form pairs, groups and lines.

The rule of a conclusion is told by its arithmetic and its places. Mines that are known by then are subtracted from
the numbers, so a pattern is recognised wherever and however it occurs. Numbers that stand beside each other, or in a
line, are cells that touch, on every grid or graph.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from satsweep.board import MINE, Board, Cell
from satsweep.sentence import CellName, Sentence, capitalised, joined
from satsweep.why.steps import ClueBounds, Conclusion
from satsweep.why.templates import AMOUNTS, said

MOST_BLOCKS = 4
"""Most blocks of cells that are named; of more, the rest is counted."""


def amount(count: int) -> str:
    """A number, as a word if it is below ten.

    >>> amount(2), amount(12)
    ('two', '12')
    """
    return AMOUNTS[count] if 0 <= count < len(AMOUNTS) else f"{count:,}"


def counted(count: int, noun: str = "mine") -> str:
    return f"{amount(count)} {noun}{'s' if count != 1 else ''}"


def place(cell: Cell) -> CellName:
    return CellName(f"row {cell.row}, column {cell.col}", (cell.row,), (cell.col,))


def places(cells: Collection[Cell]) -> Sentence:
    """The places of cells, block by block.

    >>> places([Cell(3, 7), Cell(3, 8), Cell(4, 7), Cell(4, 8), Cell(6, 1), Cell(6, 3)])
    'rows 3 and 4, columns 7 and 8, and row 6, columns 1 and 3'
    """
    blocks = list(_blocks(cells))
    if len(blocks) > MOST_BLOCKS:
        shown = blocks[: MOST_BLOCKS - 1]
        left = len(set(cells)) - sum(len(rows) * len(cols) for rows, cols in shown)
        return Sentence(joined((_block(*block) for block in shown), ", "), f" and {counted(left, 'more cell')}")
    return listed([_block(*block) for block in blocks], comma=True)


def listed(names: Sequence[str], *, comma: bool = False) -> Sentence:
    """Names as a list, the last after an ``and``.

    >>> listed(["the 1", "the 2", "the 3"])
    'the 1, the 2 and the 3'
    """
    if len(names) < 2:
        return Sentence(*names)
    return Sentence(joined(names[:-1], ", "), ", and " if comma else " and ", names[-1])


def clue(board: Board, cell: Cell) -> Sentence:
    """A number, or a flag, with its place.

    >>> clue(Board(("F.#",)), Cell(0, 1))
    'the 0 at row 0, column 1'
    """
    return Sentence(f"the {shown(board, cell)} at ", place(cell))


def shown(board: Board, cell: Cell) -> str:
    number = board.number(cell)
    return "flag" if number is None else str(number)


def clues(board: Board, cells: Collection[Cell], *, total: bool = False, most: int = 12) -> Sentence:
    """Numbers and flags with their places, and the mine total if ``total``.

    >>> clues(Board(("1#F",), mines=2), [Cell(0, 0), Cell(0, 2)], total=True)
    'the 1 at row 0, column 0, the flag at row 0, column 2 and the mine total of 2'
    """
    names: list[str] = [clue(board, cell) for cell in sorted(cells)]
    names = names if len(names) <= most else [*names[: most - 1], f"{len(names) - most + 1:,} other numbers"]
    return listed([*names, *([f"the mine total of {board.mines}"] if total else [])])


def _blocks(cells: Collection[Cell]) -> Iterator[tuple[list[int], list[int]]]:
    """Consecutive rows with cells in the same columns, and the columns."""
    rows = [(row, [cell.col for cell in line]) for row, line in groupby(sorted(set(cells)), key=lambda cell: cell.row)]
    for _, block in groupby(enumerate(rows), key=lambda numbered: (numbered[1][0] - numbered[0], numbered[1][1])):
        same = [row for _, row in block]
        yield [row for row, _ in same], same[0][1]


def _block(rows: Sequence[int], cols: Sequence[int]) -> CellName:
    return CellName(f"{_lines('row', rows)}, {_lines('column', cols)}", rows, cols)


def _lines(noun: str, numbers: Sequence[int]) -> str:
    """The words for one row or column, or for several.

    >>> _lines("row", [3]), _lines("row", [3, 4]), _lines("row", [3, 4, 5]), _lines("column", [1, 3, 4, 5])
    ('row 3', 'rows 3 and 4', 'rows 3 to 5', 'columns 1 and 3 to 5')
    """
    runs: list[str] = []
    for _, run in groupby(enumerate(numbers), key=lambda numbered: numbered[1] - numbered[0]):
        line = [number for _, number in run]
        runs += [f"{line[0]} to {line[-1]}"] if len(line) > 2 else map(str, line)
    return f"{noun}{'s' if len(numbers) > 1 else ''} {listed(runs)}"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A conclusion and its rule; ``length`` conclusions are taken together.

    Of a pattern in a line, ``line`` holds its cells with what is left of their numbers, and ``settled`` the mine that
    is found on the way.
    """

    rule: str
    conclusion: Conclusion
    length: int = 1
    settled: tuple[Cell, ...] = ()
    line: tuple[tuple[Cell, int], ...] = ()


def pattern_of(board: Board, conclusions: Sequence[Conclusion], at: int, assignment: Mapping[Cell, bool]) -> Pattern:
    conclusion = conclusions[at]
    if conclusion.kind == "total":
        return Pattern(_rule_of_total(conclusion), conclusion)
    if conclusion.kind != "pair":
        rules = {"flag": "flag", "number": "single point", "group": "subsets", "case": "supposition"}
        return Pattern(rules[conclusion.kind], conclusion)
    rule = _rule_of_pair(board, conclusion, assignment)
    if rule == "1-2" and at + 1 < len(conclusions):
        later = conclusions[at + 2 :]
        return _line_of_numbers(board, conclusion, conclusions[at + 1], later, assignment) or Pattern(rule, conclusion)
    return Pattern(rule, conclusion)


def _rule_of_total(conclusion: Conclusion) -> str:
    if len(conclusion.premises) > 1 or not conclusion.cells:
        return "mine count"
    return "only mines left" if conclusion.mine else "all mines found"


def _rule_of_pair(board: Board, conclusion: Conclusion, assignment: Mapping[Cell, bool]) -> str:
    less, more = conclusion.premises
    (_, less_cells, _, a), (_, more_cells, b, _) = less.remaining(assignment), more.remaining(assignment)
    if less.clue is not None and more.clue is not None and _adjacent(board, less.clue, more.clue):
        if a == b == 1 and more_cells < less_cells:
            return "1-1"
        if (a, b) == (1, 2) and len(more_cells - less_cells) == 1:
            return "1-2"
    return "subset" if more_cells <= less_cells or less_cells <= more_cells else "overlap"


def _line_of_numbers(
    board: Board,
    pair: Conclusion,
    single: Conclusion,
    later: Sequence[Conclusion],
    assignment: Mapping[Cell, bool],
) -> Pattern | None:
    """A 1-2-1 or 1-2-2-1, if a 1-2 and the next conclusion are one.

    The mine of the 1-2 satisfies a 1 on the other side of the 2, or of a second 2.
    """
    (less, more), settled = pair.premises, pair.cells
    if single.kind != "number" or single.mine or not single.cells or not pair.mine:
        return None
    (last,) = single.premises
    if single.needs - assignment.keys() != {*settled} or any(settled[0] in other.needs for other in later):
        return None
    if last.remaining(assignment).most != 1 or not (less.clue and more.clue and last.clue):
        return None
    down, right = more.clue.row - less.clue.row, more.clue.col - less.clue.col
    line = [Cell(less.clue.row + step * down, less.clue.col + step * right) for step in range(4)]
    line = line[: line.index(last.clue) + 1] if last.clue in line[2:] else []
    if not line or not all(_adjacent(board, one, other) for one, other in pairwise(line)):
        return None
    conclusion = replace(single, premises=(*pair.premises, last), needs=(pair.needs | single.needs) - {*settled})
    if len(line) == 3:
        return Pattern("1-2-1", conclusion, 2, settled, tuple(zip(line, (1, 2, 1), strict=True)))
    number = board.number(line[2])
    around = board.neighbours(line[2])
    if number is None or number - sum(board[cell] == MINE or assignment.get(cell, False) for cell in around) != 2:
        return None
    return Pattern("1-2-2-1", conclusion, 2, settled, tuple(zip(line, (1, 2, 2, 1), strict=True)))


def _adjacent(board: Board, one: Cell, other: Cell) -> bool:
    return abs(one.row - other.row) + abs(one.col - other.col) == 1 and other in board.neighbours(one)


def phrase(board: Board, pattern: Pattern, assignment: Mapping[Cell, bool], *, nested: bool) -> Sentence:
    """Return the sentence of a conclusion; ``nested`` if it stands inside a case."""
    cells, mine = pattern.conclusion.cells, pattern.conclusion.mine
    match pattern.rule:
        case "flag":
            flags = "The flags" if len(cells) > 1 else "The flag"
            return Sentence(f"{flags} at ", places(cells), f" {'are' if len(cells) > 1 else 'is'} taken as right.")
        case "supposition":
            then = " in that case" if nested else ""
            return Sentence("That cannot be, so ", are(cells, mine), f"{then}.")
        case "1-2-1" | "1-2-2-1":
            return _in_line(board, pattern)
        case "single point":
            return _single(board, pattern, assignment)
        case "all mines found" | "only mines left" | "mine count":
            return _mine_count(board, pattern, assignment)
        case "subsets":
            return _group(board, pattern, assignment)
    return _pair(board, pattern, assignment)


def _single(board: Board, pattern: Pattern, assignment: Mapping[Cell, bool]) -> Sentence:
    (bounds,), conclusion = pattern.conclusion.premises, pattern.conclusion
    _, cells, mines, most = bounds.remaining(assignment)
    assert bounds.clue is not None
    subject, number = capitalised(clue(board, bounds.clue)), board.number(bounds.clue) or 0
    found = [cell for cell in board.neighbours(bounds.clue) if board[cell] == MINE or assignment.get(cell)]
    if most < 0:
        allowed = f"more than {counted(number)}" if number else "a mine"
        now = " now" if any(cell in assignment for cell in found) else ""
        return said("too many", number=subject, now=now, allowed=allowed, places=places(found))
    needs = f"{'still needs' if found else 'needs'}{'' if bounds.exact else ' at least'} {counted(mines)}"
    if mines > len(cells):
        rest = f"only {counted(len(cells), 'cell')} left" if cells else "no cell left"
        return said("too few", number=subject, needs=needs, rest=rest)
    result = are(conclusion.cells, conclusion.mine)
    if not conclusion.mine:
        if not number:
            return said("touches none", number=subject, result=result)
        has = {1: "its mine", 2: "both its mines"}.get(number, f"all its {amount(number)} mines")
        if not bounds.exact:
            has = f"at most {counted(number)}, and {'it is' if number == 1 else 'they are'} known"
        return said("has all", number=subject, mines=has, places=places(found), result=result)
    them = "it" if mines == 1 else "them"
    return said("needs all", number=subject, needs=needs, cells=counted(len(cells), "cell"), them=them, result=result)


def _pair(board: Board, pattern: Pattern, assignment: Mapping[Cell, bool]) -> Sentence:
    """The number that needs less comes first if the other one has all its cells."""
    (less, more), found = pattern.conclusion.premises, pattern.conclusion.cells
    assert less.clue is not None and more.clue is not None
    (_, less_cells, _, a), (_, more_cells, b, _) = less.remaining(assignment), more.remaining(assignment)
    only_more, shared = more_cells - less_cells, places(less_cells & more_cells)
    one, other = clue(board, less.clue), clue(board, more.clue)
    first, second = capitalised(one), capitalised(other)
    if not only_more:
        # All cells of the greater number belong to the other one, which needs no more mines.
        words = {"one": second, "has": _has(board, more, b), "other": first, "these": _these(more_cells)}
        needs, result = _has(board, less, a, only=True), are(found, False)
        return said("inside", shared=shared, needs=needs, result=result, **words)
    if less_cells <= more_cells:
        words = {"one": first, "has": _has(board, less, a), "other": second, "these": _these(less_cells)}
        return said("inside", shared=shared, needs=_has(board, more, b), result=_rest(only_more, found), **words)
    words = {"other": second, "has": _has(board, more, b), "one": one, "shared": shared}
    if pattern.conclusion.mine:
        return said("shares few", only=_has(board, less, a, only=True), result=_rest(only_more, found), **words)
    again = one if board[less.clue] == board[more.clue] else f"the {shown(board, less.clue)}"
    words |= {"cells": counted(len(only_more), "cell"), "mines": counted(a), "are": _is(a), "again": again}
    return said("shares many", wants=_wants(board, less, a), result=are(found, False), **words)


def _group(board: Board, pattern: Pattern, assignment: Mapping[Cell, bool]) -> Sentence:
    (outer, *inner), found = pattern.conclusion.premises, pattern.conclusion.cells
    assert outer.clue is not None
    (_, cells, mines, _), scopes = outer.remaining(assignment), [bounds.remaining(assignment) for bounds in inner]
    together = frozenset[Cell]().union(*(scope.cells for scope in scopes))
    count = sum(scope.least for scope in scopes)
    subject, again, held = clue(board, outer.clue), f"the {shown(board, outer.clue)}", counted(count)
    numbers = capitalised(clues(board, [bounds.clue for bounds in inner if bounds.clue is not None]))
    if pattern.conclusion.mine or (not found and count < mines):
        has, rest = _has(board, outer, mines), cells - together
        if found:
            end = said("group holds", held=held, outer=subject, has=has, result=_rest(rest, found))
        else:
            others = counted(len(rest), "other cell")
            end = said("group holds too few", held=held, outer=subject, has=has, cells=others)
    elif found:
        wants = _wants(board, outer, mines)
        end = said("group needs", held=held, outer=again, wants=wants, result=are(found, False))
    else:
        end = said("group needs too many", held=held, outer=again, only=_has(board, outer, mines, only=True))
    return said("group", numbers=numbers, outer=subject, cells=places(together), end=end)


def _in_line(board: Board, pattern: Pattern) -> Sentence:
    less, more, last = pattern.conclusion.premises
    assert less.clue is not None and more.clue is not None and last.clue is not None
    reduced = "" if all(board.number(cell) == left for cell, left in pattern.line) else " (known mines taken off)"
    return said(
        "line",
        line=capitalised(places([cell for cell, _ in pattern.line])),
        rule=pattern.rule,
        reduced=reduced,
        two=capitalised(clue(board, more.clue)),
        has=_has(board, more, 2),
        one=clue(board, less.clue),
        mine=place(pattern.settled[0]),
        last=clue(board, last.clue),
        wants=_wants(board, last, 1),
        result=are(pattern.conclusion.cells, False),
    )


def _mine_count(board: Board, pattern: Pattern, assignment: Mapping[Cell, bool]) -> Sentence:
    conclusion = pattern.conclusion
    total = next(bounds for bounds in conclusion.premises if bounds.clue is None)
    numbers = [bounds for bounds in conclusion.premises if bounds.clue is not None]
    _, cells, _, mines = total.remaining(assignment)
    all_mines = {"are": _is(board.mines or 0), "mines": counted(board.mines or 0)}
    whole = said("total", **all_mines)
    left = whole if mines == board.mines else said("total left", left=amount(mines), remain=_is(mines), **all_mines)
    if numbers:
        return _beside_numbers(board, pattern, assignment, numbers, len(cells), mines, left)
    found = [cell for cell in board if board[cell] == MINE or assignment.get(cell)]
    if mines < 0:
        return said("total passed", total=whole, found=counted(len(found)), places=places(found))
    if mines > len(cells):
        rest = f"only {counted(len(cells), 'covered cell')}" if cells else "no covered cell"
        return said("total too many", total=left, rest=rest, them="it" if mines == 1 else "them")
    result = are(conclusion.cells, conclusion.mine)
    if not conclusion.mine:
        all_found = ", and it is found" if len(found) == 1 else ", and all of them are found"
        at = Sentence(f"{all_found}, at ", places(found)) if found else ""
        return said("total found", total=whole, found=at, result=result)
    room = f"{' in' if mines != board.mines else ', and'} only {counted(len(cells), 'covered cell')}"
    return said("total fills", total=left, room=room, result=result)


def _beside_numbers(
    board: Board,
    pattern: Pattern,
    assignment: Mapping[Cell, bool],
    numbers: Sequence[ClueBounds],
    cells: int,
    mines: int,
    total: str,
) -> Sentence:
    """The sentence of numbers beside the mine total.

    The numbers need all mines that are left, or their cells hold too few mines, or too few safe cells.
    """
    found, mine = pattern.conclusion.cells, pattern.conclusion.mine
    scopes = [bounds.remaining(assignment) for bounds in numbers]
    together = len(frozenset[Cell]().union(*(scope.cells for scope in scopes)))
    held = sum(scope.most if mine else scope.least for scope in scopes)
    size, rest = sum(len(scope.cells) for scope in scopes), cells - together
    several, disjoint, exact = len(numbers) > 1, size == together, all(bounds.exact for bounds in numbers)
    names = clues(board, [bounds.clue for bounds in numbers if bounds.clue is not None])
    if disjoint and held >= mines and not mine:
        sharing = "share no covered cell and need" if several else "needs"
        at_least = "" if exact else " at least"
        need = Sentence(capitalised(names), f" {sharing}{at_least} {amount(held)}{' together' if several else ''}")
        if found:
            their = "their" if several else "its"
            return said("numbers need", total=total, need=need, their=their, result=are(found, False))
        return said("numbers need too many", total=total, need=need)
    others = (
        f"and there {_is(rest)} only {counted(rest, 'other covered cell')}" if rest else "and no other cell is covered"
    )
    so = Sentence(", so ", are(found, mine), ".") if found else "."
    words = {"total": total, "numbers": names, "others": others, "so": so}
    if mine:
        at_most = "" if disjoint and exact else "at most "
        return said("numbers hold", held=f"{at_most}{amount(held)}", **words)
    safe = cells - mines
    return said("numbers leave", safe=counted(safe, "covered cell"), are=_is(safe), most=amount(size - held), **words)


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def _has(board: Board, bounds: ClueBounds, mines: int, *, only: bool = False) -> str:
    assert bounds.clue is not None
    just = "only " if only else ""
    return f"needs {just}{counted(mines)}" if board.number(bounds.clue) == mines else f"has {just}{counted(mines)} left"


def _wants(board: Board, bounds: ClueBounds, mines: int) -> str:
    assert bounds.clue is not None
    return "needs" if board.number(bounds.clue) == mines else "has left"


def _these(cells: frozenset[Cell]) -> str:
    return "this cell" if len(cells) == 1 else "these cells"


def _rest(own: frozenset[Cell], cells: Sequence[Cell]) -> Sentence:
    if len(own) == 1:
        return Sentence("its other cell, ", place(cells[0]), ", is a mine")
    if len(own) == len(cells):
        return Sentence("its other cells, ", places(cells), ", are mines")
    mines = f"{'both' if len(own) == 2 else 'all'} mines: "
    return Sentence(f"its other {amount(len(own))} cells are {mines}", are(cells, True))


def are(cells: Sequence[Cell], mine: bool) -> Sentence:
    if len(cells) == 1:
        return Sentence(place(cells[0]), f" is {kind_of(mine)}")
    return Sentence(places(cells), f" are {'mines' if mine else 'safe'}")


def kind_of(mine: bool) -> str:
    return "a mine" if mine else "safe"
