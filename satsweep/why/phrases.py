"""The sentence of each shape: what a number needs, what it shares, and what follows.

A number that is not exact needs at least so many mines, or allows at most so many. It stands alone, or beside the mine
total; only numbers that are exact say anything as pairs, groups or lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satsweep.board import Board, Cell
from satsweep.why.patterns import Pattern
from satsweep.why.steps import Says
from satsweep.why.words import amount, clue, clues, counted, place, places, shown


def phrase(board: Board, found: Pattern, known: Mapping[Cell, bool], *, nested: bool) -> str:
    """The sentence of a finding."""
    finding = found.finding
    match found.rule:
        case "flag":
            flags = "The flags" if len(finding.cells) > 1 else "The flag"
            return f"{flags} at {places(finding.cells)} {'are' if len(finding.cells) > 1 else 'is'} taken as right."
        case "supposition":
            then = " in that case" if nested else ""
            return f"That cannot be, so {are(finding.cells, finding.mine)}{then}."
        case "1-2-1" | "1-2-2-1":
            return _in_line(board, found, known)
        case "single point":
            return _single(board, found, known)
        case "all mines found" | "only mines left" | "mine count":
            return _count(board, found, known)
        case "subsets":
            return _group(board, found, known)
    return _pair(board, found, known)


def _single(board: Board, found: Pattern, known: Mapping[Cell, bool]) -> str:
    (says,), finding = found.finding.by, found.finding
    _, cells, mines, most = says.left(known)
    assert says.clue is not None
    the, number = capitalised(clue(board, says.clue)), board.number(says.clue) or 0
    there = [cell for cell in board.neighbours(says.clue) if board[cell] == "*" or known.get(cell)]
    if most < 0:
        allowed = f"more than {counted(number)}" if number else "a mine"
        now = " now" if any(cell in known for cell in there) else ""
        return f"{the}{now} has {allowed}, at {places(there)}."
    needs = f"{'still needs' if there else 'needs'}{'' if says.exact else ' at least'} {counted(mines)}"
    if mines > len(cells):
        rest = f"only {counted(len(cells), 'cell')} left" if cells else "no cell left"
        return f"{the} {needs} and has {rest}."
    if not finding.mine:
        if not number:
            return f"{the} touches no mine, so {are(finding.cells, False)}."
        has = {1: "its mine", 2: "both its mines"}.get(number, f"all its {amount(number)} mines")
        if not says.exact:
            has = f"at most {counted(number)}, and {'it is' if number == 1 else 'they are'} known"
        return f"{the} has {has} already, at {places(there)}, so {are(finding.cells, False)}."
    for_them = "it" if mines == 1 else "them"
    return f"{the} {needs} and has only {counted(len(cells), 'cell')} for {for_them}, so {are(finding.cells, True)}."


def _pair(board: Board, found: Pattern, known: Mapping[Cell, bool]) -> str:
    """The number that needs less first where all of its cells belong to the other, else the other one."""
    (less, more), finding = found.finding.by, found.finding
    assert less.clue is not None and more.clue is not None
    (_, its, _, a), (_, their, b, _) = less.left(known), more.left(known)
    own, shared = their - its, places(its & their)
    one, other = clue(board, less.clue), clue(board, more.clue)
    if not own:
        # All cells of the greater number belong to the other one, which needs no more mines.
        return (
            f"{capitalised(other)} {_has(board, more, b)} among {shared}. {capitalised(one)} touches {_these(their)} "
            f"too and {_has(board, less, a, only=True)}, so {are(finding.cells, False)}."
        )
    if its <= their:
        return (
            f"{capitalised(one)} {_has(board, less, a)} among {shared}. {capitalised(other)} touches {_these(its)} too "
            f"and {_has(board, more, b)}, so {_rest(own, finding.cells)}."
        )
    if finding.mine:
        return (
            f"{capitalised(other)} {_has(board, more, b)}. It shares {shared} with {one}, which "
            f"{_has(board, less, a, only=True)}, so {_rest(own, finding.cells)}."
        )
    again = one if board[less.clue] == board[more.clue] else f"the {shown(board, less.clue)}"
    return (
        f"{capitalised(other)} {_has(board, more, b)}, and it has only {counted(len(own), 'cell')} that {one} does not "
        f"touch. So at least {counted(a)} {_is(a)} among the cells they share, {shared}, which is all that {again} "
        f"{_wants(board, less, a)}: {are(finding.cells, False)}."
    )


def _group(board: Board, found: Pattern, known: Mapping[Cell, bool]) -> str:
    """A number, and others that share no cell and have only cells that it touches too."""
    (outer, *inner), finding = found.finding.by, found.finding
    assert outer.clue is not None
    (_, cells, mines, _), scopes = outer.left(known), [says.left(known) for says in inner]
    together = frozenset[Cell]().union(*(left.cells for left in scopes))
    held = sum(left.least for left in scopes)
    the = clue(board, outer.clue)
    names = capitalised(clues(board, [says.clue for says in inner if says.clue is not None]))
    shared = f"{names} share no covered cell, and {the} touches all that they have, {places(together)}"
    if finding.mine or (not finding.cells and held < mines):
        but = f"They hold {counted(held)} there, and {the} {_has(board, outer, mines)}"
        if finding.cells:
            return f"{shared}. {but}, so {_rest(cells - together, finding.cells)}."
        return f"{shared}. {but}, but has only {counted(len(cells - together), 'other cell')}."
    if finding.cells:
        all_of_it = f"all that the {shown(board, outer.clue)} {_wants(board, outer, mines)}"
        return f"{shared}. They need {counted(held)} there, which is {all_of_it}, so {are(finding.cells, False)}."
    only = _has(board, outer, mines, only=True)
    return f"{shared}. They need {counted(held)} there, but the {shown(board, outer.clue)} {only}."


def _in_line(board: Board, found: Pattern, known: Mapping[Cell, bool]) -> str:
    """A 1-2 at one end, and what it settles at the other."""
    less, more, last = found.finding.by
    assert less.clue is not None and more.clue is not None and last.clue is not None
    ((spot,), between) = (found.settled, found.line)
    reduced = "" if all(board.number(cell) == left for cell, left in between) else " (known mines taken off)"
    line = places([cell for cell, _ in between])
    two = f"{capitalised(clue(board, more.clue))} {_has(board, more, 2)}"
    return (
        f"{capitalised(line)} show {found.rule}{reduced}. {two}, and only one of them can be where "
        f"{clue(board, less.clue)} touches its cells: {place(spot)} is a mine. That is all that "
        f"{clue(board, last.clue)} {_wants(board, last, 1)}, so {are(found.finding.cells, False)}."
    )


def _count(board: Board, recognised: Pattern, known: Mapping[Cell, bool]) -> str:
    """The mine total, alone or beside numbers."""
    finding = recognised.finding
    total = next(says for says in finding.by if says.clue is None)
    numbers = [says for says in finding.by if says.clue is not None]
    _, cells, mines, _ = total.left(known)
    whole = f"There {_is(board.mines or 0)} {counted(board.mines or 0)} in all"
    left = whole if mines == board.mines else f"{whole}, and {amount(mines)} {_is(mines)} left to find"
    found_all = [cell for cell in board if board[cell] == "*" or known.get(cell)]
    if not numbers:
        if mines < 0:
            return f"{whole}, but that would be {counted(len(found_all))}, at {places(found_all)}."
        if mines > len(cells):
            rest = f"only {counted(len(cells), 'covered cell')}" if cells else "no covered cell"
            return f"{left}, but {rest} for {'it' if mines == 1 else 'them'}."
        if not finding.mine:
            found = ", and it is found" if len(found_all) == 1 else ", and all of them are found"
            at = f"{found}, at {places(found_all)}" if found_all else ""
            return f"{whole}{at}, so {are(finding.cells, False)}."
        room = f"{' in' if mines != board.mines else ', and'} only {counted(len(cells), 'covered cell')}"
        return f"{left}{room}, so {are(finding.cells, True)}."
    return f"{left}. {_beside_numbers(board, recognised, known, numbers, len(cells), mines)}"


def _beside_numbers(
    board: Board, recognised: Pattern, known: Mapping[Cell, bool], numbers: Sequence[Says], cells: int, mines: int
) -> str:
    """Numbers that need all mines that are left, whose cells hold too few of them, or too few safe cells."""
    finding = recognised.finding
    scopes = [says.left(known) for says in numbers]
    together = len(frozenset[Cell]().union(*(left.cells for left in scopes)))
    held = sum(left.most if finding.mine else left.least for left in scopes)
    size, rest = sum(len(left.cells) for left in scopes), cells - together
    several, apart, exact = len(numbers) > 1, size == together, all(says.exact for says in numbers)
    names = clues(board, [says.clue for says in numbers if says.clue is not None])
    if apart and held >= mines and not finding.mine:
        sharing = "share no covered cell and need" if several else "needs"
        at_least = "" if exact else " at least"
        need = f"{capitalised(names)} {sharing}{at_least} {amount(held)}{' together' if several else ''}"
        if finding.cells:
            their = "their" if several else "its"
            return f"{need}, so outside of {their} cells there is no mine: {are(finding.cells, False)}."
        return f"{need}, which is too many."
    others = (
        f"and there {_is(rest)} only {counted(rest, 'other covered cell')}" if rest else "and no other cell is covered"
    )
    so = f", so {are(finding.cells, finding.mine)}." if finding.cells else "."
    if finding.mine:
        return f"The cells of {names} hold {'' if apart and exact else 'at most '}{amount(held)} of them, {others}{so}"
    safe = counted(cells - mines, "covered cell")
    return (
        f"So {safe} {_is(cells - mines)} safe. At most {amount(size - held)} of them are cells of {names}, {others}{so}"
    )


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def _has(board: Board, says: Says, mines: int, *, only: bool = False) -> str:
    """What a number needs; of known mines beside it is said that they are taken off."""
    assert says.clue is not None
    just = "only " if only else ""
    return f"needs {just}{counted(mines)}" if board.number(says.clue) == mines else f"has {just}{counted(mines)} left"


def _wants(board: Board, says: Says, mines: int) -> str:
    assert says.clue is not None
    return "needs" if board.number(says.clue) == mines else "has left"


def _these(cells: frozenset[Cell]) -> str:
    return "this cell" if len(cells) == 1 else "these cells"


def _rest(own: frozenset[Cell], cells: Sequence[Cell]) -> str:
    """The own cells of a number, all of them mines, of which some are of interest."""
    if len(own) == 1:
        return f"its other cell, {place(cells[0])}, is a mine"
    if len(own) == len(cells):
        return f"its other cells, {places(cells)}, are mines"
    return f"its other {amount(len(own))} cells are {'both' if len(own) == 2 else 'all'} mines: {are(cells, True)}"


def are(cells: Sequence[Cell], mine: bool) -> str:
    """Cells, and what they are."""
    if len(cells) == 1:
        return f"{place(cells[0])} is {kind_of(mine)}"
    return f"{places(cells)} are {'mines' if mine else 'safe'}"


def kind_of(mine: bool) -> str:
    """What a cell is."""
    return "a mine" if mine else "safe"


def capitalised(words: str) -> str:
    """With a capital."""
    return words[:1].upper() + words[1:]
