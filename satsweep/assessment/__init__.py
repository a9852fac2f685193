"""Assessments of layouts and of games.

A rating says how hard a layout is and whether it needs a guess, a review how well and how luckily a game was played.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
