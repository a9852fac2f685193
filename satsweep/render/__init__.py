"""Output: analyses, explanations, audits and games as text, JSON and SVG.

All pictures share ``board_geometry``, the outlines and colours of cells, and ``board_svg``; a picture is a tree of XML
elements. All texts share ``board_text`` and ``number_text``.
"""

from collections.abc import Callable, Iterator

from satsweep.render.analysis_svg import to_svg
from satsweep.render.analysis_text import to_colour, to_json, to_text

RENDERINGS: dict[str, Callable[..., Iterator[str]]] = {"text": to_text, "json": to_json, "svg": to_svg}
"""Renderers of an analysis; ``exact=True`` asks for fractions instead of percent."""

__all__ = ["RENDERINGS", "to_colour", "to_json", "to_svg", "to_text"]
