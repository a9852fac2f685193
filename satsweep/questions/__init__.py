"""Questions about worlds: named cells, one world, random worlds, recounts."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
