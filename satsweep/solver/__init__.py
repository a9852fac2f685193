"""Forced cells and probabilities: the core.

The frontier is split into independent components by networkx. Each is encoded as cardinality constraints and solved by
PySAT, which finds the forced cells, and by PySAT, CP-SAT or elimination, which count its placements; the mine total
then ties the components together. Read the modules in this order, an hour in all; docs/ideas/core.md walks one board
through them, and ``satsweep solve --stages`` any other::

    constraints   groups of covered cells, and what each number says about them
    propagate     cheap rules: one number, two numbers
    components    the connected components of the frontier, by networkx
    budget        limits of time, memory and states
    sat_solver    a component as clauses, for PySAT
    sums          the numbers of mines that a component can hold
    polynomials   products of counts
    engines       counts: sat and cpsat list placements, elimination adds them up, auto chooses
    backbone      forced cells of a component, without a count
    probability   the mine total, and the odds of every cell
    late_odds     the odds of boards of thousands of components
    pipeline      ``solve``: all stages, one line each
    compiled      the compiled twin: the same counts from kernels, where there is a library
    position      a board, solved by the twin or by the stages

Nothing here knows which cell is best to open (``satsweep.analysis``), how to explain (``satsweep.why``) or what a game
is. All of it can be found with python-sat alone. Other libraries only add to that, and where one is missing, as in a
browser, another way gives the same answer: union-find splits, PySAT stands in for CP-SAT, Python multiplies long
integers in place of GMP, and no kernels answer without NumPy (``is_installed``).
"""

from functools import cache
from importlib.util import find_spec

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


@cache
def is_installed(name: str) -> bool:
    """Return whether a library can be imported; it is not imported yet.

    >>> is_installed("pysat"), is_installed("a library of no one")
    (True, False)
    """
    return find_spec(name) is not None
