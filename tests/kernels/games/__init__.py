"""Tests of ``satsweep/kernels/games``."""
