"""Capacity of the kernels: the largest boards that their arrays have room for. Nothing compiled is loaded here."""

CELLS = 10_240
"""Cells of a board at most."""
DEGREE = 26
"""Neighbours of a cell at most; also the greatest number, and the greatest size of a group on the frontier."""
