"""satsweep: the exact Minesweeper engine.

>>> import satsweep
>>> analysis = satsweep.analyse(satsweep.Board.from_text('''
... mines 3
... ##1.
... ##21
... ####
... '''))
>>> analysis.worlds, analysis.best, analysis.risk((0, 0))
(12, Cell(row=2, col=1), Fraction(1, 3))

A board may also be its rows, an array or a ``Board``; a cell is (row, column); an agent is a name, a function
``board -> (safe, mines)``, a policy or an ``Agent``. ``help(satsweep.analyse)`` has the details of each name::

    positions     analyse, risks: forced cells, exact risks; Board, Cell, Topology, Clues, Budget
                  find_world: one layout that agrees; random_world: a random one; solve_statements: cells with names
    reasons       explain, conflict: the numbers behind a cell or a contradiction
    games         play: a game by an agent; Game, Record, Rules, Layout; random_layout: layouts by seed
    agents        compare: win rates on the same boards; audit: is each claim true
                  agent_named, AGENTS: agents by name; Agent, Deduction, Guess, Inference
    assessment    review: skill and luck of a game; rate: does a layout need a guess, and how hard is it
                  fewest_clicks: the fewest clicks that clear a layout, with proof
    new boards    generate: boards that need no guess, of a given difficulty; BoardSpec
    files         load and save of Board, Layout and Record; FORMATS; satsweep.formats has files of many values
    pictures      read_picture: the board of a picture, of any skin, with what is in doubt
    errors        SatsweepError is the base of BoardError, Contradiction, BudgetExceeded, AgentError and ImpossibleSpec

Values that these return are names of folders: ``satsweep.analysis.Analysis``, ``satsweep.assessment.Review``, and more
in ``agents``, ``arena``, ``clicks``, ``formats``, ``games``, ``generator``, ``oracle``, ``proofs``, ``render``, ``umi``
and ``why``.
Each name is imported at first use, so that the command starts without the engine; ``__init__.pyi`` lists them.
"""

import lazy_loader

__version__ = "0.2.0"

_ELSEWHERE = {
    "solve": "analyse",
    "probabilities": "risks",
    "hint": "explain",
    "check": "audit",
    "read_board": "Board.load",
    "read_layout": "Layout.load",
    "read_game": "Record.load",
    "read_record": "Record.load",
    "write_record": "Record.save",
}
"""Names of other programs and of earlier versions, and ours."""

_attribute, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    """The value of an exported name, imported now."""
    if name in __all__:
        return _attribute(name)
    from satsweep.arguments import did_you_mean

    meant = f"; did you mean {_ELSEWHERE[name]!r}?" if name in _ELSEWHERE else did_you_mean(name, __all__)
    # With a name and without an object Python adds no suggestion of its own.
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{meant}", name=name)
