"""Output: analyses, explanations, audits and games as text, JSON and SVG.

For an analysis ``board_geometry`` gives label, colour, place and outline of each cell; ``analysis_text``,
``analysis_json`` and ``analysis_svg`` put them together. Pictures are trees of ``elements``.
"""

from collections.abc import Callable, Iterator

from satsweep.render.analysis_json import to_json
from satsweep.render.analysis_svg import to_svg
from satsweep.render.analysis_text import to_colour, to_text

RENDERINGS: dict[str, Callable[..., Iterator[str]]] = {"text": to_text, "json": to_json, "svg": to_svg}
"""Renderers of an analysis; ``exact=True`` asks for fractions instead of percent."""

__all__ = ["RENDERINGS", "to_colour", "to_json", "to_svg", "to_text"]
