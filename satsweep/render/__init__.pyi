"""Names of ``satsweep.render``."""

from .analysis_svg import to_svg as to_svg
from .analysis_text import to_colour as to_colour, to_json as to_json, to_text as to_text

__all__: list[str]
