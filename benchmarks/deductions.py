"""Share of the forced cells that each agent finds where single numbers say nothing.

    python benchmarks/deductions.py --positions 150 --json benchmarks/results/deductions.json

The positions are from games of gem, every tenth of those at which ``basic`` claims nothing: on 25x25 boards of several
densities, where play goes on after a mine, as in the plan gem-density, and on expert boards, where it ends the game.
The exact analysis says which cells are forced there, with the mine total known. Every agent plays on from the same
positions until it would have to guess, since most agents stop at their first success and go on with what they have
opened. Two figures: the forced cells that it has opened or flagged by then, and the positions with a forced cell at
which it claims something at once.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from random import Random

from satsweep import Agent, Board, Cell, Deduction, Layout, Rules, agent_named, analyse, play, random_layout
from satsweep.agents import basic, gem
from satsweep.board import COVERED, FLAG
from satsweep.games.deal import game_rng
from satsweep.games.game import Game, play_moves
from satsweep.games.rules import FirstClick

AGENTS = ("tank", "subset", "gem", "gem-full", "gem-refute", "sat")
PLAY_ON = Rules(first=FirstClick.ANY, fatal=False, cascade=False)
SETTINGS: list[tuple[str, int, int, int, Rules]] = [
    *((f"25x25, density .{tenths}", 25, 25, round(62.5 * tenths), PLAY_ON) for tenths in (1, 2, 3, 4, 5, 6)),
    ("expert", 16, 30, 99, Rules(start=Cell(0, 0))),
]


def positions(rows: int, cols: int, mines: int, rules: Rules) -> Iterator[tuple[Layout, Board]]:
    """Yield positions in which single numbers say nothing, with flags as known mines."""
    guess = agent_named("gem").guess
    for game in count():
        seen: list[Board] = []

        def deduce(board: Board, seen: list[Board] = seen) -> Deduction:
            if not basic.deduce(board):
                seen.append(board)
            return gem.deduce(board)

        rng = game_rng(0, game)
        record = play(random_layout(rows, cols, mines, rng), Agent(deduce, guess), rules, rng)
        yield from ((record.layout, board.trusting_flags()) for board in seen[game % 10 :: 10])


def settled(name: str, layout: Layout, board: Board) -> set[Cell]:
    """Return the cells that are open or flagged when an agent would have to guess."""
    game = Game(layout, PLAY_ON)
    for cell in board:
        if board[cell] not in (COVERED, FLAG):
            game.open(cell)
    agent = agent_named(name)
    for _ in play_moves(game, Agent(agent.deduce, lambda board, rng: None), Random(0)):
        pass
    return {cell for cell in board if game.board[cell] != COVERED}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--positions", type=int, default=150, help="positions of each setting")
    options.add_argument("--json", type=Path, help="file for the result")
    chosen = options.parse_args()
    result = []
    for name, rows, cols, mines, rules in SETTINGS:
        cells, moves, forced, decidable = Counter[str](), Counter[str](), 0, 0
        for layout, board in islice(positions(rows, cols, mines, rules), chosen.positions):
            analysis = analyse(board)
            known = {*analysis.safe, *analysis.mines}
            forced += len(known)
            decidable += bool(known)
            for agent in AGENTS if known else ():
                cells[agent] += len(known & settled(agent, layout, board))
                moves[agent] += bool(agent_named(agent).deduce(board))
        result.append({
            "boards": name, "positions": chosen.positions, "forced": forced, "decidable": decidable,
            "cells": dict(cells), "moves": dict(moves),
        })  # fmt: skip
        print(json.dumps(result[-1]), flush=True)
        if chosen.json:
            chosen.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
