"""Time of a move in games whose mines are redrawn, beside that of usual games.

``python benchmarks/redraw.py`` plays the same expert layouts under each rule, and prints the processor time of opening
a cell in milliseconds (median, 99th percentile, greatest), that of the moves for which mines were drawn anew, and their
number. The agents' own time is left out.
"""

import argparse
import statistics
import time
from random import Random

from satsweep.agents import agent_named
from satsweep.games.deal import random_layout
from satsweep.games.game import Game, play_moves
from satsweep.games.rules import Redraw, Rules
from satsweep.layout import Layout


class TimedGame(Game):
    """Game that keeps the milliseconds of its openings, and of those that have drawn mines anew."""

    def __init__(self, layout: Layout, rules: Rules, rng: Random) -> None:
        super().__init__(layout, rules, rng)
        self.opened: list[float] = []
        self.drawn: list[float] = []

    def open(self, *arguments, **named):  # type: ignore[no-untyped-def]
        before, begun = self.layout, time.process_time()
        move = super().open(*arguments, **named)
        self.opened.append(1000 * (time.process_time() - begun))
        if self.layout is not before and len(self.opened) > 1:
            self.drawn.append(self.opened[-1])
        return move


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--board", default="expert")
    options = parser.parse_args()
    heads = ("won", 5), ("moves", 8), ("median", 9), ("99 %", 9), ("most", 9), ("drawn", 8), ("median", 9), ("most", 9)
    print(f"{'agent':<7}{'rule':<11}" + "".join(f"{head:>{width}}" for head, width in heads))
    for agent in ("sat", "basic"):
        for redraw in Redraw:
            opened: list[float] = []
            drawn: list[float] = []
            won = 0
            for number in range(options.games):
                rng = Random(number)
                game = TimedGame(random_layout(options.board, rng=rng), Rules(redraw=redraw), rng)
                for _ in play_moves(game, agent_named(agent), rng):
                    pass
                won += game.outcome is not None and game.outcome.won
                opened += game.opened
                drawn += game.drawn
            late = f"{statistics.median(drawn):>9.3f}{max(drawn):>9.3f}" if drawn else ""
            print(
                f"{agent:<7}{redraw.value:<11}{won:>5}{len(opened):>8,}{statistics.median(opened):>9.3f}"
                f"{statistics.quantiles(opened, n=100)[98]:>9.3f}{max(opened):>9.3f}{len(drawn):>8}{late}"
            )


if __name__ == "__main__":
    main()
