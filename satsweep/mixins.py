"""Mix-ins of values: those that files hold, and those that notebooks show.

Boards, analyses and games are values that know nothing of file formats and of drawing. Requests are passed on:
``satsweep.formats`` and ``satsweep.render.pictures`` are found by their names when they are needed, so nothing below
them imports them.
"""

from importlib import import_module
from pathlib import Path
from typing import ClassVar, Self, cast


class Stored:
    """A value with ``load`` and ``save``."""

    __slots__ = ()

    @classmethod
    def load(cls, source: str | Path, *, format: str | None = None) -> Self:
        """Read a value from a file, from standard input (``-``), or from a link or an ID.

        The format is that of the content unless it is named; ``satsweep formats`` lists them. A source is taken as a
        link or an ID only if there is no file of that name. Raises BoardError with file, line and column if the source
        cannot be read as such a value.
        """
        return cast(Self, import_module("satsweep.formats").load(cls, source, format=format))

    def save(self, path: str | Path, *, format: str | None = None) -> None:
        """Write the value to a file, which is replaced once the new one is complete.

        The format is that which the end of the name stands for, such as ``.json`` or ``.txt``, unless it is named.
        Raises BoardError if the format cannot hold all of the value.
        """
        import_module("satsweep.formats").write(self, path, format=format)


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
