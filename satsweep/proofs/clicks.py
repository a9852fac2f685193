"""Proofs of fewest clicks, and their check.

A path that wins is a choice of digs, chords and flags (``docs/ideas/clicks.md``). Three facts about it are clauses: a
chord needs the flags around its number; and in every set of nodes into which no opening from outside spills, there is
a dig, or a chord from outside that opens a node of the set. A node is an opening or another covered safe cell, named by
its first cell. A proof names sets, and chords to leave out, since as few digs do the same; the clauses are made here.

*Cores* count the clicks (core-guided search, OLL: Andres et al. 2012). At first the things to count are all clicks. In
each core at least one thing is true. Its things are taken away, and "at least 2 of them", "at least 3" and so on are
added: as many of these are true as of the things before, less one. After k cores at least k clicks were needed.
It is left to prove that no core can be without a true thing, given the clauses and what "at least" means (totalizers,
Bailleux and Boufkhad 2003). The formula (``Counting.formula``) says the opposite, and a DRUP proof refutes it.

``check_clicks`` reads the layout for itself, shares no code with the search, and needs no solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import NamedTuple

from satsweep.board import Cell
from satsweep.layout import Layout
from satsweep.proofs.certificate import Rejected, WorkLimit
from satsweep.proofs.covered_cells import CoveredCells, Replaced
from satsweep.proofs.refutation import check_refutation
from satsweep.text import counted

CLAUSE_WORK = 20
"""Work of a clause, which takes as much time and memory."""


class CountedKind(Enum):
    """Kind of a thing that a core counts."""

    DIG = "dig"
    CHORD = "chord"
    FLAG = "flag"
    CORE = "core"
    """At least a number of things of a core before."""


class Counted(NamedTuple):
    """A click on a cell, or at least ``least`` things of a core.

    ``place`` is the cell, a row-major index, or the number of the core, from 0.
    """

    kind: CountedKind
    place: int
    least: int = 1


@dataclass(frozen=True, slots=True)
class ClicksProof:
    """A proof that a layout takes at least ``clicks`` clicks.

    ``first`` are digs among them that were asked for. Cells of ``replaced``, ``sets`` and ``cores`` are row-major
    indices. ``refutation`` is the DRUP proof.
    """

    layout: Layout
    clicks: int
    first: tuple[Cell, ...] = ()
    replaced: tuple[Replaced, ...] = ()
    sets: tuple[tuple[int, ...], ...] = ()
    cores: tuple[tuple[Counted, ...], ...] = ()
    refutation: str = ""

    @property
    def items(self) -> int:
        """The number of its cells, counted things and literals."""
        items = len(self.layout.symbols) + sum(len(one.digs) for one in self.replaced)
        return items + sum(map(len, self.sets)) + sum(map(len, self.cores)) + self.refutation.count(" ")


def check_clicks(proof: ClicksProof) -> int:
    """Check a proof, and return the steps of its refutation.

    Raises Rejected, also where that takes too much work for a proof of its size.

    >>> dig = Counted(CountedKind.DIG, 0)
    >>> check_clicks(ClicksProof(Layout(("..*",)), 1, sets=((0, 1),), cores=((dig,),)))
    0
    """
    work = _limit(proof)
    counting = Counting.of(proof, work)
    if proof.clicks != len(proof.first) + len(proof.cores):
        shown = len(proof.first) + len(proof.cores)
        raise Rejected(f"the cores show that {counted(shown, 'click')} are needed, not {proof.clicks:,}")
    if not proof.cores:
        return 0
    return check_refutation(*counting.formula(), proof.refutation, work)


def _limit(proof: ClicksProof) -> WorkLimit:
    work = WorkLimit()
    work.allow(proof.items)
    return work


def clicks_line(proof: ClicksProof, steps: int) -> str:
    """An accepted proof in words."""
    start = f" that begin with digs at {' and '.join(map(str, proof.first))}" if proof.first else ""
    proved = f"{counted(len(proof.cores), 'core')}, {counted(steps, 'step')}"
    return f"accepted: no fewer than {counted(proof.clicks, 'click')}{start} clear the layout, {proved}"


@dataclass(frozen=True, slots=True)
class Counting:
    """The clauses of a proof, its cores as literals, and totalizers of each core.

    ``clicks`` are the variables of clicks, and ``top`` is the last variable.
    """

    clicks: dict[Counted, int]
    clauses: list[list[int]]
    cores: list[list[int]]
    totals: list[list[list[int]]]
    top: int

    @classmethod
    def of(cls, proof: ClicksProof, work: WorkLimit | None = None) -> Counting:
        """Read the clauses off the layout. Raises Rejected for wrong sets and cores."""
        work = work or WorkLimit(inf)
        covered = CoveredCells(proof.layout, proof.first, work)
        for one in proof.replaced:
            covered.replace(one)
        flags = sorted({mine for _, mines in covered.chords.values() for mine in mines})
        kinds = (CountedKind.DIG, covered.digs), (CountedKind.CHORD, covered.chords), (CountedKind.FLAG, flags)
        things = [Counted(kind, cell) for kind, cells in kinds for cell in cells]
        clicks = {thing: number for number, thing in enumerate(things, 1)}
        clauses = [
            [-clicks[Counted(CountedKind.CHORD, cell)], clicks[Counted(CountedKind.FLAG, mine)]]
            for cell, (_, mines) in covered.chords.items()
            for mine in mines
        ]
        for nodes in proof.sets:
            digs, chords = covered.enters(frozenset(nodes))
            clauses.append([clicks[Counted(CountedKind.DIG, cell)] for cell in digs])
            clauses[-1] += [clicks[Counted(CountedKind.CHORD, cell)] for cell in chords]
        variables, top = dict(clicks), len(clicks)
        cores, totals = [], []
        for number, (core, most) in enumerate(zip(proof.cores, _most(proof.cores, clicks), strict=True)):
            cores.append([variables[thing] for thing in core])
            totals.append(list[list[int]]())
            if most > 1:
                outputs, top = _totalizer(cores[-1], most, top, totals[-1], work)
                for least in range(2, most + 1):
                    variables[Counted(CountedKind.CORE, number, least)] = outputs[least - 1]
        return cls(clicks, clauses, cores, totals, top)

    def formula(self) -> tuple[list[list[int]], int]:
        """All clauses, with those that some core has no true thing, and the last variable."""
        clauses = [*self.clauses, *(clause for total in self.totals for clause in total)]
        for place, core in enumerate(self.cores):
            clauses += [[-self.without(place), -literal] for literal in core]
        every = [self.without(place) for place in range(len(self.cores))]
        return [*clauses, every], self.top + len(every)

    def without(self, core: int) -> int:
        """The variable for a core that has no true thing."""
        return self.top + 1 + core


def _most(cores: Sequence[Sequence[Counted]], clicks: Iterable[Counted]) -> list[int]:
    """The most that is counted of each core.

    Raises Rejected unless each thing is counted once.
    """
    most, left = [1] * len(cores), set(clicks)
    for number, core in enumerate(cores):
        for thing in core:
            if thing not in left:
                raise Rejected(f"expected what is left to be counted, found {_words(thing)}", step=number + 1)
            left.remove(thing)
            if thing.kind is CountedKind.CORE:
                most[thing.place] = max(most[thing.place], thing.least)
        left.update(Counted(CountedKind.CORE, number, least) for least in range(2, len(core) + 1))
    return most


def _words(thing: Counted) -> str:
    if thing.kind is CountedKind.CORE:
        return f"at least {thing.least} of core {thing.place}"
    return f"a {thing.kind.value} on cell {thing.place}"


def _totalizer(
    literals: Sequence[int], most: int, top: int, clauses: list[list[int]], work: WorkLimit
) -> tuple[list[int], int]:
    """Add clauses by which true literals make outputs true, one for each number.

    The output of a number up to ``most`` is true if at least as many literals are. Returns the outputs, from 1, and the
    last variable.
    """
    if len(literals) == 1:
        return list(literals), top
    middle = len(literals) // 2
    left, top = _totalizer(literals[:middle], most, top, clauses, work)
    right, top = _totalizer(literals[middle:], most, top, clauses, work)
    work.spend(CLAUSE_WORK * (len(left) + 1) * (len(right) + 1))
    outputs = list(range(top + 1, top + min(len(literals), most) + 1))
    for one in range(len(left) + 1):
        for other in range(len(right) + 1):
            if 0 < one + other <= len(outputs):
                before = [-left[one - 1]] * (one > 0) + [-right[other - 1]] * (other > 0)
                clauses.append([*before, outputs[one + other - 1]])
    return outputs, top + len(outputs)


def dimacs(proof: ClicksProof) -> Iterator[str]:
    """Yield the lines of the formula of a proof, for programs that check it.

    Raises Rejected as ``check_clicks`` does.
    """
    counting = Counting.of(proof, _limit(proof))
    clauses, top = counting.formula()
    for thing, variable in counting.clicks.items():
        yield f"c {variable}: a {thing.kind.value} at {proof.layout.cell(thing.place)}\n"
    if counting.top > len(counting.clicks):
        yield f"c {len(counting.clicks) + 1} to {counting.top}: at least a number of the clicks of a core\n"
    yield f"c {counting.top + 1} to {top}: a core without a click, one of them by the last clause\n"
    yield f"p cnf {top} {len(clauses)}\n"
    for clause in clauses:
        yield " ".join(map(str, (*clause, 0))) + "\n"
