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

``__init__.pyi`` lists the names. Each is imported at first use, so that the command starts without the engine.
"""

import lazy_loader

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
