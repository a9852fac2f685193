"""Base classes of values that notebooks show as pictures.

Boards, analyses and games are values that know nothing of drawing; ``satsweep.render`` draws them. A notebook asks the
value, though, so this mix-in passes the request on. ``satsweep.render.pictures`` is found by its name when it is first
needed: nothing below ``render`` imports it.
"""

from importlib import import_module
from typing import ClassVar


class Rendered:
    """A value with a picture."""

    __slots__ = ()

    _pictures: ClassVar[str] = "satsweep.render.pictures"
    """The module that draws the value."""

    def to_svg(self) -> str:
        """The picture of the value, a complete SVG file."""
        return _rendered("svg_of", self)

    def to_html(self) -> str:
        """The value as HTML: its picture, and for a game a slider to walk through it."""
        return _rendered("html_of", self)

    def _repr_html_(self) -> str:
        """The value in a notebook."""
        return self.to_html()


class Worded(Rendered):
    """A value with a picture, a text for people and one for programs."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """The text that the command prints."""
        return _rendered("text_of", self)

    def to_json(self) -> str:
        """The value as JSON, the same as the command prints."""
        return _rendered("json_of", self)


def _rendered(form: str, value: Rendered) -> str:
    return str(getattr(import_module(value._pictures), form)(value))
