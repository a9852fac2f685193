"""Drawn: an analysis as text (plain, or a heat map in colour), as JSON and as SVG.

``squares`` decides how one cell is shown, ``shapes`` where it is drawn and with which outline, ``facts`` what is said
about the whole board, and ``text``, ``data`` and ``svg`` put that in their forms. All of them yield the pieces of the
output, so a big board needs no big string.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from satsweep.render.analysis_json import to_json
from satsweep.render.analysis_svg import to_svg
from satsweep.render.analysis_text import to_colour, to_text

RENDERINGS: dict[str, Callable[..., Iterator[str]]] = {"text": to_text, "json": to_json, "svg": to_svg}
"""Every form; ``exact=True`` asks for fractions where the form leaves a choice."""

__all__ = ["RENDERINGS", "to_colour", "to_json", "to_svg", "to_text"]
