"""Output: analyses, explanations, audits and games as text, JSON and SVG.

All pictures share ``board_geometry``, the outlines of cells, ``colours`` and ``board_svg``; a picture is a tree of XML
elements. All texts share ``board_text`` and ``number_text``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
