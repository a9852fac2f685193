"""The oracle in the tests of other projects: a pytest plugin, and strategies for Hypothesis.

Where satsweep is installed pytest knows the fixture ``satsweep_oracle``, and nothing else changes. A *deducer* is any
function ``board -> (safe, mines)``; one that takes rows of integers (-1 covered, 0 to 8, 9 a known mine) is
recognised by the annotation of its parameter, or called with ``view="rows"``. See ``satsweep.agents.load``, also for
what stands for numbers above 8 and for cells that show nothing.

``boards()``, ``layouts()`` and ``games()`` are in ``satsweep.testing.strategies``; they are loaded when they are asked
for, and only then is ``hypothesis`` needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from satsweep.agents.load import View
    from satsweep.board import Board
    from satsweep.oracle.report import Audit
    from satsweep.solver.analysis import Analysis
    from satsweep.testing.strategies import boards, games, layouts

__all__ = ["Oracle", "assert_complete", "assert_sound", "boards", "games", "layouts", "satsweep_oracle"]

_STRATEGIES = ("boards", "games", "layouts")


def __getattr__(name: str) -> object:
    if name not in _STRATEGIES:
        raise AttributeError(f"module 'satsweep.testing' has no attribute {name!r}")
    try:
        from satsweep.testing import strategies
    except ModuleNotFoundError as error:
        if error.name != "hypothesis":
            raise
        raise ImportError(f"satsweep.testing.{name} needs hypothesis: pip install hypothesis") from None
    return getattr(strategies, name)


def assert_sound(deduce: object, board: Board, *, view: View | None = None) -> None:
    """Fail unless everything that is claimed about the board holds in every world of it.

    ``deduce`` is a function, or whatever else ``satsweep.oracle.audit.audit`` takes. It is asked for claims, and again
    with the mines that it claims flagged, until it adds nothing.
    """
    __tracebackhide__ = True
    from satsweep.oracle.audit import audit
    from satsweep.render.audit import MOST_DRAWN, refutation

    report = audit(deduce, [board], view=view, guesses=False)
    if report.sound:
        return
    lines = [f"{report.agent} claims what does not follow from {board!r}"]
    for unsound in report.unsound[:MOST_DRAWN]:
        lines += ["", *refutation(unsound)]
    if (more := len(report.unsound) - MOST_DRAWN) > 0:
        lines += ["", f"and {more} more unsound claims"]
    raise AssertionError("\n".join(lines))


def assert_complete(deduce: object, board: Board, *, like: object = None, view: View | None = None) -> None:
    """Fail unless every forced cell of the board is claimed.

    With ``like``, an agent (``"basic"``, ``"gem"``) or another function, only what that one finds must be found.
    Whether all claims are true is a question for ``assert_sound``.
    """
    __tracebackhide__ = True
    from satsweep.agents.load import subject
    from satsweep.oracle.audit import missed
    from satsweep.render.audit import missed_claims

    examined = subject(deduce, view)
    if left := missed(examined, board, like=like):
        lines = [f"{examined.name} misses what follows from {board!r}", "", *missed_claims(board, left)]
        raise AssertionError("\n".join(lines))


class Oracle:
    """What the fixture ``satsweep_oracle`` gives: the exact analysis, the assertions, and the audit of many boards."""

    assert_sound = staticmethod(assert_sound)
    assert_complete = staticmethod(assert_complete)

    @staticmethod
    def analyse(board: Board) -> Analysis:
        """What is forced, and how risky everything else is: ``satsweep.analyse``."""
        from satsweep.solver.analysis import analyse

        return analyse(board)

    @staticmethod
    def audit(deduce: object, boards: Iterable[Board], *, view: View | None = None) -> Audit:
        """Soundness, completeness and regret over many boards: ``satsweep.audit``."""
        from satsweep.oracle.audit import audit

        return audit(deduce, boards, view=view)


@pytest.fixture(scope="session")
def satsweep_oracle() -> Oracle:
    """The exact Minesweeper engine as an oracle: analyse, assert_sound, assert_complete, audit."""
    return Oracle()
