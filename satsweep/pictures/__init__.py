"""Boards from pictures: a screenshot of any skin, at any scale, becomes a board."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
