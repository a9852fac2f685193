"""Questions about worlds: statements on named cells, one world, random worlds, recounts, many boards."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
