"""Capacity of the kernels: the largest boards that their arrays have room for.

Importing this loads nothing that is compiled.
"""

CELLS = 10_240
"""Most cells of a board."""
DEGREE = 26
"""Most neighbours of a cell, greatest number, and largest group of the frontier."""
