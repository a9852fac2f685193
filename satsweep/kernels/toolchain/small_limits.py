"""Small limits, which boards of any size meet, for a checked build and its trial.

The limits of the record are constants of its modules. ``shrink`` lets the import system set others, so no module knows
of it. Build and trial need the same ones: they decide where the fields of the record lie.
"""

import ast
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

KERNELS = "satsweep.kernels."
SMALL = {
    "shared.memory": {
        "CELLS": 120, "SLOTS": 8, "NARROW": 14, "SPAN": 12, "INTS": 6_000, "FLOATS": 6_000, "COUNTS": 2_000,
        "MASKS": 600, "TABLES": 400, "MOST_OPEN": 4, "NOTED": 3,
    },
    "clicks.layers": {"FIRST_ROOM": 4, "MOST_ROOM": 1_024, "MOST_TRACED": 9_000},
    "position.listing": {"LISTED": 100, "MOST_CELLS": 60},
    "position.split": {"PART": 30},
    "lookahead.outlook": {"SPLITS": 6},
    "lookahead.closing": {"EXCHANGES": 400},
    "lookahead.rollouts": {"MOST_ROLLED": 3, "MOST_WORLDS": 32},
    "lookahead.deep_player": {"INNER_WORLDS": 100, "NARROW_BOARD": 16, "MOST_WORLDS": 1_000, "MOST_LIVE": 40},
    "endgame.play": {"ROOT": 2_000},
    "endgame.sets": {"ROOM": 40},
}  # fmt: skip
"""The small limits, by module."""


def shrink() -> None:
    """Set small limits in all kernels that are imported from now on.

    Raises RuntimeError if one of them is loaded already.
    """
    if early := [name for name in SMALL if KERNELS + name in sys.modules]:
        raise RuntimeError(f"kernels are loaded already: {', '.join(early)}")
    sys.meta_path.insert(0, _Finder())


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path) if fullname.removeprefix(KERNELS) in SMALL else None
        if spec is not None and spec.origin is not None:
            spec.loader = _Loader(fullname, spec.origin)
        return spec


class _Loader(SourceFileLoader):
    """Loader that sets each limit again behind the statement that sets it."""

    def get_code(self, fullname: str) -> CodeType:
        tree = ast.parse(self.get_data(self.path))
        limits: dict[str, Any] = dict(SMALL[fullname.removeprefix(KERNELS)])
        body: list[ast.stmt] = []
        for statement in tree.body:
            body.append(statement)
            names = ast.walk(statement) if isinstance(statement, ast.Assign) else ()
            for node in list(names):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in limits:
                    body += ast.parse(f"{node.id} = {limits.pop(node.id)}").body
        if limits:
            raise ValueError(f"{fullname} does not set {', '.join(limits)}")
        tree.body = body
        code: CodeType = compile(tree, self.path, "exec")
        return code
