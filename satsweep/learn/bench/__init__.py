"""A benchmark without luck: frozen text tasks, models, scores."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
"""Names of ``satsweep.learn.bench``: tasks, models, scores."""
