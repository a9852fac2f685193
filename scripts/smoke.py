"""Try an installed satsweep, and what one of its extras adds.

python scripts/smoke.py [EXTRA | pure]

``pure`` is a satsweep without its compiled library. No extra changes the library: long games of it are played once.
"""

import importlib
import sys
from fractions import Fraction
from hashlib import sha256

import satsweep

BOARD = satsweep.Board("mines 3\n##1.\n##21\n####")
MODULES = {
    "cluster": "distributed",
    "plot": "satsweep.arena.plot",
    "parquet": "pyarrow",
    "pictures": "PIL.Image",
    "replays": "ms_toollib",
    "gym": "satsweep.learn.envs.minesweeper",
    "mcp": "mcp.server",
    "web": "satsweep.page.server",
    "testing": "satsweep.testing.strategies",
}
GAMES = "f1ae7dae4186fbfa6e54d0fde05f824798ef58b64d8d2d90f65c68c33a0d3dd3"
"""SHA-256 of the moves of 20 expert games of ``deep``, the same everywhere."""


def main() -> None:
    """Solve, explain, play; import what the extra is for."""
    pure = "pure" in sys.argv
    analysis = satsweep.analyse(BOARD)
    assert (analysis.worlds, analysis.risk((0, 0))) == (12, Fraction(1, 3))
    assert satsweep.explain(BOARD, (2, 1)).text.startswith("2,1 is safe")
    assert satsweep.play("beginner", "sat", seed=1).won
    if pure or not sys.argv[1:]:
        check_games(pure)
    for extra in sys.argv[1:]:
        importlib.import_module(MODULES.get(extra, "satsweep"))
    print("satsweep", satsweep.__version__, *sys.argv[1:], "works")


def check_games(pure: bool) -> None:
    """Play games that the library alone plays, and compare their moves."""
    try:
        games = sha256()
        for seed in range(20):
            for move in satsweep.play("expert", "deep", seed=seed).moves:
                games.update(f"{move.turn} {move.action.value} {move.cell.row},{move.cell.col}\n".encode())
        assert not pure and games.hexdigest() == GAMES, games.hexdigest()
    except ValueError as error:
        assert pure and "without its compiled library" in str(error)


if __name__ == "__main__":
    main()
