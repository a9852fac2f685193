"""Analysis of a board, and what to open: outlooks of cells, endgames, advice."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
