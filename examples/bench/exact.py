"""A model that is a program: it reads a prompt of ``satsweep bench``, and writes the exact answer.

    satsweep bench --model "cmd: python examples/bench/exact.py"

It knows the four forms of a board and any symbols, from the text alone, as a language model has to.
"""

import json
import re
import sys
from collections.abc import Iterable

from satsweep import Board, Cell, analyse, explain
from satsweep.why import Explanation

CELL = re.compile(r"\((\d+),(\d+)\)")


def cells_in(text: str) -> list[Cell]:
    return [Cell(int(row), int(col)) for row, col in CELL.findall(text)]


def board_of(intro: str, text: str) -> Board:
    """The board of a prompt: its introduction explains the symbols, its text has the cells."""
    numbers: dict[str, str] = {symbol: digit for symbol, digit in re.findall(r"(\S)=(\d)(?=[ .])", intro)}
    found = json.loads(text) if text.startswith("{") else {}
    size = re.match(r"rows: (\d+), columns: (\d+), mines: (\S+)", text)
    sizes = (found["rows"], found["cols"], found["mines"]) if size is None else size.groups()
    rows, cols, total = int(sizes[0]), int(sizes[1]), str(sizes[2])
    grid = [["?"] * cols for _ in range(rows)]  # an open cell whose number says nothing more
    if found:
        for one in found["open"]:
            grid[one["row"]][one["col"]] = numbers.get(str(one["number"]), str(one["number"]))
        for symbol, cells in (("#", found["covered"]), ("*", found.get("known_mines", []))):
            for row, col in cells:
                grid[row][col] = symbol
    elif (covered := re.search(r"(\S) is a covered cell", intro)) is not None:
        (mine,) = re.findall(r"(\S) a known mine", intro)
        known = {covered[1]: "#", mine: "*", **numbers}
        grid = [[known.get(symbol, symbol) for symbol in line.split()[1:]] for line in text.split("\n")[2:]]
    else:
        for line in text.split("\n")[1:]:
            if (equation := re.fullmatch(r"the (\S) at (\S+): (.*)=\d+", line)) is not None:
                (clue,) = cells_in(equation[2])
                grid[clue.row][clue.col] = numbers.get(equation[1], equation[1])
            elif (number := re.fullmatch(r"(\(\d+,\d+\))=(\S)", line)) is not None:
                (clue,) = cells_in(number[1])
                grid[clue.row][clue.col] = numbers.get(number[2], number[2])
            for cell in cells_in(equation[3] if equation else line if not number else ""):
                grid[cell.row][cell.col] = "*" if line.startswith("known mines") else "#"
    return Board(["".join(line) for line in grid], None if total == "unknown" else int(total))


def listed(cells: Iterable[Cell]) -> str:
    return " ".join(f"({row},{col})" for row, col in cells) or "none"


def answer(prompt: str) -> str:
    """The answer to a prompt, in the words that it asks for."""
    parts = prompt.split("\n\n")
    parts = parts[next(at for at, part in enumerate(parts) if part.startswith("This is a position")) :]
    board, asked = board_of(parts[0], parts[1]), parts[2]
    analysis = analyse(board)
    if "certainly mines?" in asked:
        return f"safe: {listed(analysis.safe)}; mines: {listed(analysis.mines)}"
    if "probability" in asked:
        return f"risk {analysis.risk(cells_in(asked)[0])}"
    if "which numbers force it" in asked:
        cell = cells_in(asked)[0]
        reason = explain(board, cell)
        assert isinstance(reason, Explanation)
        clues = [listed(reason.clues)] * bool(reason.clues) + ["total"] * reason.total
        return f"{'mine' if reason.mine else 'safe'} {cell.row} {cell.col} because {' and '.join(clues)}"
    assert analysis.best is not None
    return f"open {analysis.best.row} {analysis.best.col}"


if __name__ == "__main__":
    print(answer(sys.stdin.read()))
