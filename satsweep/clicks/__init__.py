"""The fewest clicks that clear a layout, with proof.

``model`` says what clicks open and what they need, ``search`` finds bounds, ``path`` puts clicks in order, ``fewest``
joins them. ``made`` counts the clicks of a game.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
