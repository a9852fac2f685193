"""Independent checks of certificates: explanations by brute force, other checkers."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from satsweep.board import Board, Cell
from satsweep.proofs.certificate import Bound, Clue, CountedPart, Proof
from satsweep.why.values import Explanation
from tests.brute_force import NUMBERS, cells_showing, covered_cells, touching, worlds
from tests.cli import modules_after, running


def explanations_by_force(board: Board) -> list[Explanation]:
    """Return a minimal explanation of every forced cell, by listing worlds."""
    found = []
    for cell in cells_showing(board, "#F"):
        values = {cell in world for world in worlds(board)}
        if len(values) == 1:
            found.append(_minimal(board, cell, values.pop()))
    return found


def _minimal(board: Board, cell: Cell, mine: bool) -> Explanation:
    total = not _force(board, cells_showing(board, "." + NUMBERS), False, cell, mine)
    clues = cells_showing(board, "." + NUMBERS)
    for clue in list(clues):
        fewer = [other for other in clues if other != clue]
        if _force(board, fewer, total, cell, mine):
            clues = fewer
    return Explanation(board, cell, mine, tuple(clues), total)


def _force(board: Board, clues: Collection[Cell], total: bool, cell: Cell, mine: bool) -> bool:
    return all((cell in world) is mine for world in worlds(board, numbers=clues, total=total))


def bounds_of(board: Board, clue: Clue) -> tuple[frozenset[Cell], int, int]:
    """Return the covered cells of a clue, with the least and most mines among them."""
    if clue.number is None:
        return frozenset([clue.cell]), 1, 1
    around = touching(board, clue.cell)
    known = around & set(cells_showing(board, "*"))
    covered = frozenset(around & set(covered_cells(board)))
    exactly = clue.number - len(known)
    match str(board.clues).split()[0]:
        case "exact" | "random":
            return covered, exactly, exactly
        case "underestimate":
            return covered, exactly, max(exactly, len(covered))
        case "overestimate":
            return covered, min(exactly, 0), exactly
        case kind:
            raise AssertionError(f"no bounds are known of {kind} clues")


def entailed(board: Board, proof: Proof) -> bool:
    """Return whether the clues of a proof force its cell, by SAT, without its steps."""
    sums = [bounds_of(board, clue) for clue in proof.clues]
    if proof.total is not None:
        assert proof.total == board.mines
        left = proof.total - len(cells_showing(board, "*"))
        sums.append((frozenset(covered_cells(board)), 0 if board.part else left, left))
    variable = {
        cell: number for number, cell in enumerate(sorted({proof.cell}.union(*(cells for cells, *_ in sums))), 1)
    }
    top = len(variable)
    with Solver(name="minisat22") as solver:
        for cells, least, most in sums:
            literals = [variable[cell] for cell in sorted(cells)]
            if least > len(literals) or most < 0:
                return True
            # CardEnc raises on bounds that exclude nothing.
            bounds = [(CardEnc.atleast, least)] * (least > 0) + [(CardEnc.atmost, most)] * (most < len(literals))
            for bound, count in bounds:
                coded = bound(literals, count, top_id=top, encoding=EncType.seqcounter)
                top = max(top, coded.nv)
                solver.append_formula(coded.clauses)
        return not solver.solve(assumptions=[-variable[proof.cell] if proof.mine else variable[proof.cell]])


def follows(board: Board, proof: Proof) -> bool:
    """Return whether a proof in steps holds, by unit propagation on clauses.

    This is slow and independent of the verifier; it knows no mine total. A variable is a lower bound on the mines of a
    group, and there is a clause for every smallest way to exceed a number, or to fall short of it.
    """
    assert proof.total is None and not proof.parts
    sums = [bounds_of(board, clue) for clue in proof.clues]
    signatures: dict[Cell, tuple[object, ...]] = {proof.cell: ("claim",)}
    for cell in frozenset().union(*(cells for cells, *_ in sums)) - {proof.cell}:
        signatures[cell] = tuple(cell in cells for cells, *_ in sums)
    groups = [
        frozenset(cell for cell in signatures if signatures[cell] == signature)
        for signature in dict.fromkeys(signatures.values())
    ]
    variable = {(group, count): 0 for group in groups for count in range(1, len(group) + 1)}
    variable = {key: number for number, key in enumerate(variable, 1)}
    clauses = [[-variable[group, n + 1], variable[group, n]] for group in groups for n in range(1, len(group))]
    clauses.append([-variable[groups[0], 1] if proof.mine else variable[groups[0], 1]])
    for cells, least, most in sums:
        scope = [group for group in groups if group & cells]
        for held in product(*(range(len(group) + 1) for group in scope)):
            if sum(held) == most + 1:
                clauses.append([-variable[g, n] for g, n in zip(scope, held, strict=True) if n])
            if sum(held) == least - 1:
                clauses.append([variable[g, n + 1] for g, n in zip(scope, held, strict=True) if n < len(g)])
        if most < 0 or least > len(cells):
            clauses.append([])
    for step in (*proof.steps, ()):
        if any(frozenset(bound.cells) not in groups or len({*bound.cells}) != len(bound.cells) for bound in step):
            return False
        clause = []
        for bound in step:
            group, count = frozenset(bound.cells), bound.count + (not bound.at_least)
            if (group, count) in variable:
                clause.append(variable[group, count] if bound.at_least else -variable[group, count])
            elif (count <= 0) is bound.at_least:
                break  # true in any case
        else:
            if not refutes(clauses, [-literal for literal in clause]):
                return False
            clauses.append(clause)
    return True


def refutes(clauses: Iterable[Collection[int]], assumed: Iterable[int]) -> bool:
    """Return whether unit propagation alone refutes clauses and assumptions."""
    clauses = list(clauses)
    true: set[int] = set()
    waiting = list(assumed)
    while True:
        for literal in waiting:
            if -literal in true:
                return True
            true.add(literal)
        waiting = []
        for clause in clauses:
            if true.isdisjoint(clause):
                left = [literal for literal in clause if -literal not in true]
                if not left:
                    return True
                if len(left) == 1:
                    waiting.append(left[0])
        if not waiting:
            return False


def is_refutation(formula: str, proof: str) -> bool:
    """Return whether a DRUP proof holds, checked forwards, line by line.

    Every added clause must follow; deleted clauses are no longer used.
    """
    rows = [line.split() for line in formula.splitlines() if line[0] not in "cp"]
    clauses = [frozenset(map(int, row[:-1])) for row in rows]
    for line in proof.splitlines():
        deleting = line.startswith("d ")
        clause = frozenset(map(int, line.removeprefix("d ").split()[:-1]))
        if deleting:
            if len(clause) > 1:  # as drat-trim does: a unit once found stays
                clauses.remove(clause)
        elif not refutes(clauses, [-literal for literal in clause]):
            return False
        elif not clause:
            return True
        else:
            clauses.append(clause)
    return False


# Tampered certificates


def with_another_number(proof: Proof) -> Iterator[Proof]:
    for place, clue in enumerate(proof.clues):
        for number in (None, *range(9)):
            if number != clue.number:
                yield replace(proof, clues=_put(proof.clues, place, [Clue(clue.cell, number)]))


def without_a_clue(proof: Proof) -> Iterator[Proof]:
    for place, clue in enumerate(proof.clues):
        dropped = replace(proof, clues=_put(proof.clues, place, []))
        yield dropped
        if proof.parts:
            for further, part in enumerate(proof.parts):
                if clue.cell in part.clues:
                    fewer = tuple(cell for cell in part.clues if cell != clue.cell)
                    yield replace(dropped, parts=_put(proof.parts, further, [CountedPart(fewer, part.sums)]))
    if proof.total is not None:
        yield replace(proof, total=None)
        yield replace(proof, total=proof.total + 1)


def without_a_step(proof: Proof) -> Iterator[Proof]:
    for place in range(len(proof.steps)):
        yield replace(proof, steps=_put(proof.steps, place, []))
    for place in range(len(proof.parts) if len(proof.parts) > 1 else 0):  # without any it would not be one that counts
        yield replace(proof, parts=_put(proof.parts, place, []))


def without_a_bound(proof: Proof) -> Iterator[Proof]:
    for place, step in enumerate(proof.steps):
        for further in range(len(step)):
            yield replace(proof, steps=_put(proof.steps, place, [_put(step, further, [])]))


def with_a_bound_changed(proof: Proof) -> Iterator[Proof]:
    """Yield proofs with a bound inverted, changed by one, or about fewer cells.

    The changed bound may follow as well.
    """
    for place, step in enumerate(proof.steps):
        for further, bound in enumerate(step):
            opposite = Bound(bound.cells, not bound.at_least, bound.count + (-1 if bound.at_least else 1))
            changed = [opposite, replace(bound, count=bound.count + 1), replace(bound, cells=bound.cells[1:])]
            changed += [replace(bound, count=bound.count - 1)] if bound.count else []
            for other in changed:
                yield replace(proof, steps=_put(proof.steps, place, [_put(step, further, [other])]))


def with_other_sums(proof: Proof) -> Iterator[Proof]:
    for place, part in enumerate(proof.parts):
        for sums in (part.sums[1:], part.sums[:-1], (*part.sums, max(part.sums, default=0) + 1), (0, *part.sums)):
            if sums != part.sums:
                yield replace(proof, parts=_put(proof.parts, place, [CountedPart(part.clues, sums)]))
    for one, other in combinations(proof.parts, 2):
        rest = tuple(part for part in proof.parts if part not in (one, other))
        yield replace(proof, parts=(*rest, one, one))


def with_another_clue(board: Board, proof: Proof) -> Iterator[Proof]:
    """Yield proofs with a clue replaced by a different one from nearby.

    The other clue may be as good.
    """
    have = {clue.cell for clue in proof.clues}
    for place, clue in enumerate(proof.clues):
        if clue.number is None:
            continue
        near = {cell for one in touching(board, clue.cell) for cell in touching(board, one)} - have
        others = [Clue(cell, board.number(cell)) for cell in sorted(near) if board.number(cell) is not None]
        for other in [other for other in others if bounds_of(board, other) != bounds_of(board, clue)][:3]:
            yield replace(proof, clues=_put(proof.clues, place, [other]))


def _put(items: tuple, place: int, instead: Iterable[object]) -> tuple:  # type: ignore[type-arg]
    return (*items[:place], *instead, *items[place + 1 :])


def modules_of_verify(*files: Path) -> set[str]:
    """The modules that ``satsweep verify`` loads: none that reasons, only boards, proofs and their formats."""
    loaded = modules_after(running("verify", *map(str, files)))
    assert not loaded & {"pysat", "ortools", "numpy", "networkx", "gmpy2", "scipy", "numba"}
    reasoning = ("solver", "kernels", "why", "games", "agents", "oracle", "generator", "proofs.certify")
    assert not {name for name in loaded if name.startswith(tuple(f"satsweep.{part}" for part in reasoning))}
    return loaded
