"""Certified boards that the page keeps, where the search for one is slow.

python scripts/kept_boards.py             write satsweep/web/kept_boards.json
python scripts/kept_boards.py --check N   fail if its first N boards are not those that `satsweep generate` makes

Board i is that of `satsweep generate expert --solvable-by basic --start R,C --seed kept-i`: its proof is checked when
it is made. Play may also start in every other opening from which the same agent clears the board.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from satsweep.agents import agent_named
from satsweep.board import Cell
from satsweep.games.agent import Agent
from satsweep.games.deal import LEVELS
from satsweep.games.game import play
from satsweep.games.rules import FirstClick, Rules
from satsweep.generator.run import generate
from satsweep.generator.spec import BoardSpec
from satsweep.generator.walkthrough import no_guess
from satsweep.layout import Layout
from satsweep.web.deals import TECHNIQUES, opening

FILE = Path(__file__).parent.parent / "satsweep" / "web" / "kept_boards.json"
LEVEL, TECHNIQUE, NUMBER = "expert", "single", 64


def start_of(number: int) -> Cell:
    """First cell of a board, in the quarter whose mirror images are all cells."""
    rows, cols, _ = LEVELS[LEVEL]
    places = [Cell(row, col) for row in range(0, rows // 2, 2) for col in range(0, cols // 2, 2)]
    return places[number * 5 % len(places)]


def made(number: int) -> Layout:
    """A board of the collection."""
    rows, cols, mines = LEVELS[LEVEL]
    spec = BoardSpec(rows, cols, mines, start=start_of(number), solvable_by=TECHNIQUES[TECHNIQUE])
    (board,) = generate(spec, seed=f"kept-{number}")
    assert board.trace is not None
    return board.layout


def starts(layout: Layout) -> Iterator[int]:
    """A cell of each opening from which the technique clears the board."""
    agent = agent_named(TECHNIQUES[TECHNIQUE]).deduce
    left = {
        index for index, symbol in enumerate(layout.symbols) if symbol != "*" and layout.number(layout.cell(index)) == 0
    }
    while left:
        first = min(left)
        left -= opening(layout, first)
        own = Layout(layout.cells, start=layout.cell(first))
        if play(own, Agent(agent, no_guess), Rules(first=FirstClick.GIVEN)).won:
            yield first


def entry(number: int) -> dict[str, object]:
    """A board as the file has it: its mines as bits, row by row, highest first."""
    layout = made(number)
    bits = "".join("1" if symbol == "*" else "0" for symbol in layout.symbols)
    return {"mines": f"{int(bits, 2):0{len(bits) // 4}x}", "starts": list(starts(layout))}


def main() -> None:
    """Write the file, or compare its first boards with those that are made now."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", type=int, metavar="N")
    arguments = parser.parse_args()
    if arguments.check is not None:
        boards = json.loads(FILE.read_text(encoding="utf-8"))["boards"]
        if boards[: arguments.check] != [entry(number) for number in range(arguments.check)]:
            sys.exit(f"{FILE.name} has other boards; run python scripts/kept_boards.py")
        return
    boards = []
    for number in range(NUMBER):
        boards.append(entry(number))
        print(f"\r{number + 1} of {NUMBER}", end="", file=sys.stderr, flush=True)
    rows, cols, mines = LEVELS[LEVEL]
    lines = ",\n".join(json.dumps(board) for board in boards)
    head = json.dumps({"rows": rows, "cols": cols, "mines": mines, "technique": TECHNIQUE})[1:-1]
    FILE.write_text(f'{{{head}, "boards": [\n{lines}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
