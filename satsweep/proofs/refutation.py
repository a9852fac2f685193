"""Check of DRUP proofs that clauses contradict each other, without a solver.

A proof has a clause on each line, literals and a 0 behind them, as in DIMACS. Each follows from those before by reverse
unit propagation (Goldberg and Novikov 2003): where all its literals are false, unit clauses lead to a contradiction.
The last one has no literal. A line with a ``d`` leaves out a clause that is not needed any more. Such a proof is a DRAT
proof (Wetzler, Heule and Hunt 2014) without the steps that only keep satisfiability, so ``drat-trim`` reads it, too.

Two literals of each clause are watched (Moskewicz et al. 2001). Consequences without
any assumption are kept, even where a clause that they came from is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf

from satsweep.proofs.certificate import Rejected, WorkLimit

Clause = list[int]


def check_refutation(clauses: Iterable[Sequence[int]], top: int, proof: str, work: WorkLimit | None = None) -> int:
    """Follow a proof that clauses contradict each other.

    Variables are 1 to ``top``. Returns the number of clauses in it up to the contradiction. Raises Rejected for the
    first line that does not follow, or is none, where the proof ends before, and for too much ``work``.

    >>> check_refutation([[1, 2], [1, -2], [-1, 2], [-1, -2]], 2, "1 0\\n0\\n")
    1
    >>> check_refutation([[1, 2]], 2, "1 0\\n0\\n")
    Traceback (most recent call last):
    satsweep.proofs.certificate.Rejected: step 1: this clause does not follow from those before
    """
    known = _Clauses(top, work or WorkLimit(inf))
    for clause in clauses:
        known.add(clause)
    steps = 0
    for number, (is_left_out, clause) in enumerate(_lines(proof, top), 1):
        if known.contradictory:
            break
        if is_left_out:
            known.leave_out(clause)
            continue
        steps += 1
        if not known.implies(clause):
            raise Rejected("this clause does not follow from those before", step=number)
        known.add(clause)
    if not known.contradictory:
        raise Rejected("expected a proof that ends in a contradiction")
    return steps


def _lines(proof: str, top: int) -> Iterator[tuple[bool, Clause]]:
    """Yield clauses of a proof, and whether they are left out."""
    for number, line in enumerate(proof.splitlines(), 1):
        words = line.split()
        is_left_out = words[:1] == ["d"]
        try:
            *clause, end = map(int, words[is_left_out:])
        except ValueError:
            raise Rejected("expected literals and a 0", step=number) from None
        if end or not all(0 < abs(literal) <= top for literal in clause):
            raise Rejected(f"expected literals of variables up to {top:,}, and a 0", step=number)
        yield is_left_out, clause


class _Clauses:
    """Clauses, and what follows from them by unit propagation.

    ``_value`` and ``_watching`` are indexed by literals: negative ones count from the end.
    """

    def __init__(self, top: int, work: WorkLimit) -> None:
        self.contradictory = False
        self._work = work
        self._value = [0] * (2 * top + 1)
        self._watching: list[list[Clause]] = [[] for _ in range(2 * top + 1)]
        self._true: list[int] = []
        self._copies: dict[tuple[int, ...], list[Clause]] = {}

    def add(self, literals: Sequence[int]) -> None:
        """Add a clause, and what follows from it."""
        clause = list(dict.fromkeys(literals))
        value = self._value
        clause.sort(key=lambda literal: -value[literal])  # those that are false come last
        if len(clause) > 1:
            self._copies.setdefault(tuple(sorted(clause)), []).append(clause)
            for literal in clause[:2]:
                self._watching[literal].append(clause)
        if not clause or value[clause[0]] < 0:
            self.contradictory = True
        elif value[clause[0]] == 0 and (len(clause) == 1 or value[clause[1]] < 0):
            self.contradictory |= not self._propagated([clause[0]])

    def leave_out(self, literals: Sequence[int]) -> None:
        """Forget a clause, if it is there."""
        copies = self._copies.get(tuple(sorted(set(literals))))
        if copies:
            copies.pop().clear()  # an empty one is no longer watched, once it is looked at

    def implies(self, literals: Sequence[int]) -> bool:
        """Return whether unit clauses contradict that all literals are false."""
        before = len(self._true)
        refuted = not self._propagated([-literal for literal in literals])
        for literal in self._true[before:]:
            self._value[literal] = self._value[-literal] = 0
        del self._true[before:]
        return refuted

    def _propagated(self, literals: Iterable[int]) -> bool:
        """Make literals true, and all that follows; False at a contradiction."""
        value, true = self._value, self._true
        at = len(true)
        for literal in literals:
            if value[literal] < 0:
                return False
            if not value[literal]:
                value[literal], value[-literal] = 1, -1
                true.append(literal)
        while at < len(true):
            false = -true[at]
            at += 1
            watching = self._watching[false]
            self._work.spend(len(watching))
            kept: list[Clause] = []
            self._watching[false] = kept
            for place, clause in enumerate(watching):
                if not clause:
                    continue
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                first = clause[0]
                if value[first] > 0:
                    kept.append(clause)
                    continue
                for other in range(2, len(clause)):
                    literal = clause[other]
                    if value[literal] >= 0:
                        clause[1], clause[other] = literal, false
                        self._watching[literal].append(clause)
                        break
                else:
                    kept.append(clause)
                    if value[first] < 0:
                        kept += watching[place + 1 :]
                        return False
                    value[first], value[-first] = 1, -1
                    true.append(first)
        return True
