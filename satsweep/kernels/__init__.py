"""The same, compiled: whole games and positions on flat arrays, by numba. Imports nothing else of the package."""
