"""A UMI engine in Python, without satsweep: one number at a time, guesses by the numbers around.

    satsweep play --agent 'cmd:python examples/umi/basic.py'

docs/umi.md has the protocol. A number with as many mines to find as covered cells around has mines only; one that has
found all its mines has safe cells only.
"""

import random
import sys
from collections.abc import Iterable, Iterator

Cell = tuple[int, int]


def neighbours(row: int, col: int, rows: int, cols: int) -> list[Cell]:
    return [
        (r, c)
        for r in range(max(row - 1, 0), min(row + 2, rows))
        for c in range(max(col - 1, 0), min(col + 2, cols))
        if (r, c) != (row, col)
    ]


def constraints(board: list[str]) -> Iterator[tuple[Cell, list[Cell], int]]:
    """Each number as what is left to find: cells that are not known, and the mines among them."""
    rows, cols = len(board), len(board[0])
    for row, line in enumerate(board):
        for col, symbol in enumerate(line):
            if symbol in ".12345678":
                around = neighbours(row, col, rows, cols)
                known = sum(board[r][c] in "F*" for r, c in around)
                cells = [(r, c) for r, c in around if board[r][c] == "#"]
                if cells:
                    yield (row, col), cells, (0 if symbol == "." else int(symbol)) - known


def claims(board: list[str]) -> tuple[dict[Cell, Cell], dict[Cell, Cell]]:
    """Safe cells and mines, each with the number that proves it."""
    safe: dict[Cell, Cell] = {}
    mines: dict[Cell, Cell] = {}
    for number, cells, left in constraints(board):
        if left in (0, len(cells)):
            for cell in cells:
                (mines if left else safe).setdefault(cell, number)
    return safe, mines


def guess(board: list[str], total: int | None, rng: random.Random) -> Cell | None:
    """A covered cell of least estimated risk: the highest share of mines that a number around it asks for."""
    covered = [(r, c) for r, line in enumerate(board) for c, symbol in enumerate(line) if symbol == "#"]
    flags = sum(line.count("F") + line.count("*") for line in board)
    share = (total - flags) / len(covered) if total is not None and covered else 0.2
    risk = dict.fromkeys(covered, 0.0)
    for _, cells, left in constraints(board):
        for cell in cells:
            risk[cell] = max(risk[cell], left / len(cells))
    touched = {cell for _, cells, _ in constraints(board) for cell in cells}
    risk = {cell: one if cell in touched else share for cell, one in risk.items()}
    least = min(risk.values(), default=0)
    best = [cell for cell, one in risk.items() if one == least]
    return rng.choice(best) if best else None


def text(cells: Iterable[Cell]) -> str:
    return " ".join(f"{row},{col}" for row, col in cells)


def main() -> None:
    rows, rng = 0, random.Random(0)
    total: int | None = None
    board: list[str] = []
    for line in sys.stdin:
        reply: list[str] = []
        match line.split():
            case []:
                continue
            case ["umi", _]:
                reply = ["name Basic in Python", "version 1.0", "can sound untold rules", "umi 1"]
            case ["ping"]:
                reply = ["pong"]
            case ["quit"]:
                return
            case ["game", height, _, told] if height.isdigit():
                rows, total = int(height), None if told == "-" else int(told)
            case ["rule", "fatal" | "goal" | "cascade" | "first", _] | ["stop"]:
                continue
            case ["seed", number] if number.isdigit():
                rng = random.Random(int(number))
            case ["board"]:
                board = [sys.stdin.readline().strip() for _ in range(rows)]
            case ["go", *_] if board:
                safe, mines = claims(board)
                reply = [f"safe {text(safe)}"] if safe else []
                reply += [f"mine {text(mines)}"] if mines else []
                reply += [f"why {text([cell])} from {text([why])} by single point"
                          for cell, why in {**safe, **mines}.items()]  # fmt: skip
                chosen = None if safe or mines else guess(board, total, rng)
                reply += [f"guess {text([chosen])}"] if chosen else []
                reply.append("done")
            case _:
                reply = [f"error cannot follow {line.strip()[:80]}"]
        if reply:
            print("\n".join(reply), flush=True)


if __name__ == "__main__":
    main()
