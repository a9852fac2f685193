"""Functions as agents by name: their code travels in the name itself.

A run knows its agents by their names, which go to other processes and into stores. A function of a notebook has no
name that another process could load, so it is pickled by value (``cloudpickle``), and its name is
``pickled:LABEL:BASE64``. Loading such a name runs its code, as loading a file does.
"""

import base64
import pickle

from satsweep.errors import AgentError
from satsweep.text import error_text

_PREFIX = "pickled:"


def pickled(agent: object) -> str:
    """Return the name of a function or an agent, which has its code.

    Raises TypeError for an object that cannot be pickled.

    >>> def mine(board):
    ...     return [], []
    >>> label_of(pickled(mine)), unpickled(pickled(mine))(None)
    ('mine', ([], []))
    """
    import cloudpickle

    label = getattr(agent, "__name__", None) or type(agent).__name__
    try:
        code = cloudpickle.dumps(agent)
    except Exception as error:
        raise TypeError(f"expected an agent that can be pickled, found {label}: {error_text(error)}") from None
    return f"{_PREFIX}{label}:{base64.b64encode(code).decode('ascii')}"


def is_pickled(name: str) -> bool:
    """Return whether a name is that of a pickled function."""
    return name.startswith(_PREFIX)


def label_of(name: str) -> str:
    """Return the part of an agent's name that people read: a pickled function's own."""
    return name.split(":")[1] if is_pickled(name) else name


def unpickled(name: str) -> object:
    """Return the function of a name. Raises AgentError if its code cannot be loaded."""
    try:
        return pickle.loads(base64.b64decode(name.rpartition(":")[2], validate=True))
    except Exception as error:
        raise AgentError(f"{label_of(name)}: expected code that loads, found {error_text(error)}") from error
