"""Forced cells and probabilities: from the numbers of a board to its analysis."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
