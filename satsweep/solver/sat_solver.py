"""PySAT solvers: freed at the end, interruptible, with selectors for constraints.

A *selector* is a variable s that guards the clauses of one constraint: each clause C is added as C or not s, so the
constraint holds where s is assumed and says nothing otherwise. A refusal then comes with an unsatisfiable core over the
selectors: constraints that cannot all hold (solving under assumptions, Een and Sorensson 2003).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

SOLVER = "minisat22"


@contextmanager
def sat_solver(clauses: Iterable[Sequence[int]] = (), name: str = SOLVER, *, with_proof: bool = False) -> Iterator[Any]:
    """A PySAT solver on these clauses, freed at the end.

    An interrupt inside its C++ code, which PySAT reports as an exception of its own, becomes a KeyboardInterrupt.
    """
    from pysat.solvers import Solver

    options = {"with_proof": True} if with_proof else {}
    with Solver(name=name, bootstrap_with=clauses, **options) as solver, raising_interrupts():
        yield solver


@contextmanager
def raising_interrupts() -> Iterator[None]:
    """Turn PySAT's exception for an interrupt into a KeyboardInterrupt."""
    try:
        yield
    except Exception as error:
        if "keyboard interrupt" in str(error):
            raise KeyboardInterrupt from None
        raise


class SelectorSolver:
    """A PySAT solver whose constraints are switched on by selectors.

    Each question names the constraints that hold. They are named by ``indices``; their selectors are the variables from
    ``first`` on, in the same order. Use it as a context, or call ``close``: Python does not free the solver.
    """

    def __init__(self, first: int, indices: Sequence[int]) -> None:
        self._selectors = {index: first + place for place, index in enumerate(indices)}
        self._indices = {selector: index for index, selector in self._selectors.items()}
        self._resources = ExitStack()
        self._solver = self._resources.enter_context(sat_solver())

    def __enter__(self) -> SelectorSolver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver."""
        self._resources.close()

    def add(self, clause: Sequence[int], index: int | None = None) -> None:
        """Add a clause of a constraint, or without an index one that always holds."""
        self._solver.add_clause(clause if index is None else [*clause, -self._selectors[index]])

    def model(self, chosen: Collection[int], assumptions: Sequence[int] = ()) -> list[int] | None:
        """A model of the chosen constraints under the assumptions; None if there is none."""
        with raising_interrupts():
            if self._solver.solve(assumptions=[*assumptions, *(self._selectors[index] for index in chosen)]):
                return self._solver.get_model() or []
        return None

    def core(self) -> frozenset[int]:
        """An unsatisfiable core of the last question, which had no model.

        It has the constraints of the core, by their indices.
        """
        core = self._solver.get_core() or []
        return frozenset(self._indices[literal] for literal in core if literal in self._indices)
