"""Mix-in of values that are read from files and written to them.

Such values know nothing of file formats: ``satsweep.formats`` is found by its name when a file is read or written, so
nothing below it imports it.
"""

from importlib import import_module
from pathlib import Path
from typing import Self, cast


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
