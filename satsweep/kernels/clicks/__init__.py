"""Kernels of the fewest clicks: the sweep over the chords of a board."""
