"""Renderers by the format that a command is asked for."""

from collections.abc import Callable, Iterator

from satsweep.render.analysis_svg import to_svg
from satsweep.render.analysis_text import to_json, to_text

RENDERINGS: dict[str, Callable[..., Iterator[str]]] = {"text": to_text, "json": to_json, "svg": to_svg}
"""Renderers of an analysis; ``exact=True`` asks for fractions instead of percent."""
