"""ms_toollib over UMI: a cell of least risk, or all cells of risk 0; the library has no policy of its own.

    python examples/umi/foreign/build.py ms_toollib

Of several cells of least risk one is drawn. The argument is the folder that the library is installed in.
"""

import random
import sys

sys.path.insert(0, sys.argv[1])
import ms_toollib  # noqa: E402

VERSION = "1.5.20"
CODES = {"#": 10, "F": 10, ".": 0} | {str(number): number for number in range(1, 9)}


def risks(board: list[str], mines: int) -> dict[tuple[int, int], float]:
    """The probability of a mine of each covered cell."""
    covered = [(r, c) for r, row in enumerate(board) for c, symbol in enumerate(row) if symbol in "#F"]
    if mines in (0, len(covered)):  # the library takes a total below 1 for a density
        return dict.fromkeys(covered, float(mines > 0))
    found, _ = ms_toollib.cal_probability_onboard([[CODES[symbol] for symbol in row] for row in board], mines)
    return {(r, c): found[r][c] for r, c in covered}


def answer(found: dict[tuple[int, int], float], rng: random.Random) -> list[str]:
    least = min(found.values(), default=1.0)
    best = [cell for cell, risk in found.items() if risk == least]
    if least == 1:
        return []
    if least == 0:
        return ["safe " + " ".join(f"{r},{c}" for r, c in best)]
    row, col = rng.choice(best)
    return [f"guess {row},{col} {least:.17g}"]


def main() -> None:
    rows, mines, board, rng = 0, 0, list[str](), random.Random(0)
    for line in sys.stdin:
        reply: list[str] = []
        try:
            match line.split():
                case [] | ["stop"] | ["rule", "first", _]:
                    continue
                case ["umi", _]:
                    reply = ["name ms_toollib", f"version {VERSION}", "author Wang Jianing", "can sound risks", "umi 1"]
                case ["ping"]:
                    reply = ["pong"]
                case ["quit"]:
                    return
                case ["game", height, _, total] if total.isdigit():
                    rows, mines, board = int(height), int(total), []
                case ["seed", number]:
                    rng = random.Random(int(number))
                case ["rule", *_]:
                    rows, board = 0, []
                    reply = ["error this engine plays by the usual rules"]
                case ["board"] if rows:
                    board = [sys.stdin.readline().strip() for _ in range(rows)]
                case ["go", *_] if board:
                    reply = [*answer(risks(board, mines), rng), "done"]
                case ["risks"] if board:
                    found = risks(board, mines).items()
                    reply = ["risk " + " ".join(f"{r},{c}={risk:.17g}" for (r, c), risk in found), "done"]
                case _:
                    reply = [f"error cannot follow {line.strip()[:80]}"]
        except (ValueError, RuntimeError) as error:
            reply = [f"error ms_toollib: {' '.join(str(error).split())[:80]}"]
        if reply:
            print("\n".join(reply), flush=True)


if __name__ == "__main__":
    main()
