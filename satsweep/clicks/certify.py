"""Proofs that fewer clicks are impossible, for ``satsweep verify``.

A sweep is proved by its order of the chords: the checker decides them again, all choices at once.

The search for cores knows which ones it has found, but not why: its solver has learned from all of them, and forgotten
much. Each core is therefore proved again, by a solver of its own that knows the cores before, and writes down its
learned clauses. These are left out after the core, since few of them would help with the next one; a checker then has
few clauses to look at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from satsweep.board import Cell
from satsweep.clicks.fewest import SECONDS, FewestClicks, FoundCores, bounds, model_after
from satsweep.clicks.model import ClickModel, digs_for
from satsweep.clicks.search import Variables
from satsweep.clicks.sweep_order import ChordTerms, find_order
from satsweep.errors import BudgetExceeded
from satsweep.proofs.certificate import Rejected
from satsweep.proofs.click_sweep import SweepProof, check_sweep
from satsweep.proofs.clicks import ClicksProof, Counted, CountedKind, Counting
from satsweep.proofs.covered_cells import CoveredCells, Replaced
from satsweep.solver.sat_solver import sat_solver

MOST_BYTES = 10_000_000
"""Limit on a refutation."""
CONFLICTS = 20_000
"""Conflicts of the solver between two looks at the limit."""


def certify_sweep(found: FewestClicks) -> SweepProof:
    """Prove by a sweep that the clicks of a path are the fewest that clear its layout.

    The proof has been checked. Raises BudgetExceeded if that takes more work than a checker does, and ValueError for a
    game in play, and for bounds that do not meet.

    >>> from satsweep import fewest_clicks
    >>> proof = certify_sweep(fewest_clicks(("....", ".*..", "....")))
    >>> proof.clicks, sorted(proof.order)
    (4, [0, 1, 2, 4, 6, 8, 9, 10])
    """
    first = _first_digs(found)
    if not found.proved:
        raise ValueError("expected the fewest clicks, proved")
    model = model_after(found.layout, first)
    order: list[int] = []
    if model.chords:
        order, _ = find_order(ChordTerms.of(model), [chord.cell for chord in model.chords], found.layout.cols)
    cells = tuple(model.chords[place].cell for place in order)
    covered = CoveredCells(found.layout, first)
    replaced = tuple(_replaced(covered, model, sorted(covered.chords.keys() - set(cells))))
    proof = SweepProof(replace(found.layout, start=None), found.upper, first, replaced, cells)
    try:
        check_sweep(proof)
    except Rejected as error:
        raise BudgetExceeded(str(error)) from None
    return proof


def _first_digs(found: FewestClicks) -> tuple[Cell, ...]:
    """The digs that were asked for. Raises ValueError for a game in play."""
    if found.before:
        raise ValueError("expected the clicks of a whole game")
    return tuple(click.cell for click in found.path[: found.given])


def certify_clicks(found: FewestClicks, most: int | None = None) -> ClicksProof:
    """Prove that a layout takes at least as many clicks as the lower bound says.

    Bounds without cores have them looked for, for a minute at most. Raises BudgetExceeded if that is too short, or if
    the refutation would have more than ``most`` bytes, by default 10 MB, and ValueError for a game in play.

    >>> from satsweep import fewest_clicks
    >>> from satsweep.proofs.clicks import check_clicks
    >>> proof = certify_clicks(fewest_clicks(("....", ".*..", "....")))
    >>> proof.clicks, check_clicks(proof)
    (4, 13)
    """
    first = _first_digs(found)
    cores = found.cores or _searched(found, first)
    covered = CoveredCells(found.layout, first)
    kept = {chord.cell for chord in cores.model.chords}
    replaced = tuple(_replaced(covered, cores.model, sorted(covered.chords.keys() - kept)))
    sets = tuple(tuple(sorted(cores.model.nodes[node][0] for node in nodes)) for nodes in cores.sets)
    proof = ClicksProof(replace(found.layout, start=None), found.lower, first, replaced, sets, tuple(_cores(cores)))
    return replace(proof, refutation="".join(_refutation(Counting.of(proof), MOST_BYTES if most is None else most)))


def _searched(found: FewestClicks, first: Iterable[Cell]) -> FoundCores:
    for bounds_so_far in bounds(found.layout, first, seconds=SECONDS, cores=True):
        if bounds_so_far.lower >= found.lower and bounds_so_far.cores is not None:
            return bounds_so_far.cores
    raise BudgetExceeded(f"expected cores of {found.lower} clicks within {SECONDS:g} seconds")


def _replaced(covered: CoveredCells, model: ClickModel, chords: Iterable[int]) -> Iterator[Replaced]:
    """Leave out chords that digs replace, and yield them.

    Each makes more flags needed by one chord alone.
    """
    left = list(chords)
    while left:
        before = len(left)
        for chord in list(left):
            opens = frozenset(model.node_of[cell] for cell in covered.chords[chord][0])
            digs = digs_for(opens, model.spills, model.diggable)
            if len(digs) <= 1 + len(covered.own_flags(chord)):
                found = Replaced(chord, tuple(model.nodes[node][0] for node in digs))
                covered.replace(found)
                left.remove(chord)
                yield found
        assert len(left) < before, "a chord was left out that no digs replace"


def _cores(found: FoundCores) -> Iterator[tuple[Counted, ...]]:
    """Cores with clicks by their cells in place of variables."""
    variables = Variables(found.model)
    named = {number: Counted(CountedKind.FLAG, mine) for mine, number in variables.flags.items()}
    for node, number in variables.digs.items():
        named[number] = Counted(CountedKind.DIG, variables.model.nodes[node][0])
    for number, chord in zip(variables.chords, variables.model.chords, strict=True):
        named[number] = Counted(CountedKind.CHORD, chord.cell)
    for core in found.cores:
        yield tuple(named[one] if isinstance(one, int) else Counted(CountedKind.CORE, *one) for one in core)


def _refutation(counting: Counting, most: int) -> Iterator[str]:
    """Yield the lines of a proof that no core is without a true thing."""
    clauses, left = list(counting.clauses), most
    for core, total in zip(counting.cores, counting.totals, strict=True):
        try:
            lines = list(_implied(clauses, core, left))
        except BudgetExceeded:
            raise BudgetExceeded(f"expected a proof of at most {most / 1e6:g} MB") from None
        left -= sum(map(len, lines))
        yield from lines
        clauses += [core, *total]
    for place in range(len(counting.cores)):
        yield f"{-counting.without(place)} 0\n"
    yield "0\n"


def _implied(clauses: Iterable[Sequence[int]], core: Sequence[int], most: int) -> Iterator[str]:
    """Yield the lines of a proof that a core follows from clauses."""
    with sat_solver(name="glucose4", with_proof=True) as solver:
        for clause in clauses:
            solver.add_clause(clause)
        found = None
        while found is None:
            solver.conf_budget(CONFLICTS)
            found = solver.solve_limited([-literal for literal in core], expect_interrupt=True)
            lines = solver.get_proof()
            if sum(map(len, lines)) > most:
                raise BudgetExceeded("the proof is too long")
    assert not found, "the clauses do not imply a core"
    learned: dict[tuple[int, ...], str] = {}
    for line in lines:
        clause = line.removeprefix("d ").removesuffix("0").strip()
        key = tuple(sorted(map(int, clause.split())))
        if not key:  # the end of a refutation that has assumptions
            continue
        if not line.startswith("d "):
            learned[key] = clause
            yield f"{clause} 0\n"
        elif learned.pop(key, None) is not None:  # others were not learned
            yield f"d {clause} 0\n"
    yield " ".join(map(str, core)) + " 0\n"
    yield from (f"d {clause} 0\n" for key, clause in learned.items() if len(key) > 1 and key != tuple(sorted(core)))
