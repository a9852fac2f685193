"""Runs pytest with libraries hidden: ``python -m tests.hidden numpy,ortools -- arguments of pytest``."""

import sys
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any

import pytest


def hide(names: set[str]) -> None:
    """Let nothing below these names be found, as if it were not installed."""
    find_spec = PathFinder.find_spec

    def found(name: str, *others: Any) -> ModuleSpec | None:
        return None if name.partition(".")[0] in names else find_spec(name, *others)

    PathFinder.find_spec = staticmethod(found)  # type: ignore[assignment, method-assign]
    imported = names & {name.partition(".")[0] for name in sys.modules}
    assert not imported, f"{', '.join(sorted(imported))} cannot be hidden any more"


if __name__ == "__main__":
    hide(set(sys.argv[1].split(",")))
    sys.exit(pytest.main(sys.argv[3:]))
