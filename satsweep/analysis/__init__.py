"""What to open: the analysis of a board, outlooks of cells, endgames, and advice."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
