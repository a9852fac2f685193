"""All exceptions of the package, a small tree.

``SatsweepError`` > ``BoardError`` (the input cannot be read), ``Contradiction`` (it can be read, but no layout
satisfies it), ``BudgetExceeded`` (the answer exists, but not within the given seconds or states), ``ImpossibleSpec``
(no board meets the specification), ``AgentError`` (an agent broke the rules of play), ``StoreError`` (results cannot be
kept, or must not be mixed), ``WorkersError`` (no worker can play), ``KernelError`` (the compiled library cannot be
used, or has played otherwise than Python). ``BoardError`` and ``ImpossibleSpec`` are ``ValueError`` as well.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


def how_to_install(extra: str) -> str:
    """Command that installs an extra: of the checkout, where the package is in one.

    >>> how_to_install("web")
    "pip install -e '.[web]' in the checkout of satsweep"
    """
    if (Path(__file__).parents[1] / "pyproject.toml").exists():
        return f"pip install -e '.[{extra}]' in the checkout of satsweep"
    return f"pip install 'satsweep[{extra}]'"


@contextmanager
def needing(package: str, said: str, extra: str, error: type[Exception] = ImportError) -> Iterator[None]:
    """Import from a package of an extra; if it is missing, say how to install it.

    Other failures to import, such as one of its own dependencies, stay as they are.

    >>> with needing("nowhere", "the example needs nowhere", "web"):
    ...     import nowhere
    Traceback (most recent call last):
    ImportError: the example needs nowhere: pip install -e '.[web]' in the checkout of satsweep
    """
    try:
        yield
    except ImportError as failure:
        if (failure.name or "").partition(".")[0] != package:
            raise
        raise error(f"{said}: {how_to_install(extra)}") from None


class SatsweepError(Exception):
    """Base class of all exceptions that this package raises on purpose."""


class BoardError(SatsweepError, ValueError):
    """A malformed board, layout or file.

    ``at`` is the part of the value that is wrong: a (row, column) of the grid, from 0, or the name of a field. ``line``
    and ``column``, from 1, say where that stands in the text it was read from.
    """

    def __init__(
        self,
        message: str,
        *,
        at: tuple[int, int] | str | None = None,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.message}" if place else self.message


def unreadable(error: OSError | ValueError, noun: str = "file") -> str:
    """Message on a file that cannot be read, to stand after its name.

    A name that no file can have is a ValueError.
    """
    return f"expected a readable {noun}: {getattr(error, 'strerror', None) or error}"


class Contradiction(SatsweepError):
    """A board or a set of statements that no layout satisfies.

    ``clues`` cannot all be true: cells that show a number, or statements about named cells; ``total`` is True if the
    mine total takes part. The set is sound, but need not be the smallest. A ``message`` that names cells is a Sentence.
    """

    def __init__(self, message: str, *, clues: Iterable[object] = (), total: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.clues = tuple(clues)
        self.total = total


class BudgetExceeded(SatsweepError):
    """A computation that was given up because its seconds or states ran out."""


class ImpossibleSpec(SatsweepError, ValueError):
    """A specification that no board meets."""


class AgentError(SatsweepError):
    """An agent's answer that is no claim or guess, or names an uncovered cell."""


class AgentLate(AgentError):
    """An agent that took longer than it may."""


class UnknownForm(AgentError, TypeError):
    """Code that is no agent of a known form.

    Its text has several lines: what was found, and examples of the nearest forms.
    """


class StoreError(SatsweepError):
    """A file of results that cannot be read or written, or holds another run.

    The runs are such that their results must not be mixed.
    """


class WorkersError(SatsweepError):
    """Processes or machines for play that cannot be had, or are not fit for it."""


class KernelError(SatsweepError):
    """The compiled library is missing, damaged, stale, or not for this processor.

    Or it has played a game otherwise than Python.
    """
