// Words of the page and their meanings. Made by scripts/terms.py from docs/glossary.md; edit that.

export const TERMS = {
  risk: "The chance that a covered cell is a mine, counted over every solution. 0 % and 100 % are certain.",
  solutions: "The ways to place the mines that agree with every number on the board and with the mine total.",
  "win chance":
    "The chance to win the game from here if this cell comes first and every later move is the best one. The word about marks an estimate.",
  estimate: "A win chance found by looking a few moves ahead. It is good, but not exact.",
  "safe cell follows":
    "The chance that some cell is certainly safe once this one is open, so that the next move is no guess.",
  "best move":
    "The cell to open: the safe cell that is easiest to see; or else the one with the best known chance to win.",
  "dead cell": "Whatever number it shows, it helps to find nothing else. Opening it is all risk and no use.",
  "unavoidable guess":
    "A guess that no other cell will ever decide, such as a 50/50. Waiting does not help, so make it when you like.",
  "mine total": "The number of mines on the whole board. It decides cells that no number does, mostly at the end.",
  "best play": "The moves that win most often, found by trying everything that can happen in each solution.",
  "expected mines": "The sum of the risks of all covered cells.",
  grid: "Which cells touch each other: the usual square board, a board without edges, hexagons and others.",
  clues: "What the numbers tell: exact counts, or numbers that may be missing, too small or too large.",
  seed: "A word or number that decides where the mines are. The same seed deals the same board.",
  solver: "A program that plays by itself and gives a reason for each move.",
  "3BV": "The fewest left clicks that clear a board without flags.",
  "3BV/s": "The 3BV that was cleared, for each second of the game.",
  efficiency: "The 3BV that was cleared, for each click of any button. More than 100 % takes clicks on numbers.",
  throughput: "The 3BV that was cleared, for each click that changed something.",
  correctness: "The clicks that changed something, of all clicks. Throughput times correctness is efficiency.",
  RQP: "The time of a won game times itself, for each 3BV: less is better.",
  "fewest clicks": "The fewest clicks of any button that clear this board, flags and clicks on numbers included.",
  "not needed": "The other clicks win without these: flags that no click on a number used, cells that open anyway.",
  start: "The chance to win before the first choice, with the best moves from there on.",
  skill: "The chance to win that your choices gave away. 0 % is perfect: no other cell was ever better.",
  luck: "The chance to win that was gained or lost by what the opened cells showed.",
  pluck:
    "How much you dared: the risks of all guesses but the first cell together, on a scale where a risk of 90 % is 1.",
};
