"""Kernels marked, lowered by numba, and loaded from one shared library.

Nothing here knows about minesweeper. ``lowering`` runs only where the library is built.
"""
