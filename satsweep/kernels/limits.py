"""Capacity, symbols and statuses of the kernels, known without NumPy."""

CELLS = 10_240
"""Most cells of a board."""
DEGREE = 26
"""Most neighbours of a cell, greatest number, and largest group of the frontier."""
FLOATS = 1 << 20
"""Places of the pool of floats, and of the counts of a position."""
HEAD = 6
"""Places before the first component in the shape of counts."""

FINE, WIDE, IMPOSSIBLE = 0, 1, 2
"""Status of a position: fine; beyond the limits (wide); no world agrees with it."""

COVERED, MINE, SAFE = -1, -2, -3
"""Symbol of a cell that shows no number: undecided, a mine, safe but not opened."""
