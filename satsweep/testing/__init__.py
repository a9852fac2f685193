"""Test oracle for other projects: a pytest plugin and Hypothesis strategies.

Where satsweep is installed pytest has the fixture ``satsweep_oracle``; nothing else changes. A *deducer* is any
function ``board -> (safe, mines)``; one that takes rows of integers (-1 covered, 0 to 8, 9 a known mine) is recognised
by the annotation of its parameter, or called with ``view="rows"``. ``satsweep.agents.load`` has the details, and the
integers for numbers above 8 and for cells that show nothing.

``boards()``, ``layouts()`` and ``games()`` are in ``satsweep.testing.strategies``; they are loaded at the first use,
and only then is ``hypothesis`` needed.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from satsweep.errors import needing

with needing("pytest", "satsweep.testing needs pytest", "testing"):
    import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from satsweep.agents.views import BoardView
    from satsweep.analysis.analysis import Analysis
    from satsweep.board import BoardLike
    from satsweep.oracle.report import Audit
    from satsweep.testing.strategies import boards, games, layouts

__all__ = ["Oracle", "assert_complete", "assert_sound", "boards", "games", "layouts", "satsweep_oracle"]

_STRATEGIES = ("boards", "games", "layouts")


def __getattr__(name: str) -> object:
    if name not in _STRATEGIES:
        raise AttributeError(f"module 'satsweep.testing' has no attribute {name!r}")
    with needing("hypothesis", f"satsweep.testing.{name} needs hypothesis", "testing"):
        from satsweep.testing import strategies
    _load_all()
    return getattr(strategies, name)


@cache
def _load_all() -> None:
    """Import all that a failure takes, which a first example may have no time for."""
    from satsweep.board import Board

    with suppress(AssertionError):
        assert_sound(lambda board: ([(0, 0)], ()), Board(("##", "1#"), mines=1))


def assert_sound(deduce: object, board: BoardLike, *, view: BoardView | None = None) -> None:
    """Fail unless every claim about the board holds in every world of it.

    ``deduce`` is a function, or another agent that ``satsweep.oracle.audit.audit`` takes. It is called, and called
    again with its claimed mines flagged, until it adds nothing.
    """
    __tracebackhide__ = True
    from satsweep.board import Board
    from satsweep.oracle.audit import audit
    from satsweep.render.audit import MOST_DRAWN, refutation
    from satsweep.text import counted

    board = Board.of(board)
    report = audit(deduce, [board], view=view, guesses=False)
    if report.sound:
        return
    lines = [f"{report.agent} claims what does not follow from {board!r}"]
    for unsound in report.unsound[:MOST_DRAWN]:
        lines += ["", *refutation(unsound)]
    if (more := len(report.unsound) - MOST_DRAWN) > 0:
        lines += ["", f"and {counted(more, 'more unsound claim')}"]
    raise AssertionError("\n".join(lines))


def assert_complete(deduce: object, board: BoardLike, *, like: object = None, view: BoardView | None = None) -> None:
    """Fail unless every forced cell of the board is claimed.

    With ``like``, an agent (``"basic"``, ``"gem"``) or another function, only the cells that this one claims are
    required. ``assert_sound`` checks that claims are true.
    """
    __tracebackhide__ = True
    from satsweep.agents.load import load_agent
    from satsweep.board import Board
    from satsweep.oracle.audit import missed
    from satsweep.render.audit import missed_claims

    board, loaded = Board.of(board), load_agent(deduce, view)
    if left := missed(loaded, board, like=like):
        lines = [f"{loaded.name} misses what follows from {board!r}", "", *missed_claims(board, left)]
        raise AssertionError("\n".join(lines))


class Oracle:
    """Value of the fixture ``satsweep_oracle``: analysis, assertions, and audits."""

    assert_sound = staticmethod(assert_sound)
    assert_complete = staticmethod(assert_complete)

    @staticmethod
    def analyse(board: BoardLike) -> Analysis:
        """Return forced cells and the risks of all others: ``satsweep.analyse``."""
        from satsweep.analysis.analyse import analyse

        return analyse(board)

    @staticmethod
    def audit(deduce: object, boards: Iterable[BoardLike], *, view: BoardView | None = None) -> Audit:
        """Return soundness, completeness and regret over many boards: ``satsweep.audit``."""
        from satsweep.oracle.audit import audit

        return audit(deduce, boards, view=view)


@pytest.fixture(scope="session")
def satsweep_oracle() -> Oracle:
    """The exact Minesweeper engine as an oracle.

    It has analyse, assert_sound, assert_complete and audit.
    """
    return Oracle()
